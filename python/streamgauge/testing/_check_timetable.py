"""Contract of protocols: no order uses information that is not yet available."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streamgauge.errors import TimetableError
from streamgauge.kinds import at_least, at_most
from streamgauge.protocols.timetable import expand, walk
from streamgauge.types import I64, NEVER, Arrivals, EvaluationProtocol, Op, Orders

MOST_ITEMS = 1_000_000
"""Largest number of items to check."""


def check_timetable(
    protocol: EvaluationProtocol,
    time: I64 | None = None,
    label_time: I64 | None = None,
    *,
    count: int = 100,
    sizes: Sequence[int] = (1, 7, 1024),
    seed: int = 0,
) -> Orders:
    """Run a protocol over items and fail at the first invalid order.

    An order is invalid if an item is predicted before its arrival or, by the same fold, after it
    was learned; if it is learned or revealed before its label is known; if it is revealed twice;
    if the timetable has already released it; or if times decrease. The orders must not differ
    between iterations or depend on the batch size.

    Returns the expanded orders.

    Examples
    --------
    >>> from streamgauge.protocols import Prequential
    >>> len(check_timetable(Prequential(), count=10))
    30
    """
    at_least("check_timetable", "count", count, 0)
    at_most("check_timetable", "count", count, MOST_ITEMS)
    n = count if time is None else len(time)
    start = np.arange(n, dtype=np.int64) if time is None else time
    known_at = start if label_time is None else label_time
    reference: Orders | None = None
    for size in (*sizes, sizes[0]):
        state = _State(start, known_at, protocol.folds)
        for chunk in protocol.timetable(_arrive(state, time, label_time, n, size), seed):
            state.check(expand(chunk))
        orders = walk(protocol.timetable(_arrive(None, time, label_time, n, size), seed))
        if reference is None:
            reference = orders
        elif not _same(reference, orders):
            raise TimetableError(
                f"{protocol}: the orders depend on the batch size or differ between iterations"
            )
    if reference is None:
        raise TimetableError("check_timetable: give at least one batch size")
    return reference


class _State:
    """Items that have arrived, been revealed and been learned, to check the next order."""

    def __init__(self, time: I64, label_time: I64, folds: int) -> None:
        self.time, self.label_time = time, label_time
        self.arrived = 0
        self.revealed: set[int] = set()
        self.learned: set[tuple[int, int]] = set()
        self.folds = folds
        self.kept_from = 0
        self.kept: set[int] = set()
        self.clock: int | None = None

    def check(self, orders: Orders) -> None:
        rows = zip(
            orders.op.tolist(),
            orders.item.tolist(),
            orders.fold.tolist(),
            orders.weight.tolist(),
            orders.time.tolist(),
            strict=True,
        )
        for op, item, fold, weight, time in rows:
            name = f"{Op(op).name.lower()} {item}"
            self._must(item < self.arrived, f"{name}: the item has not arrived")
            kept = item >= self.kept_from or item in self.kept
            self._must(kept, f"{name}: the item was released")
            self._must(fold < self.folds, f"{name}: fold {fold} does not exist")
            self._must(self.clock is None or time >= self.clock, f"{name}: time decreases")
            self.clock = time
            if op == Op.PREDICT:
                self._must(time >= self.time[item], f"{name}: predicted before its arrival")
                self._must(
                    (item, fold) not in self.learned, f"{name}: predicted after it was learned"
                )
                continue
            known = int(self.label_time[item])
            self._must(known != NEVER, f"{name}: it has no label")
            self._must(time >= known, f"{name}: at {time}, before its label is known at {known}")
            if op == Op.REVEAL:
                self._must(item not in self.revealed, f"{name}: revealed twice")
                self.revealed.add(item)
            else:
                self._must(weight >= 0, f"{name}: weight {weight} is negative")
                self.learned.add((item, fold))
        self._must(orders.keep_from >= self.kept_from, "keep_from decreases")
        kept_now = set(orders.keep.tolist())
        self._must(
            all(item >= self.kept_from or item in self.kept for item in kept_now),
            "keep has an item that was released",
        )
        self.kept_from, self.kept = orders.keep_from, kept_now

    @staticmethod
    def _must(holds: bool, message: str) -> None:
        if not holds:
            raise TimetableError(message)


def _arrive(
    state: _State | None, time: I64 | None, label_time: I64 | None, n: int, size: int
) -> Iterator[Arrivals]:
    for first in range(0, n, size):
        stop = min(first + size, n)
        if state is not None:
            state.arrived = stop
        yield Arrivals(
            first,
            stop - first,
            None if time is None else time[first:stop],
            None if label_time is None else label_time[first:stop],
        )


def _same(a: Orders, b: Orders) -> bool:
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("op", "item", "fold", "turn", "kind", "weight", "time")
    )
