"""Resampled curves: the blocks of a log are weighed anew, or drawn anew from nearby."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge._core import uniforms
from streamgauge.comparisons.bootstrapping import Blocks
from streamgauge.log import Log, Pairs
from streamgauge.log.pairs import known_rows, previous_labels
from streamgauge.measures._measure import Measure
from streamgauge.measures._pass import FOLDINGS
from streamgauge.seeds import child
from streamgauge.summaries.folding import ColdStart, Folding, Terms
from streamgauge.types import F64, I64, Schema
from streamgauge.windows._window import Window

NEARBY = 8
"""A block is drawn from so many of its lengths before and behind its place."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How a log is cut into blocks, and what is done to them.

    `weigh`: each block counts by a random weight, where it is. Else each is replaced by one that
    begins at most `NEARBY` lengths away, so that every row counts once: for what has no weights.
    """

    length: float
    kind: Blocks
    weigh: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """The curves to be resampled in one walk, and how they were made in the first place."""

    measures: tuple[Measure[Any], ...]
    windows: tuple[Window, ...]
    every: int
    cold_start: ColdStart
    points: int
    labels: int


def redrawn(log: Log, wanted: Wanted, cut: Cut, draws: int, seed: int) -> list[list[F64]]:
    """By measure and window: resampled curves, one a row, from one walk over the log."""
    made = [_Draw(log.schema, wanted, cut, child(seed, "draw", fold=d)) for d in range(draws)]
    if cut.weigh:
        for batch in log.pairs():
            for draw in made:
                draw.push(replace(batch, weight=draw.weights(len(batch))))
    else:
        reach = max(0, min(round(NEARBY * cut.length), wanted.labels - 1))
        for nearby in _nearby(log, reach):
            for draw in made:
                draw.push(nearby.taken(draw.shifts(nearby.stop - nearby.start, reach)))
    done = [draw.finish() for draw in made]
    return [
        [np.array([one[m][w] for one in done]) for w in range(len(wanted.windows))]
        for m in range(len(wanted.measures))
    ]


class _Draw:
    """One resampled log, on its way into summaries."""

    def __init__(self, schema: Schema, wanted: Wanted, cut: Cut, seed: int) -> None:
        specs = tuple(w.spec for w in wanted.windows)
        terms = Terms(
            schema, specs, wanted.every, wanted.cold_start, cut.weigh, min(wanted.points, 2**20)
        )
        self._measures = wanted.measures
        self._foldings: dict[str, Folding[Any]] = {
            kind: FOLDINGS[kind](terms, _parts(wanted.measures, kind))
            for kind in dict.fromkeys(m.summary for m in wanted.measures)
        }
        self._cuts, self._sizes = child(seed, "cuts"), child(seed, "weights")
        self._length = cut.length
        self._kind = cut.kind
        self._row = 0
        self._block = 0
        self._offset = int(float(uniforms(self._cuts, 0, 1)[0]) * round(cut.length))

    def weights(self, rows: int) -> F64:
        """The weights of the next rows: exponential, mean 1, one a block."""
        weights: F64 = -np.log1p(-self._drawn(rows))
        return weights

    def shifts(self, rows: int, reach: int) -> I64:
        """How far from its place each of the next rows is taken, one a block."""
        shifts: I64 = np.floor(self._drawn(rows) * (2 * reach + 1)).astype(np.int64) - reach
        return shifts

    def push(self, batch: Pairs) -> None:
        """Take in the next rows of the resampled log."""
        for folding in self._foldings.values():
            folding.push(batch)

    def finish(self) -> list[list[F64]]:
        """The curves, by measure and window."""
        stacks = {kind: folding.finish() for kind, folding in self._foldings.items()}
        return [[m.over(s.stack) for s in stacks[m.summary]] for m in self._measures]

    def _drawn(self, rows: int) -> F64:
        """A number from 0 to below 1 for each of the next rows, the same in a block."""
        number = self._numbers(rows)
        self._row += rows
        if not rows:
            return np.empty(0)
        first, last = int(number[0]), int(number[-1])
        self._block = last
        drawn: F64 = uniforms(self._sizes, first, last - first + 1)[number - first]
        return drawn

    def _numbers(self, rows: int) -> I64:
        """In which block each row is."""
        if self._kind == "stationary":
            cut = uniforms(self._cuts, self._row, rows) * self._length < 1
            return self._block + np.cumsum(cut)
        at = np.arange(self._row, self._row + rows) + self._offset
        return at // round(self._length)


def _parts(measures: Sequence[Measure[Any]], kind: str) -> frozenset[str]:
    return frozenset[str]().union(*(m.parts() for m in measures if m.summary == kind))


@dataclass(frozen=True, slots=True)
class _Nearby:
    """Rows `start` to before `stop` of a log are due; held are those from `first` on."""

    held: Pairs
    first: int
    start: int
    stop: int

    def taken(self, shifts: I64) -> Pairs:
        """The rows that are due, each taken from so far away; turned back at both ends."""
        at = np.abs(np.arange(self.start, self.stop) + shifts)
        last = self.first + len(self.held) - 1  # of the log, wherever a shift leads beyond it
        return self.held.take(np.where(at > last, 2 * last - at, at) - self.first)


def _nearby(log: Log, reach: int) -> Iterator[_Nearby]:
    """The log piece by piece, each with `reach` rows on either side: no more is held."""
    held: Pairs | None = None
    first = start = end = 0
    for batch, previous in previous_labels(known_rows(log.pairs())):
        new = replace(batch, previous=previous)
        held = new if held is None else _joined(held, new)
        end += len(batch)
        stop = end - reach
        if stop > start:
            yield _Nearby(held, first, start, stop)
            start, gone = stop, max(first, stop - reach) - first
            held, first = _behind(held, gone), first + gone
    if held is not None and end > start:
        yield _Nearby(held, first, start, end)


def _joined(a: Pairs, b: Pairs) -> Pairs:
    return _of(a, b, lambda x, y: np.concatenate([x, y]))


def _behind(pairs: Pairs, gone: int) -> Pairs:
    return _of(pairs, pairs, lambda x, _: x[gone:])


def _of(a: Pairs, b: Pairs, make: Callable[[Any, Any], Any]) -> Pairs:
    """The columns that measures read, made from those of two batches."""
    names = ("label", "answer", "scores", "previous")
    both = {name: (getattr(a, name), getattr(b, name)) for name in names}
    made: dict[str, Any] = {k: None if x is None else make(x, y) for k, (x, y) in both.items()}
    return Pairs(0, **made)
