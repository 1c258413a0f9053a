"""Streams with concept drift: `drift`, `drifts`, `recurring`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import DataError, ParameterError, reported_by
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams._cursor import Cursor, first_unavailable, gather
from streamgauge.streams._generated import Generated
from streamgauge.streams.incremental import Incremental, check_movable
from streamgauge.streams.sigmoid import sigmoid, span_of
from streamgauge.types import I64, Batch, Drift, DriftKind, Schema, Stream

MOST_DRIFTS = 10_000
"""Largest number of drifts."""

SATURATED = 10
"""Number of widths from its centre at which the sigmoid is 0 or 1 in floating point."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class Drifting:
    """A sequence of concepts, each replaced by the next along a sigmoid.

    Item t is of the next concept with probability `sigmoid(t, at, width)`. A stream
    advances only when one of its items is taken (as in MOA's
    ConceptDriftStream); a recurring stream continues where it stopped. Up to the first
    item of the second concept, the items are those of the first stream with the same seed.

    The stream ends with the last concept. An earlier concept that ends too early is an error.

    Parameters
    ----------
    concepts
        The streams, with equal features and classes.
    at
        Centre of each drift, counted from 0: the first new item of an abrupt drift is number
        `at` (MOA counts from 1: its position is `at + 1`).
    width
        Width of each drift; 0 and 1 are abrupt. The steepest slope is 1/width per item.
    kind
        Kind of the drifts; by default "recurring" for a stream that occurred before, otherwise
        "gradual" or "abrupt" according to the width.
    items
        Number of items; by default up to the end of the last concept.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> stream = Drifting((SEA(1), SEA(2)), at=(1000,), width=(100,), items=2000)
    >>> stream.name
    'SEA → SEA(function=2) at 1000 (width 100)'
    >>> stream.schema.drifts
    (Drift(start=886, centre=1000, end=1115, kind='gradual'),)
    """

    concepts: tuple[Stream, ...]
    at: tuple[int, ...]
    width: tuple[int, ...]
    kind: DriftKind | None = None
    items: int | None = None

    def __post_init__(self) -> None:
        made = tuple(resolve("stream", stream) for stream in self.concepts)
        object.__setattr__(self, "concepts", made)
        _check_list("at", self.at)
        _check_list("width", self.width)
        object.__setattr__(self, "at", tuple(self.at))
        object.__setattr__(self, "width", tuple(self.width))
        _check_positions(self)
        _check_schemas(self.concepts)
        for nth, stream in enumerate(self.concepts[:-1]):
            needed = self._taken(stream, nth) + self.at[nth] - self._since(nth)
            if stream.length is not None and stream.length < needed:
                raise ParameterError(
                    f"drift: {stream.name} must have at least {needed:,} items, as it must "
                    f"last until item {self.at[nth]:,}, got {stream.length:,}"
                )

    @property
    def name(self) -> str:
        """The concepts in order, and where they change."""
        names = [stream.name for stream in self.concepts]
        if len(names) > 4:
            names[2:-1] = ["…"]
        gradual = f" (width {max(self.width)})" if max(self.width) > 1 else ""
        places = str(self.at[0]) if len(self.at) == 1 else f"{self.at[0]}…{self.at[-1]}"
        return f"{' → '.join(names)} at {places}{gradual}"

    @property
    def length(self) -> int | None:
        """Number of items; None if endless or random."""
        last = self.concepts[-1]
        if last.length is None:
            return self.items
        if all(width <= 1 for width in self.width):
            nth = len(self.concepts) - 1
            total = self._since(nth) + last.length - self._taken(last, nth)
            return total if self.items is None else min(total, self.items)
        return self.items if self.items is not None and last.length >= self.items else None

    @property
    def schema(self) -> Schema:
        """Schema of the first concept, with all known drifts."""
        inner, notes = self._inner_drifts()
        known = sorted((*inner, *self._own_drifts()), key=lambda d: (d.centre, d.start))
        for stream in self.concepts:
            notes += tuple(note for note in stream.schema.notes if note not in notes)
        return replace(self.concepts[0].schema, drifts=tuple(known), notes=notes)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        if size < 1:
            raise ParameterError.of("drift", "size", "at least 1", size)
        return self._walk(size, seed)

    def _walk(self, size: int, seed: int) -> Iterator[Batch]:
        cursors: list[Cursor] = []
        owner: list[int] = []  # the cursor of each concept
        for nth, stream in enumerate(self.concepts):
            own = child(seed, "drift", str(self.at[nth - 1])) if nth else seed
            known = [owner[k] for k in range(nth) if same_stream(self.concepts[k], stream)]
            owner.append(known[0] if known else len(cursors))
            if not known:
                cursors.append(Cursor(stream.name, stream.batches(size, own)))
        first = 0
        while self.items is None or first < self.items:
            count = size if self.items is None else min(size, self.items - first)
            concept = self._draw_concepts(first, count, seed)
            concept = self._available(first, concept, cursors, owner)
            if len(concept):
                yield gather(first, np.asarray(owner)[concept], cursors)
            first += len(concept)
            if len(concept) < count:
                return

    def _draw_concepts(self, first: int, count: int, seed: int) -> I64:
        """Draw the concept of each item."""
        concept = np.zeros(count, np.int64)
        t = np.arange(first, first + count)
        for nth, (at, width) in enumerate(zip(self.at, self.width, strict=True), 1):
            if at - SATURATED * width >= first + count:
                continue
            if at + SATURATED * width <= first:
                concept[:] = nth
            else:
                drawn = uniforms(child(seed, "drift draw", str(at)), first, count)
                concept[drawn < sigmoid(t, at, width)] = nth
        return concept

    def _available(self, first: int, concept: I64, cursors: list[Cursor], owner: list[int]) -> I64:
        """Return the concepts of the items that the streams can supply."""
        while True:
            served = np.asarray(owner)[concept]
            row = min(first_unavailable(served, nth, cursor) for nth, cursor in enumerate(cursors))
            if row == len(concept):
                return concept
            nth = int(concept[row])
            if nth == len(self.at):
                concept = concept[:row]
            elif first + row >= span_of(self.at[nth], self.width[nth])[1]:
                late = concept[row:]  # after the drift, use the new concept instead
                late[late == nth] = nth + 1
            else:
                cursor = cursors[owner[nth]]
                taken = cursor.taken + int((served[:row] == owner[nth]).sum())
                raise DataError(
                    f"drift: {cursor.name} ended after {taken:,} items, but item {first + row:,} "
                    "is drawn from it; pass a longer stream, or an earlier drift"
                )

    def _since(self, nth: int) -> int:
        """Return the first item of the nth concept, which is the centre of its drift."""
        return self.at[nth - 1] if nth else 0

    def _taken(self, stream: Stream, nth: int) -> int:
        """Return the expected number of items taken from a stream before the nth concept."""
        return sum(
            self.at[k] - self._since(k) for k in range(nth) if same_stream(self.concepts[k], stream)
        )

    def _own_drifts(self) -> list[Drift]:
        found = []
        for nth, (at, width) in enumerate(zip(self.at, self.width, strict=True), 1):
            start, end = span_of(at, width)
            recurs = any(same_stream(self.concepts[nth], stream) for stream in self.concepts[:nth])
            plain: DriftKind = "abrupt" if width <= 1 else "gradual"
            found.append(Drift(start, at, end, self.kind or ("recurring" if recurs else plain)))
        return found

    def _inner_drifts(self) -> tuple[list[Drift], tuple[str, ...]]:
        """Return the drifts inside the concepts, at their positions in this stream."""
        found: list[Drift] = []
        for nth, stream in enumerate(self.concepts):
            since, stop = self._since(nth), self.at[nth] if nth < len(self.at) else self.items
            shift = since - self._taken(stream, nth)
            for d in stream.schema.drifts:
                start, end = d.start + shift, d.end + shift
                over = end < since or (end == since and start < end)
                if over or (stop is not None and start >= stop):
                    continue
                end = end if stop is None else min(end, stop)
                start = max(start, since)
                centre = min(max(d.centre + shift, start), end)
                found.append(Drift(start, centre, end, d.kind))
        blurred = found and any(width > 1 for width in self.width)
        note = "drifts inside the mixed streams: their positions are expected values"
        return found, (note,) if blurred else ()


