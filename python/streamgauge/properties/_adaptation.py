"""`adaptation`: how a measure changes at known drifts, and when it is restored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import as_list, at_least, check_level, plain_numbers
from streamgauge.log import Log, folds_of, one_fold
from streamgauge.log._refuse_test_set import refuse_test_set
from streamgauge.measures._compute import checked_measure
from streamgauge.measures._measure import Measure
from streamgauge.properties._aligned import AlignedCurve, aligned_curve
from streamgauge.properties._deterioration import before_drift, deterioration, mean_of
from streamgauge.properties._drift_adaptation import (
    Adaptation,
    DriftAdaptation,
    Outcome,
    defined_mean,
)
from streamgauge.properties._repetitions import as_repetitions, default_measure
from streamgauge.properties._restoration import restoration
from streamgauge.properties._steps import Steps
from streamgauge.repetitions._spread import LEVEL, Spread
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64, I64, Drift
from streamgauge.windows import Sliding

PER_ITEM = ("confusion", "ranking")
"""Summaries of which a single item says only whether its prediction is correct."""

MOST_STEPS = 100_000
"""Largest number of steps of a window."""


@plain_numbers
@reported_by("adaptation", "measure", "one_fold")
def adaptation(
    logs: Log | Sequence[Log],
    measure: str | Measure[Any] = "",
    window: int = 1000,
    *,
    batch: int = 100,
    every: int | None = None,
    drifts: Sequence[int | Drift] | None = None,
    position: Literal["start", "centre", "end"] = "start",
    until: Literal["end", "next_drift"] = "end",
    partial: bool = False,
    cold_start: ColdStart | None = None,
    fold: int | None = None,
    level: float | None = None,
) -> Adaptation:
    """Drift performance deterioration (DPD) and drift restoration time (DRT) at known drifts.

    The measure is computed in steps of `batch` items, counted from each drift, so that no step has
    items of both sides (`deterioration` and `restoration` are the definitions over steps). If a
    drift is at a multiple of `batch`, these are the batches of the paper. With `every`, steps
    overlap: a step begins every so many items, which smooths the estimate and gives the restoration
    time a finer unit; windows have the steps that lie wholly in them.

    Items are those with a known label, in the order of the stream, whenever the labels arrived. If
    the protocol has several folds, each is a learner of its own: steps and windows count the items
    that it predicts, DPD and DRT are computed for each fold, and `dpd` and `drt` are their means.
    The restoration time is in items of the stream, whether the fold predicts them or not. A holdout
    is refused.

    Parameters
    ----------
    logs
        The log of a run; or logs that differ in their seeds, which are repetitions.
    measure
        Any measure with a best value, or its name; by default `error`, in regression `mae`.
    window
        Number of items on each side of a drift that are compared: a multiple of `batch`.
    batch
        Number of items in a step. A single item is refused for measures of correct predictions: the
        first correct one would count as restoration.
    every
        Number of items from one step to the next; it divides `batch`, which is the default.
    drifts
        Numbers of the first items after the drifts, or `Drift` objects; by default those that the
        stream declares.
    position
        Which item of a gradual drift is compared: its start, centre or end.
    until
        `"end"`: a measure may be restored at any time before the end of the stream.
        `"next_drift"`: only before the next drift; otherwise the time is infinite.
    partial
        Compute the deterioration from the steps that exist if a window is not complete, instead of
        NaN.
    cold_start
        How an item without a prediction counts, as in `measure`.
    fold
        Which fold, if the protocol has several; by default all of them, averaged.
    level
        By default the bands of the aligned curves are ± one standard deviation; with a level they
        are t intervals of the mean. Intervals of `dpd` and `drt` are at this level, or 0.95.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.drift(sg.streams.SEA(1), sg.streams.SEA(3), 2000, items=4000)
    >>> log = sg.run(stream, "resetting(nb, ddm)")
    >>> found = adaptation(log, "error", window=500, batch=50)
    >>> row = found.drifts[0]
    >>> row.at, round(row.before, 3), round(row.dpd, 3), row.drt, row.outcome
    (2000, 0.126, 0.016, 200.0, 'restored')

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv:2204.13625 (2022), Eq. 2 and 3.
    """
    runs = as_repetitions("adaptation", logs)
    for log in runs:
        refuse_test_set("adaptation", log)
    check_level("adaptation", level)
    for what, value, least in (("batch", batch, 1), ("window", window, 1)):
        at_least("adaptation", what, value, least)
    every = batch if every is None else every
    at_least("adaptation", "every", every, 1)
    if batch % every:
        raise ParameterError.of("adaptation", "every", f"a divisor of the batch, {batch:,}", every)
    if window > MOST_STEPS * every:
        most = f"at most {MOST_STEPS:,} steps of {every:,}"
        raise ParameterError.of("adaptation", "window", most, window)
    if window % batch:
        raise ParameterError.of(
            "adaptation", "window", f"a multiple of the batch, {batch:,}", window
        )
    for what, got, known in (
        ("position", position, ("start", "centre", "end")),
        ("until", until, ("end", "next_drift")),
    ):
        if got not in known:
            raise ParameterError.of("adaptation", what, " or ".join(map(repr, known)), got)
    chosen, _, policy = checked_measure(
        runs[0], measure or default_measure(runs[0], "error", "mae"), Sliding(batch), cold_start
    )
    if math.isnan(chosen.best):
        raise ParameterError.of("adaptation", "measure", "one with a best value", str(chosen))
    if batch == 1 and chosen.summary in PER_ITEM:
        raise ParameterError(
            f"adaptation: batch must be at least 2 for {chosen}, got 1; the first correct "
            "prediction would count as restoration; give batch=100, and every=1 for a finer unit"
        )
    options = _Options(chosen, window, batch, every, position, until, partial, policy)
    found = [_of_log(number, log, fold, options, drifts) for number, log in enumerate(runs)]
    if len({len(folds[0].rows) for folds in found}) > 1:
        counts = ", ".join(str(len(folds[0].rows)) for folds in found)
        raise ParameterError.of("adaptation", "logs", "with the same number of drifts", counts)
    rows = tuple(row for folds in found for one in folds for row in one.rows)
    outcomes = [row.outcome for row in rows]
    used = LEVEL if level is None else level
    seeds = tuple(log.about.get("seed", "") for log in runs)
    return Adaptation(
        str(chosen),
        float(chosen.best),
        rows,
        Spread(
            tuple(defined_mean([one.mean("dpd") for one in f]) for f in found), seeds, level=used
        ),
        Spread(
            tuple(defined_mean([one.mean("drt") for one in f]) for f in found), seeds, level=used
        ),
        outcomes.count("restored"),
        sum(map(bool, outcomes)),
        options.curves([_mean_curves([one.curves for one in folds]) for folds in found], level),
        tuple(dict.fromkeys(options.notes(rows))),
        options.definition(level),
    )


@dataclass(frozen=True, slots=True)
class _Options:
    measure: Measure[Any]
    window: int
    batch: int
    every: int
    position: Literal["start", "centre", "end"]
    until: Literal["end", "next_drift"]
    partial: bool
    cold_start: ColdStart

    @property
    def better(self) -> Literal["low", "high"]:
        return "low" if self.measure.best <= self.measure.span[0] else "high"

    @property
    def offset(self) -> I64:
        """The first items of the steps of an aligned curve, counted from the drift."""
        return np.arange(-self.window, 2 * self.window, self.every, dtype=np.int64)

    def curves(
        self, runs: Sequence[Sequence[F64]], level: float | None
    ) -> tuple[AlignedCurve, ...]:
        """The aligned curves of all drifts together, and of each; `runs` have those of each run."""
        every_drift = [values for of_run in runs for values in of_run]
        by_drift = zip(*runs, strict=True)
        return (
            aligned_curve(None, self.offset, every_drift, level),
            *(
                aligned_curve(number, self.offset, values, level)
                for number, values in enumerate(by_drift)
            ),
        )

    def notes(self, rows: Sequence[DriftAdaptation]) -> list[str]:
        """Sentences about the windows of the drifts of a run."""
        found = []
        for row in rows:
            where = f"drift at item {row.at:,}"
            if not row.outcome:
                found.append(
                    f"{where}: the window of {self.window:,} items before it is not complete or "
                    "its value is undefined, so the restoration time is undefined"
                )
            elif math.isnan(row.dpd):
                found.append(
                    f"{where}: the window of {self.window:,} items after it is not complete or its "
                    "value is undefined, so the deterioration is undefined"
                )
            if row.overlaps:
                found.append(
                    f"{where}: a window of {self.window:,} items reaches another drift; use a "
                    "smaller window"
                )
        return found

    def definition(self, level: float | None) -> dict[str, str]:
        return {
            "measure": str(self.measure),
            "better": self.better,
            "window": f"{self.window} items",
            "batch": f"{self.batch} items",
            "every": f"{self.every} items",
            "position": self.position,
            "until": self.until,
            "partial": "yes" if self.partial else "no",
            "cold_start": self.cold_start,
            "band": "mean ± standard deviation" if level is None else f"{level:g} t interval",
        }


@dataclass(frozen=True, slots=True)
class _Fold:
    """The rows of the drifts of one fold, and the values of each around the drift."""

    rows: list[DriftAdaptation]
    curves: list[F64]

    def mean(self, what: Literal["dpd", "drt"]) -> float:
        """The mean over the drifts for which it is defined."""
        return defined_mean([float(getattr(row, what)) for row in self.rows])


def _of_log(
    repetition: int,
    log: Log,
    fold: int | None,
    options: _Options,
    given: Sequence[int | Drift] | None,
) -> list[_Fold]:
    """The folds of one log: all that predict, or the one that is given."""
    by_place = {int(getattr(drift, options.position)): drift for drift in _drifts(log, given)}
    drifts = [by_place[place] for place in sorted(by_place)]  # of several at one item, one counts
    folds = folds_of(log) if fold is None else [fold]
    logs = [one_fold(log, one) for one in folds] if fold is not None or len(folds) > 1 else [log]
    steps = [
        Steps(one, options.measure, options.batch, options.every, options.cold_start)
        for one in logs
    ]
    last = max((int(one.items[-1]) for one in steps if len(one.items)), default=None)
    if given is not None and last is not None and max(by_place) > last:
        must = f"items of the log, whose last one is {last:,}"
        raise ParameterError.of("adaptation", "drifts", must, max(by_place))
    seed = log.about.get("seed", "")
    return [
        _of_fold((repetition, seed, one), drifts, values, options)
        for one, values in zip(folds, steps, strict=True)
    ]


def _of_fold(
    run: tuple[int, str, int], drifts: Sequence[Drift], steps: Steps, options: _Options
) -> _Fold:
    """The drifts of one fold, which `run` identifies by repetition, seed and number."""
    places = [int(getattr(drift, options.position)) for drift in drifts]
    firsts = np.searchsorted(steps.items, np.array(places, np.uint64))
    rows, curves = [], []
    for drift, at, row in zip(drifts, places, firsts.tolist(), strict=True):
        later = [other for place, other in zip(places, firsts.tolist(), strict=True) if place > at]
        inside = [first for first in firsts.tolist() if first < len(steps.items)]
        overlaps = any(0 < abs(first - row) < options.window for first in inside)
        numbers = _at_drift(steps, row, min(later, default=None), options)
        repetition, seed, fold = run
        rows.append(DriftAdaptation(drift, at, repetition, seed, fold, *numbers, overlaps))
        curves.append(_around(steps, row, options))
    return _Fold(rows, curves)


def _at_drift(
    steps: Steps, row: int, next_row: int | None, options: _Options
) -> tuple[float, float, float, float, Outcome]:
    """Mean before the drift that begins at a row, DPD, DRT in items and in steps, and outcome."""
    at, values = steps.around(row)
    batch, every = options.batch, options.every
    window, overlap = (options.window - batch) // every + 1, batch // every - 1
    whole = None if next_row is None else max((next_row - row - batch) // every + 1, 0)
    stop = at + whole if options.until == "next_drift" and whole is not None else None
    before = before_drift(values, at, window, overlap)
    dpd = deterioration(values, at, window, partial=options.partial, overlap=overlap)
    drt = restoration(values, at, window, better=options.better, stop=stop, overlap=overlap)
    mean = mean_of(before) if len(before) == window else math.nan
    if math.isnan(drt) or row >= len(steps.items):
        return mean, dpd, math.nan, math.nan, ""
    if math.isinf(drt):
        return mean, dpd, drt, drt, "not restored"
    items = int(steps.items[row + int(drt) * every]) - int(steps.items[row])
    late = whole is not None and drt >= whole
    outcome: Outcome = "restored after the next drift" if late else "restored"
    return mean, dpd, float(items), drt, outcome


def _around(steps: Steps, row: int, options: _Options) -> F64:
    """The values of the steps at the offsets of an aligned curve; NaN where there is no step."""
    at, values = steps.around(row)
    number = at + options.offset // options.every
    there = (number >= 0) & (number < len(values))
    found = np.full(len(number), np.nan)
    found[there] = values[number[there]]
    return found


def _drifts(log: Log, given: Sequence[int | Drift] | None) -> list[Drift]:
    if given is None:
        if not log.schema.drifts:
            raise ParameterError(
                "adaptation: log must have known drifts, got none; give drifts, the numbers of "
                "the first items after them"
            )
        return list(log.schema.drifts)
    found = []
    for one in as_list("adaptation", "drifts", given, "a list of items"):
        if not isinstance(one, Drift):
            at_least("adaptation", "drifts", one, 0)
        found.append(one if isinstance(one, Drift) else Drift(one, one, one))
    if not found:
        raise ParameterError.of("adaptation", "drifts", "at least one item", list(given))
    return found


def _over_folds(found: Sequence[Sequence[_Fold]], what: Literal["dpd", "drt"]) -> tuple[float, ...]:
    """The value of each repetition: the mean of its folds that have one."""
    return tuple(defined_mean([one.mean(what) for one in folds]) for folds in found)


def _mean_curves(folds: Sequence[Sequence[F64]]) -> list[F64]:
    """The curves of the drifts of a repetition: means over the folds that have a value."""
    by_drift = zip(*folds, strict=True)
    return [aligned_curve(None, np.arange(len(v[0])), v, None).mean for v in by_drift]
