"""Recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.kinds import plain_numbers
from streamgauge.measures._class_average import class_average, class_code
from streamgauge.measures._measure import BLOCKS, LINEAR, Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64, Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class Recall(Measure[Confusion]):
    r"""Share of the items of a class that are predicted as such.

    .. math:: R_i = \frac{\text{true positives}_i}{\text{labels}_i}

    1 is perfect. NaN for a class without labels.

    Parameters
    ----------
    of
        The class; by default, an average over all classes.
    average
        `"macro"`: the mean over the classes for which it is defined. `"weighted"`: the same,
        each class weighted by its number of labels. `"micro"`: the ratio of the sums of numerator
        and denominator over all classes.
    variant
        `"sklearn"`: undefined is 0, averaged over the classes that occur. `"moa"`: undefined is
        0, averaged over all declared classes; not in `Fading`.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> c = Confusion.of([[20, 5], [10, 15]])
    >>> float(Recall(of=1).over(c)), float(Recall().over(c))
    (0.6, 0.7)
    """

    of: Value | None = None
    average: Literal["macro", "micro", "weighted"] = "macro"
    variant: Literal["default", "sklearn", "moa"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "true positives of a class / labels of it"
    needs: ClassVar[frozenset[str]] = frozenset({"true_positives", "labels", "predictions"})

    def __post_init__(self) -> None:
        one_of(self, "average", self.average, ("macro", "micro", "weighted"))
        one_of(self, "variant", self.variant, ("default", "sklearn", "moa"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return BLOCKS if self.variant == "moa" else LINEAR

    def check(self, schema: Schema) -> None:
        """Raise ParameterError if `of` is not a class of the schema."""
        if self.of is not None:
            class_code(self, self.of, schema.classes or ())

    def value(self, summary: Confusion) -> F64:
        """true positives / labels, of one class or averaged."""
        true_positives, labels = summary.true_positives, summary.labels
        if self.of is None and self.average == "micro":
            return class_sum(true_positives) / class_sum(labels)
        return class_average(self, summary, true_positives / labels)