@plain_numbers
def drift(
    a: Stream,
    b: Stream,
    at: int,
    width: int = 1,
    kind: DriftKind | None = None,
    items: int | None = None,
) -> Drifting | Incremental:
    r"""Change from stream `a` to stream `b`.

    Item t is taken from b with probability

    .. math:: P(b) = 1 / (1 + \exp(-4 (t - at) / width))

    with t counted from 0; a width of 0 or 1 is a step at item `at`. A stream advances only
    when one of its items is taken, as in MOA. The choice depends on (seed, t) alone. Any two
    streams with equal features and classes can be combined, also combined ones; for more
    than two concepts see `drifts`, for recurring concepts see `recurring`.

    Parameters
    ----------
    a, b
        The old stream and the new one.
    at
        The centre: the first new item of an abrupt drift.
    width
        0 and 1 are abrupt. The steepest slope is 1/width per item; a gradual drift spans about
        2.3 times its width from 1 % to 99 %, which is the span of the schema's drift.
    kind
        "incremental": the concept itself moves along the sigmoid, no item is of a or b (see
        `Incremental` for the possible streams). Other kinds only name the drift.
    items
        Number of items; by default up to the end of b.

    Examples
    --------
    >>> from streamgauge.streams import Stagger
    >>> stream = drift(Stagger(1), Stagger(3), at=500, items=1000)
    >>> stream.schema.drifts
    (Drift(start=500, centre=500, end=500, kind='abrupt'),)
    >>> [batch] = stream.batches()
    >>> small_red = (batch.x[:, 0] == 0) & (batch.x[:, 1] == 0)
    >>> bool((small_red[:500] == (batch.label[:500] == 1)).all())
    True
    >>> bool(((batch.x[500:, 0] > 0) == (batch.label[500:] == 1)).all())
    True

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby, Gavaldà. New ensemble methods for evolving data
    streams. KDD 2009, 139-148.
    """
    if kind == "incremental":
        old, new = (check_movable(resolve("stream", stream)) for stream in (a, b))
        return Incremental(old, new, at, width, items)
    return Drifting((a, b), (at,), (width,), kind, items)


