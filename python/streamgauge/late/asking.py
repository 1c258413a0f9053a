"""What was said to each item until its label came, in the order the labels came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.log._join import Pending, join
from streamgauge.log._previous import Known, known
from streamgauge.log.rows import Columns, Said, of_fold
from streamgauge.types import F64, I64, U16, U64, Codes, Kind

ROWS = 8192
"""So many labels, at least, are looked up at once."""


@dataclass(frozen=True, slots=True)
class Askings(Columns):
    """Labelled items with all that was on display while they waited.

    A row is an item (of one fold). `time` and `answer` hold what it was told when it came and
    each change of mind after, row after row; `starts` says where each row's begin and, last,
    where they end; `turn` is the index of each among all predictions of the item. `last` is the
    answer when the label came, before it was taught. `previous` is the label before the item's
    own in stream order. `weight` None: each item's is 1.
    """

    item: U64
    fold: U16
    label: Codes | F64
    until: I64
    previous: Codes | F64
    starts: I64
    time: I64
    answer: Codes | F64
    last: Codes | F64
    turn: I64
    weight: F64 | None = None

    @property
    def came(self) -> I64:
        """When each item came."""
        return self.time[self.starts[:-1]]

    @property
    def first(self) -> Codes | F64:
        """What was said when it came."""
        return self.answer[self.starts[:-1]]


def asks_again(log: Log, who: str) -> int:
    """K, as the log tells it; an error if the log is not of a protocol that asks again."""
    if log.about.get("asks_last") != "True":
        protocol = log.about.get("protocol", "another protocol")
        raise LogError(
            f"{who}: must be a log of reevaluating, got one of {protocol}; "
            "run with protocol Reevaluating()"
        )
    return int(log.about["asks_again"])


def askings(log: Log, fold: int | None = None) -> Iterator[Askings]:
    """Every labelled item with its predictions, batch by batch, in the order labels came.

    What is held in memory is the predictions of pending items.
    """
    labels = _gathered(known(log.true, log.tables.labels_in_order))
    said = (replace(rows, scores=None) for rows in of_fold(log.said(), fold))
    read = _past_labels()
    for truth, place, rows in join(labels, Pending(said), read, None, log.tables.labels_in_order):
        yield _grouped(truth, np.arange(len(truth)) if place is None else place, rows)


def _gathered(batches: Iterator[Known]) -> Iterator[Known]:
    """The same labels, at least `ROWS` at a time."""
    held: list[Known] = []
    for batch in batches:
        held.append(batch)
        if sum(map(len, held)) >= ROWS:
            yield Known.concatenate(held)
            held = []
    if held:
        yield Known.concatenate(held)


def _past_labels() -> Callable[[Pending[Said], Known], None]:
    """Reads predictions on past the time of the last label."""
    now = -(2**63)

    def read(right: Pending[Said], labels: Known) -> None:
        nonlocal now
        while now <= int(labels.time[-1]) and (rows := right.read()) is not None:
            now = int(rows.time[-1])

    return read


def _grouped(truth: Known, place: I64, rows: Said) -> Askings:
    """Predictions beside their labels as one row for each item and fold."""
    if bool((rows.fold != rows.fold[0]).any()):
        order = np.lexsort((rows.fold, place))
        place, rows = place[order], rows.take(order)
    final = rows.kind == Kind.FINAL
    begins = np.flatnonzero(rows.kind == Kind.FIRST)
    # A final row is the last of its item, so dropping them keeps what is before in order.
    starts = begins - np.concatenate([[0], np.cumsum(final)])[begins]
    shown = rows.take(~final)
    ends = np.concatenate([starts[1:], [len(shown)]]).astype(np.int64)
    last = shown.answer[ends - 1]
    own = np.searchsorted(begins, np.flatnonzero(final), side="right") - 1
    last[own] = rows.answer[final]
    label = truth.take(place[begins])
    return Askings(
        label.item,
        rows.fold[begins],
        label.label,
        label.time,
        label.written_out,
        np.concatenate([starts, [len(shown)]]).astype(np.int64),
        shown.time,
        shown.answer,
        last,
        shown.turn.astype(np.int64),
        label.weight,
    )
