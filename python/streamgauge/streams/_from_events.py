"""A stream from events: an event without a label is an arrival or an update, others are labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError, ParameterError
from streamgauge.streams._update import update
from streamgauge.streams.arrays import from_arrays, ticks_of
from streamgauge.streams.labels import label_array, missing
from streamgauge.types import I64, NEVER, Flags, Stream

Ties: TypeAlias = Literal["labels_first", "items_first"]
"""Order of simultaneous events, as in the protocols with delayed labels."""


def from_events(
    item: NDArray[Any],
    x: NDArray[Any],
    y: NDArray[Any],
    time: NDArray[Any] | None = None,
    *,
    ties: Ties = "labels_first",
    repeated: Literal["refuse", "ignore"] = "refuse",
    unknown: Literal["refuse", "ignore"] = "refuse",
    **options: Any,
) -> Stream:
    """Make a stream from events S_1, S_2, …, the form in which delayed labels are published.

    A row without a label is the arrival of an item (its first row) or an update of its
    features (a later row before its label; rows after it are ignored). A row with a label is the
    label of the item.

    Parameters
    ----------
    item
        Identifiers of the items: numbers or text.
    x
        Features; ignored in a row with a label.
    y
        Labels; None or NaN in a row without a label.
    time
        Times of the events: whole numbers or datetime64, not decreasing; by default the
        number of the event.
    ties
        Order of simultaneous events; it must be the `ties` of the protocol that runs on the
        stream. The rows must be in this order (updates, then labels, then arrivals; or updates,
        then arrivals, then labels; each by item), so that the run follows the rows. Other
        orders and protocols with other `ties` are refused.
    repeated, unknown
        How to treat a second label of an item, and a label of an item that has not arrived:
        `"refuse"` or `"ignore"`.
    **options
        Options of `from_arrays`: `names`, `nominal`, `classes`, `task`, `name`, …

    Examples
    --------
    >>> y = np.array([np.nan, np.nan, 1.0, 0.0])
    >>> stream = from_events(np.array(["a", "b", "a", "b"]), np.zeros((4, 1)), y, classes=[0, 1])
    >>> [(b.time.tolist(), b.label_time.tolist()) for b in stream.batches()]
    [([0, 1], [2, 3])]
    """
    item, x, y = label_array(item), np.asarray(x), label_array(y)
    who = str(options.get("name", "from_events"))
    if ties not in ORDERS:
        raise ParameterError.of("from_events", "ties", " or ".join(map(repr, ORDERS)), ties)
    for what, got in (("repeated", repeated), ("unknown", unknown)):
        if got not in ("refuse", "ignore"):
            raise ParameterError.of("from_events", what, "'refuse' or 'ignore'", got)
    when = np.arange(len(item), dtype=np.int64)
    if time is not None:
        time = np.asarray(time)
        when = ticks_of(who, "time", time)
    back = np.flatnonzero(when[1:] < when[:-1])
    if len(back):
        at = int(back[0]) + 1
        raise DataError(
            f"{who}: time must not decrease, got {int(when[at])} after {int(when[at - 1])} at "
            f"event {at:,} (item {item.tolist()[at]!r}); sort the events"
        )
    unlabelled = np.array([missing(cell) for cell in y.tolist()], np.bool_)
    rows = _Rows(who, item, unlabelled, repeated, unknown)
    arrival, label, changes = rows.arrival, rows.label, rows.changes
    until = np.full(len(arrival), NEVER, np.int64)
    until[label >= 0] = when[label[label >= 0]]
    labels = y[np.where(label >= 0, label, arrival)]
    number = np.array([n for n, _ in changes], np.uint64)
    row = np.array([row for _, row in changes], np.intp)
    events = _Events(when, arrival, label, number.astype(np.int64), row)
    if time is not None and not events.ordered_as(ties):
        raise _out_of_order(who, ties, events)
    if time is None or time.dtype.kind != "M":
        start, out = when[arrival], until
    else:
        start = time[arrival]
        out = np.where(label >= 0, time[np.maximum(label, 0)], np.datetime64("NaT"))
    stream: Stream = from_arrays(x[arrival], labels, time=start, label_time=out, **options)
    matters = time is not None and not events.ordered_as(OTHER[ties])
    schema = replace(stream.schema, ties=ties if matters else None)
    object.__setattr__(stream, "schema", schema)
    if len(changes):
        stream = update(stream, number, (when if time is None else time)[row], x[row])
    return stream


class _Rows:
    """The rows of each item: its arrival, its label (-1 if none) and its updates."""

    def __init__(
        self, who: str, item: NDArray[Any], unlabelled: Flags, repeated: str, unknown: str
    ) -> None:
        number: dict[Any, int] = {}
        arrival: list[int] = []
        label: list[int] = []
        self.changes: list[tuple[int, int]] = []
        for row, (name, no_label) in enumerate(
            zip(item.tolist(), unlabelled.tolist(), strict=True)
        ):
            known = number.get(name)
            if no_label and known is None:
                number[name] = len(arrival)
                arrival.append(row)
                label.append(-1)
            elif no_label and known is not None:
                if label[known] < 0:
                    self.changes.append((known, row))
            elif known is None:
                if unknown == "refuse":
                    raise DataError(
                        f"{who}: a label must be of an item that has arrived, got one for item "
                        f"{name!r} at event {row:,}; correct it, or pass unknown='ignore'"
                    )
            elif label[known] >= 0:
                if repeated == "refuse":
                    raise DataError(
                        f"{who}: an item must have one label, got a second one for item "
                        f"{name!r} at event {row:,}; correct it, or pass repeated='ignore'"
                    )
            else:
                label[known] = row
        self.arrival, self.label = np.array(arrival, np.int64), np.array(label, np.int64)


@dataclass(frozen=True, slots=True)
class _Events:
    """The rows of all events used: arrivals, labels (-1 if none), updates of items."""

    when: I64
    arrival: I64
    label: I64
    changed: I64
    change: I64

    def ordered_as(self, ties: Ties) -> bool:
        """Return whether the rows are in the order of a protocol with these ties."""
        items = np.arange(len(self.arrival))
        known = self.label >= 0
        immediate = known.copy()
        immediate[known] = self.when[self.label[known]] == self.when[self.arrival[known]]
        late = known & ~immediate
        phase = 0 if ties == "labels_first" else 2
        kinds = (
            (self.change, self.changed, -1, 0),
            (self.arrival, items, 1, 0),
            (self.label[immediate], items[immediate], 1, 1),
            (self.label[late], items[late], phase, 0),
        )
        row, item = (np.concatenate([kind[at] for kind in kinds]) for at in (0, 1))
        place, second = (
            np.concatenate([np.full(len(kind[0]), kind[at]) for kind in kinds]) for at in (2, 3)
        )
        order = np.lexsort((row, second, item, place, self.when[row]))
        return bool((np.diff(row[order]) > 0).all())


def _out_of_order(who: str, ties: Ties, events: _Events) -> DataError:
    other = OTHER[ties]
    way = (
        f"pass ties={other!r}, here and to the protocol"
        if events.ordered_as(other)
        else "no protocol has such an order: pass distinct times"
    )
    return DataError(
        f"{who}: simultaneous events must be in the order of ties={ties!r} (updates, then "
        f"{ORDERS[ties]}, each by item), got another order; {way}"
    )


OTHER: dict[Ties, Ties] = {"labels_first": "items_first", "items_first": "labels_first"}

ORDERS: dict[Ties, str] = {
    "labels_first": "labels, then arrivals",
    "items_first": "arrivals, then labels",
}