@plain_numbers
@reported_by("drifts", "drift")
def drifts(
    concepts: Sequence[Stream],
    at: Sequence[int],
    width: int | Sequence[int] = 1,
    kind: DriftKind | None = None,
    items: int | None = None,
) -> Drifting:
    """Change between several streams, one after the other; see `drift`.

    A stream that occurs again (the same object, or an equal generator) continues where it
    stopped, and the drift to it is recurring.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> a, b = SEA(1), SEA(4)
    >>> [d.kind for d in drifts([a, b, a], at=[1000, 2000], width=[1, 200]).schema.drifts]
    ['abrupt', 'recurring']
    """
    _check_list("at", at)
    widths = (width,) * len(at) if isinstance(width, int) else tuple(width)
    return Drifting(tuple(concepts), tuple(at), widths, kind, items)


def _check_list(what: str, given: object) -> None:
    if not isinstance(given, Sequence):
        raise ParameterError.of("drift", what, "a list, one for each drift", given)


@plain_numbers
@reported_by("recurring", "drifts")
def recurring(
    a: Stream, b: Stream, every: int, times: int, width: int = 1, items: int | None = None
) -> Drifting:
    """Alternate between two streams: a for `every` items, then b, then a, with `times` drifts.

    Each stream continues where it stopped. The first drift is abrupt or gradual, the later
    ones are recurring.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> stream = recurring(SEA(1), SEA(4), every=500, times=3, items=2000)
    >>> [(d.centre, d.kind) for d in stream.schema.drifts]
    [(500, 'abrupt'), (1000, 'recurring'), (1500, 'recurring')]
    """
    for what, value in (("every", every), ("times", times)):
        if value < 1:
            raise ParameterError.of("recurring", what, "at least 1", value)
    at_most("recurring", "times", times, MOST_DRIFTS)
    concepts = [(a, b)[nth % 2] for nth in range(times + 1)]
    return drifts(concepts, [every * nth for nth in range(1, times + 1)], width, None, items)


def same_stream(a: Stream, b: Stream) -> bool:
    """Return whether two streams are one object or equal generators (tables are not compared)."""
    return a is b or (isinstance(a, Generated) and a == b)


def _check_positions(of: Drifting) -> None:
    """Raise unless there is a position and a width for each drift, in increasing order."""
    if len(of.concepts) < 2:
        raise ParameterError.of("drift", "concepts", "at least two streams", len(of.concepts))
    for what, given in (("at", of.at), ("width", of.width)):
        if len(given) != len(of.concepts) - 1:
            must = f"one for each of {len(of.concepts) - 1} drifts"
            raise ParameterError.of("drift", what, must, given)
        if not all(isinstance(value, int | np.integer) and value >= 0 for value in given):
            must = "an integer of at least 0"
            raise ParameterError.of("drift", what, must, given[0] if len(given) == 1 else given)
    if any(later <= earlier for earlier, later in pairwise(of.at)):
        raise ParameterError.of("drift", "at", "in increasing order", of.at)
    if of.kind is not None and of.kind not in ("abrupt", "gradual", "recurring"):
        must = "'abrupt', 'gradual', 'recurring' or 'incremental' (one drift only)"
        raise ParameterError.of("drift", "kind", must, of.kind)
    if of.kind == "abrupt" and any(width > 1 for width in of.width):
        raise ParameterError.of("drift", "width", "0 or 1 for an abrupt drift", max(of.width))
    if of.items is not None and of.items <= of.at[-1]:
        raise ParameterError.of("drift", "items", f"above {of.at[-1]}, the last drift", of.items)


def _check_schemas(concepts: tuple[Stream, ...]) -> None:
    """Raise unless all streams have equal features, classes and clock."""
    first = concepts[0].schema
    for stream in concepts[1:]:
        other = stream.schema
        for what, ours, theirs in (
            ("features", first.features, other.features),
            ("classes", first.classes, other.classes),
            ("clock", first.clock, other.clock),
        ):
            if ours != theirs:
                raise ParameterError(
                    f"drift: {what} must be equal in all streams, got {ours!r} in "
                    f"{concepts[0].name} and {theirs!r} in {stream.name}"
                )
    if first.clock != "item":
        raise ParameterError(
            f"drift: the clock of the streams must be 'item', got {first.clock!r} in "
            f"{concepts[0].name}; read them without a time column"
        )
