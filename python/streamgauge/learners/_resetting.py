"""The bound half of `Resetting`: a learner and a detector, driven together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from streamgauge.detectors._detector import KINDS
from streamgauge.detectors.external import failed_row
from streamgauge.detectors.losses import losses
from streamgauge.errors import LearnerError
from streamgauge.learners import _wrapping as wrapping
from streamgauge.learners._two_states import opened, sealed
from streamgauge.seeds import child
from streamgauge.types import F64, NONE, U32, U64, Codes

FEW, MANY = 64, 8192
"""Rows learned per call before the detector: after an alarm, and long after one."""

ALARM = KINDS.index("alarm")

MAGIC = b"sg reset"
"""Begins a saved state, whose numbers are the resets and the items learned."""


@dataclass(slots=True)
class ResettingLearner:
    """Drives a learner and its detector.

    Alarms are rare, and a learner is discarded at one. So it learns many items in one call, and the
    detector observes their losses afterwards: at an alarm everything learned from there on is
    discarded with the learner, and the result is that of one item after the other.
    """

    learner: Any
    detector: Any
    detector_name: str
    seed: int
    resets: int = 0
    _signals: list[tuple[int, str, str]] = field(default_factory=list, init=False, repr=False)
    _selected: list[tuple[int, Sequence[int] | U32]] = field(
        default_factory=list, init=False, repr=False
    )
    _block: int = field(default=FEW, init=False, repr=False)
    _learned: int = field(default=0, init=False, repr=False)

    tracks_items: ClassVar[bool] = True
    has_alarms: ClassVar[bool] = True
    measured: ClassVar[bool] = True
    one_by_one: ClassVar[None] = None

    @property
    def has_selections(self) -> bool:
        """True if the learner inside selects features."""
        return bool(self.learner.has_selections)

    @property
    def numbered(self) -> bool:
        """True if the learner inside takes items in any order."""
        return bool(self.learner.numbered)

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
        """Predictions of the learner inside."""
        predictions: Codes | F64 = self.learner.predict(rows, first, **_numbers(items))
        return predictions

    def scores(self, rows: F64, first: int = 0, items: U64 | None = None) -> F64:
        """The scores of the learner inside."""
        scores: F64 = self.learner.scores(rows, first, **_numbers(items))
        return scores

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, in order; each is predicted first, for the detector."""
        if items is None:
            items = np.arange(self._learned, self._learned + len(labels), dtype=np.uint64)
        # Draws may depend on item numbers, so only consecutive items share a call; a learner that
        # trains on the columns of its predictions predicts and learns in separate calls.
        alone = self.learner.tracks_items
        new = np.ones(len(items), np.bool_)
        new[1:] = alone | (np.diff(items) != 1)
        for low, high in pairwise([*np.flatnonzero(new).tolist(), len(items)]):
            some = slice(low, high)
            args = int(items[low]), rows[some], labels[some]
            weight = None if weights is None else weights[some]
            try:
                if alone:
                    self._learn_one(*args, weight)
                else:
                    self._drive(*args, weight, None)
            except LearnerError as error:  # errors name the row of the call
                row = low + error.item - int(items[low])
                raise self._failed(error, row, None) from error.cause

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
        return self._drive(first, rows, labels, weights, scores)

    def alarms(self) -> list[tuple[int, str, str]]:
        """(item, detector, kind) of each signal since the last call."""
        signals, self._signals = self._signals, []
        return signals

    def selections(self) -> list[tuple[int, Sequence[int] | U32]]:
        """(item, features) of each change of the selection inside since the last call."""
        changes, self._selected = self._selected, []
        return changes

    def fresh(self, seed: int) -> ResettingLearner:
        """An untrained copy, with its own seed."""
        base, detector = self.learner.fresh(seed), self.detector.clone(child(seed, "detector"))
        return ResettingLearner(base, detector, self.detector_name, seed)

    def save(self) -> bytes:
        """The state of learner and detector as bytes, if both can be saved."""
        base: bytes = self.learner.save()
        detector: bytes = self.detector.save()
        return sealed(MAGIC, (self.resets, self._learned), base, detector)

    def load(self, state: bytes) -> None:
        """Load the state that an equal learner saved."""
        (resets, learned), inside, observed = opened(MAGIC, state)
        # Into untrained copies first: a refused state must change nothing.
        seed = self.seed if resets == 0 else child(self.seed, "reset", "", resets)
        base, detector = self.learner.fresh(seed), self.detector.clone(child(self.seed, "detector"))
        base.load(inside)
        detector.load(observed)
        self.learner, self.detector, self.resets, self._learned = base, detector, resets, learned

    def memory(self) -> float:
        """Bytes of the learner inside and its detector; NaN if unknown."""
        base = self.learner.memory() if self.learner.measured else float("nan")
        own = getattr(self.detector, "memory", None)
        return float(base + (float("nan") if own is None else own()))

    def vitals(self) -> dict[str, float]:
        """Vitals of the learner inside, and the number of resets."""
        inside = self.learner.vitals() if self.learner.measured else {}
        return {**inside, "drifts": inside.get("drifts", 0.0) + self.resets}

    def _drive(
        self, first: int, rows: F64, labels: Codes | F64, weights: F64 | None, scores: F64 | None
    ) -> Codes | F64:
        """Predict each item, pass its loss to the detector, learn it."""
        predictions = np.full_like(labels, np.nan if labels.dtype.kind == "f" else NONE)
        low = 0
        while low < len(labels):
            high = min(low + self._block, len(labels))
            some, failure = slice(low, high), None
            weight = None if weights is None else weights[some]
            sheet = None if scores is None else scores[some]
            args = first + low, rows[some], labels[some], weight, sheet
            try:
                predictions[some] = self.learner.test_then_train(*args)
            except LearnerError as error:
                failure, high = error, low + len(error.predictions)
                predictions[low:high] = error.predictions
            alarm = self._watch(first, labels[:high], predictions[:high], weights, low)
            if alarm is not None:  # what was learned from here on is discarded
                self._reset()
                low, self._block = alarm + 1, FEW
                one = slice(alarm, low)
                weight = None if weights is None else weights[one]
                self._learn_rows(first + alarm, rows[one], labels[one], weight, predictions[:low])
            elif failure is not None:
                raise self._failed(failure, failure.item, predictions[:high]) from failure.cause
            else:
                low, self._block = high, min(2 * self._block, MANY)
        self._learned += len(labels)
        return predictions

    def _watch(
        self,
        first: int,
        labels: Codes | F64,
        predictions: Codes | F64,
        weights: F64 | None,
        low: int,
    ) -> int | None:
        """Pass the losses from row `low` on to the detector; the row of its first alarm, if any."""
        loss, learned = losses(labels[low:], predictions[low:])
        if weights is not None:
            learned &= weights[low : len(labels)] > 0
        at = low + np.flatnonzero(learned)
        try:
            taken, signals, kinds = self.detector.observe_many(loss[learned], stop=True)
        except (Exception, SystemExit) as error:
            row = int(at[failed_row(self.detector, error, len(at))])
            made = predictions[: row + 1]
            raise LearnerError(
                self.detector_name, "observing the loss", first + row, 0, error, made
            ) from error
        own = [
            (first + row, self.detector_name, KINDS[kind])
            for row, kind in zip(at[signals].tolist(), kinds.tolist(), strict=True)
        ]
        alarm = int(at[taken - 1]) if len(kinds) and kinds[-1] == ALARM else None
        # The outer detector is first; from its alarm on, signals inside are discarded.
        end = first + (len(labels) if alarm is None else alarm)
        inside = [signal for signal in wrapping.alarms(self.learner) if signal[0] < end]
        self._signals += sorted([*own, *inside], key=lambda signal: signal[0])
        self._selected += [one for one in wrapping.selections(self.learner) if one[0] < end]
        return alarm

    def _learn_one(self, item: int, row: F64, label: Codes | F64, weight: F64 | None) -> None:
        """Predict, pass the loss to the detector, learn: in three calls."""
        try:
            prediction = self.learner.predict(row, item)
        except LearnerError as error:
            raise self._failed(error, item, None) from error.cause
        if self._watch(item, label, prediction, weight, 0) is not None:
            self._reset()
        self._learn_rows(item, row, label, weight, None)
        self._learned += 1

    def _reset(self) -> None:
        self.resets += 1
        self.learner = self.learner.fresh(child(self.seed, "reset", "", self.resets))
        self.detector.reset()

    def _learn_rows(
        self,
        item: int,
        row: F64,
        label: Codes | F64,
        weight: F64 | None,
        predictions: Codes | F64 | None,
    ) -> None:
        """Learn one item; `predictions` are those made so far, for the error."""
        try:
            wrapping.learn_rows(self.learner, row, label, weight, np.array([item], np.uint64))
        except LearnerError as error:
            raise self._failed(error, item, predictions) from error.cause
        self._signals += wrapping.alarms(self.learner)
        self._selected += wrapping.selections(self.learner)

    def _failed(
        self, error: LearnerError, item: int, predictions: Codes | F64 | None
    ) -> LearnerError:
        return LearnerError(error.model, error.verb, item, 0, error.cause, predictions)


def _numbers(items: U64 | None) -> dict[str, U64]:
    return {} if items is None else {"items": items}
