"""The verdict from the statistics of a pair of learners."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._pair_statistics import ComparisonOptions, LossSums, PairStatistics
from streamgauge.comparisons._statements import long_run_of, now_of, so_far_of
from streamgauge.comparisons._text import items
from streamgauge.comparisons.diebold_mariano import DIEBOLD_MARIANO_COLUMN, from_autocovariances
from streamgauge.comparisons.long_run import LongRun
from streamgauge.comparisons.mcnemar import (
    EXACT_BELOW,
    MCNEMAR_COLUMN,
    MCNEMAR_FORMULA,
    mcnemar_p,
    mcnemar_statistic,
)
from streamgauge.comparisons.q import Q_COLUMN, Q_FORMULA, q_statistic
from streamgauge.comparisons.so_far import SoFar
from streamgauge.comparisons.verdict import ANYTIME, FIXED, Statistic, Validity, Verdict
from streamgauge.measures._curves import Curves
from streamgauge.types import F64, Curve
from streamgauge.windows._window import Window

LONG_RUN_COLUMN = "long_run_difference_a_minus_b"
SO_FAR_COLUMN = "difference_of_mean_losses_a_minus_b"
"""Names of the two differences in verdicts and curves; they contain the sign convention."""

MEAN_FORMULA = "mean loss of A - mean loss of B"
LONG_RUN_FORMULA = f"{MEAN_FORMULA} ± the radius for the long run, errors dependent"
SO_FAR_FORMULA = f"{MEAN_FORMULA}, interval of the mean of its conditional expectations (bets)"


def verdict_of(
    statistics: PairStatistics,
    names: tuple[str, str],
    options: ComparisonOptions,
    level: int = -1,
    notes: tuple[str, ...] = (),
    margin: float | None = None,
) -> Verdict:
    """The verdict at one of the levels of the options; by default the last one."""
    test, where, axis = statistics.test, statistics.positions, statistics.axis
    level = range(len(options.levels))[level]
    share = options.levels[-1]
    long_run = long_run_of(
        test, names, options.levels[level], options.side, options.spell, level, where, axis,
        options.bound,
    )  # fmt: skip
    so_far = so_far_of(test, names, share, options.side, where, axis, options.bound)
    whole = statistics.whole
    n, loss_sum_a, loss_sum_b = (
        _last_or_zero(x) for x in (whole.count, whole.loss_sum_a, whole.loss_sum_b)
    )
    return Verdict(
        *names,
        loss=options.loss,
        alpha=options.levels[level],
        side=options.side,
        n_labels=statistics.n_labels,
        counted=round(n),
        loss_a=loss_sum_a / n if n else math.nan,
        loss_b=loss_sum_b / n if n else math.nan,
        long_run=long_run,
        so_far=so_far,
        now=now_of(test, names, share, options.side, options.spell, options.bound),
        margin=margin,
        statistics=_make_statistics(statistics, names, options, long_run, so_far),
        curves=Curves(_curves(statistics, options)),
        notes=(*_notes(statistics, names), *notes),
        axis=axis,
    )


def _last_or_zero(values: F64) -> float:
    return float(values[-1]) if len(values) else 0.0


def _make_statistics(
    statistics: PairStatistics,
    names: tuple[str, str],
    options: ComparisonOptions,
    long_run: LongRun,
    so_far: SoFar | None,
) -> tuple[Statistic, ...]:
    a, b = names

    def favoured(value: float) -> str | None:
        """The better learner: all statistics are positive if A is worse."""
        return None if not value else (b if value > 0 else a if value < 0 else None)

    value = long_run.difference
    made = [
        Statistic(
            LONG_RUN_COLUMN, "whole", value, ANYTIME, favoured(value), long_run.p,
            low=long_run.low, high=long_run.high, method=f"dependence up to {options.spell} items",
        )
    ]  # fmt: skip
    if so_far is not None:
        made.append(
            Statistic(
                SO_FAR_COLUMN, "whole", value, ANYTIME, favoured(value), so_far.p,
                so_far.log_e_value, so_far.low, so_far.high, "bets, about the items seen",
            )
        )  # fmt: skip
    for window, sums in zip(options.windows, statistics.windows, strict=True):
        value = _last_or_nan(q_statistic(sums.loss_sum_a, sums.loss_sum_b))
        made.append(Statistic(Q_COLUMN, str(window), value, FIXED, favoured(value)))
    if options.loss == "zero_one":
        for window, sums in zip(options.windows, statistics.windows, strict=True):
            made.append(_mcnemar_statistic(window, sums, options.side, favoured))
    if not statistics.autocovariances[0]:
        return tuple(made)
    whole = statistics.whole
    n = _last_or_zero(whole.count)
    largest = max(_last_or_zero(whole.loss_sum_a), _last_or_zero(whole.loss_sum_b))
    size = largest / n if n else 0.0
    value, p = from_autocovariances(*statistics.autocovariances, options.side, size)
    made.append(
        Statistic(
            DIEBOLD_MARIANO_COLUMN, "whole", value, FIXED, favoured(value), p,
            method=f"{len(statistics.autocovariances[2]) - 1} lags",
        )
    )  # fmt: skip
    return tuple(made)


def _mcnemar_statistic(window: Window, sums: LossSums, side: Side, favoured: Any) -> Statistic:
    value = _last_or_nan(mcnemar_statistic(sums.worse_a, sums.worse_b))
    p, method = math.nan, "fading sums have no p-value"
    if window.spec[0] != "fading":
        counts = _last_or_zero(sums.worse_a), _last_or_zero(sums.worse_b)
        p = mcnemar_p(*counts, side) if len(sums.count) else math.nan
        method = "exact binomial" if sum(counts) < EXACT_BELOW else "chi-squared"
    return Statistic(MCNEMAR_COLUMN, str(window), value, FIXED, favoured(value), p, method=method)


def _last_or_nan(values: F64) -> float:
    return float(values[-1]) if len(values) else math.nan


def _curves(statistics: PairStatistics, options: ComparisonOptions) -> list[Curve]:
    about = {
        "loss": options.loss,
        "cold_start": options.cold_start,
        "every": str(statistics.every),
        "items": str(statistics.n_labels),
    }

    def curve(
        name: str, window: str, sums: LossSums, value: F64, formula: str, valid: Validity
    ) -> Curve:
        definition = {"measure": name, "formula": formula, "window": window, "validity": valid}
        return Curve(name, window, sums.at, value, {**definition, **about}, axis=statistics.axis)

    made: list[Curve] = []
    for window, s in zip(options.windows, statistics.windows, strict=True):
        value = q_statistic(s.loss_sum_a, s.loss_sum_b)
        made.append(curve(Q_COLUMN, str(window), s, value, Q_FORMULA, FIXED))
        if options.loss == "zero_one":
            value = mcnemar_statistic(s.worse_a, s.worse_b)
            made.append(curve(MCNEMAR_COLUMN, str(window), s, value, MCNEMAR_FORMULA, FIXED))
    s = statistics.whole
    total_difference = s.loss_sum_a - s.loss_sum_b
    with np.errstate(invalid="ignore"):
        mean = total_difference / s.count
    so_far_low, so_far_high, low, high = statistics.test.curve()
    long_run = curve(LONG_RUN_COLUMN, "whole", s, mean, LONG_RUN_FORMULA, ANYTIME)
    made.append(_between(long_run, low, high, options))
    if math.isfinite(options.bound):
        so_far = curve(SO_FAR_COLUMN, "whole", s, mean, SO_FAR_FORMULA, ANYTIME)
        made.append(_between(so_far, so_far_low, so_far_high, options))
    return made


def _between(curve: Curve, low: F64, high: F64, options: ComparisonOptions) -> Curve:
    """The curve with its interval, open on the side that is not tested."""
    bound = options.bound
    side: Side = options.side
    low = np.full_like(low, -bound) if side == "a" else np.maximum(low, -bound)
    high = np.full_like(high, bound) if side == "b" else np.minimum(high, bound)
    return replace(curve, low=low, high=high)


def _notes(statistics: PairStatistics, names: tuple[str, str]) -> tuple[str, ...]:
    notes = []
    for only, name in ((statistics.only_a, names[0]), (statistics.only_b, names[1])):
        if only:
            notes.append(f"Left out: {items(only)} that only {name} has.")
    left_out = round(_last_or_zero(statistics.whole.left_out))
    if left_out:
        notes.append(f"Left out: {items(left_out)} without a prediction of one of them.")
    if statistics.clipped:
        notes.append(f"Clipped to the bound: the losses of {items(statistics.clipped)}.")
    return tuple(notes)
