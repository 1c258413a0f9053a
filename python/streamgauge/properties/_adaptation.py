"""`adaptation`: how a measure changes at known drifts, and when it is restored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.log._one_fold import only_fold
from streamgauge.log._refuse_test_set import refuse_test_set
from streamgauge.measures._compute import checked_measure
from streamgauge.measures._measure import Measure
from streamgauge.properties._aligned import AlignedCurve, aligned_curve
from streamgauge.properties._deterioration import before_drift, deterioration, mean_of
from streamgauge.properties._repetitions import as_repetitions, default_measure
from streamgauge.properties._restoration import restoration
from streamgauge.properties._steps import Steps
from streamgauge.repetitions._spread import LEVEL, Spread
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64, I64, Drift
from streamgauge.windows import Sliding

Outcome: TypeAlias = Literal["restored", "restored after the next drift", "not restored", ""]
"""How a drift ended; empty if the restoration time is undefined."""

PER_ITEM = ("confusion", "ranking")
"""Summaries of which a single item says only whether its prediction is correct."""

POOLED = (
    "The predictions of all folds are counted together, so a step has fewer items than predictions "
    "if several folds predict an item; give fold= for one of them."
)
"""The note about several folds."""

MOST_STEPS = 100_000
"""Largest number of steps of a window."""


@dataclass(frozen=True, slots=True)
class DriftAdaptation:
    """One drift in one run.

    `at` is the number of the first item after the drift. `before` is the mean of the measure in the
    window before it, `dpd` the mean after it minus that. `drt` is the number of items until the
    measure is as good again: infinity if it never is, NaN if the window before the drift is not
    complete; `steps` is the same in steps. `overlaps`: the windows reach another drift.
    """

    drift: Drift
    at: int
    seed: str
    before: float
    dpd: float
    drt: float
    steps: float
    outcome: Outcome
    overlaps: bool


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The adaptation of a learner to known drifts, over all drifts and repetitions.

    `drifts` has one row per repetition and drift. `dpd` and `drt` are over repetitions: the value
    of one is its mean over the drifts for which it is defined; infinite if the measure was not
    restored after one of them. `restored` is the number of rows that were restored before the next
    drift, of `defined`. `curves` are aligned at the drift: for all drifts together first, then for
    each. `notes` are sentences about windows that are not complete or reach another drift.
    `definition` holds everything the values depend on.
    """

    measure: str
    best: float
    drifts: tuple[DriftAdaptation, ...]
    dpd: Spread
    drt: Spread
    restored: int
    defined: int
    curves: tuple[AlignedCurve, ...]
    notes: tuple[str, ...]
    definition: Mapping[str, str]

    def of_drift(self, number: int) -> tuple[DriftAdaptation, ...]:
        """The rows of one drift, one per repetition; drifts are numbered from 0, by position."""
        places = sorted({row.at for row in self.drifts})
        return tuple(row for row in self.drifts if row.at == places[number])


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

    Items are those with a known label, in the order of the stream, whenever the labels arrived. A
    protocol with several folds counts one per prediction, so that a step may have fewer items than
    predictions (`notes` says so); give `fold` for one of them. A holdout is refused.

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
        Which fold, if the protocol has several; by default all of them.
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
    found = [_of_run(one_fold(log, fold), options, drifts) for log in runs]
    if len({len(rows) for rows, _ in found}) > 1:
        counts = ", ".join(str(len(rows)) for rows, _ in found)
        raise ParameterError.of("adaptation", "logs", "with the same number of drifts", counts)
    rows = tuple(row for of_run, _ in found for row in of_run)
    outcomes = [row.outcome for row in rows]
    used = LEVEL if level is None else level
    seeds = tuple(log.about.get("seed", "") for log in runs)
    return Adaptation(
        str(chosen),
        float(chosen.best),
        rows,
        Spread(tuple(_mean([r.dpd for r in of_run]) for of_run, _ in found), seeds, level=used),
        Spread(tuple(_mean([r.drt for r in of_run]) for of_run, _ in found), seeds, level=used),
        outcomes.count("restored"),
        sum(map(bool, outcomes)),
        options.curves([values for _, values in found], level),
        (
            *([POOLED] if fold is None and any(only_fold(log) is None for log in runs) else ()),
            *dict.fromkeys(note for of_run, _ in found for note in options.notes(of_run)),
        ),
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


def _of_run(
    log: Log, options: _Options, given: Sequence[int | Drift] | None
) -> tuple[list[DriftAdaptation], list[F64]]:
    """The rows of the drifts of one run, and the values of each around the drift."""
    drifts = sorted(_drifts(log, given), key=lambda d: getattr(d, options.position))
    places = [int(getattr(drift, options.position)) for drift in drifts]
    steps = Steps(log, options.measure, options.batch, options.every, options.cold_start)
    if given is not None and places and len(steps.items):
        last = int(steps.items[-1])
        if places[-1] > last:
            must = f"items of the log, whose last one is {last:,}"
            raise ParameterError.of("adaptation", "drifts", must, places[-1])
    firsts = np.searchsorted(steps.items, np.array(places, np.uint64))
    rows, curves = [], []
    for nth, (drift, at) in enumerate(zip(drifts, places, strict=True)):
        later = [int(row) for place, row in zip(places, firsts, strict=True) if place > at]
        others = [place for place in places if place != at]
        overlaps = any(-options.window < place - at < options.window for place in others)
        seed = log.about.get("seed", "")
        row = int(firsts[nth])
        numbers = _at_drift(steps, row, min(later, default=None), options)
        rows.append(DriftAdaptation(drift, at, seed, *numbers, overlaps))
        curves.append(_around(steps, row, options))
    return rows, curves


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
    for one in given:
        if not isinstance(one, Drift):
            at_least("adaptation", "drifts", one, 0)
        found.append(one if isinstance(one, Drift) else Drift(one, one, one))
    if not found:
        raise ParameterError.of("adaptation", "drifts", "at least one item", list(given))
    return found


def _mean(values: Sequence[float]) -> float:
    """The mean of the values that are defined; NaN if none is."""
    there = [value for value in values if not math.isnan(value)]
    return sum(there) / len(there) if there else math.nan
