"""Functions that make timetables, write them out, and print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge._core import events_as_orders
from streamgauge.errors import PlanError
from streamgauge.types import (
    I64,
    NEVER,
    U8,
    U32,
    U64,
    Arrivals,
    Events,
    Flags,
    FoldAssignment,
    Kind,
    Op,
    Orders,
    Pattern,
    PatternKind,
    Timetable,
)
from streamgauge.types.times import span


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive arrived items; `known` flags those with a label."""

    first: int
    count: int
    time: I64 | None
    known: Flags | None

    @property
    def stop(self) -> int:
        """The number after the last item."""
        return self.first + self.count

    def cut(self, first: int, stop: int) -> Segment:
        """The items from `first` to before `stop`."""
        rows = slice(first - self.first, stop - self.first)
        return Segment(
            first,
            stop - first,
            None if self.time is None else self.time[rows],
            None if self.known is None else self.known[rows],
        )


def immediate(arrivals: Arrivals, who: str, ignore_delays: bool) -> Segment:
    """The arrivals for a protocol that needs each label together with its item.

    A delayed label is refused unless delays are to be ignored: using it early would leak the
    future.
    """
    if arrivals.label_time is None:
        return Segment(arrivals.first, arrivals.count, arrivals.time, None)
    known: Flags = arrivals.label_time != NEVER
    if not ignore_delays:
        start = (
            arrivals.time
            if arrivals.time is not None
            else np.arange(arrivals.first, arrivals.first + arrivals.count, dtype=np.int64)
        )
        late = np.flatnonzero(known & (arrivals.label_time > start))
        if len(late):
            at = int(late[0])
            delay = int(arrivals.label_time[at]) - int(start[at])
            raise PlanError(
                f"{who}: every label must arrive with its item, got one that arrives "
                f"{span(delay, arrivals.clock)} after item {arrivals.first + at:,}; "
                "take Delayed() or Reevaluating(), or give ignore_delays=True"
            )
    return Segment(arrivals.first, arrivals.count, arrivals.time, None if known.all() else known)


def pretrained(segments: Iterable[Segment], pretrain: int) -> Iterator[Segment | Pattern]:
    """First, as one pattern, the items that are only learned; then the remaining segments.

    They are learned in one call, so that the result does not depend on the batches of the stream.
    """
    begun: list[Segment] = []
    for part in segments:
        end = min(max(pretrain, part.first), part.stop)
        if part.first < end:
            begun.append(part.cut(part.first, end))
        if begun and end >= pretrain:
            yield pattern("learn", concatenate(begun))
            begun = []
        if end < part.stop:
            yield part.cut(end, part.stop)
    if begun:
        yield pattern("learn", concatenate(begun))


def pattern(kind: PatternKind, part: Segment) -> Pattern:
    """The pattern of a segment, after which its items are not needed."""
    return Pattern(kind, part.first, part.stop, part.known, part.time, part.stop)


def concatenate(parts: list[Segment]) -> Segment:
    """Adjacent segments as one."""
    if len(parts) == 1:
        return parts[0]
    count = sum(p.count for p in parts)
    time = known = None
    if any(p.time is not None for p in parts):
        time = np.concatenate([times_of(p) for p in parts])
    if any(p.known is not None for p in parts):
        known = np.concatenate([known_flags(p) for p in parts])
    return Segment(parts[0].first, count, time, known)


def expand(chunk: Orders | Pattern | Events) -> Orders:
    """The orders of a pattern or of events, written out."""
    if isinstance(chunk, Orders):
        return chunk
    if isinstance(chunk, Events):
        return _events_written_out(chunk)
    part = Segment(chunk.first, chunk.stop - chunk.first, chunk.time, chunk.known)
    item = np.arange(chunk.first, chunk.stop, dtype=np.uint64)
    time, known = times_of(part), known_flags(part)
    if chunk.kind == "test_then_train":
        row = np.repeat(np.arange(part.count), 3)
        op = np.tile(np.array([Op.PREDICT, Op.REVEAL, Op.LEARN], dtype=np.uint8), part.count)
        keep = (op == Op.PREDICT) | known[row]
        row, op = row[keep], op[keep]
        return orders(op, item[row], time[row], chunk.keep_from)
    labelled = item[known]
    learned_at = np.full(len(labelled), time[-1] if len(time) else 0, dtype=np.int64)
    learn = np.full(len(labelled), Op.LEARN, dtype=np.uint8)
    if chunk.kind == "learn":
        return orders(learn, labelled, time[known], chunk.keep_from)
    return orders(
        np.concatenate(
            [
                np.full(part.count, Op.PREDICT, dtype=np.uint8),
                np.full(len(labelled), Op.REVEAL, dtype=np.uint8),
                learn,
            ]
        ),
        np.concatenate([item, labelled, labelled]),
        np.concatenate([time, learned_at, learned_at]),
        chunk.keep_from,
    )


