"""Delayed: predict on arrival, learn when the label arrives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from streamgauge.kinds import plain_numbers
from streamgauge.protocols._folds import Split
from streamgauge.protocols._late import LateOptions, Tail, Ties, check, late
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Delayed:
    """Predict each item when it arrives, learn it when its label arrives.

    The log holds both times: of the prediction, and of the label. Measures take items in the
    order of their labels, or with `clock="predicted"` in the order of their arrival. Without
    delay this is `Prequential`.

    Parameters
    ----------
    ties
        Order of events at equal times: `"labels_first"` (labels of earlier items arrive before a
        new item, as in MOA, CapyMOA and river) or `"items_first"`. A label that arrives with its
        item directly follows it in both cases.
    tail
        Labels that arrive after the last item: `"flush"` (they are learned and counted, as in
        river) or `"drop"` (they are neither learned nor counted, as in MOA and CapyMOA).
    folds, split
        Number of folds (copies of the learner), and which of them learn an item: all but one,
        which predicts it (`"cross"`, the default of several folds); one, and all others predict
        it (`"split"`); each with a weight drawn by the item's number, and those with weight 0
        predict it (`"bootstrap"`). A single fold predicts and learns every item unless `split` is
        `"bootstrap"`; `"cross"` and `"split"` need at least two.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.protocols.timetable import in_words
    >>> time = np.arange(3)
    >>> print(", ".join(in_words(Delayed().timetable([Arrivals(0, 3, time, time + 2)]))))
    predict 0, predict 1, reveal 0, learn 0, predict 2, reveal 1, learn 1, reveal 2, learn 2

    References
    ----------
    Gomes et al. Adaptive random forests for evolving data stream classification.
    Machine Learning 106 (2017).
    """

    ties: Ties = "labels_first"
    tail: Tail = "flush"
    folds: int = 1
    split: Split | None = None

    def __post_init__(self) -> None:
        check(self, self.ties, self.tail, self.folds, self.split)

    @property
    def options(self) -> LateOptions:
        """Each item is predicted once."""
        return LateOptions(0, False, False, self.ties, self.tail, self.folds, self.split)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return self.options.about

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The events, batch by batch."""
        return late(arrivals, self.options, type(self).__name__, seed)
