"""Resampled curves: blocks of a log get random weights or are replaced by nearby ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge._core import uniforms
from streamgauge.comparisons._block_bootstrap import Blocks
from streamgauge.log import LabelledPredictions, Log
from streamgauge.log.labelled_predictions import known_rows, previous_labels
from streamgauge.measures._measure import Measure
from streamgauge.measures._pass import BUILDERS
from streamgauge.seeds import child
from streamgauge.summaries._builder import ColdStart, SummaryBuilder, SummaryOptions
from streamgauge.types import F64, I64, Schema
from streamgauge.windows._window import Window

NEARBY = 8
"""A block is replaced by one that begins at most this many block lengths away."""


@dataclass(frozen=True, slots=True)
class BlockScheme:
    """How a log is split into blocks and resampled.

    With `reweight`, each block gets a random weight. Otherwise each is replaced by one that begins
    at most `NEARBY` lengths away, for measures that are not defined with weights.
    """

    length: float
    kind: Blocks
    reweight: bool


@dataclass(frozen=True, slots=True)
class CurveOptions:
    """The curves to resample in one pass, and their options."""

    measures: tuple[Measure[Any], ...]
    windows: tuple[Window, ...]
    every: int
    cold_start: ColdStart
    points: int
    labels: int


def resampled_curves(
    log: Log, wanted: CurveOptions, scheme: BlockScheme, draws: int, seed: int
) -> list[list[F64]]:
    """Resampled curves by measure and window, one draw per row, from one pass over the log."""
    resamples = [
        _Resample(log.schema, wanted, scheme, child(seed, "draw", fold=d)) for d in range(draws)
    ]
    if scheme.reweight:
        for batch in log.labelled_predictions():
            for draw in resamples:
                draw.push(replace(batch, weight=draw.weights(len(batch))))
    else:
        reach = max(0, min(round(NEARBY * scheme.length), wanted.labels - 1))
        for rows in _rows_with_margin(log, reach):
            for draw in resamples:
                draw.push(rows.shifted(draw.shifts(rows.stop - rows.start, reach)))
    done = [draw.finish() for draw in resamples]
    return [
        [np.array([one[m][w] for one in done]) for w in range(len(wanted.windows))]
        for m in range(len(wanted.measures))
    ]


class _Resample:
    """One resampled log, added to summaries as it is drawn."""

    def __init__(
        self, schema: Schema, wanted: CurveOptions, scheme: BlockScheme, seed: int
    ) -> None:
        specs = tuple(w.spec for w in wanted.windows)
        options = SummaryOptions(
            schema,
            specs,
            wanted.every,
            wanted.cold_start,
            scheme.reweight,
            min(wanted.points, 2**20),
        )
        self._measures = wanted.measures
        self._builders: dict[str, SummaryBuilder[Any]] = {
            kind: BUILDERS[kind](options, _needed_parts(wanted.measures, kind))
            for kind in dict.fromkeys(m.summary for m in wanted.measures)
        }
        self._cuts, self._sizes = child(seed, "cuts"), child(seed, "weights")
        self._length = scheme.length
        self._kind = scheme.kind
        self._row = 0
        self._block = 0
        self._offset = int(float(uniforms(self._cuts, 0, 1)[0]) * round(scheme.length))

    def weights(self, rows: int) -> F64:
        """The weights of the next rows: exponential with mean 1, one per block."""
        weights: F64 = -np.log1p(-self._drawn(rows))
        return weights

    def shifts(self, rows: int, reach: int) -> I64:
        """The shift of each of the next rows, one per block."""
        shifts: I64 = np.floor(self._drawn(rows) * (2 * reach + 1)).astype(np.int64) - reach
        return shifts

    def push(self, batch: LabelledPredictions) -> None:
        """Add the next rows of the resampled log."""
        for builder in self._builders.values():
            builder.push(batch)

    def finish(self) -> list[list[F64]]:
        """The curves, by measure and window."""
        stacks = {kind: builder.finish() for kind, builder in self._builders.items()}
        return [[m.over(s.stack) for s in stacks[m.summary]] for m in self._measures]

    def _drawn(self, rows: int) -> F64:
        """A uniform number in [0, 1) for each of the next rows, the same within a block."""
        number = self._numbers(rows)
        self._row += rows
        if not rows:
            return np.empty(0)
        first, last = int(number[0]), int(number[-1])
        self._block = last
        drawn: F64 = uniforms(self._sizes, first, last - first + 1)[number - first]
        return drawn

    def _numbers(self, rows: int) -> I64:
        """The block number of each row."""
        if self._kind == "stationary":
            cut = uniforms(self._cuts, self._row, rows) * self._length < 1
            return self._block + np.cumsum(cut)
        at = np.arange(self._row, self._row + rows) + self._offset
        return at // round(self._length)


def _needed_parts(measures: Sequence[Measure[Any]], kind: str) -> frozenset[str]:
    """The parts of a kind of summary that these measures use."""
    return frozenset[str]().union(*(m.parts() for m in measures if m.summary == kind))


@dataclass(frozen=True, slots=True)
class _RowsWithMargin:
    """Rows `start` to `stop` (exclusive) of a log, within buffered rows that begin at `first`."""

    buffer: LabelledPredictions
    first: int
    start: int
    stop: int

    def shifted(self, shifts: I64) -> LabelledPredictions:
        """The rows, each replaced by the one `shifts` away; shifts are reflected at both ends."""
        at = np.abs(np.arange(self.start, self.stop) + shifts)
        last = self.first + len(self.buffer) - 1
        return self.buffer.take(np.where(at > last, 2 * last - at, at) - self.first)


def _rows_with_margin(log: Log, reach: int) -> Iterator[_RowsWithMargin]:
    """The log in pieces, each with `reach` more rows on either side; nothing else is buffered."""
    buffer: LabelledPredictions | None = None
    first = start = end = 0
    for batch, previous in previous_labels(known_rows(log.labelled_predictions())):
        new = replace(batch, previous=previous)
        buffer = new if buffer is None else _joined(buffer, new)
        end += len(batch)
        stop = end - reach
        if stop > start:
            yield _RowsWithMargin(buffer, first, start, stop)
            start, gone = stop, max(first, stop - reach) - first
            buffer, first = _without_first(buffer, gone), first + gone
    if buffer is not None and end > start:
        yield _RowsWithMargin(buffer, first, start, end)


def _joined(a: LabelledPredictions, b: LabelledPredictions) -> LabelledPredictions:
    return _map_columns(a, b, lambda x, y: np.concatenate([x, y]))


def _without_first(pairs: LabelledPredictions, gone: int) -> LabelledPredictions:
    return _map_columns(pairs, pairs, lambda x, _: x[gone:])


def _map_columns(
    a: LabelledPredictions, b: LabelledPredictions, make: Callable[[Any, Any], Any]
) -> LabelledPredictions:
    """A batch with the columns that measures read, each made from those of two batches."""
    names = ("label", "prediction", "scores", "previous")
    both = {name: (getattr(a, name), getattr(b, name)) for name in names}
    made: dict[str, Any] = {k: None if x is None else make(x, y) for k, (x, y) in both.items()}
    return LabelledPredictions(0, **made)
