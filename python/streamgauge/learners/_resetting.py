"""The bound half of `Resetting`: a learner and a detector, driven together."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from struct import Struct
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from streamgauge.detectors._watching import KINDS
from streamgauge.detectors.losses import losses
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.learners import _wrapping as wrapping
from streamgauge.seeds import child
from streamgauge.types import F64, NONE, U64, Codes

FEW, MANY = 64, 8192
"""Rows that are taught ahead of the detector: after an alarm, and when there was none for long."""

ALARM = KINDS.index("alarm")

MAGIC, VERSION = b"sg reset", 1
HEAD = Struct("<8s6Q")
"""Before a saved state: the two above, a checksum, resets, items taught, bytes of the learner,
bytes of the detector. What these two wrote follows, each in a frame of its own."""


@dataclass(slots=True)
class ResettingLearner:
    """Drives a learner and its detector.

    Alarms are rare, and a learner is thrown away at one. So it is taught many items in one call,
    and the detector looks at their losses afterwards: what it was taught from an alarm on is gone
    with it, and what comes out is what one item after the other would give.
    """

    base: Any
    detector: Any
    watched: str
    seed: int
    resets: int = 0
    _said: list[tuple[int, str, str]] = field(default_factory=list, init=False, repr=False)
    _ahead: int = field(default=FEW, init=False, repr=False)
    _taught: int = field(default=0, init=False, repr=False)

    remembers: ClassVar[bool] = True
    watches: ClassVar[bool] = True
    measured: ClassVar[bool] = True
    one_by_one: ClassVar[None] = None

    @property
    def numbered(self) -> bool:
        """Can the learner inside be given items in any order?"""
        return bool(self.base.numbered)

    @property
    def takes_missing(self) -> bool:
        """May a row have missing values?"""
        return bool(self.base.takes_missing)

    @property
    def has_scores(self) -> bool:
        """Can it be asked for scores?"""
        return bool(self.base.has_scores)

    @property
    def about(self) -> dict[str, str]:
        """What a log should say of the learner inside."""
        return dict(self.base.about)

    def answer(self, rows: F64, first: int = 0, items: U64 | None = None) -> Codes | F64:
        """What the learner inside says."""
        said: Codes | F64 = self.base.answer(rows, first, **_numbers(items))
        return said

    def scores(self, rows: F64, first: int = 0, items: U64 | None = None) -> F64:
        """The scores of the learner inside."""
        scores: F64 = self.base.scores(rows, first, **_numbers(items))
        return scores

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, in order; each is asked about first, for the detector."""
        if items is None:
            items = np.arange(self._taught, self._taught + len(labels), dtype=np.uint64)
        # Answers may be drawn by item, so only consecutive ones go in one call; and a learner that
        # trains on what it was asked with must not be asked and taught in one.
        alone = self.base.remembers
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
            except LearnerError as error:  # told by the row of the call, as it was asked for
                row = low + error.item - int(items[low])
                raise self._failed(error, row, None) from error.cause

    def asked(self, first: int, answers: Codes | F64) -> None:
        """Tell the learner inside what was said, if it wants to know."""
        wrapping.tell(self.base, first, answers)

    def let_go(self, keep_from: int) -> None:
        """Let the learner inside forget items that are over, if it remembers any."""
        wrapping.let_go(self.base, keep_from)

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Answer each item, then learn it unless its label is missing; fill `scores` if given."""
        return self._drive(first, rows, labels, weights, scores)

    def alarms(self) -> list[tuple[int, str, str]]:
        """(item, detector, kind) of each signal since it was last asked."""
        said, self._said = self._said, []
        return said

    def fresh(self, seed: int) -> ResettingLearner:
        """A copy that knows nothing, with its own seed."""
        base, detector = self.base.fresh(seed), self.detector.fresh(child(seed, "detector"))
        return ResettingLearner(base, detector, self.watched, seed)

    def save(self) -> bytes:
        """All it has learnt and seen, as bytes, if the learner inside can say it so."""
        base: bytes = self.base.save()
        detector: bytes = self.detector.save()
        parts = self.resets, self._taught, len(base), len(detector)
        return _sealed(parts, base + detector)

    def load(self, state: bytes) -> None:
        """Take over what an equal learner saved."""
        resets, taught, size = _opened(state)
        # Into fresh copies first: what is refused must not leave half of each.
        seed = self.seed if resets == 0 else child(self.seed, "reset", "", resets)
        base, detector = self.base.fresh(seed), self.detector.fresh(child(self.seed, "detector"))
        base.load(state[HEAD.size : HEAD.size + size])
        detector.load(state[HEAD.size + size :])
        self.base, self.detector, self.resets, self._taught = base, detector, resets, taught

    def memory(self) -> float:
        """Bytes the learner inside holds and its detector; NaN if they do not say."""
        base = self.base.memory() if self.base.measured else float("nan")
        own = getattr(self.detector, "memory", None)
        return float(base + (float("nan") if own is None else own()))

    def vitals(self) -> dict[str, float]:
        """What the learner inside tells of itself, and how often it began anew."""
        inside = self.base.vitals() if self.base.measured else {}
        return {**inside, "drifts": inside.get("drifts", 0.0) + self.resets}

    def _drive(
        self, first: int, rows: F64, labels: Codes | F64, weights: F64 | None, scores: F64 | None
    ) -> Codes | F64:
        """Ask about each item, show its loss to the detector, teach it."""
        answers = np.full_like(labels, np.nan if labels.dtype.kind == "f" else NONE)
        low = 0
        while low < len(labels):
            high = min(low + self._ahead, len(labels))
            some, failure = slice(low, high), None
            weight = None if weights is None else weights[some]
            sheet = None if scores is None else scores[some]
            args = first + low, rows[some], labels[some], weight, sheet
            try:
                answers[some] = self.base.test_then_train(*args)
            except LearnerError as error:
                failure, high = error, low + len(error.answers)
                answers[low:high] = error.answers
            alarm = self._watch(first, labels[:high], answers[:high], weights, low)
            if alarm is not None:  # what the old learner was taught from here on is gone with it
                self._start_anew()
                low, self._ahead = alarm + 1, FEW
                one = slice(alarm, low)
                weight = None if weights is None else weights[one]
                self._teach(first + alarm, rows[one], labels[one], weight, answers[:low])
            elif failure is not None:
                raise self._failed(failure, failure.item, answers[:high]) from failure.cause
            else:
                low, self._ahead = high, min(2 * self._ahead, MANY)
        self._taught += len(labels)
        return answers

    def _watch(
        self, first: int, labels: Codes | F64, answers: Codes | F64, weights: F64 | None, low: int
    ) -> int | None:
        """Show the detector the losses from row `low` on; the row of its first alarm, if any."""
        loss, taught = losses(labels[low:], answers[low:])
        if weights is not None:
            taught &= weights[low : len(labels)] > 0
        at = low + np.flatnonzero(taught)
        taken, signals, kinds = self.detector.signals(loss[taught], stop=True)
        said = [
            (first + row, self.watched, KINDS[kind])
            for row, kind in zip(at[signals].tolist(), kinds.tolist(), strict=True)
        ]
        alarm = int(at[taken - 1]) if len(kinds) and kinds[-1] == ALARM else None
        # An item is looked at from the outside in; from an alarm on, nothing inside happened.
        end = first + (len(labels) if alarm is None else alarm)
        inside = [signal for signal in wrapping.alarms(self.base) if signal[0] < end]
        self._said += sorted([*said, *inside], key=lambda signal: signal[0])
        return alarm

    def _learn_one(self, item: int, row: F64, label: Codes | F64, weight: F64 | None) -> None:
        """Ask, show the loss to the detector, teach: in three calls."""
        try:
            answer = self.base.answer(row, item)
        except LearnerError as error:
            raise self._failed(error, item, None) from error.cause
        if self._watch(item, label, answer, weight, 0) is not None:
            self._start_anew()
        self._teach(item, row, label, weight, None)
        self._taught += 1

    def _start_anew(self) -> None:
        self.resets += 1
        self.base = self.base.fresh(child(self.seed, "reset", "", self.resets))
        self.detector.reset()

    def _teach(
        self,
        item: int,
        row: F64,
        label: Codes | F64,
        weight: F64 | None,
        answers: Codes | F64 | None,
    ) -> None:
        """Teach one item; `answers` are those given so far, should it fail."""
        try:
            wrapping.teach(self.base, row, label, weight, np.array([item], np.uint64))
        except LearnerError as error:
            raise self._failed(error, item, answers) from error.cause
        self._said += wrapping.alarms(self.base)

    def _failed(self, error: LearnerError, item: int, answers: Codes | F64 | None) -> LearnerError:
        return LearnerError(error.model, error.verb, item, 0, error.cause, answers)


def _numbers(items: U64 | None) -> dict[str, U64]:
    return {} if items is None else {"items": items}


def _sealed(parts: tuple[int, ...], inside: bytes) -> bytes:
    """A state file: see `HEAD`."""
    head = HEAD.pack(MAGIC, VERSION, 0, *parts)
    return HEAD.pack(MAGIC, VERSION, crc32(inside, crc32(head)), *parts) + inside


def _opened(state: bytes) -> tuple[int, int, int]:
    """Resets, items taught and bytes of the learner, if the file is whole."""

    def refused(must: str, got: str) -> ParameterError:
        return ParameterError.of("learner", "state", must, got)

    if len(state) < HEAD.size:
        raise refused("a whole state file", f"{len(state)} bytes")
    magic, version, _, resets, taught, size, rest = HEAD.unpack_from(state)
    if magic != MAGIC:
        raise refused("what `save` gave", "other bytes")
    if version != VERSION:
        raise refused(f"of version {VERSION}", f"version {version}")
    if len(state) != HEAD.size + size + rest:
        raise refused("a whole state file", f"{len(state)} bytes")
    if _sealed((resets, taught, size, rest), state[HEAD.size :])[: HEAD.size] != state[: HEAD.size]:
        raise refused("as it was saved", "bytes that were changed since")
    return resets, taught, size
