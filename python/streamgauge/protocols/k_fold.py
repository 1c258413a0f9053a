"""KFold: prequential evaluation of several copies of a learner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import (
    FoldVariant,
    Split,
    check_folds,
    check_variant,
    enough_items,
)
from streamgauge.protocols.prequential import Prequential
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class KFold:
    """Distribute each item over k copies of the learner: some learn it, the others predict it.

    Distributed k-fold validation. It is `Prequential(folds=k, split=split)`; the other protocols
    take `folds` and `split`, too. The log keeps every fold: `measure(log, …, fold=0)` is the
    curve of one of them, `repetitions.over_folds` gives all with their mean.

    Parameters
    ----------
    k
        Number of folds (copies of the learner).
    split
        Which folds learn an item: all but one, which predicts it (`"cross"`); one, and all others
        predict it (`"split"`); each with a weight drawn from the Poisson distribution with mean 1,
        and those with weight 0 predict it (`"bootstrap"`). A fold predicts 1/k, 1 - 1/k and
        exp(-1) of the items on average.
    variant
        `"default"`: the fold of an item is drawn at random, by its number. `"moa"`: item i belongs
        to fold i modulo k, and every fold predicts every item before it learns it, as in MOA's
        `EvaluatePrequentialCV`.
    pretrain
        Number of first items that are only learned, not predicted.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(KFold(2, variant="moa").timetable(arrivals(2)))))
    predict 0 by 0, predict 0 by 1, reveal 0, learn 0 by 1, \
predict 1 by 0, predict 1 by 1, reveal 1, learn 1 by 0

    References
    ----------
    Bifet, de Francisci Morales, Read, Holmes, Pfahringer. Efficient online evaluation of big data
    stream classifiers. KDD (2015).
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    k: int = 10
    split: Split = "cross"
    variant: FoldVariant = "default"
    pretrain: int = 0
    ignore_delays: bool = False
    aliases: ClassVar[tuple[str, ...]] = ("kfold", "prequential_cv")

    def __post_init__(self) -> None:
        check_folds(self, self.k, self.split, "k")
        if self.k == 1:
            raise ParameterError(
                "KFold: k must be at least 2, got 1; give Prequential(folds=1, split='bootstrap') "
                "for one learner with drawn weights"
            )
        check_variant(self, self.k, self.variant, "k")
        at_least(self, "pretrain", self.pretrain, 0)

    @property
    def folds(self) -> int:
        """The number of folds."""
        return self.k

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return self._prequential().about

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, chunk by chunk."""
        coming = enough_items(arrivals, self, self.k)
        return self._prequential().timetable(coming, seed)

    def _prequential(self) -> Prequential:
        return Prequential(self.pretrain, self.ignore_delays, self.k, self.split, self.variant)
