"""Continuous re-evaluation: repeated predictions while the label is pending."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import Split
from streamgauge.protocols._late import LateOptions, Tail, Ties, check, late
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Reevaluating:
    """Predict each item at arrival, again while its label is pending, and when the label arrives.

    Continuous re-evaluation. A pending item is predicted again at every `every`-th label of
    another item; when its own label arrives it is predicted for the last time (the test-then-train
    prediction) and then learned. All predictions at a label are made before it is learned. The
    log keeps the changes of an item's prediction; `streamgauge.late` reads it.

    Without delay this is exactly `Prequential`.

    Parameters
    ----------
    every
        K: labels between two predictions of a pending item.
    first_at_zero
        Whether an item is predicted again at the first label after its arrival, as in the
        published algorithm; the authors' program begins `every` labels later. Without new
        features the prediction cannot differ, but it is counted.
    ties
        Order of events at equal times: `"labels_first"` (labels of earlier items arrive before a
        new item) or `"items_first"`; see `Delayed`.
    tail
        Labels that arrive after the last item: `"flush"` (they are learned and counted) or
        `"drop"` (they are neither learned nor counted); see `Delayed`.
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
    >>> late = Arrivals(0, 3, label_time=np.array([5, 3, 4]))
    >>> timetable = Reevaluating(every=2).timetable([late])
    >>> print(", ".join(in_words(timetable)))
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
    def options(self) -> LateOptions:
        """Each item is predicted on arrival, repeatedly, and when its label arrives."""
        return LateOptions(
            self.every, self.first_at_zero, True, self.ties, self.tail, self.folds, self.split
        )

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return self.options.about

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The events, batch by batch."""
        return late(arrivals, self.options, type(self).__name__, seed)
