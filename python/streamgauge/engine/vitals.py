"""Samples of a learner's size and structure (bytes, nodes, leaves), and of its times, in a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from streamgauge.engine.folds import Fold, Folds
from streamgauge.engine.timing import CopyTimer
from streamgauge.errors import LearnerError
from streamgauge.log.vitals import Vitals
from streamgauge.types import Batch

SAMPLES = 25
"""Samples of a long stream of known length, by default."""

FEWEST_ITEMS = 1_000
"""Fewest items between two samples, by default."""

UNKNOWN_LENGTH = 10_000
"""Items between two samples of a stream whose length is not known, by default."""


def default_interval(length: int | None) -> int:
    """Items between two samples by default: at least 1,000, and about 25 samples of a stream.

    Examples
    --------
    >>> [default_interval(length) for length in (500, 45_312, 1_000_000, None)]
    [1000, 1813, 40000, 10000]
    """
    if length is None:
        return UNKNOWN_LENGTH
    return max(FEWEST_ITEMS, math.ceil(length / SAMPLES))


@dataclass(slots=True)
class Sampler:
    """Samples the vitals of all folds before the first order about every `every`-th item.

    `every` 0: never. A sample only reads: `memory()` and `vitals()` of a learner that declares
    `measured`; `timer` times a copy of the first fold on upcoming items. `held` are the rows that
    are not in the log yet.
    """

    folds: Folds
    every: int
    due: int = field(init=False)
    held: list[Vitals] = field(default_factory=list)
    timer: CopyTimer = field(default_factory=CopyTimer)

    def __post_init__(self) -> None:
        self.due = self.every
        if not any(learner.measured for learner in self.folds.learners):
            self.every = 0

    def resume(self, done: int) -> None:
        """Go on after `done` items, whose samples are in the log; that before the next is not."""
        self.timer.first = done
        if self.every:
            self.due = max(self.every, -(-done // self.every) * self.every)

    def cuts(self, first: int, stop: int) -> range:
        """The items from `first` to `stop` - 1 before whose first order a sample is due."""
        if not self.every or self.due >= stop:
            return range(0)
        return range(max(self.due, first), stop, self.every)

    def next_cut(self, stop: int) -> int:
        """The next item before which a sample is due; `stop` if that is earlier."""
        return min(self.due, stop) if self.every else stop

    def before(self, item: int, upcoming: Callable[[int], Batch | None]) -> None:
        """Sample now if a sample before the first order about this item is due.

        `upcoming(n)` gives at most n items that no order was about yet, of the same batch or chunk.
        """
        if self.every and item >= self.due:
            self._sample(item - 1)
            self.due = (item // self.every + 1) * self.every
            self.timer.time(self.folds.learners[0], item, upcoming)

    def end(self, items: int) -> None:
        """Sample at the end of a run of so many items."""
        if self.every and items:
            self._sample(items - 1)

    def _sample(self, item: int) -> None:
        facts = {fold.number: _facts(fold, item) for fold in self.folds.folds}
        if any(facts.values()):
            self.held.append(Vitals.of_folds(item, facts))


def _facts(fold: Fold, item: int) -> dict[str, float]:
    """What a fold tells about itself, with its size first; without what is not known."""
    if not fold.learner.measured:
        return {}
    try:
        stated = {"bytes": float(fold.learner.memory()), **fold.learner.vitals()}
        return {str(name): float(value) for name, value in stated.items() if not math.isnan(value)}
    except Exception as error:
        raise LearnerError(fold.name, "vitals", item, fold.number, error) from error
