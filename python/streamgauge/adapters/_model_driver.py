"""The part shared by all adapters: call a model in a compiled loop, and locate its errors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from inspect import signature
from numbers import Real
from typing import Any, NoReturn, TypeVar

import numpy as np

from streamgauge._core import Driver
from streamgauge.errors import DataError, LearnerError
from streamgauge.types import F64, NONE, Codes, Flags, Schema, missing

T = TypeVar("T")
A = TypeVar("A", F64, Codes, Codes | F64)


@dataclass(frozen=True, slots=True)
class ModelDriver:
    """A model with its compiled driver, and the names of its methods for error messages.

    `advice` is added to the error if a method fails with a TypeError or a ValueError.
    """

    name: str
    compiled: Driver
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
        """Predict each row, then learn it unless its label is missing."""
        with ExitLocation(self.name, f"{self.predict} or {self.learn}", first, labels[:0]):
            predictions, stop = self.compiled.test_then_train(
                read_only(rows), read_only(labels), weights, scores
            )
        self._raise_in_training(stop, first, predictions)
        return predictions

    def test_then_train_pairs(
        self,
        first: int,
        rows: F64,
        learned_rows: F64,
        labels: Codes | F64,
        weights: F64 | None,
        scores: F64 | None,
    ) -> Codes | F64:
        """Predict each row, then learn the other row of its item unless its label is missing."""
        pairs = np.stack([rows, learned_rows], axis=1).reshape(2 * len(rows), rows.shape[1])
        with ExitLocation(self.name, f"{self.predict} or {self.learn}", first, labels[:0]):
            predictions, stop = self.compiled.test_then_train_pairs(
                read_only(pairs), read_only(labels), weights, scores
            )
        self._raise_in_training(stop, first, predictions)
        return predictions

    def predictions(self, rows: F64, first: int = 0) -> Codes | F64:
        """Predict each row."""
        with ExitLocation(self.name, self.predict, first):
            predictions, stop = self.compiled.predict(read_only(rows))
        if stop:
            self._raise(stop, first + len(predictions), predictions)
        return predictions

    def scores(self, rows: F64, classes: int, first: int = 0) -> F64:
        """One number per class for each row."""
        out = np.empty((len(rows), classes))
        with ExitLocation(self.name, self.score, first):
            done, stop = self.compiled.scores(read_only(rows), out)
        if stop:
            self._raise(stop, first + done)
        return out

    def learn_rows(
        self, rows: F64, labels: Codes | F64, weights: F64 | None = None, first: int = 0
    ) -> None:
        """Learn each row whose label is not missing."""
        with ExitLocation(self.name, self.learn, first):
            done, stop = self.compiled.learn(read_only(rows), read_only(labels), weights)
        if stop:
            self._raise(stop, first + done)

    def call(self, function: Callable[[], T], verb: str, first: int) -> T:
        """Call a function of many rows; an error names the first of them."""
        try:
            return function()
        except (Exception, SystemExit) as cause:
            raise LearnerError(self.name, verb, first, 0, cause) from cause

    def failure(self, verb: str, item: int, cause: BaseException) -> LearnerError:
        """The error to raise if a method of the model failed at an item."""
        own = {"predict": self.predict, "score": self.score, "learn": self.learn}[verb]
        if self.advice and isinstance(cause, TypeError | ValueError):
            cause.add_note(self.advice)
        return LearnerError(self.name, own, item, 0, cause)

    def _raise_in_training(
        self, stop: tuple[str, BaseException] | None, first: int, predictions: Codes | F64
    ) -> None:
        if stop:
            # If learning fails, the item has been predicted already.
            item = first + len(predictions) - (stop[0] == "learn")
            self._raise(stop, item, predictions)

    def _raise(
        self, stop: tuple[str, BaseException], item: int, predictions: Codes | F64 | None = None
    ) -> NoReturn:
        verb, cause = stop
        error = self.failure(verb, item, cause)
        error.predictions = () if predictions is None else predictions
        raise error from cause


@dataclass(slots=True)
class ExitLocation:
    """A context for calls of the compiled loop: an exit of the model is a LearnerError.

    The loop returns the exceptions of a model with their items, but raises its exit. `first` is the
    first item of the call, `predictions` an empty array for those that were made.
    """

    name: str
    verb: str
    first: int
    predictions: Codes | F64 | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, cause: BaseException | None, trace: object) -> None:
        if isinstance(cause, SystemExit):
            cause.add_note("item and fold are the first of the call in which the model exited")
            raise LearnerError(
                self.name, self.verb, self.first, 0, cause, self.predictions
            ) from cause


def read_only(array: A) -> A:
    """A read-only, contiguous view: rows are used again, also by other folds."""
    view = array.view() if array.flags.c_contiguous else array.copy()
    view.setflags(write=False)
    return view


def refusal(
    classes: Sequence[object], what: str = "one of the classes"
) -> Callable[[object], None]:
    """A function that raises an error for a prediction that is not a class."""
    listed = ", ".join(map(repr, classes[:8])) + (", …" if len(classes) > 8 else "")

    def refuse(prediction: object) -> NoReturn:
        raise DataError(f"prediction must be {what} ({listed}) or None, got {prediction!r}")

    return refuse


def codes_of(schema: Schema) -> list[int] | None:
    """The class codes, for models that learn codes; None for a real target."""
    return None if schema.classes is None else list(range(len(schema.classes)))


def known_of(labels: Codes | F64) -> Flags:
    """Flags of the labels that are not missing."""
    known: Flags = ~missing(labels)
    return known


def codes_by_prediction(schema: Schema) -> dict[object, int]:
    """The class code of each possible prediction of a model that learns codes.

    -1 and None mean that the model abstains; but -1 is invalid if it is itself a class of the
    stream, because a model that predicts -1 means that class, which has another code.
    """
    return {None: NONE, **{code: code for code in range(_least(schema), len(schema.classes or ()))}}


def _least(schema: Schema) -> int:
    """The least valid code."""
    return 0 if NONE in (schema.classes or ()) else NONE


def checked_predictions(made: object, count: int, schema: Schema) -> Codes | F64:
    """The predictions of one call for many rows, as codes or reals, after a check."""
    predictions = np.asarray(made)
    if predictions.shape != (count,):
        raise DataError(
            f"predictions must be {count} values, one per row, got shape {predictions.shape}"
        )
    numbers = predictions.dtype.kind in "biuf"
    if schema.classes is None:
        if not numbers:
            _refuse_text(predictions)
        return predictions.astype(np.float64)
    refuse = refusal(codes_of(schema) or [], "a class code")
    if numbers:
        valid = (predictions >= _least(schema)) & (predictions < len(schema.classes))
        codes: Codes = np.where(valid, predictions, NONE).astype(np.int32)
        valid &= codes == predictions
        if not valid.all():
            refuse(predictions[~valid][0].item())
        return codes
    code_of = codes_by_prediction(schema)
    for prediction in predictions.tolist():
        if not isinstance(prediction, Hashable) or prediction not in code_of:
            refuse(prediction)
    return np.array([code_of[prediction] for prediction in predictions.tolist()], np.int32)


def _refuse_text(predictions: np.ndarray[tuple[int], Any]) -> None:
    for prediction in predictions.tolist():
        if prediction is not None and not isinstance(prediction, Real):
            raise DataError(f"prediction must be a number or None, got {prediction!r}")


def no_parameter(function: Callable[..., Any], name: str) -> str:
    """A clause that says that a method takes no such keyword; empty if it does, or may.

    Examples
    --------
    >>> def learn(x, y): ...
    >>> no_parameter(learn, "weight"), no_parameter(dict, "weight")
    ('whose learn has no parameter weight', '')
    """
    try:
        taken = signature(function).parameters
    except (TypeError, ValueError):  # of compiled code; the first weighted item will tell
        return ""
    if name in taken or any(one.kind is one.VAR_KEYWORD for one in taken.values()):
        return ""
    return f"whose {function.__name__} has no parameter {name}"


def about_model(notes: Sequence[str], library: str) -> dict[str, str]:
    """Facts of an adapted model for the log: the version of its library, and notes."""
    about = {library: version(library)}
    return {**about, "learner_notes": "; ".join(notes)} if notes else about
