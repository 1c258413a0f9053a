"""A stream from events: rows without a label when an item comes, with one when the label does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError, ParameterError
from streamgauge.streams.arrays import from_arrays, missing, ticks_of
from streamgauge.streams.updating import update
from streamgauge.types import I64, NEVER, Flags, Stream

Ties: TypeAlias = Literal["labels_first", "items_first"]
"""What happens first at one time, as in the protocols with late labels."""


def from_events(
    item: NDArray[Any],
    x: NDArray[Any],
    y: NDArray[Any],
    time: NDArray[Any] | None = None,
    *,
    ties: Ties = "labels_first",
    repeated: Literal["refuse", "ignore"] = "refuse",
    unknown: Literal["refuse", "ignore"] = "refuse",
    **said: Any,
) -> Stream:
    """A stream of the events S_1, S_2, …: the form in which late labels are published.

    A row without a label says that an item has come (the first of its name) or that its features
    have changed (any later one). A row with a label says what the item turned out to be.

    Parameters
    ----------
    item
        What tells items apart: numbers or text.
    x
        Features; those in a row with a label are not looked at.
    y
        Labels; None and NaN where there is none.
    time
        When it happened: whole numbers or datetime64, not running back. Without times an event's
        own number is its time.
    ties
        The `ties` of the protocol that the stream is for: in which order events of one time are
        carried out. The rows must be in this order (first changed features, then labels, then
        new items, or new items, then labels, each by item), so that what is carried out is what
        was given; another order is refused, and so is a protocol of another one.
    repeated, unknown
        What to do about a second label of an item, and about a label of an item that has not
        come: `"refuse"` or `"ignore"`.
    said
        More for `from_arrays`: `names`, `nominal`, `classes`, `task`, `name`, …

    Examples
    --------
    >>> y = np.array([np.nan, np.nan, 1.0, 0.0])
    >>> stream = from_events(np.array(["a", "b", "a", "b"]), np.zeros((4, 1)), y, classes=[0, 1])
    >>> [(b.time.tolist(), b.label_time.tolist()) for b in stream.batches()]
    [([0, 1], [2, 3])]
    """
    item, x, y = np.asarray(item), np.asarray(x), np.asarray(y)
    who = str(said.get("name", "from_events"))
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
            f"{who}: time must not step back, got {int(when[at])} after {int(when[at - 1])} at "
            f"event {at:,} (item {item.tolist()[at]!r}); sort the events"
        )
    bare = np.array([missing(cell) for cell in y.tolist()], np.bool_)
    rows = _Rows(who, item, bare, repeated, unknown)
    came, label, changes = rows.came, rows.label, rows.changes
    until = np.full(len(came), NEVER, np.int64)
    until[label >= 0] = when[label[label >= 0]]
    labels = y[np.where(label >= 0, label, came)]
    number = np.array([n for n, _ in changes], np.uint64)
    row = np.array([row for _, row in changes], np.intp)
    events = _Events(when, came, label, number.astype(np.int64), row)
    if time is not None and not events.ordered_as(ties):
        raise _out_of_order(who, ties, events)
    if time is None or time.dtype.kind != "M":
        start, out = when[came], until
    else:
        start = time[came]
        out = np.where(label >= 0, time[np.maximum(label, 0)], np.datetime64("NaT"))
    stream: Stream = from_arrays(x[came], labels, time=start, label_time=out, **said)
    matters = time is not None and not events.ordered_as(OTHER[ties])
    schema = replace(stream.schema, ties=ties if matters else None)
    object.__setattr__(stream, "schema", schema)
    if len(changes):
        stream = update(stream, number, (when if time is None else time)[row], x[row])
    return stream


class _Rows:
    """Which row is what: of each item the row it came with and that of its label (-1: none)."""

    def __init__(
        self, who: str, item: NDArray[Any], bare: Flags, repeated: str, unknown: str
    ) -> None:
        number: dict[Any, int] = {}
        came: list[int] = []
        label: list[int] = []
        self.changes: list[tuple[int, int]] = []
        for row, (name, no_label) in enumerate(zip(item.tolist(), bare.tolist(), strict=True)):
            known = number.get(name)
            if no_label and known is None:
                number[name] = len(came)
                came.append(row)
                label.append(-1)
            elif no_label and known is not None:
                if label[known] < 0:
                    self.changes.append((known, row))
            elif known is None:
                if unknown == "refuse":
                    raise DataError(
                        f"{who}: a label must be of an item that has come, got one for item "
                        f"{name!r} at event {row:,}; correct it, or say unknown='ignore'"
                    )
            elif label[known] >= 0:
                if repeated == "refuse":
                    raise DataError(
                        f"{who}: an item must have one label, got a second one for item "
                        f"{name!r} at event {row:,}; correct it, or say repeated='ignore'"
                    )
            else:
                label[known] = row
        self.came, self.label = np.array(came, np.int64), np.array(label, np.int64)


@dataclass(frozen=True, slots=True)
class _Events:
    """The rows of all events that count: items, labels (-1: none), changes of items."""

    when: I64
    came: I64
    label: I64
    changed: I64
    change: I64

    def ordered_as(self, ties: Ties) -> bool:
        """Are the rows in the order in which a protocol with these ties carries them out?"""
        items = np.arange(len(self.came))
        known = self.label >= 0
        at_once = known.copy()
        at_once[known] = self.when[self.label[known]] == self.when[self.came[known]]
        late = known & ~at_once
        phase = 0 if ties == "labels_first" else 2
        kinds = (
            (self.change, self.changed, -1, 0),
            (self.came, items, 1, 0),
            (self.label[at_once], items[at_once], 1, 1),
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
        f"say ties={other!r}, here and in the protocol"
        if events.ordered_as(other)
        else "no protocol keeps such an order: give times that tell the events apart"
    )
    return DataError(
        f"{who}: events of one time must be in the order of ties={ties!r} (changed features, then "
        f"{ORDERS[ties]}, each by item), got another order; {way}"
    )


OTHER: dict[Ties, Ties] = {"labels_first": "items_first", "items_first": "labels_first"}

ORDERS: dict[Ties, str] = {
    "labels_first": "labels, then new items",
    "items_first": "new items, then labels",
}
