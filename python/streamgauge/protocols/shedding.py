"""Shedding: items that arrive while the learner is busy are dropped."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, check_number, plain_numbers
from streamgauge.protocols.timetable import Segment, immediate, known_flags, orders, times_of
from streamgauge.types import Arrivals, Flags, Op, Orders, Timetable


@plain_numbers
@dataclass(frozen=True, slots=True)
class Shedding:
    """Predict and learn each item that arrives when the learner is free; drop the others.

    A simulation, in which nothing is timed: items arrive at `rate` per second, and the learner
    needs `service` seconds to predict and to learn one. An item that arrives while it is busy is
    held if fewer than `buffer` items are, else it is dropped: it is neither predicted nor learned,
    and is in the log only as one that arrived (*unpredicted*; `resources.dropped`). Up to a rate
    of 1 / `service` regular arrivals lose no item, and the log is that of `Prequential`; beyond it
    the share that is served is 1 / (`rate` `service`), or a little less.

    Parameters
    ----------
    rate
        Items that arrive per second.
    service
        Seconds that the learner needs per item; `resources` of a run gives its own.
    buffer
        Number of items that can be held.
    arrivals
        `"regular"`: one every 1 / `rate` seconds; `"poisson"`: the gaps are random, exponential
        with that mean, drawn with the seed of the run.
    ignore_delays
        Treat every label as if it arrived with its item, though the stream has delays.

    Examples
    --------
    >>> from streamgauge.protocols.timetable import arrivals, in_words
    >>> print(", ".join(in_words(Shedding(rate=2.0, service=1.0).timetable(arrivals(4)))))
    predict 0, reveal 0, learn 0, predict 2, reveal 2, learn 2

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013), section 6.
    """

    rate: float
    service: float
    buffer: int = 0
    arrivals: Literal["regular", "poisson"] = "regular"
    ignore_delays: bool = False
    folds: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for name, value in (("rate", self.rate), ("service", self.service)):
            check_number(self, name, value, "above 0 and finite")
            if not 0 < value < math.inf:
                raise ParameterError.of(self, name, "above 0 and finite", value)
        at_least(self, "buffer", self.buffer, 0)
        if self.arrivals not in ("regular", "poisson"):
            raise ParameterError.of(self, "arrivals", "'regular' or 'poisson'", self.arrivals)

    @property
    def about(self) -> dict[str, str]:
        """Entries of the log from which the order of predictions and labels can be derived."""
        return {"learns_every": "1", "pretrain": "0"}

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Timetable:
        """The orders about the items that are served, chunk by chunk."""
        server = _Server(self, np.random.default_rng(seed))
        for some in arrivals:
            part = immediate(some, type(self).__name__, self.ignore_delays)
            yield _served(part, server.serves(part.first, part.count))


@dataclass(slots=True)
class _Server:
    """A learner that is busy for a time after each item that it takes."""

    of: Shedding
    generator: np.random.Generator
    now: float = 0.0
    ends: deque[float] | None = None

    def serves(self, first: int, count: int) -> Flags:
        """Which of the next items are served."""
        if self.of.arrivals == "regular":
            # Not added up, so that rounding does not depend on the number of items.
            times = np.arange(first, first + count) / self.of.rate
        else:
            times = self.now + np.cumsum(self.generator.exponential(1 / self.of.rate, count))
            self.now = float(times[-1]) if count else self.now
        ends = self.ends = deque() if self.ends is None else self.ends
        kept = np.zeros(count, np.bool_)
        for row, at in enumerate(times.tolist()):
            while ends and ends[0] <= at * (1 + 1e-12):
                ends.popleft()
            if len(ends) <= self.of.buffer:  # one that is served, and those that are held
                ends.append((ends[-1] if ends else at) + self.of.service)
                kept[row] = True
        return kept


def _served(part: Segment, kept: Flags) -> Orders:
    """The orders about the items of a segment that are served; the log has the others too."""
    row = np.repeat(np.flatnonzero(kept), 3)
    op = np.tile(np.array([Op.PREDICT, Op.REVEAL, Op.LEARN], np.uint8), len(row) // 3)
    keep = (op == Op.PREDICT) | known_flags(part)[row]
    row, op = row[keep], op[keep]
    item, time = np.arange(part.first, part.stop, dtype=np.uint64), times_of(part)
    unpredicted = None if kept.all() else (item[~kept], time[~kept])
    return replace(orders(op, item[row], time[row], part.stop), unpredicted=unpredicted)
