"""A stream from events: rows without a label when an item comes, with one when the label does."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError, ParameterError
from streamgauge.streams.arrays import from_arrays, missing, ticks_of
from streamgauge.streams.updating import update
from streamgauge.types import I64, NEVER, Flags, Stream


def from_events(
    item: NDArray[Any],
    x: NDArray[Any],
    y: NDArray[Any],
    time: NDArray[Any] | None = None,
    *,
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
        When it happened: whole numbers or datetime64, not running back. The order of rows at one
        time must be that of `ties="labels_first"` or `ties="items_first"`; the stream's notes say
        which. Without times an event's own number is its time, and the order is kept as it is.
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
    if time is not None:
        given = dict(said)
        ties = _ties(who, when, came, label, until)
        start = time[came]
        out = (
            np.where(label >= 0, time[np.maximum(label, 0)], np.datetime64("NaT"))
            if time.dtype.kind == "M"
            else np.where(label >= 0, until.astype(np.float64), np.nan)
        )
    else:
        given, ties, start = dict(said), "labels_first", when[came]
        out = np.where(label >= 0, until.astype(np.float64), np.nan)
    stream: Stream = from_arrays(x[came], labels, time=start, label_time=out, **given)
    object.__setattr__(stream, "schema", _noted(stream.schema, f"events: ordered as ties={ties!r}"))
    if len(changes):
        number = np.array([n for n, _ in changes], np.uint64)
        row = np.array([row for _, row in changes], np.intp)
        stream = update(stream, number, (when if time is None else time)[row], x[row])
    return stream


def _noted(schema: Any, note: str) -> Any:
    return type(schema)(
        schema.features, schema.target, schema.classes, schema.drifts, schema.clock,
        (*schema.notes, note),
    )  # fmt: skip


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


def _ties(who: str, when: I64, came: I64, label: I64, until: I64) -> str:
    """How rows at one time are ordered; an error if neither way gives this order."""
    known = label >= 0
    at_once = known & (until == when[came])
    for name, phase in (("labels_first", 0), ("items_first", 2)):
        late = known & ~at_once
        row = np.concatenate([came, label[at_once], label[late]])
        time = when[row]
        place = np.concatenate(
            [np.ones(len(came) + int(at_once.sum())), np.full(int(late.sum()), phase)]
        )
        item = np.concatenate([np.arange(len(came)), *(np.flatnonzero(k) for k in (at_once, late))])
        second = np.concatenate([np.zeros(len(came)), np.ones(len(item) - len(came))])
        order = np.lexsort((second, item, place, time))
        if (np.diff(row[order]) > 0).all():
            return name
    raise DataError(
        f"{who}: at one time labels must all come before new items, or all after, in the order of "
        "the items, got neither; leave time out to keep the order of the events as it is"
    )
