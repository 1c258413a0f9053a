"""Bands around learning curves: how far each value may be off, with losses that depend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge._core import uniforms
from streamgauge.comparisons.bootstrapping import Blocks, block_length, check_blocks
from streamgauge.comparisons.verdict import FIXED
from streamgauge.errors import ParameterError
from streamgauge.log import Log, Pairs
from streamgauge.measures._measure import Measure
from streamgauge.measures._measuring import AMeasure, AWindow, measure
from streamgauge.measures._pass import FOLDINGS
from streamgauge.names import make
from streamgauge.seeds import child
from streamgauge.summaries.folding import ColdStart, Folding, Terms
from streamgauge.types import F64, I64, Curve
from streamgauge.windows import Whole

LOOKED_AT = 100_000
"""From so many losses, the first ones, the length of the blocks is chosen."""

BLOCKS_IN_WINDOW = 8
"""A window holds at least so many blocks, or there would be nothing to resample."""


def bands(
    log: Log,
    measures: AMeasure,
    windows: AWindow | None = None,
    *,
    level: float = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int = 200,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    seed: int = 0,
) -> Curve:
    """A learning curve with a band around it: any measure, any window.

    The stream is cut into blocks and each block is given a random weight (exponential, mean 1)
    in place of being drawn so often: the blocks keep their places, so that a curve over a stream
    that drifts can be resampled too. Each draw cuts and weighs anew. The band is point by point,
    at an end fixed beforehand.

    Parameters
    ----------
    log
        What was said and what was true.
    measures, windows
        One measure in one window, by name or as objects; the whole log if there is no window.
    level
        Which share of the resampled curves the band holds at each point.
    kind
        Lengths of blocks are random (`"stationary"`) or all the same (`"moving"`, `"circular"`).
    block
        Their (mean) length; unless given it fits the dependence of the losses, and at least 8
        blocks go into a window.
    draws
        How many curves are resampled.
    every, cold_start
        As in `measure`.
    seed
        The seed of the draws.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run(sg.streams.take(sg.streams.SEA(), 3000), sg.learners.NaiveBayes())
    >>> curve = bands(log, "accuracy", "sliding(1000)", draws=50)
    >>> float(curve.low[-1]) < curve.final < float(curve.high[-1])
    True

    References
    ----------
    Künsch. The jackknife and the bootstrap for general stationary observations.
    Annals of Statistics 17 (1989).
    Rubin. The Bayesian bootstrap. Annals of Statistics 9 (1981).
    """
    check_blocks("bands", kind, block, level, draws)
    wanted = make("measure", measures) if isinstance(measures, str) else measures
    window = Whole() if windows is None else windows
    window = make("window", window) if isinstance(window, str) else window
    if not isinstance(wanted, Measure):
        raise ParameterError.of("bands", "measures", "one measure, or its name", measures)
    if not wanted.takes_weights or window.spec[0] == "ewma":
        raise ParameterError(f"bands: {wanted} in {window} is not defined with weights")
    curve = measure(log, wanted, window, every=every, cold_start=cold_start)
    length = _length(log, window.spec, kind, block)
    drawn = _draw(log, wanted, window.spec, curve, length, kind, draws, child(seed, "bands"))
    low, high = _quantiles(drawn, (1 - level) / 2, (1 + level) / 2)
    about = {
        "band": f"{100 * level:g} % of {draws} draws, {kind} blocks of {length:.4g} weighed anew",
        "validity": FIXED,
    }
    return replace(curve, definition={**curve.definition, **about}, low=low, high=high)


def _draw(
    log: Log,
    wanted: Measure[Any],
    spec: tuple[str, float],
    curve: Curve,
    length: float,
    kind: Blocks,
    draws: int,
    seed: int,
) -> F64:
    """Resampled curves, one a row, from one pass over the log."""
    said = curve.definition
    policy: Any = said["cold_start"]
    terms = Terms(log.schema, (spec,), int(said["every"]), policy, True, len(curve.at))
    foldings: list[Folding[Any]] = [
        FOLDINGS[wanted.summary](terms, wanted.parts()) for _ in range(draws)
    ]
    weights = [_Weights(child(seed, "draw", fold=d), length, kind) for d in range(draws)]
    for batch in log.pairs():
        for folding, weigh in zip(foldings, weights, strict=True):
            folding.push(replace(batch, weight=weigh.next(len(batch))))
    return np.array([wanted.over(folding.finish()[0].stack) for folding in foldings])


class _Weights:
    """The weights of one draw: one a block, block after block."""

    def __init__(self, seed: int, length: float, kind: Blocks) -> None:
        self._cuts, self._sizes = child(seed, "cuts"), child(seed, "weights")
        self._length = length
        self._kind = kind
        self._row = 0
        self._block = 0
        self._offset = int(float(uniforms(self._cuts, 0, 1)[0]) * round(length))

    def next(self, rows: int) -> F64:
        """The weights of the next rows."""
        number = self._numbers(rows)
        self._row += rows
        if not rows:
            return np.empty(0)
        first, last = int(number[0]), int(number[-1])
        self._block = last
        sizes = -np.log1p(-uniforms(self._sizes, first, last - first + 1))
        weights: F64 = sizes[number - first]
        return weights

    def _numbers(self, rows: int) -> I64:
        """In which block each row is."""
        if self._kind == "stationary":
            cut = uniforms(self._cuts, self._row, rows) * self._length < 1
            return self._block + np.cumsum(cut)
        at = np.arange(self._row, self._row + rows) + self._offset
        return at // round(self._length)


def _length(log: Log, spec: tuple[str, float], kind: Blocks, block: float | None) -> float:
    if block is not None:
        return float(block)
    losses = np.concatenate([np.empty(0), *_losses(log)])
    length = block_length(losses, kind)
    match spec:
        case ("sliding" | "tumbling", size):
            length = min(length, size / BLOCKS_IN_WINDOW)
        case ("fading", factor) if factor < 1:
            length = min(length, 1 / (1 - factor) / BLOCKS_IN_WINDOW)
    return max(1.0, min(length, max(len(losses), 1) / BLOCKS_IN_WINDOW))


def _losses(log: Log) -> Iterator[F64]:
    left = LOOKED_AT
    for batch in log.pairs():
        loss = _loss(batch)[:left]
        left -= len(loss)
        yield loss
        if left <= 0:
            return


def _loss(batch: Pairs) -> F64:
    if batch.label.dtype.kind == "i":
        return np.not_equal(batch.label, batch.answer).astype(np.float64)
    apart: F64 = np.abs(np.asarray(batch.label - batch.answer, np.float64))
    return np.asarray(apart[~np.isnan(apart)])


def _quantiles(drawn: F64, low: float, high: float) -> tuple[F64, F64]:
    """Point by point, over the curves that are defined there; no mean of two, which may be inf."""
    ordered = np.sort(drawn, axis=0)  # NaNs go last
    last = (~np.isnan(drawn)).sum(0) - 1
    places = np.floor(low * last), np.ceil(high * last)
    ends = [
        np.take_along_axis(ordered, np.maximum(p, 0).astype(np.intp)[None], 0)[0] for p in places
    ]
    return ends[0], ends[1]
