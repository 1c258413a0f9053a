"""What timetables are made of: patterns, and the orders they stand for."""

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
    Kind,
    Op,
    Orders,
    Pattern,
    Sharing,
    Timetable,
    What,
)
from streamgauge.types.times import span


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive arrived items, with what is known of their labels."""

    first: int
    count: int
    time: I64 | None
    known: Flags | None

    @property
    def stop(self) -> int:
        """The number after the last item."""
        return self.first + self.count

    def cut(self, first: int, stop: int) -> Stretch:
        """The items from `first` to before `stop`."""
        rows = slice(first - self.first, stop - self.first)
        return Stretch(
            first,
            stop - first,
            None if self.time is None else self.time[rows],
            None if self.known is None else self.known[rows],
        )


def prompt(arrivals: Arrivals, who: str, ignore_delays: bool) -> Stretch:
    """The arrivals as a protocol that needs each label at once may see them.

    A label that comes later than its item cannot be taught at once without peeking, so it is
    refused unless the user says that delays are to be ignored.
    """
    if arrivals.label_time is None:
        return Stretch(arrivals.first, arrivals.count, arrivals.time, None)
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
            wait = int(arrivals.label_time[at]) - int(start[at])
            raise PlanError(
                f"{who}: every label must be there at once, got one that comes "
                f"{span(wait, arrivals.clock)} after item {arrivals.first + at:,}; "
                "take Delayed() or Reevaluating(), or give ignore_delays=True"
            )
    return Stretch(arrivals.first, arrivals.count, arrivals.time, None if known.all() else known)


def pretrained(stretches: Iterable[Stretch], pretrain: int) -> Iterator[Stretch | Pattern]:
    """First, as one pattern, the items that are only taught; then the rest as it comes.

    They are taught in one go, so that how the stream is cut into batches cannot matter.
    """
    waiting: list[Stretch] = []
    for part in stretches:
        turn = min(max(pretrain, part.first), part.stop)
        if part.first < turn:
            waiting.append(part.cut(part.first, turn))
        if waiting and turn >= pretrain:
            yield pattern("train", join(waiting))
            waiting = []
        if turn < part.stop:
            yield part.cut(turn, part.stop)
    if waiting:
        yield pattern("train", join(waiting))


def pattern(what: What, part: Stretch) -> Pattern:
    """The same thing for each item of a stretch, which is then let go."""
    return Pattern(what, part.first, part.stop, part.known, part.time, part.stop)


def join(parts: list[Stretch]) -> Stretch:
    """Adjacent stretches as one."""
    if len(parts) == 1:
        return parts[0]
    count = sum(p.count for p in parts)
    time = known = None
    if any(p.time is not None for p in parts):
        time = np.concatenate([_times(p) for p in parts])
    if any(p.known is not None for p in parts):
        known = np.concatenate([_known(p) for p in parts])
    return Stretch(parts[0].first, count, time, known)


def expand(chunk: Orders | Pattern | Events) -> Orders:
    """The orders a pattern or events stand for, written out."""
    if isinstance(chunk, Orders):
        return chunk
    if isinstance(chunk, Events):
        return _written_out(chunk)
    part = Stretch(chunk.first, chunk.stop - chunk.first, chunk.time, chunk.known)
    item = np.arange(chunk.first, chunk.stop, dtype=np.uint64)
    time, known = _times(part), _known(part)
    if chunk.what == "test_then_train":
        row = np.repeat(np.arange(part.count), 3)
        op = np.tile(np.array([Op.PREDICT, Op.REVEAL, Op.LEARN], dtype=np.uint8), part.count)
        keep = (op == Op.PREDICT) | known[row]
        row, op = row[keep], op[keep]
        return orders(op, item[row], time[row], chunk.keep_from)
    labelled = item[known]
    taught_at = np.full(len(labelled), time[-1] if len(time) else 0, dtype=np.int64)
    learn = np.full(len(labelled), Op.LEARN, dtype=np.uint8)
    if chunk.what == "train":
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
        np.concatenate([time, taught_at, taught_at]),
        chunk.keep_from,
    )


def _written_out(chunk: Events) -> Orders:
    op, item, turn, kind, time, event = events_as_orders(
        chunk.what, chunk.item, chunk.time, chunk.every, chunk.at_zero, chunk.ask_last,
        chunk.labels, chunk.waiting, chunk.born,
    )  # fmt: skip
    row, fold = np.arange(len(op)), np.zeros(len(op), np.intp)
    weight = np.ones(len(op))
    if chunk.sharing is not None and len(op):
        row, fold = _shared(op, item, event, chunk.sharing)
        shares = _shares(item, chunk.sharing)
        weight = np.where(op[row] == Op.LEARN, shares[row, fold], 1.0)
    return Orders(
        op[row], item[row], fold.astype(np.uint16), turn[row], kind[row], weight, time[row],
        chunk.keep_from,
    )  # fmt: skip


def _shared(op: U8, item: U64, event: U32, sharing: Sharing) -> tuple[Any, Any]:
    """Which orders go to which fold: those of one event and one verb fold by fold."""
    shares = _shares(item, sharing)
    predicts, learns = (op == Op.PREDICT)[:, None], (op == Op.LEARN)[:, None]
    once = np.zeros_like(shares, np.bool_)
    once[:, 0] = True
    row, fold = np.nonzero(np.where(predicts, shares == 0, np.where(learns, shares > 0, once)))
    order = np.lexsort((row, fold, op[row], event[row]))
    return row[order], fold[order]


def _shares(item: U64, sharing: Sharing) -> U8:
    """One row per order, one column per fold: how many times it learns the item."""
    first, last = int(item.min()), int(item.max())
    shares: U8 = sharing.shares(first, last - first + 1)[:, item - np.uint64(first)].T
    return shares


def orders(
    op: U8, item: np.ndarray[tuple[int], np.dtype[np.uint64]], time: I64, keep_from: int
) -> Orders:
    """Orders of fold 0, first asking, weight 1."""
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
    """`count` items that arrive one a tick, each label at once; for plans and tests."""
    for first in range(0, count, size):
        yield Arrivals(first, min(size, count - first))


def in_words(timetable: Iterable[Orders | Pattern | Events]) -> Iterator[str]:
    """A timetable as a person reads it, an order a line.

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
    """A whole timetable written out, as one chunk; for tests."""
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


def _times(part: Stretch) -> I64:
    if part.time is not None:
        return part.time
    return np.arange(part.first, part.stop, dtype=np.int64)


def _known(part: Stretch) -> Flags:
    return np.ones(part.count, dtype=np.bool_) if part.known is None else part.known
