"""Functions that make timetables, write them out, and print them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._core import events_as_orders
from streamgauge.errors import TimetableError
from streamgauge.protocols._folds import predicted
from streamgauge.types import (
    I64,
    NEVER,
    U8,
    U32,
    U64,
    Arrivals,
    Event,
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
            raise TimetableError(
                f"{who}: every label must arrive with its item, got one that arrives "
                f"{span(delay, arrivals.clock)} after item {arrivals.first + at:,}; "
                "take Delayed() or Reevaluating(), or give ignore_delays=True"
            )
    return Segment(arrivals.first, arrivals.count, arrivals.time, None if known.all() else known)


def pretrained(
    segments: Iterable[Segment], pretrain: int, assignment: FoldAssignment | None = None
) -> Iterator[Segment | Pattern]:
    """First, as one pattern, the items that are only learned; then the remaining segments.

    They are learned in one call, so that the result does not depend on the batches of the stream.
    """
    begun: list[Segment] = []
    for part in segments:
        end = min(max(pretrain, part.first), part.stop)
        if part.first < end:
            begun.append(part.cut(part.first, end))
        if begun and end >= pretrain:
            yield pattern("learn", concatenate(begun), assignment)
            begun = []
        if end < part.stop:
            yield part.cut(end, part.stop)
    if begun:
        yield pattern("learn", concatenate(begun), assignment)


def pattern(kind: PatternKind, part: Segment, assignment: FoldAssignment | None = None) -> Pattern:
    """The pattern of a segment, after which its items are not needed."""
    return Pattern(kind, part.first, part.stop, part.known, part.time, part.stop, assignment)


def blocks(
    parts: Iterable[Segment | Pattern], size: Callable[[int], int]
) -> Iterator[Segment | Pattern]:
    """The items in blocks, which do not depend on the batches: the n-th has `size(n)` items.

    The last block may be shorter. A pattern, which must come first, is not changed.
    """
    begun: list[Segment] = []
    number = 0
    for part in parts:
        if isinstance(part, Pattern):
            yield part
            continue
        at = part.first
        while at < part.stop:
            start = begun[0].first if begun else at
            stop = min(start + size(number), part.stop)
            begun.append(part.cut(at, stop))
            at = stop
            if stop - start == size(number):
                yield concatenate(begun)
                begun, number = [], number + 1
    if begun:
        yield concatenate(begun)


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
    whole = _pattern_written_out(chunk.kind, part, chunk.keep_from)
    if chunk.assignment is None or not len(whole):
        return whole
    return _shared(whole, np.arange(len(whole), dtype=np.uint32), chunk.assignment)


def part_of(chunk: Pattern, first: int, stop: int) -> Pattern:
    """The items `first` to `stop` - 1 of a pattern."""
    rows = slice(first - chunk.first, stop - chunk.first)
    return replace(
        chunk,
        first=first,
        stop=stop,
        known=None if chunk.known is None else chunk.known[rows],
        time=None if chunk.time is None else chunk.time[rows],
    )


def as_events(chunk: Pattern) -> Events:
    """The events of a pattern `test_then_train`, with its assignment."""
    part = Segment(chunk.first, chunk.stop - chunk.first, chunk.time, chunk.known)
    item = np.repeat(np.arange(chunk.first, chunk.stop, dtype=np.uint64), 2)
    time = np.repeat(times_of(part), 2)
    event = np.tile(np.array([Event.ARRIVAL, Event.LABEL], np.uint8), part.count)
    if part.known is not None:
        event[0::2][~part.known] = Event.UNLABELLED
        keep = (event != Event.LABEL) | np.repeat(part.known, 2)
        item, time, event = item[keep], time[keep], event[keep]
    none = np.empty(0, np.uint64)
    return Events(
        event, item, time, 0, False, False, 0, none, none, none,
        chunk.keep_from, chunk.assignment,
    )  # fmt: skip


def _pattern_written_out(kind: PatternKind, part: Segment, keep_from: int) -> Orders:
    """The orders of a pattern by one fold."""
    item = np.arange(part.first, part.stop, dtype=np.uint64)
    time, known = times_of(part), known_flags(part)
    if kind == "test_then_train":
        row = np.repeat(np.arange(part.count), 3)
        op = np.tile(np.array([Op.PREDICT, Op.REVEAL, Op.LEARN], dtype=np.uint8), part.count)
        keep = (op == Op.PREDICT) | known[row]
        row, op = row[keep], op[keep]
        return orders(op, item[row], time[row], keep_from)
    labelled = item[known]
    if kind == "learn":
        learn = np.full(len(labelled), Op.LEARN, dtype=np.uint8)
        return orders(learn, labelled, time[known], keep_from)
    then = (Op.REVEAL, Op.LEARN) if kind == "predict_then_learn" else (Op.REVEAL,)
    last = np.full(len(labelled), time[-1] if len(time) else 0, dtype=np.int64)
    return orders(
        np.concatenate(
            [
                np.full(part.count, Op.PREDICT, dtype=np.uint8),
                *(np.full(len(labelled), op, dtype=np.uint8) for op in then),
            ]
        ),
        np.concatenate([item, *(labelled for _ in then)]),
        np.concatenate([time, *(last for _ in then)]),
        keep_from,
    )


def _events_written_out(chunk: Events) -> Orders:
    op, item, turn, kind, time, event = events_as_orders(
        chunk.event, chunk.item, chunk.time, chunk.every, chunk.first_at_zero, chunk.predict_last,
        chunk.labels, chunk.pending, chunk.labels_at_arrival,
    )  # fmt: skip
    n = len(op)
    fold, weight = np.zeros(n, np.uint16), np.ones(n)
    whole = Orders(op, item, fold, turn, kind, weight, time, chunk.keep_from)
    if chunk.assignment is None or not n:
        return whole
    return _shared(whole, event, chunk.assignment)


def unpredicted(chunk: Orders | Pattern | Events) -> tuple[U64, I64] | None:
    """The items of a chunk that no fold predicts, and their times; None if there are none."""
    if isinstance(chunk, Orders):
        return chunk.unpredicted
    if chunk.assignment is None or (isinstance(chunk, Pattern) and chunk.kind == "learn"):
        return None
    if isinstance(chunk, Pattern):
        item = np.arange(chunk.first, chunk.stop, dtype=np.uint64)
        time = item.astype(np.int64) if chunk.time is None else chunk.time
    else:
        arrived = (chunk.event == Event.ARRIVAL) | (chunk.event == Event.UNLABELLED)
        item, time = chunk.item[arrived], chunk.time[arrived]
    if not len(item):
        return None
    left = ~predicted(chunk.assignment, int(item[0]), len(item)).any(axis=0)
    return (item[left], time[left]) if left.any() else None


def _shared(whole: Orders, event: U32, assignment: FoldAssignment) -> Orders:
    """Orders by the folds; those of one event and one operation are sorted by fold."""
    op, item = whole.op, whole.item
    first, last = int(item.min()), int(item.max())
    columns, count = item - np.uint64(first), last - first + 1
    weights: U8 = assignment.weights(first, count)[:, columns].T
    tested: Flags = predicted(assignment, first, count)[:, columns].T
    predicts, learns = (op == Op.PREDICT)[:, None], (op == Op.LEARN)[:, None]
    once = np.zeros_like(tested)
    once[:, 0] = True
    row, fold = np.nonzero(np.where(predicts, tested, np.where(learns, weights > 0, once)))
    order = np.lexsort((row, fold, op[row], event[row]))
    row, fold = row[order], fold[order]
    weight = np.where(op[row] == Op.LEARN, weights[row, fold], 1.0)
    return replace(whole.take(row), fold=fold.astype(np.uint16), weight=weight)


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
        for op, item, fold, turn, kind, weight in zip(
            whole.op.tolist(),
            whole.item.tolist(),
            whole.fold.tolist(),
            whole.turn.tolist(),
            whole.kind.tolist(),
            whole.weight.tolist(),
            strict=True,
        ):
            line = f"{Op(op).name.lower()} {item}"
            if kind == Kind.PERTURBED:
                line = f"predict copy {turn} of {item}"
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
    return Orders.concatenate(parts)


def times_of(part: Segment) -> I64:
    """When each item of a segment arrived."""
    if part.time is not None:
        return part.time
    return np.arange(part.first, part.stop, dtype=np.int64)


def known_flags(part: Segment) -> Flags:
    """Which items of a segment have a label."""
    return np.ones(part.count, dtype=np.bool_) if part.known is None else part.known
