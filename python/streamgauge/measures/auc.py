"""Area under the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar, Literal

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.measures._class_average import class_code, class_nanmean
from streamgauge.measures._measure import BLOCKS, Measure, one_of
from streamgauge.summaries import Ranking
from streamgauge.types import F64, Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class AUC(Measure[Ranking]):
    r"""Probability that an item of a class has a higher score for it than an item of another class.

    .. math:: \frac{\#\{s^+ > s^-\} + \frac{1}{2} \#\{s^+ = s^-\}}{n^+ n^-}

    over all pairs of one of the :math:`n^+` items of the class and one of the :math:`n^-` others in
    the window, computed exactly. 1 is perfect, 0.5 is chance. NaN if the window has one class
    only. With two classes it is that of the second one; with more, `average` is how classes are
    combined. Items without scores are skipped. In the window `Whole`, memory grows with the
    number of different scores.

    Parameters
    ----------
    of
        The class, against all others.
    average
        `"ovr"`: the mean of each class against all others, where defined. `"hand_till"`: the mean
        over all ordered pairs of classes, where defined; it does not depend on the class
        frequencies.

    Examples
    --------
    >>> from streamgauge.summaries import Ranking
    >>> scores = [[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]]
    >>> ranking = Ranking.of([0, 0, 1, 1], scores, AUC().parts())
    >>> float(AUC().over(ranking))
    0.75

    References
    ----------
    Hand, Till. A simple generalisation of the area under the ROC curve for multiple class
    classification problems. Machine Learning 45 (2001).
    """

    of: Value | None = None
    average: Literal["ovr", "hand_till"] = "ovr"

    best: ClassVar[float] = 1.0
    span: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formula: ClassVar[str] = "ordered pairs / pairs, a tie counts half"
    summary: ClassVar[Literal["ranking"]] = "ranking"
    windows: ClassVar[frozenset[str]] = BLOCKS
    takes_weights: ClassVar[bool] = False
    aliases: ClassVar[tuple[str, ...]] = ("roc_auc",)

    def __post_init__(self) -> None:
        one_of(self, "average", self.average, ("ovr", "hand_till"))

    def parts(self) -> frozenset[str]:
        """The parts of the summary it reads."""
        if self.of is not None:
            return frozenset({"each"})
        return frozenset({"rest" if self.average == "ovr" else "pairs"})

    def check(self, schema: Schema) -> None:
        """Raise ParameterError if `of` is not a class of the schema."""
        if self.of is not None:
            class_code(self, self.of, schema.classes or ())

    def value(self, summary: Ranking) -> F64:
        """ordered pairs / (positives * negatives), averaged over pairs of classes."""
        k = len(summary.classes)
        class_pairs: list[tuple[int, int | None]]
        if self.of is not None:
            class_pairs = [(class_code(self, self.of, summary.classes), None)]
        elif self.average == "hand_till":
            class_pairs = list(permutations(range(k), 2))
        else:
            class_pairs = [(1, None)] if k == 2 else [(c, None) for c in range(k)]
        if not class_pairs:  # a single class has no pairs
            return np.full(summary.ordered.shape[1:], np.nan)
        rows = [summary.class_pairs.index(pair) for pair in class_pairs]
        auc = summary.ordered[rows] / (summary.positives[rows] * summary.negatives[rows])
        return class_nanmean(auc) if self.of is None else auc[0]
