"""The folds of a learner: copies that predict and learn, with errors that name item and fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from streamgauge._core import NativeLearner
from streamgauge.errors import DataError, LearnerError
from streamgauge.log.alarms import Alarms, concatenate_alarms
from streamgauge.log.selections import Selections, concatenate_selections
from streamgauge.types import F64, NONE, U64, Codes
from streamgauge.types.scores import impossible_score, must_be_score

MAX_PREDICTIONS_PER_CALL = 1024
"""Maximum number of predictions in one call of `predict`."""


@dataclass(frozen=True, slots=True)
class Fold:
    """One copy of a learner. `classes` is None for a real target.

    `signals` holds the signals of detectors inside the folds that are not in the log yet, and
    `selected` the changes of their selections of features.
    """

    name: str
    learner: Any
    number: int
    classes: int | None
    scores: bool
    signals: list[Alarms]
    selected: list[Selections]
    native: bool = False

    def predict_first(self, items: U64, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """First predictions of items, block by block of consecutive ones."""
        gaps = np.flatnonzero(items[1:] != items[:-1] + np.uint64(1)) + 1
        if not len(gaps):
            return self.predict_consecutive(int(items[0]), rows)
        predictions, scores = self.empty(len(rows))
        for start, stop in pairwise([0, *gaps.tolist(), len(items)]):
            some = slice(start, stop)
            predictions[some], more = self.predict_consecutive(int(items[start]), rows[some])
            if scores is not None and more is not None:
                scores[some] = more
        return predictions, scores

    def predict_consecutive(self, first: int, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """First predictions of consecutive items, at most MAX_PREDICTIONS_PER_CALL in one call."""
        if len(rows) <= MAX_PREDICTIONS_PER_CALL:
            return self._predict_part(first, rows)
        predictions, scores = self.empty(len(rows))
        for low in range(0, len(rows), MAX_PREDICTIONS_PER_CALL):
            some = slice(low, low + MAX_PREDICTIONS_PER_CALL)
            predictions[some], more = self._predict_part(first + low, rows[some])
            if scores is not None and more is not None:
                scores[some] = more
        return predictions, scores

    def _predict_part(self, first: int, rows: F64) -> tuple[Codes | F64, F64 | None]:
        with _ErrorLocation(self, "predict", range(first, first + len(rows))):
            made = self.learner.predict(rows, first)
            self.check(made, len(rows))
            predictions: Codes | F64 = made.copy()  # a learner may reuse its array
            scores = self.empty_scores(len(rows))
            if scores is not None:
                scores[:] = self.learner.scores(rows, first)
                self.check_scores(scores, first)
            if self.learner.tracks_items:
                self.learner.predicted(first, predictions)
        return predictions, scores

    def predict_again(self, items: U64, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """Predictions of items that were predicted before, in any order."""
        learner = self.learner
        predictions, scores = self.empty(len(rows))
        # A learner that tracks items but takes only the first number is called item by item.
        step = 1 if learner.tracks_items and not learner.numbered else MAX_PREDICTIONS_PER_CALL
        for low in range(0, len(rows), step):
            some = slice(low, low + step)
            first = int(items[low])
            numbers = {"items": items[some]} if learner.numbered else {}
            with _ErrorLocation(self, "predict", items[some]):
                made = learner.predict(rows[some], first, **numbers)
                self.check(made, len(items[some]))
                predictions[some] = made
                if scores is not None:
                    scores[some] = learner.scores(rows[some], first, **numbers)
                    self.check_scores(scores[some], first)
        return predictions, scores

    def learn(self, items: U64, rows: F64, labels: Codes | F64, weights: F64) -> None:
        """Learn labelled items in one call; those of weight 0 not at all.

        A learner that tracks items sees their labels, too: the last label is a fact of the stream.
        """
        if not self.native and not self.learner.tracks_items and not weights.all():
            some = np.flatnonzero(weights)
            items, rows, labels, weights = items[some], rows[some], labels[some], weights[some]
            if not len(some):
                return
        with _ErrorLocation(self, "learn", items):
            if self.learner.tracks_items:
                self.learner.learn(rows, labels, weights, items)
            else:
                self.learner.learn(rows, labels, weights)
        self.collect()

    def check(self, predictions: Any, rows: int) -> None:
        """Check type, shape and range of the predictions of `rows` items."""
        kind = np.dtype(np.float64 if self.classes is None else np.int32)
        if not isinstance(predictions, np.ndarray) or (
            predictions.shape != (rows,) or predictions.dtype != kind
        ):
            got = getattr(predictions, "shape", type(predictions).__name__)
            of = getattr(predictions, "dtype", "")
            raise DataError(
                f"predictions must be {rows} values of {kind}, one per row, got {got} {of}"
            )
        if self.classes is not None and not self._are_codes(predictions, self.classes):
            row = int(np.flatnonzero((predictions < NONE) | (predictions >= self.classes))[0])
            raise DataError(
                f"predictions must be class codes from 0 to {self.classes - 1}, or {NONE} to "
                f"abstain, got {predictions[row]} in row {row} of the call"
            )

    def check_scores(self, scores: F64, first: int, predictions: Codes | F64 | None = None) -> None:
        """Check the range of scores; the error is about item `first` plus the row of the call."""
        wrong = None if self.native else impossible_score(scores)
        if wrong is not None:
            row, got = wrong
            cause = DataError(must_be_score(got))
            before = None if predictions is None else predictions[:row]
            raise LearnerError(self.name, "scores", first + row, self.number, cause, before)

    def _are_codes(self, predictions: Codes, classes: int) -> bool:
        """Whether all are class codes or `NONE`; compiled learners give nothing else."""
        if self.native or not len(predictions):
            return True
        if len(predictions) == 1:  # usual with late labels; faster than two calls of NumPy
            return bool(NONE <= predictions.item() < classes)
        # Code + 1 as unsigned: values below NONE become larger than all codes.
        return bool((predictions.view(np.uint32) + np.uint32(1)).max() <= classes)

    def collect(self) -> None:
        """Fetch the signals of a detector inside the learner, and the changes of its selection."""
        if self.learner.has_alarms and (signals := self.learner.alarms()):
            self.signals.append(Alarms.of(signals, self.number))
        if self.learner.has_selections and (changes := self.learner.selections()):
            self.selected.append(Selections.of(changes, self.number))

    def empty(self, rows: int) -> tuple[Codes | F64, F64 | None]:
        """Arrays for predictions and, if they are recorded, scores."""
        if self.classes is None:
            return np.full(rows, np.nan), None
        return np.full(rows, NONE, np.int32), self.empty_scores(rows)

    def empty_scores(self, rows: int) -> F64 | None:
        """An array for scores; None if they are not recorded."""
        if self.classes is None or not self.scores:
            return None
        return np.full((rows, self.classes), np.nan)


@dataclass(frozen=True, slots=True)
class Folds:
    """All folds of one learner."""

    name: str
    learners: Sequence[Any]
    classes: int | None
    scores: bool
    signals: list[Alarms] = field(default_factory=list)
    selected: list[Selections] = field(default_factory=list)
    folds: tuple[Fold, ...] = field(init=False)

    def __post_init__(self) -> None:
        folds = tuple(
            Fold(
                self.name,
                learner,
                number,
                self.classes,
                self.scores,
                self.signals,
                self.selected,
                isinstance(learner, NativeLearner),
            )
            for number, learner in enumerate(self.learners)
        )
        object.__setattr__(self, "folds", folds)

    @property
    def native(self) -> bool:
        """Whether all folds are native learners."""
        return all(isinstance(learner, NativeLearner) for learner in self.learners)

    @property
    def callables(self) -> list[Any]:
        """Objects that the compiled interpreter calls.

        Native learners, compiled drivers of models that are called item by item, or the folds.
        """
        if self.native:
            return list(self.learners)
        drivers = [learner.one_by_one for learner in self.learners]
        if any(driver is None for driver in drivers):
            return list(self.folds)
        return [driver.compiled for driver in drivers]

    def collect(self) -> None:
        """Fetch what is not in the log yet from all folds."""
        for fold in self.folds:
            fold.collect()

    def sort_signals(self, learned: Sequence[U64]) -> None:
        """Sort signals and selections of several folds by the order in which items were learned.

        `learned` are the items that the parts of a chunk have learned, of which there may be rows.
        Folds execute a chunk one after the other; the log must not depend on how the timetable is
        divided into chunks. A selection that was made before the first item was learned is first.
        """
        if len(self.folds) == 1 or not (self.signals or self.selected):
            return
        row_of = {item: row for row, item in enumerate(np.concatenate(learned).tolist())}
        if self.signals:
            signals = concatenate_alarms(self.signals)
            row = np.array([row_of[item] for item in signals.item.tolist()])
            self.signals[:] = [signals.take(np.lexsort((signals.fold, row)))]
        if self.selected:
            selected = concatenate_selections(self.selected)
            row = np.array([row_of.get(item, -1) for item in selected.item.tolist()])
            self.selected[:] = [selected.take(np.lexsort((selected.fold, row)))]

    def forget(self, keep_from: int) -> None:
        """Make learners forget items that will not be predicted or learned again."""
        for learner in self.learners:
            if learner.tracks_items:
                learner.forget(keep_from)

    def failure(self, stop: tuple[int, str, int, Exception]) -> LearnerError:
        """The error of a model that failed in the execution of a chunk."""
        fold, verb, item, cause = stop
        if isinstance(cause, LearnerError):
            return cause
        driver = self.learners[fold].one_by_one
        error: LearnerError = driver.failure(verb, item, cause)
        return LearnerError(self.name, error.verb, item, fold, cause)


@dataclass(frozen=True, slots=True)
class _ErrorLocation:
    """A context whose errors name the item and the fold."""

    fold: Fold
    verb: str
    items: U64 | Sequence[int]

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, LearnerError):
            # An adapter knows the row of the call only.
            row = error.item - (int(self.items[0]) if self.verb == "predict" else 0)
            item, verb, cause = int(self.items[row]), error.verb, error.cause
            raise LearnerError(self.fold.name, verb, item, self.fold.number, cause) from cause
        if isinstance(error, Exception | SystemExit):
            item = int(self.items[0])
            raise LearnerError(self.fold.name, self.verb, item, self.fold.number, error) from error
