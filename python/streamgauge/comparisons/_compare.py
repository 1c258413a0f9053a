"""`compare`: the verdict on two logs of one stream, from one pass over both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from streamgauge.comparisons._checks import Side, check_alpha, check_side
from streamgauge.comparisons._compare_repetitions import compare_repetitions
from streamgauge.comparisons._options import checked_options, names_of
from streamgauge.comparisons._pair_statistics import (
    ComparisonOptions,
    LossSums,
    PairStatistics,
    pair_statistics,
)
from streamgauge.comparisons.confidence_sequence import (
    DIFFERENCE_COLUMN,
    DIFFERENCE_FORMULA,
    MEAN_FORMULA,
    difference_interval,
    difference_log_e_values,
)
from streamgauge.comparisons.diebold_mariano import DIEBOLD_MARIANO_COLUMN, from_autocovariances
from streamgauge.comparisons.mcnemar import (
    EXACT_BELOW,
    MCNEMAR_COLUMN,
    MCNEMAR_FORMULA,
    mcnemar_log_e_values,
    mcnemar_p,
    mcnemar_statistic,
)
from streamgauge.comparisons.q import Q_COLUMN, Q_FORMULA, q_statistic
from streamgauge.comparisons.repeated_verdict import RepeatedVerdict
from streamgauge.comparisons.verdict import (
    ANYTIME,
    FIXED,
    Statistic,
    Validity,
    Verdict,
    format_items,
)
from streamgauge.errors import LogError, ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.log.lateness import lateness
from streamgauge.measures._curves import Curves
from streamgauge.repetitions._by_fold import by_fold, fold_count
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64, Curve
from streamgauge.windows._window import Window

MCNEMAR_E_VALUE_COLUMN = "anytime_valid_mcnemar_e_value"


# the logs of several folds give a RepeatedVerdict, too; their number is not part of the type
@overload
def compare(
    a: Log,
    b: Log,
    *,
    names: Sequence[str] | None = ...,
    windows: str | Window | Sequence[str | Window] | None = ...,
    alpha: float = ...,
    side: Side = ...,
    loss: str | None = ...,
    bound: float | None = ...,
    cold_start: ColdStart | None = ...,
    every: int | None = ...,
    lags: int | None = ...,
    common: bool = ...,
    fold: int | None = ...,
) -> Verdict: ...
@overload
def compare(
    a: Sequence[Log],
    b: Sequence[Log],
    *,
    names: Sequence[str] | None = ...,
    windows: str | Window | Sequence[str | Window] | None = ...,
    alpha: float = ...,
    side: Side = ...,
    loss: str | None = ...,
    bound: float | None = ...,
    cold_start: ColdStart | None = ...,
    every: int | None = ...,
    lags: int | None = ...,
    common: bool = ...,
    fold: int | None = ...,
) -> RepeatedVerdict: ...
@plain_numbers
@reported_by("compare", "one_fold")
def compare(
    a: Log | Sequence[Log],
    b: Log | Sequence[Log],
    *,
    names: Sequence[str] | None = None,
    windows: str | Window | Sequence[str | Window] | None = None,
    alpha: float = 0.05,
    side: Side = "either",
    loss: str | None = None,
    bound: float | None = None,
    cold_start: ColdStart | None = None,
    every: int | None = None,
    lags: int | None = None,
    common: bool = False,
    fold: int | None = None,
) -> Verdict | RepeatedVerdict:
    """Compare two learners on one stream.

    The verdict is decided by anytime-valid evidence, which may be checked after every item. The
    classical statistics are given beside it, in each window, and marked *fixed horizon only*:
    tested repeatedly, they find a difference between equal learners sooner or later. Pairs are in
    the order in which labels became known, and the mean difference in that order is tested.

    Parameters
    ----------
    a, b
        Their logs. Both must have labels for the same items; they are joined by item. Or the logs
        of their repetitions, which are paired by seed: the verdict is then about the mean over
        repetitions (`RepeatedVerdict`), by a t interval of the paired differences. Logs with the
        same folds are compared fold by fold: the verdict is then about the mean over folds, by the
        corrected resampled t test, since folds of one stream learn overlapping items.
    names
        Names of the two; by default those of their learners.
    windows
        Windows of the classical statistics; by default `whole`, `sliding(1000)` and
        `fading(0.999)`.
    alpha
        Probability of ever naming a winner between equal learners, at most.
    side
        `"either"` for a two-sided test; `"a"` or `"b"` to test only whether that one is better.
    loss
        `"zero_one"` for classes; `"absolute"` (default) or `"squared"` for reals.
    bound
        The largest real loss; larger ones are clipped. Without it real losses are compared at a
        fixed horizon only.
    cold_start
        How an item without a prediction of one of them is treated, as in `measure`.
    every
        Number of pairs between points of the curves; by default a round number.
    lags
        Number of lags of the Diebold-Mariano test; by default by Newey and West's rule.
    common
        Compare on the items in both logs, if they differ.
    fold
        Which fold of both learners, if there are several: the verdict is then that of one run.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> schema = Schema((), classes=("no", "yes"))
    >>> rng = np.random.default_rng(1)
    >>> label = rng.integers(0, 2, 5000, dtype=np.int32)
    >>> wrong = rng.random((2, 5000)) < [[0.2], [0.25]]
    >>> good, bad = (from_columns(schema, label, np.where(w, 1 - label, label)) for w in wrong)
    >>> verdict = compare(good, bad, names=("good", "bad"))
    >>> verdict.winner, verdict.since
    ('good', 2194)
    >>> verdict.difference, (verdict.low, verdict.high)
    (-0.0562, (-0.0841, -0.0283))
    >>> verdict["mcnemar", "whole"].value, verdict["mcnemar", "whole"].validity
    (-46.1, 'fixed horizon only')

    Three repetitions of two learners:

    >>> import streamgauge as sg
    >>> stream = sg.streams.SEA(items=2000)
    >>> runs = [[sg.run(stream, learner, seed=s) for s in (1, 2, 3)]
    ...         for learner in (sg.learners.NaiveBayes(), sg.learners.Persistent())]
    >>> repeated = compare(*runs)
    >>> repeated.winner, repeated.difference.mean, repeated.difference.sd
    ('naive_bayes', -0.327, 0.00831)
    """
    if not isinstance(a, Log) and not isinstance(b, Log):
        check_alpha("compare", alpha)
        check_side("compare", side)
        _check_repetitions(a, b)
        both = names_of(a[0], b[0], names)
        terms: Any = {
            "names": both, "windows": windows, "alpha": alpha, "side": side, "loss": loss,
            "bound": bound, "cold_start": cold_start, "every": every, "lags": lags,
            "common": common, "fold": fold,
        }  # fmt: skip

        def compare_pair(one: Log, two: Log) -> tuple[Verdict, ...]:
            found = compare(one, two, **terms)
            return (found,) if isinstance(found, Verdict) else found.verdicts

        return compare_repetitions(a, b, both, alpha, side, compare_pair)
    if fold is None and isinstance(a, Log) and isinstance(b, Log) and several_folds(a, b):
        return compare(
            by_fold(a), by_fold(b), names=names_of(a, b, names), windows=windows, alpha=alpha,
            side=side, loss=loss, bound=bound, cold_start=cold_start, every=every, lags=lags,
            common=common,
        )  # fmt: skip
    if not isinstance(a, Log) or not isinstance(b, Log):
        kinds = " and ".join(type(one).__name__ for one in (a, b))
        raise ParameterError(
            f"compare: a and b must be two logs, or two lists of repetitions, got {kinds}"
        )
    a, b = one_fold(a, fold), one_fold(b, fold)
    options = checked_options(
        a, b, windows, alpha, side, loss, bound, cold_start, every, lags, common
    )
    return verdict_of(
        pair_statistics(a, b, options),
        names_of(a, b, names),
        options,
        alpha,
        side,
        notes_on_log(a),
    )


def several_folds(a: Log, b: Log) -> bool:
    """Whether both logs have several folds; they must have as many."""
    counts = fold_count(a), fold_count(b)
    if counts[0] != counts[1]:
        raise LogError(
            f"compare: logs must have the same folds, got {counts[0]} and {counts[1]}; give fold= "
            "to compare one of them"
        )
    return counts[0] > 1


def notes_on_log(log: Log) -> tuple[str, ...]:
    """Notes on what is compared: one test, or an order of labels that depends on the class."""
    if "test_set" in log.about:
        return (
            "The predictions of the last test are compared: those of earlier tests are of the same "
            "items. The verdict is about the two models at that time.",
        )
    found = lateness(log)
    if found is None or not found.to_text():
        return ()
    return (f"{found.to_text()} The difference is tested in the order labels became known.",)


def verdict_of(
    statistics: PairStatistics,
    names: tuple[str, str],
    options: ComparisonOptions,
    alpha: float,
    side: Side,
    notes: tuple[str, ...] = (),
) -> Verdict:
    """The verdict from the statistics of a pair of logs."""
    whole = statistics.whole
    n, loss_sum_a, loss_sum_b, squares = (_last_or_zero(x) for x in _whole_sums(whole))
    total_difference = loss_sum_a - loss_sum_b
    difference = total_difference / n if n else math.nan
    low = high = log_e_value_a = log_e_value_b = math.nan
    winner, since, first = None, None, None
    if statistics.threshold_times is not None:
        times_a, times_b = statistics.threshold_times
        for_a, for_b = difference_log_e_values(total_difference, squares, options.bound)
        log_e_value_a, log_e_value_b = float(for_a), float(for_b)
        if n:
            bounds = difference_interval(n, total_difference, squares, alpha, options.bound, side)
            low, high = float(bounds[0]), float(bounds[1])
        sides = [
            s for s in zip("ab", names, (times_a, times_b), strict=True) if side in ("either", s[0])
        ]
        for _, name, times in sides:
            if times.since is not None:
                winner, since = name, times.since
        reached = [
            (c.first[options.main], name)
            for _, name, c in sides
            if c.first[options.main] is not None
        ]
        if reached:
            at, name = min(reached)
            first = (name, int(at or 0))
    return Verdict(
        *names,
        winner=winner,
        since=since,
        first=first,
        loss=options.loss,
        alpha=alpha,
        side=side,
        pairs=statistics.pairs,
        counted=round(n),
        loss_a=loss_sum_a / n if n else math.nan,
        loss_b=loss_sum_b / n if n else math.nan,
        difference=difference,
        low=low,
        high=high,
        log_e_value_a=log_e_value_a,
        log_e_value_b=log_e_value_b,
        statistics=_make_statistics(
            statistics, names, options, alpha, side, (log_e_value_a, log_e_value_b, low, high)
        ),
        curves=Curves(_curves(statistics, options, alpha, side)),
        notes=(*_notes(statistics, names), *notes),
        axis=statistics.axis,
    )


def _check_repetitions(*sides: Sequence[Log]) -> None:
    for logs in sides:
        if not isinstance(logs, Sequence) or not logs or not isinstance(logs[0], Log):
            raise ParameterError.of("compare", "a and b", "logs, or lists of repetitions", logs)


def _last_or_zero(values: F64) -> float:
    return float(values[-1]) if len(values) else 0.0


def _whole_sums(whole: LossSums) -> tuple[F64, F64, F64, F64]:
    return whole.count, whole.loss_sum_a, whole.loss_sum_b, whole.squares


def _make_statistics(
    statistics: PairStatistics,
    names: tuple[str, str],
    options: ComparisonOptions,
    alpha: float,
    side: Side,
    anytime: tuple[float, float, float, float],
) -> tuple[Statistic, ...]:
    a, b = names

    def favoured(value: float) -> str | None:
        """The better learner: all statistics are positive if A is worse."""
        return None if not value else (b if value > 0 else a if value < 0 else None)

    made: list[Statistic] = []
    whole = statistics.whole
    worse = (_last_or_zero(whole.worse_a), _last_or_zero(whole.worse_b))
    if statistics.threshold_times is not None:
        log_e_value_a, log_e_value_b, low, high = anytime
        n, loss_sum_a, loss_sum_b, _ = (_last_or_zero(x) for x in _whole_sums(whole))
        value = (loss_sum_a - loss_sum_b) / n if n else math.nan
        log_e_value = _chosen(log_e_value_a, log_e_value_b, side)
        made.append(
            Statistic(
                DIFFERENCE_COLUMN, "whole", value, ANYTIME, favoured(value), _p(log_e_value),
                log_e_value, low, high, "confidence sequence",
            )
        )  # fmt: skip
    if options.loss == "zero_one":
        for_a, for_b = mcnemar_log_e_values(*worse)
        log_e_value = _chosen(float(for_a), float(for_b), side)
        value = worse[0] - worse[1]
        made.append(
            Statistic(
                MCNEMAR_E_VALUE_COLUMN, "whole", math.exp(min(log_e_value, 700.0)), ANYTIME,
                favoured(value), _p(log_e_value), log_e_value,
                method="e-process on the disagreements",
            )
        )  # fmt: skip
    for window, sums in zip(options.windows, statistics.windows, strict=True):
        value = _last_or_nan(q_statistic(sums.loss_sum_a, sums.loss_sum_b))
        made.append(Statistic(Q_COLUMN, str(window), value, FIXED, favoured(value)))
    if options.loss == "zero_one":
        for window, sums in zip(options.windows, statistics.windows, strict=True):
            made.append(_mcnemar_statistic(window, sums, side, favoured))
    if not statistics.autocovariances[0]:
        return tuple(made)
    n, loss_sum_a, loss_sum_b, _ = (_last_or_zero(x) for x in _whole_sums(whole))
    size = max(loss_sum_a, loss_sum_b) / n if n else 0.0
    value, p = from_autocovariances(*statistics.autocovariances, side, size)
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


def _chosen(log_e_value_a: float, log_e_value_b: float, side: Side) -> float:
    if side == "either":
        return max(log_e_value_a, log_e_value_b) - math.log(2)
    return log_e_value_a if side == "a" else log_e_value_b


def _p(log_e_value: float) -> float:
    return math.exp(-max(log_e_value, 0.0))


def _curves(
    statistics: PairStatistics, options: ComparisonOptions, alpha: float, side: Side
) -> list[Curve]:
    about = {
        "loss": options.loss,
        "cold_start": options.cold_start,
        "every": str(statistics.every),
        "items": str(statistics.pairs),
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
    if statistics.threshold_times is None:
        made.append(curve(DIFFERENCE_COLUMN, "whole", s, mean, MEAN_FORMULA, FIXED))
    else:
        low, high = difference_interval(
            s.count, total_difference, s.squares, alpha, options.bound, side
        )
        between = curve(DIFFERENCE_COLUMN, "whole", s, mean, DIFFERENCE_FORMULA, ANYTIME)
        made.append(replace(between, low=low, high=high))
    return made


def _notes(statistics: PairStatistics, names: tuple[str, str]) -> tuple[str, ...]:
    notes = []
    for only, name in ((statistics.only_a, names[0]), (statistics.only_b, names[1])):
        if only:
            notes.append(f"Left out: {format_items(only)} that only {name} has.")
    left_out = round(_last_or_zero(statistics.whole.left_out))
    if left_out:
        notes.append(f"Left out: {format_items(left_out)} without a prediction of one of them.")
    if statistics.clipped:
        notes.append(f"Clipped to the bound: the losses of {format_items(statistics.clipped)}.")
    return tuple(notes)
