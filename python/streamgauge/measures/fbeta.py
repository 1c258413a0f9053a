"""F-beta."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.measures._class_average import class_average, class_code
from streamgauge.measures._measure import Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64, Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class FBeta(Measure[Confusion]):
    r"""Weighted harmonic mean of precision and recall, recall `beta` times as important.

    .. math:: F_\beta = \frac{(1 + \beta^2) P R}{\beta^2 P + R}
        = \frac{(1 + \beta^2) \text{ true positives}}{\beta^2 \text{ labels} + \text{predictions}}

    1 is perfect. NaN for a class without labels and predictions.

    Parameters
    ----------
    beta
        Above 0, at most 1e6. 2 favours recall, 0.5 precision.
    of
        The class; by default, an average over all classes.
    average
        `"macro"`: the mean over the classes for which it is defined. `"weighted"`: the same,
        each class weighted by its number of labels. `"micro"`: the ratio of the sums of numerator
        and denominator over all classes.
    variant
        `"sklearn"`: undefined is 0, averaged over the classes that occur.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(FBeta(beta=2, of=1).over(Confusion.of([[20, 5], [10, 15]])))
    0.625

    References
    ----------
    van Rijsbergen. Information Retrieval. Butterworths (1979).
    """

    beta: float = 1.0
    of: Value | None = None
    average: Literal["macro", "micro", "weighted"] = "macro"
    variant: Literal["default", "sklearn"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "(1 + beta^2) true positives / (beta^2 labels + predictions), by class"
    needs: ClassVar[frozenset[str]] = frozenset({"true_positives", "labels", "predictions"})

    def __post_init__(self) -> None:
        if not isinstance(self.beta, int | float) or not 0 < self.beta <= 1e6:
            raise ParameterError.of(self, "beta", "above 0 and at most 1e6", self.beta)
        one_of(self, "average", self.average, ("macro", "micro", "weighted"))
        one_of(self, "variant", self.variant, ("default", "sklearn"))

    def check(self, schema: Schema) -> None:
        """Raise ParameterError if `of` is not a class of the schema."""
        if self.of is not None:
            class_code(self, self.of, schema.classes or ())

    def value(self, summary: Confusion) -> F64:
        """(1 + beta^2) true positives / (beta^2 labels + predictions), of one class or averaged."""
        squared = self.beta**2
        numerator = (1.0 + squared) * summary.true_positives
        denominator = squared * summary.labels + summary.predictions
        if self.of is None and self.average == "micro":
            return class_sum(numerator) / class_sum(denominator)
        return class_average(self, summary, numerator / denominator)
