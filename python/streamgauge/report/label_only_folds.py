"""Predictions of a learner that uses labels only, after each label of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from streamgauge.log._join import Pending
from streamgauge.log.rows import Labels, Training
from streamgauge.types import F64, I64, U64, Codes, nothing


class TrainingByLabel:
    """Weights with which the folds of a log learned its labels."""

    def __init__(self, learned: Iterator[Training]) -> None:
        self._pending = Pending(learned)

    def weights_of(self, items: U64) -> dict[int, F64]:
        """Weights with which each fold learned the next labels, by fold; 0 if it did not learn one.

        Labels are learned in the order of their arrival, so a row about another item belongs to a
        later label.
        """
        by_fold: dict[int, F64] = {}
        order = np.argsort(items, kind="stable") if (items[1:] < items[:-1]).any() else None
        known = items if order is None else items[order]
        while len(items) and (part := self._pending.part(0)) is not None:
            near = np.minimum(np.searchsorted(known, part.item), len(known) - 1)
            other = np.flatnonzero(known[near] != part.item)
            rows = int(other[0]) if len(other) else len(part)
            if rows:
                place = near[:rows] if order is None else order[near[:rows]]
                _fill(by_fold, self._pending.head(rows), place, len(items))
            if rows < len(part):
                break
        return by_fold


def _fill(by_fold: dict[int, F64], rows: Training, place: I64, size: int) -> None:
    for fold in np.unique(rows.fold).tolist():
        own = rows.fold == fold
        by_fold.setdefault(fold, np.zeros(size))[place[own]] = rows.weight[own]


class LabelOnlyFolds:
    """Folds of a learner that uses labels only, and their predictions after each label.

    Predictions are kept for the last `keep` labels.
    """

    def __init__(self, fresh: Callable[[], Any], learned: Iterator[Training], keep: int) -> None:
        self._fresh, self._keep = fresh, keep
        self._training = TrainingByLabel(learned)
        self._learners: dict[int, Any] = {}
        self._kept: dict[int, Codes | F64] = {}
        self.first = 0
        """Number of labels known at the first kept prediction."""
        self.stop = 0
        """Number of labels learned."""

    @property
    def folds(self) -> list[int]:
        """Folds that have learned at least one label."""
        return sorted(self._learners)

    def learn(self, labels: Labels) -> None:
        """Learn the next labels, each in the folds that learned it in the log."""
        weights = self._training.weights_of(labels.item)
        first = max(self.stop - self._keep, 0)
        none = nothing(labels.label)
        for fold in sorted({*weights, *self._learners}):
            if fold not in self._learners:
                self._learners[fold] = self._fresh()
                self._kept[fold] = np.full(self.stop - self.first + 1, none, labels.label.dtype)
            # One more row without a label gives the prediction after the last label.
            label = np.append(labels.label, labels.label.dtype.type(none))
            weight = np.append(weights.get(fold, np.zeros(len(labels))), 0.0)
            made = self._learners[fold].test_then_train(0, None, label, weight)
            before = self._kept[fold][first - self.first : self.stop - self.first]
            self._kept[fold] = np.concatenate([before, made])
        self.first, self.stop = first, self.stop + len(labels)

    def after(self, fold: int, labels: I64, like: Codes | F64) -> Codes | F64:
        """Predictions of a fold after these numbers of labels, in the dtype of `like`."""
        kept = self._kept.get(fold)
        if kept is None:
            return np.full(len(labels), nothing(like), like.dtype)
        return kept[labels - self.first]
