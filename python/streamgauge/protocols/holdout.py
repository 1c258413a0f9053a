"""Holdout: tests at regular intervals on a fixed test set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import Split, assignment_of, check_folds, enough_items
from streamgauge.protocols._test_sets import HoldOut
from streamgauge.protocols.timetable import immediate
from streamgauge.types import Arrivals, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Holdout:
    """Hold the first items out, learn the others, and predict the first ones at intervals.

    The first `size` items are the test set; they are never learned. After every `every`-th of the
    other items the test set is predicted. `streams.concatenate(test_stream, stream)` with a test
    stream of `size` items tests on an independent stream. For large test sets, and a stationary
    stream, the error is an unbiased estimate of that of the current model; after a drift it is
    that on a concept of the past.

    The log has every prediction of every test; `turn` is the number of the test. By default
    `measure` gives one point per test. `PeriodicHoldout` refreshes its test set.

    Parameters
    ----------
    size
        Number of items in the test set.
    every
        Number of items between two tests.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.
    folds, split
        As in `PeriodicHoldout`: which folds learn an item; every fold predicts the test set.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Holdout(size=1, every=2).timetable(arrivals(5)))))
    reveal 0, learn 1, learn 2, predict 0, learn 3, learn 4, predict 0

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """

    size: int = 1000
    every: int = 1000
    ignore_delays: bool = False
    folds: int = 1
    split: Split | None = None

    def __post_init__(self) -> None:
        at_least(self, "size", self.size, 1)
        at_least(self, "every", self.every, 1)
        check_folds(self, self.folds, self.split)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which measures know its tests."""
        return {"test_set": str(self.size), "tests_every": str(self.every)}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, in chunks that end at a test."""
        who = type(self).__name__
        assignment = assignment_of(self.folds, self.split, seed)
        held_out = HoldOut(who, self.size, self.every, 0, assignment)
        coming = enough_items(arrivals, self, self.folds)
        return held_out.timetable(immediate(a, who, self.ignore_delays) for a in coming)
