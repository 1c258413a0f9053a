"""First prediction, later changes and last prediction of each labelled item, as labels arrived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.log._join import Pending, join
from streamgauge.log._previous import Known, known
from streamgauge.log.about import stated_number
from streamgauge.log.rows import Columns, Predictions, of_fold
from streamgauge.types import F64, I64, U16, U64, Codes, Flags, Kind

ROWS = 8192
"""Minimum number of labels that are joined in one step."""


@dataclass(frozen=True, slots=True)
class PredictionHistory(Columns):
    """Labelled items with their predictions while their labels were pending.

    One row per item and fold. `prediction` and `time` hold its first prediction and each later
    change, for all rows in sequence: those of row `i` are at `starts[i]` to `starts[i + 1]` - 1.
    `turn` is the index of each among all predictions of the item by the fold. `last` is the
    prediction when the label arrived (at `label_time`), before it was learned; of protocols other
    than `Reevaluating`, the last one that was made. `previous` is the label before the item's own
    in stream order. `weight` None: every weight is 1.
    """

    item: U64
    fold: U16
    label: Codes | F64
    label_time: I64
    previous: Codes | F64
    starts: I64
    time: I64
    prediction: Codes | F64
    last: Codes | F64
    turn: I64
    weight: F64 | None = None

    @property
    def arrival_time(self) -> I64:
        """When each item arrived."""
        return self.time[self.starts[:-1]]

    @property
    def first(self) -> Codes | F64:
        """The prediction of each item when it arrived."""
        return self.prediction[self.starts[:-1]]


def reevaluation_period(log: Log, who: str) -> int:
    """K, the labels between two predictions of an item; an error for logs without repeated ones."""
    if "bin" in log.about:
        raise LogError(
            f"{who}: log must have all predictions, got those of one bin; give the log that "
            "`at_bin` took them from"
        )
    if log.about.get("predicts_last") != "True":
        protocol = log.about.get("protocol", "another protocol")
        raise LogError(
            f"{who}: log must be of protocol reevaluating, got one of {protocol}; "
            "run with protocol Reevaluating()"
        )
    return stated_number(log.about, "predicts_again", 0, who) or 0


def prediction_history(log: Log, fold: int | None = None) -> Iterator[PredictionHistory]:
    """Every labelled item that was predicted, with its predictions, in the order of the labels.

    The predictions of pending items are held in memory.
    """
    batches = _gathered(known(log.labels, log.tables.labels_in_order))
    predictions = (replace(rows, scores=None) for rows in of_fold(log.predictions(), fold))
    read = _past_labels()
    for labels, place, rows in join(
        batches, Pending(predictions), read, None, log.tables.labels_in_order
    ):
        yield _grouped(labels, np.arange(len(labels)) if place is None else place, rows)


def _gathered(batches: Iterator[Known]) -> Iterator[Known]:
    """The same labels, at least `ROWS` per batch."""
    held: list[Known] = []
    for batch in batches:
        held.append(batch)
        if sum(map(len, held)) >= ROWS:
            yield Known.concatenate(held)
            held = []
    if held:
        yield Known.concatenate(held)


def _past_labels() -> Callable[[Pending[Predictions], Known], None]:
    """A function that reads predictions past the time of the last label."""
    now = -(2**63)

    def read(right: Pending[Predictions], labels: Known) -> None:
        nonlocal now
        while now <= int(labels.time[-1]) and (rows := right.read()) is not None:
            now = int(rows.time[-1])

    return read


def _grouped(labels: Known, place: I64, rows: Predictions) -> PredictionHistory:
    """Joined predictions and labels as one row per item and fold."""
    if bool((rows.fold != rows.fold[0]).any()):
        order = np.lexsort((rows.fold, place))
        place, rows = place[order], rows.take(order)
    final = rows.kind == Kind.FINAL
    begins = np.flatnonzero(rows.kind == Kind.FIRST)
    # A log with scores also has rows in which the scores alone have changed.
    repeated = ~different(rows.prediction, np.roll(rows.prediction, 1))
    repeated[begins] = False
    # A final row is the last of its item, so dropping it keeps the others in order.
    dropped = final | repeated
    starts = begins - np.concatenate([[0], np.cumsum(dropped)])[begins]
    changes = rows.take(~dropped)
    ends = np.concatenate([starts[1:], [len(changes)]]).astype(np.int64)
    last = changes.prediction[ends - 1]
    own = np.searchsorted(begins, np.flatnonzero(final), side="right") - 1
    last[own] = rows.prediction[final]
    label = labels.take(place[begins])
    return PredictionHistory(
        label.item,
        rows.fold[begins],
        label.label,
        label.time,
        label.written_out,
        np.concatenate([starts, [len(changes)]]).astype(np.int64),
        changes.time,
        changes.prediction,
        last,
        changes.turn.astype(np.int64),
        label.weight,
    )


def different(a: Codes | F64, b: Codes | F64) -> Flags:
    """Whether two predictions differ; NaN is equal to NaN."""
    differ: Flags = (a != b) & ~((a != a) & (b != b))
    return differ
