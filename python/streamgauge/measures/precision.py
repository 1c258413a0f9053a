"""Precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.kinds import plain_numbers
from streamgauge.measures._measure import BLOCKS, LINEAR, Measure, one_of
from streamgauge.measures._per_class import averaged, class_code
from streamgauge.summaries import Confusion
from streamgauge.types import F64, Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class Precision(Measure[Confusion]):
    r"""How many of the answers "this class" are right.

    .. math:: P_i = \frac{\text{right answers of class } i}{\text{answers of class } i}

    1 is perfect. NaN for a class that was never answered.

    Parameters
    ----------
    of
        The class it is about; if not given, an average over all classes.
    average
        `"macro"`: the mean over the classes for which it is defined. `"weighted"`: the same,
        each class as often as it is true. `"micro"`: over all answers at once.
    variant
        `"sklearn"`: undefined is 0, averaged over the classes that occur. `"moa"`: undefined is
        0, averaged over all declared classes; not in `Fading`.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> c = Confusion.of([[20, 5], [10, 15]])
    >>> float(Precision(of=1).over(c)), float(Precision().over(c))
    (0.75, 0.70833)
    """

    of: Value | None = None
    average: Literal["macro", "micro", "weighted"] = "macro"
    variant: Literal["default", "sklearn", "moa"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "right answers of a class / answers of it"
    needs: ClassVar[frozenset[str]] = frozenset({"hits", "truths", "answers"})

    def __post_init__(self) -> None:
        one_of(self, "average", self.average, ("macro", "micro", "weighted"))
        one_of(self, "variant", self.variant, ("default", "sklearn", "moa"))

    def supports(self) -> frozenset[str]:
        """The kinds of windows it is defined in."""
        return BLOCKS if self.variant == "moa" else LINEAR

    def check(self, schema: Schema) -> None:
        """Refuse a class that is not one."""
        if self.of is not None:
            class_code(self, self.of, schema.classes or ())

    def value(self, summary: Confusion) -> F64:
        """The share."""
        return averaged(self, summary, summary.hits, summary.answers)
