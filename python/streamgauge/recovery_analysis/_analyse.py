"""`analyse`: what the curves of a learner say about its recovery."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most, check_seed, plain_numbers
from streamgauge.recovery_analysis._below import SHARE, Better, is_below
from streamgauge.recovery_analysis._decline import declines
from streamgauge.recovery_analysis._duration import (
    NOT_RECOVERED,
    Duration,
    durations,
    outcome_of,
)
from streamgauge.recovery_analysis._finding import finding
from streamgauge.recovery_analysis._length_check import length_check
from streamgauge.recovery_analysis._maximum_loss import (
    depth,
    largest,
    losses,
    maximum_loss,
    mean_loss,
    relative_losses,
)
from streamgauge.recovery_analysis._saturation_level import LAST, count_of, saturation_level
from streamgauge.recovery_analysis.recovery_curves import RecoveryCurves
from streamgauge.recovery_analysis.recovery_panel import RecoveryPanel, RecoveryValue
from streamgauge.recovery_analysis.transition import PlacedTransition
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.repetitions._spread import LEVEL
from streamgauge.seeds import child
from streamgauge.types import F64, Curve

RESAMPLES = 1000
"""Number of bootstrap samples by default."""

MOST_RESAMPLES = 100_000
"""Largest number of bootstrap samples."""

LOWER_IS_BETTER = ("duration", "sustained_duration", "maximum_loss", "depth", "area")
"""Measures of a recovery by which learners are compared."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """How curves are analysed.

    Parameters
    ----------
    better
        `"high"` for a score, `"low"` for a loss.
    share
        Share of the performance on a pure stream below which the learner has dropped.
    last
        Share of the points at the end of a curve whose mean is its saturation level.
    saturation_levels
        The saturation levels of the old and the new pure stream, if they are known.
    level
        Of bands and intervals.
    resamples
        Number of bootstrap samples of the repetitions.
    seed
        Seed of the bootstrap samples.
    measure, window, definition
        Of the curves of the result.
    """

    better: Better = "high"
    share: float = SHARE
    last: float = LAST
    level: float = LEVEL
    resamples: int = RESAMPLES
    seed: int = 0
    measure: str = ""
    window: str = ""
    definition: Mapping[str, str] = field(default_factory=dict)
    saturation_levels: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.better not in ("high", "low"):
            raise ParameterError.of("recovery", "better", "'high' or 'low'", self.better)
        for what in ("share", "last"):
            if not 0 < getattr(self, what) <= 1:
                got = getattr(self, what)
                raise ParameterError.of("recovery", what, "above 0 and at most 1", got)
        if not 0 < self.level < 1:
            raise ParameterError.of("recovery", "level", "above 0 and below 1", self.level)
        at_least("recovery", "resamples", self.resamples, 1)
        at_most("recovery", "resamples", self.resamples, MOST_RESAMPLES)
        check_seed("recovery", self.seed)

    def weights(self, repetitions: int) -> F64:
        """Weights of the repetitions in each bootstrap sample; the same for all learners."""
        draws = np.random.default_rng(child(self.seed, "recovery", "bootstrap"))
        counts = draws.multinomial(
            repetitions, np.full(repetitions, 1 / repetitions), self.resamples
        )
        return np.asarray(counts / repetitions, np.float64)


@dataclass(frozen=True, slots=True)
class Occasion:
    """A drift in a mixture: its number, its pure streams, and the points that belong to it.

    `returns`: the new stream was in the mixture before.
    """

    learner: str
    setting: str
    transition: PlacedTransition
    old: str
    new: str
    number: int = 0
    points: slice = field(default_factory=lambda: slice(None))
    returns: bool = False


def analyse(
    occasion: Occasion,
    whole: RecoveryCurves,
    options: AnalysisOptions,
    bound: Curve | None = None,
    bound_note: str = "",
) -> RecoveryPanel:
    """Measure the recovery of a learner at one drift, from the curves of all repetitions.

    Curves are averaged over the repetitions, and measured then. Intervals are percentiles over
    bootstrap samples of the repetitions, in which a repetition is drawn with all its curves.

    Examples
    --------
    >>> from streamgauge.recovery_analysis.transition import Transition
    >>> at = np.arange(100, 1001, 100)
    >>> flat = np.full((3, 10), 0.9)
    >>> noise = np.array([[-0.01], [0.0], [0.01]])
    >>> drop = np.array([0.9, 0.9, 0.9, 0.9, 0.6, 0.5, 0.7, 0.9, 0.9, 0.9]) + noise
    >>> curves = RecoveryCurves(at, flat, flat, drop)
    >>> occasion = Occasion("mine", "sudden", Transition(width=0).placed(1000), "a", "b")
    >>> panel = analyse(occasion, curves, AnalysisOptions())
    >>> {name: round(found.value, 4) for name, found in panel.values.items()}
    {'duration': 0.3, 'sustained_duration': 0.3, 'duration_from_drift': 0.3, \
'maximum_loss': 0.4444, 'depth': 0.4, 'area': 0.09, 'decline': 0.002}
    """
    curves = whole.part(occasion.points)
    better, last, share = options.better, options.last, options.share
    mean = curves.resampled(np.full((1, curves.repetitions), 1 / curves.repetitions))
    samples = curves.resampled(options.weights(curves.repetitions))
    start = int(np.searchsorted(curves.at, occasion.transition.start))
    # Up to its first item of the new stream, the mixture is the old pure stream, so every point of
    # the first drift counts. Before a later one they differ, because the learner has another past.
    since = start if occasion.number else 0
    values, timed = _values(mean, samples, len(whole.at), since, start, options)
    if occasion.returns:
        values["head_start"] = _head_start(curves, whole, occasion.transition, options)
    level_before, level_after = options.saturation_levels or (
        saturation_level(whole.before.mean(axis=0), last),
        saturation_level(whole.after.mean(axis=0), last),
    )
    end = saturation_level(mean.mixture[0], last)
    optimal = None
    if not math.isnan(end) and not math.isnan(level_after):
        optimal = not bool(is_below(np.array([end]), np.array([level_after]), better, share)[0])
    check = length_check(curves, whole, occasion.transition, better, last, share)
    return RecoveryPanel(
        learner=occasion.learner,
        setting=occasion.setting,
        number=occasion.number,
        old=occasion.old,
        new=occasion.new,
        transition=occasion.transition,
        before=_mean_curve(whole, whole.before, options),
        after=_mean_curve(whole, whole.after, options),
        mixture=_mean_curve(whole, whole.mixture, options),
        bound=bound,
        bound_note=bound_note,
        level_before=level_before,
        level_after=level_after,
        level_end=end,
        t1=timed["duration"].t1,
        t2=timed["duration"].t2,
        outcome=outcome_of(timed["duration"], timed["sustained_duration"]),
        optimal=optimal,
        returns=occasion.returns,
        values=values,
        check=check,
        finding=finding(occasion.learner, values, timed, optimal, check, options.level),
    )


def _values(
    mean: RecoveryCurves,
    samples: RecoveryCurves,
    points: int,
    since: int,
    start: int,
    options: AnalysisOptions,
) -> tuple[dict[str, RecoveryValue], dict[str, Duration]]:
    """The measures of the mean curves with their intervals, and all durations.

    `points` is the number of points of the whole stream, `since` the first point that may be a
    drop, `start` that at which the drift begins.
    """
    better = options.better
    # The mean curves are the first row, and the bootstrap samples the others.
    a, b, c = (
        np.concatenate([getattr(one, rows) for one in (mean, samples)])
        for rows in ("before", "after", "mixture")
    )
    found: dict[str, RecoveryValue] = {}
    scale = len(mean.at) / points if points else math.nan  # T is the length of the whole stream
    timed = {
        name: durations(a, b, c, better, sustained, options.share, first)
        for name, sustained, first in (
            ("duration", False, since),
            ("sustained_duration", True, since),
            ("duration_from_drift", False, start),
        )
    }
    for name, each in timed.items():
        own = each.row(0)
        found[name] = _value(
            name,
            each.value * scale,
            options,
            at=None if own.t1 is None else int(mean.at[own.t1 - 1]),
            censored=own.outcome if own.outcome in ("no drop", "not recovered") else "",
            share_censored=float((each.outcome[1:] == NOT_RECOVERED).mean()),
        )
    for name, values, measured in (
        ("maximum_loss", relative_losses(a, b, c, better), maximum_loss),
        ("depth", losses(a, b, c, better), depth),
    ):
        where = measured(a[0], b[0], c[0], better=better)[1]
        at = None if where is None else int(mean.at[where - 1])
        found[name] = _value(name, largest(values), options, at=at)
    found["area"] = _value("area", mean_loss(losses(a, b, c, better)) * scale, options)
    drop = timed["duration"]
    items = np.asarray(mean.at, np.float64)
    speeds = declines(c, items, drop.t1, drop.t2, better)
    found["decline"] = _value("decline", speeds, options)
    return found, {name: each.row(0) for name, each in timed.items()}


def _value(
    name: str,
    values: F64,
    options: AnalysisOptions,
    *,
    at: int | None = None,
    censored: str = "",
    share_censored: float = 0.0,
) -> RecoveryValue:
    """A value and its interval, of the values of the mean curves and of the bootstrap samples."""
    own, samples = float(values[0]), values[1:]
    defined = samples[~np.isnan(samples)]
    low = high = math.nan
    if len(defined) and not math.isnan(own):
        tail = (1 - options.level) / 2
        low, high = np.quantile(defined, [tail, 1 - tail], method="inverted_cdf").tolist()
    return RecoveryValue(name, own, low, high, at, censored, share_censored, samples)


def _head_start(
    curves: RecoveryCurves,
    whole: RecoveryCurves,
    transition: PlacedTransition,
    options: AnalysisOptions,
) -> RecoveryValue:
    """How much better the learner is when a stream returns than when it began on it.

    The mean of the first points after the drift minus that of the first points of the pure stream,
    with the sign of the measure: above 0 it has remembered something.
    """
    sign = 1.0 if options.better == "high" else -1.0
    since = int(np.searchsorted(curves.at, transition.end))
    count = min(count_of(len(whole.at), options.last), len(curves.at) - since)
    if count < 1:
        return RecoveryValue("head_start", math.nan, math.nan, math.nan)
    returned = curves.mixture[:, since : since + count].mean(axis=1)
    each = sign * (returned - whole.after[:, :count].mean(axis=1))
    samples = options.weights(len(each)) @ each
    at = int(curves.at[since])
    return _value("head_start", np.concatenate([[each.mean()], samples]), options, at=at)


def _mean_curve(whole: RecoveryCurves, rows: F64, options: AnalysisOptions) -> Curve:
    runs = [
        Curve(options.measure, options.window, whole.at, row, options.definition) for row in rows
    ]
    return mean_curve(runs, options.level)
