"""One concept gives way to another: `drift`, `drifts`, `recurring`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import DataError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.seeds import child
from streamgauge.streams._generated import Generated
from streamgauge.streams.incremental import Incremental, movable
from streamgauge.streams.sigmoid import sigmoid, span_of
from streamgauge.streams.taps import Tap, first_lacking, gathered
from streamgauge.types import I64, Batch, Drift, DriftKind, Schema, Stream

SURE = 10
"""So many widths from its centre the sigmoid is 0 or 1 in floating point."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class Drifting:
    """Concepts that follow each other, each giving way to the next along a sigmoid.

    Item t comes from the next concept with the probability `sigmoid(t, at, width)`. A stream
    goes on by one item when one of its items is taken, and only then (as in MOA's
    ConceptDriftStream); a stream that comes back goes on where it was left. Up to the first
    item of the second concept, the items are the first stream's, walked with the same seed.

    The stream ends with the last concept. An earlier one that ends too early is an error.

    Parameters
    ----------
    concepts
        The streams, with equal features and classes.
    at
        Where each but the first is half way in: counted from 0, so an abrupt drift's first new
        item is number `at` (MOA counts from 1: its position is `at + 1`).
    width
        For each drift; 0 and 1 are abrupt. The steepest slope is 1/width an item.
    kind
        What the drifts are called; None: "recurring" where a stream comes back, else
        "gradual" or "abrupt" by the width.
    items
        How many items; None goes on to the end of the last concept.

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
        object.__setattr__(self, "concepts", tuple(self.concepts))
        object.__setattr__(self, "at", tuple(self.at))
        object.__setattr__(self, "width", tuple(self.width))
        _check_places(self)
        _check_schemas(self.concepts)
        for nth, stream in enumerate(self.concepts[:-1]):
            needed = self._taken(stream, nth) + self.at[nth] - self._since(nth)
            if stream.length is not None and stream.length < needed:
                raise ParameterError(
                    f"drift: {stream.name} must have at least {needed:,} items, as it is to "
                    f"last until item {self.at[nth]:,}, got {stream.length:,}"
                )

    @property
    def name(self) -> str:
        """The concepts in their order, and where they change."""
        names = [stream.name for stream in self.concepts]
        if len(names) > 4:
            names[2:-1] = ["…"]
        gradual = f" (width {max(self.width)})" if max(self.width) > 1 else ""
        places = str(self.at[0]) if len(self.at) == 1 else f"{self.at[0]}…{self.at[-1]}"
        return f"{' → '.join(names)} at {places}{gradual}"

    @property
    def length(self) -> int | None:
        """How many items; None if endless, or if chance decides."""
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
        """That of the first concept, with every drift that is known."""
        inner, notes = self._inner_drifts()
        known = sorted((*inner, *self._own_drifts()), key=lambda d: (d.centre, d.start))
        for stream in self.concepts:
            notes += tuple(note for note in stream.schema.notes if note not in notes)
        return replace(self.concepts[0].schema, drifts=tuple(known), notes=notes)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        if size < 1:
            raise ParameterError.of("drift", "size", "at least 1", size)
        return self._walk(size, seed)

    def _walk(self, size: int, seed: int) -> Iterator[Batch]:
        taps: list[Tap] = []
        owner: list[int] = []  # the tap of each concept
        for nth, stream in enumerate(self.concepts):
            own = child(seed, "drift", str(self.at[nth - 1])) if nth else seed
            known = [owner[k] for k in range(nth) if same(self.concepts[k], stream)]
            owner.append(known[0] if known else len(taps))
            if not known:
                taps.append(Tap(stream.name, stream.batches(size, own)))
        first = 0
        while self.items is None or first < self.items:
            count = size if self.items is None else min(size, self.items - first)
            turns = self._turns(first, count, seed)
            turns = self._settled(first, turns, taps, owner)
            if len(turns):
                yield gathered(first, np.asarray(owner)[turns], taps)
            first += len(turns)
            if len(turns) < count:
                return

    def _turns(self, first: int, count: int, seed: int) -> I64:
        """Which concept each item is to come from."""
        turns = np.zeros(count, np.int64)
        t = np.arange(first, first + count)
        for nth, (at, width) in enumerate(zip(self.at, self.width, strict=True), 1):
            if at - SURE * width >= first + count:
                continue
            if at + SURE * width <= first:
                turns[:] = nth
            else:
                drawn = uniforms(child(seed, "drift draw", str(at)), first, count)
                turns[drawn < sigmoid(t, at, width)] = nth
        return turns

    def _settled(self, first: int, turns: I64, taps: list[Tap], owner: list[int]) -> I64:
        """The turns that the streams can serve: up to the end of the last concept."""
        while True:
            served = np.asarray(owner)[turns]
            row = min(first_lacking(served, nth, tap) for nth, tap in enumerate(taps))
            if row == len(turns):
                return turns
            nth = int(turns[row])
            if nth == len(self.at):
                turns = turns[:row]
            elif first + row >= span_of(self.at[nth], self.width[nth])[1]:
                late = turns[row:]  # that drift is over: the stragglers are of the new concept
                late[late == nth] = nth + 1
            else:
                tap = taps[owner[nth]]
                gave = tap.taken + int((served[:row] == owner[nth]).sum())
                raise DataError(
                    f"drift: {tap.name} ended after {gave:,} items, but item {first + row:,} is "
                    "to come from it; give a longer stream, or let it drift earlier"
                )

    def _since(self, nth: int) -> int:
        """Where the nth concept begins, counting half of the way in."""
        return self.at[nth - 1] if nth else 0

    def _taken(self, stream: Stream, nth: int) -> int:
        """How many items of a stream came before its nth concept (about: chance may add some)."""
        return sum(
            self.at[k] - self._since(k) for k in range(nth) if same(self.concepts[k], stream)
        )

    def _own_drifts(self) -> list[Drift]:
        found = []
        for nth, (at, width) in enumerate(zip(self.at, self.width, strict=True), 1):
            start, end = span_of(at, width)
            back = any(same(self.concepts[nth], stream) for stream in self.concepts[:nth])
            plain: DriftKind = "abrupt" if width <= 1 else "gradual"
            found.append(Drift(start, at, end, self.kind or ("recurring" if back else plain)))
        return found

    def _inner_drifts(self) -> tuple[list[Drift], tuple[str, ...]]:
        """The concepts' own drifts, where they come to lie here."""
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
        note = "drifts inside the mixed streams: their positions are the expected ones"
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
    r"""Stream `a`, giving way to stream `b`.

    Item t comes from b with probability

    .. math:: P(b) = 1 / (1 + \exp(-4 (t - at) / width))

    with t counted from 0; a width of 0 or 1 is a step at item `at`. Both streams go on by one
    item when one of theirs is taken, and only then, as in MOA. Which it is depends on (seed,
    t) alone. Any two streams with equal features and classes can be mixed, also mixtures; for
    more than two concepts see `drifts`, for concepts that come back `recurring`.

    Parameters
    ----------
    a, b
        The old stream and the new one.
    at
        The centre: the first new item of an abrupt drift.
    width
        0 and 1 are abrupt. The steepest slope is 1/width an item; a gradual drift spans about
        2.3 times its width from 1 % to 99 %, and that is what the schema's drift says.
    kind
        "incremental": no item is of one or the other; the concept itself moves along the
        sigmoid (see `Incremental` for the streams that can). Else only a word for the drift.
    items
        How many items; None goes on to the end of b.

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
        return Incremental(movable(a), movable(b), at, width, items)
    return Drifting((a, b), (at,), (width,), kind, items)


@plain_numbers
def drifts(
    concepts: Sequence[Stream],
    at: Sequence[int],
    width: int | Sequence[int] = 1,
    kind: DriftKind | None = None,
    items: int | None = None,
) -> Drifting:
    """Several concepts, one after the other; see `drift`.

    A stream that is named again (the same one, or an equal generator) comes back: it goes on
    where it was left, and the drift to it is a recurring one.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> a, b = SEA(1), SEA(4)
    >>> [d.kind for d in drifts([a, b, a], at=[1000, 2000], width=[1, 200]).schema.drifts]
    ['abrupt', 'recurring']
    """
    widths = (width,) * len(at) if isinstance(width, int) else tuple(width)
    return Drifting(tuple(concepts), tuple(at), widths, kind, items)


@plain_numbers
def recurring(
    a: Stream, b: Stream, every: int, times: int, width: int = 1, items: int | None = None
) -> Drifting:
    """Two concepts in turn: a for `every` items, then b, then a again, with `times` drifts.

    Each goes on where it was left. The first drift is abrupt or gradual, the later ones, back
    to a concept that was seen before, are recurring.

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
    turns = [(a, b)[nth % 2] for nth in range(times + 1)]
    return drifts(turns, [every * nth for nth in range(1, times + 1)], width, None, items)


def same(a: Stream, b: Stream) -> bool:
    """Is it one stream, or two equal generators? (To compare tables would be to read them.)"""
    return a is b or (isinstance(a, Generated) and a == b)


def _check_places(of: Drifting) -> None:
    """Raise unless there is a place and a width for each drift, in order."""
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
        raise ParameterError.of("drift", "at", "in rising order", of.at)
    if of.kind is not None and of.kind not in ("abrupt", "gradual", "recurring"):
        must = "'abrupt', 'gradual', 'recurring' or 'incremental' (one drift only)"
        raise ParameterError.of("drift", "kind", must, of.kind)
    if of.kind == "abrupt" and any(width > 1 for width in of.width):
        raise ParameterError.of("drift", "width", "0 or 1 for an abrupt drift", max(of.width))
    if of.items is not None and of.items <= of.at[-1]:
        raise ParameterError.of("drift", "items", f"above {of.at[-1]}, the last drift", of.items)


def _check_schemas(concepts: tuple[Stream, ...]) -> None:
    """Raise unless the items of all streams are of one form."""
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
            f"drift: streams must be timed by item, got {first.clock!r} in {concepts[0].name}; "
            "read them without a time column"
        )
