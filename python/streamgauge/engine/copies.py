"""The copies of a learner, one a fold: asked and taught, with the blame where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from streamgauge._core import NativeLearner
from streamgauge.errors import LearnerError
from streamgauge.log.alarms import Alarms
from streamgauge.types import F64, U64, Codes

ASK_AT_ONCE = 1024
"""A batch of questions is the longest run of PREDICT orders, at most this long."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Bound learners of one name. `classes` is None for a real target.

    `heard` is what detectors inside them have said since it was last written down.
    """

    name: str
    learners: Sequence[Any]
    classes: int | None
    scores: bool
    heard: list[Alarms] = field(default_factory=list)
    width: int = 0
    numbered: list[bool] = field(init=False)
    """Which of them can be asked about items that do not follow each other."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbered", [takes_numbers(one) for one in self.learners])

    def ask(self, fold: int, first: int, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """Ask about consecutive items, at most ASK_AT_ONCE at a time."""
        learner = self.learners[fold]
        answers, scores = self.no_answers(len(rows)), self.score_sheet(len(rows))
        for low in range(0, len(rows), ASK_AT_ONCE):
            some = slice(low, low + ASK_AT_ONCE)
            with _Blame(self.name, "predict", range(first + low, first + len(rows)), fold):
                answers[some] = learner.answer(rows[some], first + low)
                if scores is not None:
                    scores[some] = learner.scores(rows[some], first + low)
                if hasattr(learner, "asked"):  # one that trains on what it was asked with
                    learner.asked(first + low, answers[some])
        return answers, scores

    def ask_again(self, fold: int, items: U64, rows: F64) -> tuple[Codes | F64, F64 | None]:
        """Ask about any items that were asked about before; nobody takes note of the answers."""
        learner = self.learners[fold]
        answers, scores = self.no_answers(len(rows)), self.score_sheet(len(rows))
        numbered = self.numbered[fold]
        # One that looks at items' numbers and takes only the first is asked one by one.
        step = 1 if hasattr(learner, "asked") and not numbered else ASK_AT_ONCE
        for low in range(0, len(rows), step):
            some = slice(low, low + step)
            named = {"items": items[some]} if numbered else {}
            with _Blame(self.name, "predict", items[some], fold):
                answers[some] = learner.answer(rows[some], int(items[low]), **named)
                if scores is not None:
                    scores[some] = learner.scores(rows[some], int(items[low]), **named)
        return answers, scores

    def teach(
        self, fold: int, items: Sequence[int] | U64, rows: F64, labels: Codes | F64, weights: F64
    ) -> None:
        """Teach labelled items in one call, as the protocol ordered them."""
        if not len(labels):
            return
        learner, rows = self.learners[fold], np.ascontiguousarray(rows)
        with _Blame(self.name, "learn", items, fold):
            if hasattr(learner, "asked"):
                learner.learn(rows, labels, weights, np.asarray(items, np.uint64))
            else:
                learner.learn(rows, labels, weights)
        self.hear(fold)

    def hear(self, fold: int) -> None:
        """Ask a copy that has a detector what it said since it was last asked."""
        ask = getattr(self.learners[fold], "alarms", None)
        if ask is not None and (said := ask()):
            self.heard.append(Alarms.of(said, fold))

    def let_go(self, keep_from: int) -> None:
        """Let learners forget items that will neither be asked about nor taught again."""
        for learner in self.learners:
            if hasattr(learner, "let_go"):
                learner.let_go(keep_from)

    def no_answers(self, rows: int) -> Codes | F64:
        """Room for answers, none given yet."""
        if self.classes is None:
            return np.full(rows, np.nan)
        return np.full(rows, -1, dtype=np.int32)

    def score_sheet(self, rows: int) -> F64 | None:
        """Room for scores, if they are wanted."""
        return np.full((rows, self.classes or 0), np.nan) if self.scores else None


def takes_numbers(learner: Any) -> bool:
    """Can it be asked about items that do not follow each other?"""
    if isinstance(learner, NativeLearner):
        return True
    inner = getattr(learner, "base", None)  # one that wraps another can if that one can
    given = "items" in signature(learner.answer).parameters
    return given and (inner is None or takes_numbers(inner))


@dataclass(frozen=True, slots=True)
class _Blame:
    """Names item, fold and model when a model fails."""

    name: str
    verb: str
    items: Sequence[int] | U64
    fold: int

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, LearnerError):
            # An adapter knows the row of the call; which item and fold that is, we know.
            row = error.item - (int(self.items[0]) if self.verb == "predict" else 0)
            item = int(self.items[row])
            cause = error.cause
            raise LearnerError(self.name, error.verb, item, self.fold, cause) from cause
        if isinstance(error, Exception):
            item = int(self.items[0])
            raise LearnerError(self.name, self.verb, item, self.fold, error) from error
