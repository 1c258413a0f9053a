"""Losses of two predictions of an item, or of arrays of them, for `Duel` and `Tournament`."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from streamgauge.comparisons._checks import finite_bound
from streamgauge.errors import DataError, ParameterError
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64

LOSSES = ("zero_one", "absolute", "squared")


class ItemLoss:
    """Losses of two predictions of an item given its label; NaN if the item is left out.

    The policy `default_class` is refused: without a schema no class is the first.
    """

    def __init__(
        self, who: str, loss: str, bound: float | None, cold_start: ColdStart | None
    ) -> None:
        if loss not in LOSSES:
            raise ParameterError.of(who, "loss", f"one of {', '.join(LOSSES)}", loss)
        numbers = loss != "zero_one"
        unbounded = math.inf if numbers else 1.0
        given = unbounded if bound is None else finite_bound(who, bound)
        if not numbers and given != 1:
            raise ParameterError.of(who, "bound of zero_one losses", "1", bound)
        legal = ["skip"] if numbers else [p for p in get_args(ColdStart) if p != "default_class"]
        if cold_start is not None and cold_start not in legal:
            raise ParameterError.of(who, "cold_start", " or ".join(legal), cold_start)
        self._who = who
        self.loss = loss
        self.bound = given
        self.cold_start: ColdStart = cold_start or ("skip" if numbers else "count_wrong")

    def losses_of(self, a: Any, b: Any, label: Any) -> tuple[float, float]:
        """The losses of both predictions."""
        loss_a, loss_b = self._loss_of(a, label), self._loss_of(b, label)
        if math.isnan(loss_a) or math.isnan(loss_b):
            return math.nan, math.nan
        return loss_a, loss_b

    def losses_of_arrays(self, a: Any, b: Any, label: Any) -> tuple[F64, F64]:
        """The losses of columns of predictions."""
        columns = [np.asarray(column) for column in (a, b, label)]
        if any(column.ndim != 1 or len(column) != len(columns[2]) for column in columns):
            shapes = ", ".join(str(column.shape) for column in columns)
            raise DataError(
                f"{self._who}: predictions and labels must be columns of one length, got {shapes}"
            )
        if self.loss == "zero_one":
            first, second = (
                np.ascontiguousarray((column != columns[2]).astype(np.float64, copy=False))
                for column in columns[:2]
            )
            if self.cold_start == "skip":
                left_out = _missing(columns[0]) | _missing(columns[1])
                first[left_out] = second[left_out] = np.nan
            return first, second
        try:
            numbers = [column.astype(np.float64) for column in columns]
        except (TypeError, ValueError):
            raise DataError(
                f"{self._who}: predictions and labels must be numbers for the {self.loss} loss, "
                f"got columns of {', '.join(str(column.dtype) for column in columns)}"
            ) from None
        errors = [np.abs(column - numbers[2]) for column in numbers[:2]]
        left_out = np.isnan(errors[0]) | np.isnan(errors[1])
        first, second = (
            np.where(left_out, np.nan, e * e if self.loss == "squared" else e) for e in errors
        )
        return first, second

    def _loss_of(self, prediction: Any, label: Any) -> float:
        if prediction is None:
            return 1.0 if self.cold_start == "count_wrong" else math.nan
        if self.loss == "zero_one":
            return float(prediction != label)
        try:
            error = abs(float(prediction) - float(label))
        except (TypeError, ValueError):
            raise DataError(
                f"{self._who}: prediction and label must be numbers for the {self.loss} loss, "
                f"got {prediction!r} and {label!r}"
            ) from None
        return error * error if self.loss == "squared" else error


def _missing(predictions: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether each prediction is None, which only an array of objects can have."""
    if predictions.dtype != np.object_:
        return np.zeros(len(predictions), np.bool_)
    return np.fromiter((value is None for value in predictions), np.bool_, len(predictions))
