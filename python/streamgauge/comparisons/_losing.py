"""What one answer loses, item by item: the live twin of what the core does with columns."""

from __future__ import annotations

import math
from typing import Any, get_args

from streamgauge.comparisons.confidence_sequence import finite_bound
from streamgauge.errors import DataError, ParameterError
from streamgauge.summaries.folding import ColdStart

LIVE = ("zero_one", "absolute", "squared")


class Losing:
    """Turns an answer and a label into a loss; NaN where the item is left out.

    `cut` counts the losses that were larger than the bound.
    """

    def __init__(
        self, who: str, loss: str, bound: float | None, cold_start: ColdStart | None
    ) -> None:
        if loss not in LIVE:
            raise ParameterError.of(who, "loss", f"one of {', '.join(LIVE)}", loss)
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
        self.cut = 0

    def of(self, answer: Any, label: Any) -> float:
        """What it loses."""
        if answer is None:
            return 1.0 if self.cold_start == "count_wrong" else math.nan
        if self.loss == "zero_one":
            return float(answer != label)
        try:
            apart = abs(float(answer) - float(label))
        except (TypeError, ValueError):
            raise DataError(
                f"{self._who}: answer and label must be numbers for the {self.loss} loss, "
                f"got {answer!r} and {label!r}"
            ) from None
        lost = apart * apart if self.loss == "squared" else apart
        self.cut += lost > self.bound
        return min(lost, self.bound) if not math.isnan(lost) else math.nan
