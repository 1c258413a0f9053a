"""What every adapter does alike: drive a model by the compiled loop, and say where it failed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from numbers import Real
from typing import Any, NoReturn, TypeVar

import numpy as np

from streamgauge._core import Driver
from streamgauge.errors import DataError, LearnerError
from streamgauge.types import F64, NONE, Codes, Flags, Schema, missing

T = TypeVar("T")
A = TypeVar("A", F64, Codes, Codes | F64)


@dataclass(frozen=True, slots=True)
class Drive:
    """A model with its compiled driver, and the names its failures are told by.

    `advice` is what to do if a verb fails with a TypeError or a ValueError, if there is any.
    """

    name: str
    driver: Driver
    predict: str
    score: str
    learn: str
    advice: str = ""

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None,
        scores: F64 | None,
    ) -> Codes | F64:
        """Ask about each row, then teach it unless its label is missing."""
        answers, stop = self.driver.test_then_train(shown(rows), shown(labels), weights, scores)
        if stop:
            # A verb that fails in learning had its answer given already.
            item = first + len(answers) - (stop[0] == "learn")
            self._raise(stop, item, answers)
        return answers

    def answer(self, rows: F64, first: int = 0) -> Codes | F64:
        """Ask about each row."""
        answers, stop = self.driver.answer(shown(rows))
        if stop:
            self._raise(stop, first + len(answers), answers)
        return answers

    def scores(self, rows: F64, classes: int, first: int = 0) -> F64:
        """One number a class for each row."""
        out = np.empty((len(rows), classes))
        done, stop = self.driver.scores(shown(rows), out)
        if stop:
            self._raise(stop, first + done)
        return out

    def teach(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Teach each row whose label is not missing."""
        done, stop = self.driver.learn(shown(rows), shown(labels), weights)
        if stop:
            self._raise(stop, first + done)

    def at_once(self, said: Callable[[], T], verb: str, first: int) -> T:
        """One call about many rows, whose failure is told by the first of them."""
        try:
            return said()
        except Exception as cause:
            raise LearnerError(self.name, verb, first, 0, cause) from cause

    def blame(self, verb: str, item: int, cause: BaseException) -> LearnerError:
        """What to raise where one of its verbs failed at an item."""
        own = {"predict": self.predict, "score": self.score, "learn": self.learn}[verb]
        if self.advice and isinstance(cause, TypeError | ValueError):
            cause.add_note(self.advice)
        return LearnerError(self.name, own, item, 0, cause)

    def _raise(
        self, stop: tuple[str, BaseException], item: int, answers: Codes | F64 | None = None
    ) -> NoReturn:
        verb, cause = stop
        error = self.blame(verb, item, cause)
        error.answers = () if answers is None else answers
        raise error from cause


def shown(array: A) -> A:
    """A view that a model can look at and not write to: rows are shown again, and to others."""
    view = array.view() if array.flags.c_contiguous else array.copy()
    view.setflags(write=False)
    return view


def refusal(
    classes: Sequence[object], what: str = "one of the classes"
) -> Callable[[object], None]:
    """What to do with an answer that is no class: say so."""
    listed = ", ".join(map(repr, classes[:8])) + (", …" if len(classes) > 8 else "")

    def refuse(said: object) -> NoReturn:
        raise DataError(f"answer must be {what} ({listed}) or None, got {said!r}")

    return refuse


def codes_of(schema: Schema) -> list[int] | None:
    """The class codes, for models that are shown codes; None for a real target."""
    return None if schema.classes is None else list(range(len(schema.classes)))


def known_of(labels: Codes | F64) -> Flags:
    """Which labels are not missing."""
    known: Flags = ~missing(labels)
    return known


def codes_by_prediction(schema: Schema) -> dict[object, int]:
    """The code of each prediction of a model that learns codes.

    -1 is no prediction, as None is, unless -1 is itself a class of the stream: then a model that
    predicts it means the class, which has another code.
    """
    return {None: NONE, **{code: code for code in range(_least(schema), len(schema.classes or ()))}}


def _least(schema: Schema) -> int:
    """The least number that is a prediction."""
    return 0 if NONE in (schema.classes or ()) else NONE


def gathered(said: object, count: int, schema: Schema) -> Codes | F64:
    """The answers of one call about many rows, once they are what they must be."""
    answers = np.asarray(said)
    if answers.shape != (count,):
        raise DataError(f"answers must be {count}, one a row, got shape {answers.shape}")
    numbers = answers.dtype.kind in "biuf"
    if schema.classes is None:
        if not numbers:
            _refuse_text(answers)
        return answers.astype(np.float64)
    refuse = refusal(codes_of(schema) or [], "a class code")
    if numbers:
        right = (answers >= _least(schema)) & (answers < len(schema.classes))
        made: Codes = np.where(right, answers, NONE).astype(np.int32)
        right &= made == answers
        if not right.all():
            refuse(answers[~right][0].item())
        return made
    codes = codes_by_prediction(schema)
    for answer in answers.tolist():
        if not isinstance(answer, Hashable) or answer not in codes:
            refuse(answer)
    return np.array([codes[answer] for answer in answers.tolist()], np.int32)


def _refuse_text(answers: np.ndarray[tuple[int], Any]) -> None:
    for answer in answers.tolist():
        if answer is not None and not isinstance(answer, Real):
            raise DataError(f"answer must be a number or None, got {answer!r}")


def told(notes: Sequence[str], library: str) -> dict[str, str]:
    """What a log should say of an adapted model: the library's version, and what was decided."""
    about = {library: version(library)}
    return {**about, "learner_notes": "; ".join(notes)} if notes else about
