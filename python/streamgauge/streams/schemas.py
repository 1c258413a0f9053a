"""Operations of the combinators on schemas: compare schemas, move known drifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from streamgauge.errors import ParameterError
from streamgauge.types import Drift, Schema, Stream


def common_schema(who: str, streams: Sequence[Stream]) -> Schema:
    """Return the schema of the first stream; raise if the others differ from it."""
    first = streams[0].schema
    for stream in streams[1:]:
        for what in ("features", "classes", "clock"):
            ours, theirs = getattr(first, what), getattr(stream.schema, what)
            if ours != theirs:
                raise ParameterError(
                    f"{who}: {what} must be equal in all streams, got {ours!r} in "
                    f"{streams[0].name} and {theirs!r} in {stream.name}"
                )
    return first


def drifts_between(drifts: Sequence[Drift], start: int, stop: int | None) -> tuple[Drift, ...]:
    """Return the drifts from item `start` to before `stop`, relative to `start`.

    Examples
    --------
    >>> drifts_between([Drift(10, 20, 30, "gradual"), Drift(50, 50, 50)], 15, 40)
    (Drift(start=0, centre=5, end=15, kind='gradual'),)
    """
    found = []
    for drift in drifts:
        if 0 < start >= drift.end or (stop is not None and drift.start >= stop):
            continue
        first = max(drift.start - start, 0)
        last = (drift.end if stop is None else min(drift.end, stop)) - start
        centre = min(max(drift.centre - start, first), last)
        found.append(Drift(first, centre, last, drift.kind))
    return tuple(found)


def refuse_drifts(who: str, stream: Stream) -> None:
    """Raise if a stream has known drifts, of which a random part has others."""
    if stream.schema.drifts:
        raise ParameterError(
            f"{who}: the stream must have no known drifts, as leaving out items would move them, "
            f"got {len(stream.schema.drifts)} in {stream.name}; use {who} on each concept"
        )


def with_drifts(schema: Schema, drifts: Sequence[Drift], *notes: str) -> Schema:
    """Return the schema with the given drifts, sorted, and additional notes."""
    known = tuple(sorted(drifts, key=lambda drift: (drift.start, drift.end)))
    return replace(schema, drifts=known, notes=(*schema.notes, *notes))


def columns_by_kind(schema: Schema) -> list[list[int]]:
    """The columns of each kind: numeric ones, and nominal ones with the same values.

    Examples
    --------
    >>> from streamgauge.types import Feature
    >>> columns_by_kind(Schema((Feature("a"), Feature("b", ("x", "y")), Feature("c"))))
    [[0, 2], [1]]
    """
    groups: dict[object, list[int]] = {}
    for column, feature in enumerate(schema.features):
        groups.setdefault(feature.values, []).append(column)
    return [*groups.values()]
