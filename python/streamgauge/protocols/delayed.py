"""Delayed: asked when it comes, taught when its label comes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from streamgauge.kinds import plain_numbers
from streamgauge.protocols._late import Asking, Split, Tail, Ties, check, late
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Delayed:
    """Each item is asked about when it comes and taught when its label does.

    The log books both clocks: when it was said, and when the label came. Measures take items in
    the order of their labels, or with `clock="said"` in the order they came. Without delay this is
    `Prequential`.

    Parameters
    ----------
    ties
        What happens first at one time: `"labels_first"` (the label of an item from before is
        there when a new one comes; so do MOA, CapyMOA and river) or `"items_first"`. A label
        that comes with its item directly follows it either way.
    tail
        Labels that come after the last item: `"flush"` (they are waited for, taught and counted,
        as in river) or `"drop"` (neither, as in MOA and CapyMOA).
    folds, split
        Number of copies of the learner, and which of them learn an item: all but one, which
        predicts it (`"cross"`, the default of several copies); one, and all others predict it
        (`"split"`); each with a weight drawn by the item's number, and those with weight 0
        predict it (`"bootstrap"`). One copy predicts and learns every item unless `split` is
        `"bootstrap"`; it cannot be crossed or split.

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
    def asking(self) -> Asking:
        """Asked once."""
        return Asking(0, False, False, self.ties, self.tail, self.folds, self.split)

    @property
    def about(self) -> dict[str, str]:
        """What a log must say, so that the order of predictions and labels is found in it."""
        return self.asking.about

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """What happens, batch by batch."""
        return late(arrivals, self.asking, type(self).__name__, seed)
