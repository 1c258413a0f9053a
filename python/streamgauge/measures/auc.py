"""Area under the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar, Literal

import numpy as np

from streamgauge.kinds import plain_numbers
from streamgauge.measures._measure import BLOCKS, Measure, one_of
from streamgauge.measures._per_class import class_code, mean_defined
from streamgauge.summaries import Ranking
from streamgauge.types import F64, Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class AUC(Measure[Ranking]):
    r"""The probability that an item of a class has a higher score for it than one that is not.

    .. math:: \frac{\#\{s^+ > s^-\} + \frac{1}{2} \#\{s^+ = s^-\}}{n^+ n^-}

    over all pairs of items in the window, exactly. 1 is perfect, 0.5 is chance. NaN if only one
    class is there. With two classes it is about the second one; with more, `average` says how
    classes are put together. Items without scores are skipped. The whole log takes memory for
    each different score.

    Parameters
    ----------
    of
        The class it is about, against all others.
    average
        `"ovr"`: the mean of each class against all others, over the classes that can be told
        apart. `"hand_till"`: the mean over all pairs of classes, each told apart by either
        score; it does not depend on how frequent classes are.

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
    formula: ClassVar[str] = "pairs in order / pairs, a tie counts half"
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
        """Refuse a class that is not one."""
        if self.of is not None:
            class_code(self, self.of, schema.classes or ())

    def value(self, summary: Ranking) -> F64:
        """The share of pairs in order."""
        k = len(summary.classes)
        if self.of is not None:
            return summary.auc((class_code(self, self.of, summary.classes), None))
        contests: list[tuple[int, int | None]]
        if self.average == "hand_till":
            contests = list(permutations(range(k), 2))
        else:
            contests = [(1, None)] if k == 2 else [(c, None) for c in range(k)]
        if not contests:  # one class has no pairs
            return np.full(summary.wins.shape[1:], np.nan)
        return mean_defined(np.stack([summary.auc(contest) for contest in contests]))
