"""What a learner that only ever looks at labels would predict after each label of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from streamgauge.log._join import Pending
from streamgauge.log.rows import Taught, Truth
from streamgauge.types import F64, I64, U64, Codes, nothing


class Training:
    """Who learned the labels of a log, read beside the labels."""

    def __init__(self, learned: Iterator[Taught]) -> None:
        self._pending = Pending(learned)

    def of(self, items: U64) -> dict[int, F64]:
        """Fold -> the weight with which it learned each of the next labels; 0: it did not.

        Labels are learned in the order in which they come, so a row about another item is about
        a later one.
        """
        by_fold: dict[int, F64] = {}
        order = np.argsort(items, kind="stable") if (items[1:] < items[:-1]).any() else None
        known = items if order is None else items[order]
        while len(items) and (part := self._pending.part(0)) is not None:
            near = np.minimum(np.searchsorted(known, part.item), len(known) - 1)
            strange = np.flatnonzero(known[near] != part.item)
            rows = int(strange[0]) if len(strange) else len(part)
            if rows:
                place = near[:rows] if order is None else order[near[:rows]]
                _fill(by_fold, self._pending.head(rows), place, len(items))
            if rows < len(part):
                break
        return by_fold


def _fill(by_fold: dict[int, F64], rows: Taught, place: I64, size: int) -> None:
    for fold in np.unique(rows.fold).tolist():
        own = rows.fold == fold
        by_fold.setdefault(fold, np.zeros(size))[place[own]] = rows.weight[own]


class States:
    """The predictions of each fold of a learner that only looks at labels, label by label.

    `back` is how many labels back they are still known.
    """

    def __init__(self, fresh: Callable[[], Any], learned: Iterator[Taught], back: int) -> None:
        self._fresh, self._back = fresh, back
        self._training = Training(learned)
        self._learners: dict[int, Any] = {}
        self._held: dict[int, Codes | F64] = {}
        self.low = 0
        """The number of labels after which the first prediction that is held would be made."""
        self.stop = 0
        """The number of labels learned."""

    @property
    def folds(self) -> list[int]:
        """The folds that have learned something."""
        return sorted(self._learners)

    def learn(self, true: Truth) -> None:
        """Learn the next labels, each by the folds that did."""
        weights = self._training.of(true.item)
        low = max(self.stop - self._back, 0)
        none = nothing(true.label)
        for fold in sorted({*weights, *self._learners}):
            if fold not in self._learners:
                self._learners[fold] = self._fresh()
                self._held[fold] = np.full(self.stop - self.low + 1, none, true.label.dtype)
            # One more row without a label: the prediction after the last label.
            label = np.append(true.label, true.label.dtype.type(none))
            weight = np.append(weights.get(fold, np.zeros(len(true))), 0.0)
            made = self._learners[fold].test_then_train(0, None, label, weight)
            before = self._held[fold][low - self.low : self.stop - self.low]
            self._held[fold] = np.concatenate([before, made])
        self.low, self.stop = low, self.stop + len(true)

    def after(self, fold: int, labels: I64, like: Codes | F64) -> Codes | F64:
        """What a fold would predict when so many labels are known; a column of the kind `like`."""
        held = self._held.get(fold)
        if held is None:
            return np.full(len(labels), nothing(like), like.dtype)
        return held[labels - self.low]
