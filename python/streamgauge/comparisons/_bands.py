"""Confidence bands around learning curves, for dependent losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, overload

import numpy as np

from streamgauge.comparisons._block_bootstrap import Blocks, block_length, check_blocks
from streamgauge.comparisons._resampled_curves import BlockScheme, CurveOptions, resampled_curves
from streamgauge.comparisons.verdict import FIXED
from streamgauge.detectors.losses import losses
from streamgauge.errors import reported_by
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

MOST_CURVES = 10_000
"""Largest number of resampled curves, which are in memory together."""

BLOCKS_IN_WINDOW = 8
"""Number of blocks in a window, at least; a window of fewer items has one block per item."""


# a str is a sequence of str, so the overloads overlap; the first match applies
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
@reported_by("bands", "measure", "one_fold")
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
    """Learning curves with confidence bands, for any measure in any window.

    The stream is split into blocks, and each block gets a random weight (exponential, mean 1): the
    Bayesian bootstrap. Blocks keep their positions, so curves over drifting streams can be
    resampled. What is not defined with weights (`ewma` windows, `auc`, `kappa_se`, `kappa_se0`,
    `kappa_z`, variants of MOA) uses the local block bootstrap: each block is replaced by one that
    begins at most 8 lengths before or after it. Each draw splits the stream again. The band is
    pointwise, and valid at an end fixed beforehand.

    Parameters
    ----------
    log
        The log of a run.
    measures, windows
        By name or as objects, one or many; by default the whole log.
    level
        Share of the resampled curves within the band at each point.
    kind
        Block lengths are random (`"stationary"`) or equal (`"moving"`, `"circular"`).
    block
        The (mean) block length; by default chosen by `block_length` from the losses, and short
        enough for 8 blocks per window, but not below 1.
    draws
        Number of resampled curves.
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
    loss_values = np.empty(0) if block is not None else np.concatenate([np.empty(0), *_losses(log)])
    made: dict[tuple[str, str], Curve] = {}
    for scheme, pairs in _schemes(wanted, window_list, loss_values, kind, block).items():
        for group_measures, group_windows in _passes(pairs):
            plain_curves = [
                plain[str(m), str(w)] for m, w in product(group_measures, group_windows)
            ]
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
            for curve, resampled in zip(
                plain_curves, (s for row in drawn for s in row), strict=True
            ):
                band = _band(curve, resampled, level, draws, scheme)
                made[curve.measure, curve.window] = band
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
    optimal_length = block_length(loss_values, kind) if block is None else 0.0
    schemes: dict[BlockScheme, list[tuple[Measure[Any], Window]]] = {}
    for m, w in product(measures, windows):
        length = (
            _length(optimal_length, len(loss_values), w.spec) if block is None else float(block)
        )
        reweight = m.weighable() and w.spec[0] != "ewma"
        schemes.setdefault(BlockScheme(length, kind, reweight), []).append((m, w))
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


def _band(curve: Curve, drawn: F64, level: float, draws: int, scheme: BlockScheme) -> Curve:
    low, high = _quantiles(drawn, (1 - level) / 2, (1 + level) / 2)
    how = "with random weights" if scheme.reweight else "replaced by nearby ones"
    about = {
        "band": f"{100 * level:g} % of {draws} draws, {scheme.kind} blocks of "
        f"{scheme.length:.4g} {how}",
        "validity": FIXED,
    }
    return replace(curve, definition={**curve.definition, **about}, low=low, high=high)


def _length(optimal_length: float, count: int, spec: tuple[str, float]) -> float:
    match spec:
        case ("sliding" | "tumbling", size):
            optimal_length = min(optimal_length, size / BLOCKS_IN_WINDOW)
        case ("fading", factor) if factor < 1:
            optimal_length = min(optimal_length, 1 / (1 - factor) / BLOCKS_IN_WINDOW)
        case ("ewma", weight):
            optimal_length = min(optimal_length, 1 / weight / BLOCKS_IN_WINDOW)
    return max(1.0, min(optimal_length, max(count, 1) / BLOCKS_IN_WINDOW))


def _losses(log: Log) -> Iterator[F64]:
    left = BLOCK_LENGTH_LOSSES
    for batch in log.pairs():
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
