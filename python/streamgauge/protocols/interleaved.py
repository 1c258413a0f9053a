"""Interleaved: learn some items, test on the next ones, and so on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from streamgauge.errors import TimetableError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.protocols._folds import Everyone, Split, assignment_of, check_folds, enough_items
from streamgauge.protocols.timetable import blocks, immediate, pattern
from streamgauge.types import Arrivals, Pattern, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Interleaved:
    """Learn `train` items, predict the next `test` items, and so on.

    Interleaved holdout. Every item is either learned or predicted, never both. In the window
    `tumbling(test)` a curve has one point per test.

    Parameters
    ----------
    train
        Number of items that are learned between two tests.
    test
        Number of items of a test, which are predicted and not learned.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.
    folds, split
        Number of folds (copies of the learner), and which of them learn an item between two tests:
        all but one (`"cross"`, the default of several folds); one (`"split"`); each with a weight
        drawn from the Poisson distribution with mean 1 (`"bootstrap"`). It is drawn for each item.
        Every fold predicts all items of a test.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Interleaved(train=2, test=1).timetable(arrivals(6)))))
    learn 0, learn 1, predict 2, reveal 2, learn 3, learn 4, predict 5, reveal 5

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013).
    """

    train: int = 1000
    test: int = 1000
    ignore_delays: bool = False
    folds: int = 1
    split: Split | None = None
    aliases: ClassVar[tuple[str, ...]] = ("interleaved_holdout",)

    def __post_init__(self) -> None:
        at_least(self, "train", self.train, 1)
        at_least(self, "test", self.test, 1)
        check_folds(self, self.folds, self.split)

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders, block by block, each after the arrival of its last item."""
        who = type(self).__name__
        assignment = assignment_of(self.folds, self.split, seed)
        testers = None if assignment is None else Everyone(assignment)
        coming = enough_items(arrivals, self, self.folds)
        segments = (immediate(a, who, self.ignore_delays) for a in coming)
        tests, items = False, 0
        for part in blocks(segments, lambda number: self.test if number % 2 else self.train):
            if isinstance(part, Pattern):
                continue
            yield pattern("predict", part, testers) if tests else pattern("learn", part, assignment)
            tests, items = not tests, part.stop
        if 0 < items <= self.train:
            raise TimetableError(
                f"{who}: train must be below the number of items, got {self.train:,} and a stream "
                f"of {items:,}, which has no test"
            )
