"""A learner that gets only the features that a selector chooses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast, get_args

from streamgauge.adapters import bind
from streamgauge.errors import ParameterError
from streamgauge.learners._selecting import SelectingLearner
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.log.about import name_of
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.selectors._own_selector import bind_selector, check_selector
from streamgauge.selectors.fires import FIRES
from streamgauge.types import Schema

Unselected: TypeAlias = Literal["zero", "missing"]
"""What a learner gets in the cell of a feature that is not selected."""

FILLS: dict[Unselected, float] = {"zero": 0.0, "missing": float("nan")}


@dataclass(frozen=True, slots=True)
class Selecting:
    """A learner that gets only the features that an online selector chooses.

    An item is predicted with the features selected when it is predicted, so before its label. When
    its label is known, the learner inside learns it with the features selected then, and after that
    the selector learns it, from all features. So an item that is learned right after its prediction
    is learned with the features it was predicted with; one with a late label is learned with the
    current ones, with which the next items are predicted. The selector does not see items without
    labels. Changes of the selection are in the log (`log.selections()`).

    Parameters
    ----------
    selector
        A selector of `streamgauge.selectors` or the user's own, or its name.
    learner
        Any learner or model that `run` takes, or its name.
    unselected
        What the learner gets for a feature that is not selected: ``"zero"``, the constant 0 of the
        published programs, for a nominal feature its first value; or ``"missing"``, a missing
        value, for learners that take these (our naive Bayes and our trees leave it out). Columns
        are not removed: a learner has a fixed number of them.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> x = np.random.default_rng(0).normal(size=(1000, 20))
    >>> stream = sg.streams.from_arrays(x, x[:, 3] - x[:, 8] > 0)
    >>> log = sg.run(stream, Selecting(sg.selectors.FIRES(n_features=2), "perceptron"))
    >>> [features.tolist() for features in log.selections().features]
    [[0, 1], [3, 8]]

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams (2022).
    """

    selector: object = field(default_factory=FIRES)
    learner: object = field(default_factory=NaiveBayes)
    unselected: Unselected = "zero"

    def __post_init__(self) -> None:
        object.__setattr__(self, "selector", resolve("selector", self.selector))
        object.__setattr__(self, "learner", resolve("learner", self.learner))
        check_selector(self.selector)
        if self.unselected not in get_args(Unselected):
            must = f"one of {', '.join(get_args(Unselected))}"
            raise ParameterError.of(self, "unselected", must, self.unselected)

    @property
    def name(self) -> str:
        """Its name in tables."""
        given = [] if self.unselected == "zero" else [f"unselected={self.unselected!r}"]
        parts = [name_of(self.selector), name_of(self.learner), *given]
        return f"selecting({', '.join(parts)})"

    @property
    def task(self) -> Literal["classification", "regression"]:
        """The kind of target it predicts: that of its learner."""
        task = getattr(self.learner, "task", "classification")
        return cast(Literal["classification", "regression"], task)

    def bind(self, schema: Schema, seed: int = 0) -> SelectingLearner:
        """Make the learner for a stream's columns and classes."""
        learner = bind(self.learner, schema, seed)
        if self.unselected == "missing" and not learner.takes_missing:
            raise ParameterError(
                f"{type(self).__name__}: unselected must be 'zero', got 'missing': "
                f"{name_of(self.learner)} takes no missing values"
            )
        selector = bind_selector(self.selector, schema, child(seed, "selector"))
        return SelectingLearner(learner, selector, FILLS[self.unselected])
