"""Late labels: a user-defined protocol, checked not to peek, on a stream with a drift."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import ClassVar

import numpy as np

import streamgauge as sg
from streamgauge.protocols.timetable import orders
from streamgauge.testing import check_timetable
from streamgauge.types import NEVER, Arrivals, Op, Orders


@dataclass(frozen=True)
class Late:
    """Predict each item when it arrives, learn it when its label arrives."""

    folds: ClassVar[int] = 1

    def timetable(self, arrivals: Iterable[Arrivals], seed: int = 0) -> Iterator[Orders]:
        """The orders, one chunk per batch of arrivals, and one for the remaining labels."""
        pending: list[tuple[int, int]] = []  # (label time, item), the soonest first
        stop = 0
        for part in arrivals:
            rows: list[tuple[Op, int, int]] = []
            stop = part.first + part.count
            own = range(part.first, stop)  # without a clock, the item numbers
            times = own if part.time is None else part.time.tolist()
            label_times = times if part.label_time is None else part.label_time.tolist()
            for item, time, out in zip(own, times, label_times, strict=True):
                rows += self._labels(pending, until=time)
                rows.append((Op.PREDICT, item, time))
                if out != NEVER:
                    heappush(pending, (out, item))
            yield self._chunk(rows, min((item for _, item in pending), default=stop))
        yield self._chunk(self._labels(pending, until=NEVER), stop)

    def _labels(self, pending: list[tuple[int, int]], until: int) -> list[tuple[Op, int, int]]:
        rows: list[tuple[Op, int, int]] = []
        while pending and pending[0][0] <= until:
            out, item = heappop(pending)
            rows += [(Op.REVEAL, item, out), (Op.LEARN, item, out)]
        return rows

    def _chunk(self, rows: list[tuple[Op, int, int]], keep_from: int) -> Orders:
        op, item, time = zip(*rows, strict=True) if rows else ((), (), ())
        return orders(
            np.array(op, np.uint8), np.array(item, np.uint64), np.array(time, np.int64), keep_from
        )


def main() -> None:
    """Print the accuracy for several delays."""
    draw = np.random.default_rng(0)
    time = np.arange(100, dtype=np.int64)
    check_timetable(Late(), time, time + draw.integers(0, 30, size=100))

    before, after = sg.streams.Sine(function=1), sg.streams.Sine(function=2)
    stream = sg.streams.take(sg.streams.drift(before, after, at=5_000), 10_000)
    for delay in (0, 100, 1_000):
        late = sg.streams.delay(stream, by=delay) if delay else stream
        log = sg.run(late, sg.learners.Perceptron(), Late())
        accuracy = sg.measure(log, "accuracy")
        print(f"labels {delay:5,} items late: accuracy {accuracy.final:.3f}")


if __name__ == "__main__":
    main()
