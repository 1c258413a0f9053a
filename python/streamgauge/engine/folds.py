"""The folds of a learner: copies that predict and learn, with errors that name item and fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from streamgauge._core import NativeLearner
from streamgauge.errors import DataError, LearnerError
from streamgauge.log.alarms import Alarms, gathered
from streamgauge.types import F64, NONE, U64, Codes

PREDICT_AT_ONCE = 1024
"""Predictions in one call, at most."""


@dataclass(frozen=True, slots=True)
class Fold:
    """One copy of a learner. `classes` is None for a real target.

    `signals` is what detectors inside the folds have signalled since it was last written down.
    """

    name: str
    learner: Any
    number: int
    classes: int | None
    scores: bool
    signals: list[Alarms]
    compiled: bool = False

    def predict_first(self, items: U64, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """First predictions of items: one call for each run of consecutive ones."""
        gaps = np.flatnonzero(items[1:] != items[:-1] + np.uint64(1)) + 1
        if not len(gaps):
            return self.predict_run(int(items[0]), rows)
        predictions, scores = self.empty(len(rows))
        for start, stop in pairwise([0, *gaps.tolist(), len(items)]):
            some = slice(start, stop)
            predictions[some], more = self.predict_run(int(items[start]), rows[some])
            if scores is not None and more is not None:
                scores[some] = more
        return predictions, scores

    def predict_run(self, first: int, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """First predictions of consecutive items, at most PREDICT_AT_ONCE in one call."""
        if len(rows) <= PREDICT_AT_ONCE:
            return self._predict_part(first, rows)
        predictions, scores = self.empty(len(rows))
        for low in range(0, len(rows), PREDICT_AT_ONCE):
            some = slice(low, low + PREDICT_AT_ONCE)
            predictions[some], more = self._predict_part(first + low, rows[some])
            if scores is not None and more is not None:
                scores[some] = more
        return predictions, scores

    def _predict_part(self, first: int, rows: F64) -> tuple[Codes | F64, F64 | None]:
        with _Blame(self, "predict", range(first, first + len(rows))):
            made = self.learner.answer(rows, first)
            self.check(made, len(rows))
            predictions: Codes | F64 = made.copy()  # a learner may fill one array again and again
            scores = self.empty(len(rows))[1] if self.scores else None
            if scores is not None:
                scores[:] = self.learner.scores(rows, first)
            if self.learner.remembers:
                self.learner.asked(first, predictions)
        return predictions, scores

    def predict_again(self, items: U64, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """Predictions of items that were predicted before, in any order."""
        learner = self.learner
        predictions, scores = self.empty(len(rows))
        # One that depends on item numbers and takes only the first is called item by item.
        step = 1 if learner.remembers and not learner.numbered else PREDICT_AT_ONCE
        for low in range(0, len(rows), step):
            some = slice(low, low + step)
            first = int(items[low])
            numbers = {"items": items[some]} if learner.numbered else {}
            with _Blame(self, "predict", items[some]):
                made = learner.answer(rows[some], first, **numbers)
                self.check(made, len(items[some]))
                predictions[some] = made
                if scores is not None:
                    scores[some] = learner.scores(rows[some], first, **numbers)
        return predictions, scores

    def learn(self, items: U64, rows: F64, labels: Codes | F64, weights: F64) -> None:
        """Learn labelled items in one call."""
        with _Blame(self, "learn", items):
            if self.learner.remembers:
                self.learner.learn(rows, labels, weights, items)
            else:
                self.learner.learn(rows, labels, weights)
        self.collect()

    def check(self, predictions: Any, rows: int) -> None:
        """Refuse what cannot be predictions of so many items."""
        kind = np.dtype(np.float64 if self.classes is None else np.int32)
        if not isinstance(predictions, np.ndarray) or (
            predictions.shape != (rows,) or predictions.dtype != kind
        ):
            got = getattr(predictions, "shape", type(predictions).__name__)
            of = getattr(predictions, "dtype", "")
            raise DataError(f"predictions must be {rows} of {kind}, one per row, got {got} {of}")
        if self.classes is not None and not self._are_codes(predictions, self.classes):
            row = int(np.flatnonzero((predictions < NONE) | (predictions >= self.classes))[0])
            raise DataError(
                f"predictions must be class codes from 0 to {self.classes - 1}, or {NONE} to "
                f"abstain, got {predictions[row]} in row {row} of the call"
            )

    def _are_codes(self, predictions: Codes, classes: int) -> bool:
        """Are all of them classes, or nothing? Compiled learners predict nothing else."""
        if self.compiled or not len(predictions):
            return True
        if len(predictions) == 1:  # as late labels are: two calls of NumPy would take longer
            return bool(NONE <= predictions.item() < classes)
        # One more than a code, without a sign: what is below NONE is above all classes.
        return bool((predictions.view(np.uint32) + np.uint32(1)).max() <= classes)

    def collect(self) -> None:
        """Take over what a detector inside has signalled."""
        if self.learner.watches and (signals := self.learner.alarms()):
            self.signals.append(Alarms.of(signals, self.number))

    def empty(self, rows: int) -> tuple[Codes | F64, F64 | None]:
        """Room for predictions and, if they are recorded, scores."""
        if self.classes is None:
            return np.full(rows, np.nan), None
        scores = np.full((rows, self.classes), np.nan) if self.scores else None
        return np.full(rows, NONE, np.int32), scores


@dataclass(frozen=True, slots=True)
class Folds:
    """All folds of one learner."""

    name: str
    learners: Sequence[Any]
    classes: int | None
    scores: bool
    signals: list[Alarms] = field(default_factory=list)
    each: tuple[Fold, ...] = field(init=False)

    def __post_init__(self) -> None:
        each = tuple(
            Fold(
                self.name,
                learner,
                number,
                self.classes,
                self.scores,
                self.signals,
                isinstance(learner, NativeLearner),
            )
            for number, learner in enumerate(self.learners)
        )
        object.__setattr__(self, "each", each)

    @property
    def native(self) -> bool:
        """Are they compiled?"""
        return all(isinstance(learner, NativeLearner) for learner in self.learners)

    @property
    def driven(self) -> list[Any]:
        """What the interpreter drives: native learners, compiled drivers of models that predict
        one item at a time, or the folds themselves."""
        if self.native:
            return list(self.learners)
        drives = [learner.one_by_one for learner in self.learners]
        if any(drive is None for drive in drives):
            return list(self.each)
        return [drive.driver for drive in drives]

    def sort_signals(self, learned: U64) -> None:
        """Bring the signals of several folds into the order in which items were learned.

        Folds carry a chunk out one after the other; the log must not depend on how the timetable
        is cut into chunks.
        """
        if len(self.each) == 1 or not self.signals:
            return
        place = {item: row for row, item in enumerate(learned.tolist())}
        all_signals = gathered(self.signals)
        row = np.array([place[item] for item in all_signals.item.tolist()])
        self.signals[:] = [all_signals.take(np.lexsort((all_signals.fold, row)))]

    def forget(self, keep_from: int) -> None:
        """Let learners forget items that will neither be predicted nor learned again."""
        for learner in self.learners:
            if learner.remembers:
                learner.let_go(keep_from)

    def failure(self, stop: tuple[int, str, int, Exception]) -> LearnerError:
        """The error of a model that failed while a chunk was carried out."""
        fold, verb, item, cause = stop
        if isinstance(cause, LearnerError):
            return cause
        drive = self.learners[fold].one_by_one
        error: LearnerError = drive.blame(verb, item, cause)
        return LearnerError(self.name, error.verb, item, fold, cause)


@dataclass(frozen=True, slots=True)
class _Blame:
    """Errors name the item and the fold."""

    fold: Fold
    verb: str
    items: U64 | Sequence[int]

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, LearnerError):
            # An adapter knows the row of the call; which item and fold that is, we know.
            row = error.item - (int(self.items[0]) if self.verb == "predict" else 0)
            item, verb, cause = int(self.items[row]), error.verb, error.cause
            raise LearnerError(self.fold.name, verb, item, self.fold.number, cause) from cause
        if isinstance(error, Exception):
            item = int(self.items[0])
            raise LearnerError(self.fold.name, self.verb, item, self.fold.number, error) from error
