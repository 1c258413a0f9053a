"""Matthews correlation coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streamgauge.measures._measure import Measure, one_of
from streamgauge.summaries import Confusion
from streamgauge.summaries.totals import total_product
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class MCC(Measure[Confusion]):
    r"""How far labels and answers go together: Matthews' correlation, for any number of classes.

    .. math:: \frac{c s - \sum_i t_i a_i}{\sqrt{(s^2 - \sum_i a_i^2)(s^2 - \sum_i t_i^2)}}

    with s items, c right answers, and :math:`t_i` labels and :math:`a_i` answers of each class
    (no answer is an answer of its own). 1 is perfect, 0 is chance. NaN if all labels or all
    answers are of one class.

    Parameters
    ----------
    variant
        `"sklearn"`: undefined is 0.

    Examples
    --------
    >>> from streamgauge.summaries import Confusion
    >>> float(MCC().over(Confusion.of([[20, 5], [10, 15]])))
    0.4082

    References
    ----------
    Gorodkin. Comparing two K-category assignments by a K-category correlation coefficient.
    Computational Biology and Chemistry 28 (2004).
    """

    variant: Literal["default", "sklearn"] = "default"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    formula: ClassVar[str] = "correlation of labels and answers (Gorodkin's R_K)"
    needs: ClassVar[frozenset[str]] = frozenset({"truths", "answers"})

    def __post_init__(self) -> None:
        one_of(self, "variant", self.variant, ("default", "sklearn"))

    def value(self, summary: Confusion) -> F64:
        """The correlation."""
        truths, answers = summary.truths / summary.total, summary.answers / summary.total
        silent = summary.silent / summary.total
        together = summary.observed - total_product(truths, answers)
        of_truths = 1.0 - total_product(truths, truths)
        of_answers = 1.0 - total_product(answers, answers) - silent * silent
        value: F64 = together / np.sqrt(of_truths * of_answers)
        undefined = (of_truths < 1e-12) | (of_answers < 1e-12)
        return np.where(undefined, 0.0 if self.variant == "sklearn" else np.nan, value)
