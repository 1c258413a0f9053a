"""Confidence bands around learning curves, for dependent losses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, overload

import numpy as np

from streamgauge.comparisons._band_factors import WHOLE_START, band_factors
from streamgauge.comparisons._band_level import ABandLevel, BandLevel, band_level
from streamgauge.comparisons._block_bootstrap import Blocks, block_length, check_blocks
from streamgauge.comparisons._resampled_curves import BlockScheme, CurveOptions, resampled_curves
from streamgauge.comparisons._window_dependence import (
    WindowDependence,
    centred,
    longest_block,
    memory_of,
    window_dependence,
)
from streamgauge.comparisons.verdict import ANYTIME, FIXED
from streamgauge.detectors.losses import losses
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.measures._compute import AMeasure, AWindow, measure
from streamgauge.measures._curves import Curves
from streamgauge.measures._measure import Measure
from streamgauge.names import make
from streamgauge.seeds import child
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64, Curve
from streamgauge.windows import Whole
from streamgauge.windows._window import Window

BLOCK_LENGTH_LOSSES = 100_000
"""Number of losses, from the first, from which the block length is chosen."""

DRAWS = 200
"""Least number of resampled curves by default."""

MOST_CURVES = 10_000
"""Largest number of resampled curves, which are in memory together."""


# a str is a sequence of str, so the overloads overlap; the first match applies
@overload
def bands(  # type: ignore[overload-overlap]
    log: Log,
    measures: AMeasure,
    windows: AWindow | None = None,
    *,
    level: ABandLevel = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int | None = None,
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
    level: ABandLevel = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int | None = None,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    seed: int = 0,
    fold: int | None = None,
) -> Curves: ...
@plain_numbers
@reported_by("bands", "measure", "one_fold")
def bands(
    log: Log,
    measures: AMeasure | Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None = None,
    *,
    level: ABandLevel = 0.95,
    kind: Blocks = "stationary",
    block: float | None = None,
    draws: int | None = None,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    seed: int = 0,
    fold: int | None = None,
) -> Curve | Curves:
    """Learning curves with confidence bands, for any measure in any window.

    The stream is split into blocks, and each block gets a random weight (exponential, mean 1): the
    Bayesian bootstrap. Blocks keep their positions, so curves over drifting streams can be
    resampled. What is not defined with weights (`ewma` windows, `auc`, `kappa_se`, `kappa_se0`,
    `kappa_z`, variants of MOA) uses the local block bootstrap: each block is replaced by one that
    begins at most 8 lengths before or after it. Each draw splits the stream again.

    Blocks are as long as the dependence of the losses requires, but a window holds at least 8
    of them. Few blocks show the spread badly, so the distances between the curve and the quantiles
    over the draws are multiplied by that of Student's t, and by what blocks shorter than the
    dependence miss, extrapolated from the growth of their variance with the length. If a window is
    worth fewer than 16 independent items, or fewer than 5 times the squared skewness of the losses
    (rare errors), or if the variance of sums over an eighth of it is still 1.8 times that of sums a
    quarter as long, per item, `definition["warning"]` states it. The band is NaN where a window
    holds fewer than two blocks, and without width where it holds no errors.

    A pointwise band holds at each point, at an end fixed beforehand. A time-uniform band holds at
    all points together, however long the stream: with this probability the expected curve never
    leaves it. It is wider, nowhere narrower than on average (a window in which errors happen to be
    few shows too small a spread), and begins with the first full window (of fading and ewma
    windows at twice its length), or at item 2,000 of a curve over all items.

    Parameters
    ----------
    log
        The log of a run.
    measures, windows
        By name or as objects, one or many; by default the whole log.
    level
        Probability that the band covers the expected value at a point, or, as
        `"time_uniform(0.95)"`, that it covers the expected curve at all points.
    kind
        Block lengths are random (`"stationary"`) or equal (`"moving"`, `"circular"`).
    block
        The (mean) block length; by default chosen by `block_length` from the losses, centred in
        parts of 10 windows, and short enough for 8 blocks per window, but not below 1.
    draws
        Number of resampled curves; by default 200, or as many as the quantiles of the level need
        (2,000 for 0.999).
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
    Slepian. First passage time for a particular Gaussian process. Annals of Mathematical
    Statistics 32 (1961).
    """
    wanted_level = band_level("bands", "level", level)
    if draws is None:
        draws = max(DRAWS, math.ceil(2 / (1 - wanted_level.level) - 1e-6))
    check_blocks("bands", kind, block, wanted_level.level, draws)
    at_most("bands", "draws", draws, MOST_CURVES)
    log = one_fold(log, fold)
    one = not (_many(measures) or _many(windows))
    wanted = [make("measure", m) if isinstance(m, str) else m for m in _each(measures)]
    window_list = [
        make("window", w) if isinstance(w, str) else w
        for w in _each(Whole() if windows is None else windows)
    ]
    curves = measure(log, wanted, window_list, every=every, cold_start=cold_start)
    plain = {(c.measure, c.window): c for c in curves}
    loss_values = np.empty(0) if block is not None else _scaled_losses(log)
    made: dict[tuple[str, str], Curve] = {}
    dependences: dict[Window, WindowDependence] = {}
    for scheme, pairs in _schemes(wanted, window_list, loss_values, kind, block).items():
        for group_measures, group_windows in _passes(pairs):
            chosen = list(product(group_measures, group_windows))
            plain_curves = [plain[str(m), str(w)] for m, w in chosen]
            definition = plain_curves[0].definition
            policy: Any = definition["cold_start"]
            wanted_curves = CurveOptions(
                group_measures,
                group_windows,
                int(definition["every"]),
                policy,
                max(len(c.at) for c in plain_curves),
                int(definition["items"]),
            )
            drawn = resampled_curves(log, wanted_curves, scheme, draws, child(seed, "bands"))
            each_drawn = (s for row in drawn for s in row)
            for (m, w), curve, resampled in zip(chosen, plain_curves, each_drawn, strict=True):
                if block is None and w not in dependences:
                    memory = memory_of(w.spec)
                    dependences[w] = window_dependence(loss_values, memory, scheme.length)
                found_dependence = dependences.get(w)
                made[curve.measure, curve.window] = _band(
                    curve, resampled, m.span, w, wanted_level, scheme, found_dependence
                )
    found = [made[c.measure, c.window] for c in curves]
    return found[0] if one else Curves(found)


def _schemes(
    measures: Sequence[Measure[Any]],
    windows: Sequence[Window],
    loss_values: F64,
    kind: Blocks,
    block: float | None,
) -> dict[BlockScheme, list[tuple[Measure[Any], Window]]]:
    """The block scheme of each curve, with the curves that share it."""
    lengths: dict[Window, float] = {}
    for w in windows:
        memory = memory_of(w.spec)
        lengths[w] = (
            min(
                block_length(centred(loss_values, memory), kind),
                longest_block(memory, len(loss_values)),
            )
            if block is None
            else float(block)
        )
    schemes: dict[BlockScheme, list[tuple[Measure[Any], Window]]] = {}
    for m, w in product(measures, windows):
        reweight = m.weighable() and w.spec[0] != "ewma"
        schemes.setdefault(BlockScheme(lengths[w], kind, reweight), []).append((m, w))
    return schemes


def _passes(
    pairs: Sequence[tuple[Measure[Any], Window]],
) -> Iterator[tuple[tuple[Measure[Any], ...], tuple[Window, ...]]]:
    """Curves of one scheme, grouped so that each group has all its measures in all its windows."""
    by_measure: dict[Measure[Any], list[Window]] = {}
    for m, w in pairs:
        by_measure.setdefault(m, []).append(w)
    groups: dict[tuple[Window, ...], list[Measure[Any]]] = {}
    for m, group_windows in by_measure.items():
        groups.setdefault(tuple(group_windows), []).append(m)
    return (
        (tuple(group_measures), group_windows) for group_windows, group_measures in groups.items()
    )


def _band(
    curve: Curve,
    drawn: F64,
    span: tuple[float, float],
    window: Window,
    level: BandLevel,
    scheme: BlockScheme,
    dependence: WindowDependence | None,
) -> Curve:
    """The curve with its band: quantiles over the draws, wider by `band_factors`."""
    kind, size = window.spec
    step = int(size) if kind == "tumbling" else int(curve.definition["every"])
    rows = np.minimum(step * np.arange(1, len(curve.at) + 1), int(curve.definition["items"]))
    shortfall = 1.0 if dependence is None else dependence.shortfall
    factors = band_factors(level, window.spec, rows, scheme, shortfall)
    low, high = _quantiles(drawn, (1 - level.level) / 2, (1 + level.level) / 2)
    if level.time_uniform:
        held = np.minimum(rows, memory_of(window.spec))
        low, high = _at_least_usual(curve.value, low, high, held)
    how = "with random weights" if scheme.reweight else "replaced by nearby ones"
    about = {
        "band": f"{_covers(level, window)}, from {len(drawn)} draws, {scheme.kind} blocks of "
        f"{scheme.length:.4g} {how}",
        "validity": ANYTIME if level.time_uniform else FIXED,
    }
    if dependence is not None:
        about["effective_items"] = f"{dependence.effective_items:.4g}"
        if dependence.warning:
            about["warning"] = dependence.warning
    return replace(
        curve,
        definition={**curve.definition, **about},
        low=_widened(curve.value, low, factors, span, -1),
        high=_widened(curve.value, high, factors, span, 1),
    )


def _at_least_usual(value: F64, low: F64, high: F64, held: F64) -> tuple[F64, F64]:
    """Limits at least as far away as they are on average, for windows that hold so many items.

    A window in which errors happen to be few shows a small spread just where the curve is far from
    its expectation; over many windows there is one.
    """
    with np.errstate(invalid="ignore"):  # infinite values
        distances = np.concatenate([value - low, high - value])
    away = np.abs(distances) * np.sqrt(np.concatenate([held, held]))
    known = away[np.isfinite(away)]
    largest = float(known.max(initial=0.0))
    if largest == 0:
        return low, high
    usual = largest * np.sqrt(((known / largest) ** 2).mean() / held)
    return np.minimum(low, value - usual), np.maximum(high, value + usual)


def _covers(level: BandLevel, window: Window) -> str:
    share = f"{100 * level.level:g} %"
    if not level.time_uniform:
        return f"{share} at each point"
    start = f"item {WHOLE_START:,}" if memory_of(window.spec) == np.inf else "the first full window"
    return f"{share} at all points together from {start} on"


def _widened(value: F64, limit: F64, factors: F64, span: tuple[float, float], side: int) -> F64:
    """The limit on a side of the curve (-1 or 1), further away, within the range of the measure."""
    with np.errstate(invalid="ignore"):
        away = limit - value
        moved = np.where(side * away > 0, value + factors * away, limit)
    moved[np.isnan(factors)] = np.nan
    return np.clip(moved, *span)


def _scaled_losses(log: Log) -> F64:
    """The first losses, over the largest of them: their dependence has no unit, and no overflow."""
    found = np.concatenate([np.empty(0), *_losses(log)])
    if not np.isfinite(found).all():
        raise ParameterError(
            "bands: losses must be finite to choose a block length, got infinite ones; give block="
        )
    largest = float(np.abs(found).max(initial=0.0))
    return found / largest if largest > 0 else found


def _losses(log: Log) -> Iterator[F64]:
    left = BLOCK_LENGTH_LOSSES
    for batch in log.labelled_predictions():
        loss, known = losses(batch.label, batch.prediction)
        some = loss[known][:left]
        left -= len(some)
        yield some
        if left <= 0:
            return


def _quantiles(drawn: F64, low: float, high: float) -> tuple[F64, F64]:
    """Quantiles at each point over the curves defined there; not interpolated: some may be inf."""
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