def _events_written_out(chunk: Events) -> Orders:
    op, item, turn, kind, time, event = events_as_orders(
        chunk.event, chunk.item, chunk.time, chunk.every, chunk.first_at_zero, chunk.predict_last,
        chunk.labels, chunk.pending, chunk.labels_at_arrival,
    )  # fmt: skip
    row, fold = np.arange(len(op)), np.zeros(len(op), np.intp)
    weight = np.ones(len(op))
    if chunk.assignment is not None and len(op):
        row, fold = _assigned(op, item, event, chunk.assignment)
        weights = _weights(item, chunk.assignment)
        weight = np.where(op[row] == Op.LEARN, weights[row, fold], 1.0)
    return Orders(
        op[row], item[row], fold.astype(np.uint16), turn[row], kind[row], weight, time[row],
        chunk.keep_from,
    )  # fmt: skip


def _assigned(op: U8, item: U64, event: U32, assignment: FoldAssignment) -> tuple[Any, Any]:
    """The folds of the orders; orders of one event and one operation are sorted by fold."""
    weights = _weights(item, assignment)
    predicts, learns = (op == Op.PREDICT)[:, None], (op == Op.LEARN)[:, None]
    once = np.zeros_like(weights, np.bool_)
    once[:, 0] = True
    row, fold = np.nonzero(np.where(predicts, weights == 0, np.where(learns, weights > 0, once)))
    order = np.lexsort((row, fold, op[row], event[row]))
    return row[order], fold[order]


def _weights(item: U64, assignment: FoldAssignment) -> U8:
    """One row per order, one column per fold: how often it learns the item."""
    first, last = int(item.min()), int(item.max())
    weights: U8 = assignment.weights(first, last - first + 1)[:, item - np.uint64(first)].T
    return weights


def orders(
    op: U8, item: np.ndarray[tuple[int], np.dtype[np.uint64]], time: I64, keep_from: int
) -> Orders:
    """Orders of fold 0, first predictions, weight 1."""
    n = len(op)
    return Orders(
        op,
        item,
        np.zeros(n, dtype=np.uint16),
        np.zeros(n, dtype=np.uint32),
        np.full(n, Kind.FIRST, dtype=np.uint8),
        np.ones(n),
        time,
        keep_from,
    )


def arrivals(count: int, size: int = 8192) -> Iterator[Arrivals]:
    """`count` items, one per tick, each with its label; for plans and tests."""
    for first in range(0, count, size):
        yield Arrivals(first, min(size, count - first))


def in_words(timetable: Iterable[Orders | Pattern | Events]) -> Iterator[str]:
    """A timetable as text, one line per order.

    Examples
    --------
    >>> from streamgauge.protocols import Prequential
    >>> print(", ".join(in_words(Prequential().timetable(arrivals(2)))))
    predict 0, reveal 0, learn 0, predict 1, reveal 1, learn 1
    """
    for chunk in timetable:
        whole = expand(chunk)
        folded = bool(whole.fold.any())
        for op, item, fold, weight in zip(
            whole.op.tolist(),
            whole.item.tolist(),
            whole.fold.tolist(),
            whole.weight.tolist(),
            strict=True,
        ):
            line = f"{Op(op).name.lower()} {item}"
            if folded and op != Op.REVEAL:
                line += f" by {fold}"
            if weight != 1.0:
                line += f" weight {weight:g}"
            yield line


def walk(timetable: Timetable) -> Orders:
    """A whole timetable written out as one chunk; for tests."""
    parts = [expand(c) for c in timetable]
    if not parts:
        return orders(np.empty(0, np.uint8), np.empty(0, np.uint64), np.empty(0, np.int64), 0)
    return Orders(
        np.concatenate([p.op for p in parts]),
        np.concatenate([p.item for p in parts]),
        np.concatenate([p.fold for p in parts]),
        np.concatenate([p.turn for p in parts]),
        np.concatenate([p.kind for p in parts]),
        np.concatenate([p.weight for p in parts]),
        np.concatenate([p.time for p in parts]),
        parts[-1].keep_from,
    )


def times_of(part: Segment) -> I64:
    """When each item of a segment arrived."""
    if part.time is not None:
        return part.time
    return np.arange(part.first, part.stop, dtype=np.int64)


def known_flags(part: Segment) -> Flags:
    """Which items of a segment have a label."""
    return np.ones(part.count, dtype=np.bool_) if part.known is None else part.known
