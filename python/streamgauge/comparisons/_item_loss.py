"""Losses of one item at a time, for `Duel` and `Tournament`; whole columns are computed in Rust."""

from __future__ import annotations

import math
from typing import Any, get_args

from streamgauge.comparisons._checks import finite_bound
from streamgauge.errors import DataError, ParameterError
from streamgauge.summaries._builder import ColdStart

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
        if bound is None and numbers:
            raise ParameterError.of(who, f"bound of {loss} losses", "given", bound)
        given = 1.0 if bound is None else finite_bound(who, bound)
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
