"""Reevaluating: asked again and again while the label is on its way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._late import Asking, Split, Tail, Ties, check, late
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Reevaluating:
    """Each item is asked about when it comes, again while it waits, and when its label comes.

    Continuous re-evaluation. An item that waits is asked about again at every `every`-th label of
    another item; when its own label comes it is asked about for the last time (the test-then-train
    answer), and then taught. All askings at a label are by the model that has not learnt it yet.
    The log keeps an item's changes of mind; `streamgauge.late` reads it.

    Without delay this is `Prequential`, bit for bit.

    Parameters
    ----------
    every
        K: labels between two askings.
    first_at_zero
        Is the first label after an item has come one at which it is asked again? So the algorithm
        is printed; the authors' program begins `every` labels later. Without new features the
        answer cannot differ, but askings are counted.
    ties
        What happens first at one time: `"labels_first"` or `"items_first"`; see `Delayed`.
    tail
        Labels that come after the last item: `"flush"` or `"drop"`; see `Delayed`.
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
    >>> plan = Reevaluating(every=2).timetable([Arrivals(0, 3, label_time=np.array([5, 3, 4]))])
    >>> print(", ".join(in_words(plan)))
    predict 0, predict 1, predict 2, predict 1, predict 0, predict 2, reveal 1, learn 1, \
predict 2, reveal 2, learn 2, predict 0, reveal 0, learn 0

    References
    ----------
    Grzenda, Gomes, Bifet. Delayed labelling evaluation for data streams.
    Data Mining and Knowledge Discovery 34 (2020).
    """

    every: int = 10
    first_at_zero: bool = True
    ties: Ties = "labels_first"
    tail: Tail = "flush"
    folds: int = 1
    split: Split | None = None
    aliases: ClassVar[tuple[str, ...]] = ("continuous_reevaluation",)

    def __post_init__(self) -> None:
        at_least(self, "every", self.every, 1)
        check(self, self.ties, self.tail, self.folds, self.split)

    @property
    def asking(self) -> Asking:
        """Asked first, again, and last."""
        return Asking(
            self.every, self.first_at_zero, True, self.ties, self.tail, self.folds, self.split
        )

    @property
    def about(self) -> dict[str, str]:
        """What a log must say, so that the order of predictions and labels is found in it."""
        return self.asking.about

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """What happens, batch by batch."""
        return late(arrivals, self.asking, type(self).__name__, seed)
