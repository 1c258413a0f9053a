"""Bands around learning curves: how far each value may be off, with losses that depend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, overload

import numpy as np

from streamgauge.comparisons._redrawing import Cut, Wanted, redrawn
from streamgauge.comparisons.bootstrapping import Blocks, block_length, check_blocks
from streamgauge.comparisons.verdict import FIXED
from streamgauge.detectors.losses import losses
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.measures._curves import Curves
from streamgauge.measures._measure import Measure
from streamgauge.measures._measuring import AMeasure, AWindow, measure
from streamgauge.names import make
from streamgauge.seeds import child
from streamgauge.summaries.folding import ColdStart
from streamgauge.types import F64, Curve
from streamgauge.windows import Whole
from streamgauge.windows._window import Window

LOOKED_AT = 100_000
"""From so many losses, the first ones, the length of the blocks is chosen."""

BLOCKS_IN_WINDOW = 8
"""A window holds at least so many blocks, or there would be nothing to resample."""


# a str is a sequence of strs, so the overloads overlap; the first that fits is meant
@overload
def bands(  # type: ignore[overload-overlap]
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
    fold: int | None = None,
) -> Curve: ...
@overload
def bands(
    log: Log,
    measures: AMeasure | Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None = None,
    *,
    level: float = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int = 200,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    seed: int = 0,
    fold: int | None = None,
) -> Curves: ...
@plain_numbers
def bands(
    log: Log,
    measures: AMeasure | Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None = None,
    *,
    level: float = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int = 200,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    seed: int = 0,
    fold: int | None = None,
) -> Curve | Curves:
    """Learning curves with bands around them: any measure, any window.

    The stream is cut into blocks and each block is given a random weight (exponential, mean 1)
    in place of being drawn so often: the blocks keep their places, so that a curve over a stream
    that drifts can be resampled too. What is not defined with weights (`ewma` windows, `auc`,
    `kappa_se`, `kappa_z`, variants of MOA) is resampled by blocks from nearby: each is replaced by
    one that begins at most 8 lengths before or behind it. Each draw cuts anew. The band is point
    by point, at an end fixed beforehand.

    Parameters
    ----------
    log
        What was said and what was true.
    measures, windows
        By name or as objects, one or many; the whole log if there is no window.
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
    fold
        As in `measure`.

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
    Paparoditis, Politis. Local block bootstrap. Comptes Rendus Mathematique 335 (2002).
    """
    check_blocks("bands", kind, block, level, draws)
    log = one_fold(log, fold)
    one = not (_many(measures) or _many(windows))
    wanted = [make("measure", m) if isinstance(m, str) else m for m in _each(measures)]
    through = _each(Whole() if windows is None else windows)
    views = [make("window", w) if isinstance(w, str) else w for w in through]
    curves = measure(log, wanted, views, every=every, cold_start=cold_start)
    plain = {(c.measure, c.window): c for c in curves}
    lost = np.empty(0) if block is not None else np.concatenate([np.empty(0), *_losses(log)])
    made: dict[tuple[str, str], Curve] = {}
    for cut, pairs in _cuts(wanted, views, lost, kind, block).items():
        for together, seen_through in _walks(pairs):
            held = [plain[str(m), str(w)] for m, w in product(together, seen_through)]
            said = held[0].definition
            policy: Any = said["cold_start"]
            terms = Wanted(
                together,
                seen_through,
                int(said["every"]),
                policy,
                max(len(c.at) for c in held),
                int(said["items"]),
            )
            drawn = redrawn(log, terms, cut, draws, child(seed, "bands"))
            for curve, sheet in zip(held, (s for row in drawn for s in row), strict=True):
                band = _band(curve, sheet, level, draws, cut)
                made[curve.measure, curve.window] = band
    found = [made[c.measure, c.window] for c in curves]
    return found[0] if one else Curves(found)


def _cuts(
    measures: Sequence[Measure[Any]],
    windows: Sequence[Window],
    lost: F64,
    kind: Blocks,
    block: float | None,
) -> dict[Cut, list[tuple[Measure[Any], Window]]]:
    """How each curve's log is cut, and the curves that share it."""
    fitting = block_length(lost, kind) if block is None else 0.0
    cuts: dict[Cut, list[tuple[Measure[Any], Window]]] = {}
    for m, w in product(measures, windows):
        length = _length(fitting, len(lost), w.spec) if block is None else float(block)
        weigh = m.weighable() and w.spec[0] != "ewma"
        cuts.setdefault(Cut(length, kind, weigh), []).append((m, w))
    return cuts


def _walks(
    pairs: Sequence[tuple[Measure[Any], Window]],
) -> Iterator[tuple[tuple[Measure[Any], ...], tuple[Window, ...]]]:
    """Curves of one cut, gathered so that all measures of a walk are seen through all windows."""
    by_measure: dict[Measure[Any], list[Window]] = {}
    for m, w in pairs:
        by_measure.setdefault(m, []).append(w)
    walks: dict[tuple[Window, ...], list[Measure[Any]]] = {}
    for m, through in by_measure.items():
        walks.setdefault(tuple(through), []).append(m)
    return ((tuple(together), through) for through, together in walks.items())


def _band(curve: Curve, drawn: F64, level: float, draws: int, cut: Cut) -> Curve:
    low, high = _quantiles(drawn, (1 - level) / 2, (1 + level) / 2)
    how = "weighed anew" if cut.weigh else "drawn from nearby"
    about = {
        "band": f"{100 * level:g} % of {draws} draws, {cut.kind} blocks of {cut.length:.4g} {how}",
        "validity": FIXED,
    }
    return replace(curve, definition={**curve.definition, **about}, low=low, high=high)


def _length(fitting: float, count: int, spec: tuple[str, float]) -> float:
    match spec:
        case ("sliding" | "tumbling", size):
            fitting = min(fitting, size / BLOCKS_IN_WINDOW)
        case ("fading", factor) if factor < 1:
            fitting = min(fitting, 1 / (1 - factor) / BLOCKS_IN_WINDOW)
        case ("ewma", weight):
            fitting = min(fitting, 1 / weight / BLOCKS_IN_WINDOW)
    return max(1.0, min(fitting, max(count, 1) / BLOCKS_IN_WINDOW))


def _losses(log: Log) -> Iterator[F64]:
    left = LOOKED_AT
    for batch in log.pairs():
        loss, known = losses(batch.label, batch.answer)
        some = loss[known][:left]
        left -= len(some)
        yield some
        if left <= 0:
            return


def _quantiles(drawn: F64, low: float, high: float) -> tuple[F64, F64]:
    """Point by point, over the curves that are defined there; no mean of two, which may be inf."""
    ordered = np.sort(drawn, axis=0)  # NaNs go last
    last = (~np.isnan(drawn)).sum(0) - 1
    places = np.floor(low * last), np.ceil(high * last)
    ends = [
        np.take_along_axis(ordered, np.maximum(p, 0).astype(np.intp)[None], 0)[0] for p in places
    ]
    return ends[0], ends[1]


def _many(what: object) -> bool:
    return isinstance(what, Sequence) and not isinstance(what, str)


def _each(what: Any) -> list[Any]:
    return list(what) if _many(what) else [what]
