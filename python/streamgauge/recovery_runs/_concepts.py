"""The pure streams of a recovery analysis, read and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.recovery_runs._held import Held
from streamgauge.recovery_runs._measure_options import LEAST_POINTS
from streamgauge.streams import take
from streamgauge.streams._drift import same_stream
from streamgauge.streams._is_endless import is_endless
from streamgauge.streams._named_stream import named_stream
from streamgauge.streams.batches import collect
from streamgauge.streams.nominal import format_values
from streamgauge.streams.schemas import with_drifts
from streamgauge.types import NEVER, Batch, Schema, Stream, missing

WHO = "recovery"


@dataclass(frozen=True, slots=True)
class Concepts:
    """The pure streams, each once, their order in the mixture, and notes about how they were read.

    `span` is the smallest and the largest label of a real target.
    """

    held: tuple[Held, ...]
    sequence: tuple[int, ...]
    items: int
    late: bool
    span: tuple[float, float] | None
    fingerprint: str
    notes: tuple[str, ...]


@reported_by(WHO, "collect", "take")
def read_concepts(before: Any, after: Any, items: int | None, permute: bool, seed: int) -> Concepts:
    """Read the pure streams; all are as long as the shortest one, or have `items` items."""
    given = [before, *(after if isinstance(after, list | tuple) else [after])]
    if len(given) < 2:
        raise ParameterError.of(WHO, "after", "at least one stream", after)
    streams: list[Stream] = []
    sources: list[Any] = []
    sequence: list[int] = []
    for one in given:
        stream = _opened(one, items)
        pairs = enumerate(zip(sources, streams, strict=True))
        known = [nth for nth, pair in pairs if _same(one, stream, *pair)]
        sequence.append(known[0] if known else len(streams))
        if not known:
            streams.append(stream)
            sources.append(one)
    names = _names(sources, streams)
    for old, new in pairwise(sequence):
        if old == new:
            raise ParameterError(
                f"{WHO}: after must be another stream than before, got {names[old]} after itself; "
                "relabel, reorder or another model_seed makes another concept of it"
            )
    _refuse_other_schemas(streams, names)
    held, notes = [], []
    for stream, name in zip(streams, names, strict=True):
        # One seed for all: a generator without a seed of its own keeps its concept in every
        # repetition, and two functions of one generator share what else the seed decides.
        batch = collect(WHO, stream, seed)
        if batch is None or len(batch) < LEAST_POINTS:
            got = 0 if batch is None else len(batch)
            raise ParameterError(
                f"{WHO}: {name} must have at least {LEAST_POINTS} items, got {got}"
            )
        _refuse_constant(stream, name, batch)
        if lost := int(missing(batch.label).sum()):
            notes.append(
                f"{name}: {lost:,} of its {len(batch):,} labels are missing; a block of a curve "
                "has as many items with labels as others have items"
            )
        schema = stream.schema
        if schema.clock != "item" or batch.time is not None:
            notes.append(f"{name}: its times are dropped, as its items are mixed")
            batch = replace(batch, time=None, label_time=None)
            schema = replace(schema, clock="item", ties=None)
        if batch.updates is not None:
            notes.append(f"{name}: its updates are dropped, as its items are mixed")
            batch = replace(batch, updates=None)
        held.append(Held(name, with_drifts(schema, ()) if permute else schema, batch))
    prints = [_fingerprint([one]) for one in held]
    for nth, one in enumerate(prints):
        if one in prints[:nth]:
            raise ParameterError(
                f"{WHO}: after must be another stream than before, got the same items in "
                f"{names[nth]}; relabel or reorder makes another concept of it"
            )
    shortest = min(len(one.batch) for one in held)
    if items is not None and shortest < items:
        short = next(one for one in held if len(one.batch) == shortest)
        raise ParameterError(
            f"{WHO}: items must be at most {shortest:,}, the length of {short.name}, got {items}"
        )
    length = shortest if items is None else items
    for one in held:
        if len(one.batch) > length and items is None:
            how = "a random part of it" if permute else "its beginning"
            notes.append(
                f"{one.name}: {length:,} of its {len(one.batch):,} items are used, {how}, because "
                "the other stream has no more"
            )
    return Concepts(
        tuple(held),
        tuple(sequence),
        length,
        any(_is_late(one.batch) for one in held),
        _span(held),
        "-".join(prints),
        tuple(notes),
    )


def _opened(given: Any, items: int | None) -> Stream:
    if isinstance(given, Mapping):
        raise ParameterError.of(WHO, "before and after", "streams, by name or as objects", given)
    stream = named_stream(given)
    if not callable(getattr(stream, "batches", None)) or not hasattr(stream, "schema"):
        raise ParameterError.of(WHO, "before and after", "streams, by name or as objects", given)
    found: Stream = stream
    if is_endless(found):
        if items is None:
            raise ParameterError(
                f"{WHO}: {found.name} must end, got an endless stream; give items=10000"
            )
        return take(found, items)
    return found


def _names(sources: Sequence[Any], streams: Sequence[Stream]) -> list[str]:
    """Different names: the text that names a stream, or the name of the object."""
    own = [
        one if isinstance(one, str) else str(getattr(one, "name", stream.name))
        for one, stream in zip(sources, streams, strict=True)
    ]
    return [name if own.count(name) == 1 else f"{name} #{nth}" for nth, name in enumerate(own, 1)]


def _same(one: Any, stream: Stream, other: Any, earlier: Stream) -> bool:
    """Whether two streams are one: the same object, the same text, or equal generators."""
    by_text = isinstance(one, str) and isinstance(other, str) and one == other
    return one is other or by_text or same_stream(stream, earlier)


def _refuse_other_schemas(streams: Sequence[Stream], names: Sequence[str]) -> None:
    """Raise unless all streams have the features and classes of the first."""
    first = streams[0].schema
    for stream, name in zip(streams[1:], names[1:], strict=True):
        schema = stream.schema
        ours: Sequence[Any] = first.names
        theirs: Sequence[Any] = schema.names
        what = "features"
        if ours == theirs:
            pairs = zip(first.features, schema.features, strict=True)
            other = next(((a, b) for a, b in pairs if a != b), None)
            if other is not None:
                what = f"values of the feature {other[0].name!r}"
                ours, theirs = (one.values or ("numbers",) for one in other)
            elif first.classes != schema.classes:
                what = "classes"
                ours, theirs = (_classes(s) for s in (first, schema))
            else:
                continue
        raise ParameterError(
            f"{WHO}: before and after must have equal {what}, got {format_values(ours)} in "
            f"{names[0]} and {format_values(theirs)} in {name}"
        )


def _classes(schema: Schema) -> Sequence[Any]:
    if schema.classes is None:
        return ("a real target",)
    return schema.classes or ("no class",)


def _refuse_constant(stream: Stream, name: str, batch: Batch) -> None:
    known = batch.label[~missing(batch.label)]
    if not len(known):
        raise ParameterError(f"{WHO}: {name} must have labels, got none")
    if (known == known[0]).all():
        classes = stream.schema.classes
        only = float(known[0]) if classes is None else classes[int(known[0])]
        raise ParameterError(
            f"{WHO}: the target of {name} must have at least two values, got only {only!r}; "
            "nothing can be learned there"
        )


def _is_late(batch: Batch) -> bool:
    late = batch.label_time
    return late is not None and bool((late[late != NEVER] != batch.times[late != NEVER]).any())


def _span(held: Sequence[Held]) -> tuple[float, float] | None:
    if held[0].schema.classes is not None:
        return None
    labels = [one.batch.label for one in held]
    low = min(float(np.nanmin(label)) for label in labels)
    high = max(float(np.nanmax(label)) for label in labels)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _fingerprint(held: Sequence[Held]) -> str:
    found = blake2b(digest_size=16)
    for one in held:
        found.update(repr((one.schema.features, one.schema.classes)).encode())
        for column in (one.batch.x, one.batch.label, one.batch.label_time, one.batch.weight):
            if column is not None:
                found.update(np.ascontiguousarray(column).data)
    return found.hexdigest()
