"""The bound half of `Selecting`: a learner and a feature selector, driven together."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from streamgauge.errors import LearnerError
from streamgauge.learners import _wrapping as wrapping
from streamgauge.learners._two_states import opened, sealed
from streamgauge.seeds import child
from streamgauge.types import F64, I64, NONE, U32, U64, Codes, Flags, missing

MAGIC = b"sg selec"
"""Begins a saved state, whose first number is that of the items learned."""


@dataclass(slots=True)
class SelectingLearner:
    """Drives a learner and its selector.

    A selection depends on items and labels only, not on predictions. So the selector masks and
    learns many items in one call, and the learner gets the masked rows in one call.
    """

    learner: Any
    selector: Any
    fill: float
    _changes: list[tuple[int, Sequence[int] | U32]] = field(
        default_factory=list, init=False, repr=False
    )
    _learned: int = field(default=0, init=False, repr=False)

    tracks_items: ClassVar[bool] = True
    has_selections: ClassVar[bool] = True
    measured: ClassVar[bool] = True
    one_by_one: ClassVar[None] = None

    @property
    def numbered(self) -> bool:
        """True if the learner inside takes items in any order."""
        return bool(self.learner.numbered)

    @property
    def has_alarms(self) -> bool:
        """True if there is a detector inside."""
        return bool(self.learner.has_alarms)

    @property
    def takes_missing(self) -> bool:
        """True if rows may have missing values."""
        return bool(self.learner.takes_missing)

    @property
    def has_scores(self) -> bool:
        """True if it has scores."""
        return bool(self.learner.has_scores)

    @property
    def about(self) -> dict[str, str]:
        """What is stored in the log about the learner inside."""
        return dict(self.learner.about)

    def predict(self, rows: F64, first: int = 0, items: U64 | None = None) -> Codes | F64:
        """Predictions of the learner inside, from the features selected now."""
        numbers = {} if items is None else {"items": items}
        masked = self.selector.mask(np.ascontiguousarray(rows), self.fill)
        predictions: Codes | F64 = self.learner.predict(masked, first, **numbers)
        return predictions

    def scores(self, rows: F64, first: int = 0, items: U64 | None = None) -> F64:
        """The scores of the learner inside, from the features selected now."""
        numbers = {} if items is None else {"items": items}
        masked = self.selector.mask(np.ascontiguousarray(rows), self.fill)
        scores: F64 = self.learner.scores(masked, first, **numbers)
        return scores

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, each with the features selected before its label."""
        if items is None:
            items = np.arange(self._learned, self._learned + len(labels), dtype=np.uint64)
        masked, changed, sets = self._follow(rows, labels, weights)
        try:
            wrapping.learn_rows(self.learner, masked, labels, weights, items)
        except LearnerError as error:
            self._record(items, changed[changed < error.item], sets)
            raise
        self._record(items, changed, sets)
        self._learned += len(labels)

    def predicted(self, first: int, predictions: Codes | F64) -> None:
        """Pass the predictions to the learner inside, if it tracks items."""
        wrapping.predicted(self.learner, first, predictions)

    def forget(self, keep_from: int) -> None:
        """Make the learner inside forget items, if it tracks them."""
        wrapping.forget(self.learner, keep_from)

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Predict each item, then learn it unless its label is missing; fill `scores`."""
        masked, changed, sets = self._follow(rows, labels, weights)
        items = np.arange(first, first + len(labels), dtype=np.uint64)
        try:
            predictions: Codes | F64 = self.learner.test_then_train(
                first, masked, labels, weights, scores
            )
        except LearnerError as error:
            self._record(items, changed[changed < len(error.predictions)], sets)
            raise
        self._record(items, changed, sets)
        self._learned += len(labels)
        return predictions

    def alarms(self) -> list[tuple[int, str, str]]:
        """Signals of a detector inside since the last call."""
        return wrapping.alarms(self.learner)

    def selections(self) -> list[tuple[int, Sequence[int] | U32]]:
        """(item, features) of each change of the selection since the last call."""
        changes, self._changes = self._changes, []
        return changes

    def fresh(self, seed: int) -> SelectingLearner:
        """An untrained copy, with its own seed."""
        selector = self.selector.fresh(child(seed, "selector"))
        return SelectingLearner(self.learner.fresh(seed), selector, self.fill)

    def save(self) -> bytes:
        """The state of learner and selector as bytes, if both can be saved."""
        return sealed(MAGIC, (self._learned, 0), self.learner.save(), self.selector.save())

    def load(self, state: bytes) -> None:
        """Load the state that an equal learner saved."""
        (learned, _), inside, selected = opened(MAGIC, state)
        # Into copies first: a refused state must change nothing. Equal learners have equal seeds.
        learner, selector = copy(self.learner), copy(self.selector)
        learner.load(inside)
        selector.load(selected)
        self.learner, self.selector, self._learned = learner, selector, learned

    def memory(self) -> float:
        """Bytes of the learner inside and its selector; NaN if unknown."""
        base = self.learner.memory() if self.learner.measured else float("nan")
        own = getattr(self.selector, "memory", None)
        return float(base + (float("nan") if own is None else own()))

    def vitals(self) -> dict[str, float]:
        """Vitals of the learner inside and of the selector."""
        inside = self.learner.vitals() if self.learner.measured else {}
        own = getattr(self.selector, "vitals", None)
        return {**inside, **({} if own is None else own())}

    def _follow(
        self, rows: F64, labels: Codes | F64, weights: F64 | None
    ) -> tuple[F64, I64, Flags]:
        """Mask the rows while the selector learns; a selector gets class 0 for a real label."""
        real = labels.dtype.kind == "f"
        codes = np.where(missing(labels), NONE, 0).astype(np.int32) if real else labels
        followed: tuple[F64, I64, Flags] = self.selector.mask_and_learn(
            np.ascontiguousarray(rows), codes, weights, self.fill
        )
        return followed

    def _record(self, items: U64, changed: I64, sets: Flags) -> None:
        self._changes += [
            (int(items[row]), np.flatnonzero(one).astype(np.uint32))
            for row, one in zip(changed.tolist(), sets[: len(changed)], strict=True)
        ]
