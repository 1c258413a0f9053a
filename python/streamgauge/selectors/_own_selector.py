"""Selectors of the user's own, with a check of what `selected` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError, StreamgaugeError, error_line
from streamgauge.log.about import name_of
from streamgauge.selectors._selector import Selector, SelectorParameters
from streamgauge.types import F64, I64, NONE, Codes, Flags, Schema

METHODS = ("selected", "learn", "fresh")


@dataclass(slots=True)
class OwnSelector:
    """A selector of the user's own; raises ParameterError if `selected` returns anything else."""

    selector: Any
    name: str
    width: int
    _learned: bool = False

    def selected(self) -> Flags:
        """Whether each feature is selected."""
        flags = np.asarray(self.selector.selected())
        if flags.shape != (self.width,) or flags.dtype != np.bool_:
            raise ParameterError(
                f"{self.name}: selected must return {self.width} booleans, one per feature, got "
                f"{flags.dtype} {flags.shape}"
            )
        return flags.copy()

    def mask(self, rows: F64, fill: float) -> F64:
        """The rows with `fill` in the cells of features that are not selected."""
        return np.where(self.selected(), rows, fill)

    def mask_and_learn(
        self, rows: F64, labels: Codes, weights: F64 | None, fill: float
    ) -> tuple[F64, I64, Flags]:
        """Mask each row by the features selected before it, then learn it if its label is known."""
        masked = np.empty_like(rows)
        changed, sets = [], []
        now = self.selected()
        for row in range(len(rows)):
            masked[row] = np.where(now, rows[row], fill)
            weight = 1.0 if weights is None else float(weights[row])
            if labels[row] == NONE or weight == 0:
                continue
            self.selector.learn(rows[row].copy(), int(labels[row]), weight)
            after = self.selected()
            if not self._learned or not np.array_equal(after, now):
                changed.append(row)
                sets.append(after)
            now, self._learned = after, True
        table = np.array(sets, np.bool_).reshape(len(sets), self.width)
        return masked, np.array(changed, np.int64), table

    def fresh(self, seed: int) -> OwnSelector:
        """A copy with its own seed that has learned nothing."""
        return OwnSelector(self.selector.fresh(seed), self.name, self.width)


def bind_selector(parameters: object, schema: Schema, seed: int = 0) -> Selector:
    """Create a selector: one of streamgauge, or the user's own.

    The user's own has `bind(schema, seed)`, which returns an object with `selected()` (one boolean
    per feature), `learn(row, label, weight)` and `fresh(seed)`.

    Examples
    --------
    >>> from streamgauge.selectors import AllFeatures
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("a"), Feature("b")), "y", ("no", "yes"))
    >>> bind_selector(AllFeatures(), schema).selected().tolist()
    [True, True]
    >>> bind_selector(object(), schema)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: a selector must be one of streamgauge.selectors, or an \
object with bind, got builtins.object
    """
    check_selector(parameters)
    module = type(parameters).__module__
    assert isinstance(parameters, SelectorParameters)  # for mypy
    if module.startswith("streamgauge.selectors."):
        bound: Selector = parameters.bind(schema, seed)
        return bound
    name = name_of(parameters)
    try:
        own = parameters.bind(schema, seed)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{name}: bind(schema, seed) failed: {error_line(error)}") from error
    missing = [method for method in METHODS if not callable(getattr(own, method, None))]
    if missing:
        raise ParameterError(
            f"{name}: bind must return an object with {', '.join(METHODS)}, got "
            f"{type(own).__name__} without {', '.join(missing)}"
        )
    selector = OwnSelector(own, name, len(schema.features))
    selector.selected()
    return selector


def check_selector(parameters: object) -> None:
    """Refuse what is no selector, before there is a stream."""
    module = type(parameters).__module__
    # A learner, a detector has a `bind` too.
    own = not module.startswith("streamgauge.") or module.startswith("streamgauge.selectors.")
    if not (
        own and isinstance(parameters, SelectorParameters) and not isinstance(parameters, type)
    ):
        raise ParameterError(
            "a selector must be one of streamgauge.selectors, or an object with bind, got "
            f"{module}.{type(parameters).__qualname__}"
        )
