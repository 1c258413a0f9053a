"""PeriodicHoldout: tests at regular intervals on a test set that is refreshed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import Split, assignment_of, check_folds, enough_items
from streamgauge.protocols._test_sets import HoldOut
from streamgauge.protocols.timetable import immediate
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class PeriodicHoldout:
    """Predict a test set at regular intervals; between the tests, learn and refresh the test set.

    The first `size` items are the test set. After them, every `replace`-th item replaces the
    oldest item of the test set, and the others are learned; after every `every`-th item the whole
    test set is predicted, the oldest item first. An item that enters the test set is never
    learned, also after it has left. Items without a label are neither learned nor predicted.

    The log has every prediction of every test; `turn` is the number of earlier tests of the item.
    By default `measure` gives one point per test. `Holdout` is the same with a fixed test set.

    Parameters
    ----------
    size
        Number of items in the test set.
    every
        Number of items between two tests.
    replace
        Number of items between two that enter the test set; at least 2, since otherwise none is
        learned. 0: the test set is fixed.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.
    folds, split
        Number of folds (copies of the learner), and which of them learn an item that is not in the
        test set: all but one (`"cross"`, the default of several folds); one (`"split"`); each with
        a weight drawn from the Poisson distribution with mean 1 (`"bootstrap"`). Every fold
        predicts the whole test set.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> timetable = PeriodicHoldout(size=1, every=2, replace=3).timetable(arrivals(5))
    >>> print(", ".join(in_words(timetable)))
    reveal 0, learn 1, learn 2, predict 0, reveal 3, learn 4, predict 3

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv (2022).
    """

    size: int = 1000
    every: int = 1000
    replace: int = 10
    ignore_delays: bool = False
    folds: int = 1
    split: Split | None = None
    aliases: ClassVar[tuple[str, ...]] = ("periodical_holdout",)

    def __post_init__(self) -> None:
        at_least(self, "size", self.size, 1)
        at_least(self, "every", self.every, 1)
        at_least(self, "replace", self.replace, 0)
        if self.replace:
            at_least(self, "replace", self.replace, 2)
        check_folds(self, self.folds, self.split)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which measures know its tests."""
        return {"test_set": str(self.size), "tests_every": str(self.every)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, in chunks that end at a test."""
        who = type(self).__name__
        assignment = assignment_of(self.folds, self.split, seed)
        held_out = HoldOut(who, self.size, self.every, self.replace, assignment)
        coming = enough_items(arrivals, self, self.folds)
        return held_out.timetable(immediate(a, who, self.ignore_delays) for a in coming)
