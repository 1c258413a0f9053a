"""The axes of a profile, made of the values in the other sections of a report."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from streamgauge.alarm_measures._matching import Matching, match_alarms
from streamgauge.alarm_measures.false_alarm_rate import FalseAlarmRate
from streamgauge.alarm_measures.recall import Recall
from streamgauge.log import Log
from streamgauge.measures._compute import measure
from streamgauge.properties._profile import (
    LARGEST_RATIO,
    Profile,
    ProfileAxis,
    Value,
    linear_score,
    ratio_score,
)
from streamgauge.repetitions._by_learner import seed_of
from streamgauge.repetitions._spread import Spread
from streamgauge.report._adaptation_section import comparable, compared_drifts
from streamgauge.report._resource_section import ResourceSection
from streamgauge.report.page import PropertySection, SelectionSection, Table
from streamgauge.report.stream_results import MeasuredLog, StreamResults
from streamgauge.resources._resources import size_method
from streamgauge.resources._vital_curves import COMPLEXITY, vital_curves
from streamgauge.types import Drift

MOST_FALSE_ALARMS = 10.0
"""False alarms per 1,000 items from which on the score is 0."""

COSTS: dict[str, tuple[str, Literal["high", "low"], str]] = {
    "items_per_second": ("items per second", "high", "items of the run by its seconds"),
    "largest_bytes": ("size (kB)", "low", "the largest sample of the learner's size"),
    "ram_hours": ("RAM-Hours", "low", "GiB of the learner times the hours of the run"),
}
"""Column of the costs -> title, which values are better, definition."""

SIZES = ("largest_bytes", "ram_hours")
"""Costs that compare only if sizes were obtained in one way."""

NOT_RUN = "no log states it"


def profile_of(
    results: StreamResults,
    adaptation: PropertySection | None,
    stability: PropertySection | None,
    costs: ResourceSection,
    selections: SelectionSection | None,
) -> Profile:
    """The profile of the learners of a stream; the values are those of these sections."""
    made = _Axes(results)
    if results.classification:
        made.classes()
    else:
        made.real_target()
    made.adaptation(adaptation)
    made.stability(stability)
    made.costs(costs.table)
    made.complexity()
    made.selections(selections)
    made.alarms()
    return Profile(
        results.stream,
        tuple(m.name for m in results.measured),
        made.baselines,
        tuple(made.axes),
        made.missing,
    )


@dataclass(frozen=True, slots=True)
class _Axes:
    """Axes and missing properties, as they are added."""

    results: StreamResults
    axes: list[ProfileAxis] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def baselines(self) -> tuple[str, ...]:
        return tuple(m.name for m in self.results.baselines)

    def add(
        self,
        key: str,
        title: str,
        definition: str,
        better: Literal["high", "low"],
        kind: Literal["share", "points", "index", "number"],
        ends: tuple[str, str],
        values: Mapping[str, Value],
        score: Callable[[str, float], float],
        ratios: Mapping[str, float] | None = None,
    ) -> None:
        """Add an axis; it is missing if no learner that reads features has a value."""
        known = [name for name, value in values.items() if not math.isnan(float(value))]
        if not set(known) - set(self.baselines):
            self.missing[title] = "not defined for any learner"
            return
        scores = {
            m.name: score(m.name, float(values[m.name])) if m.name in values else math.nan
            for m in self.results.measured
        }
        every = {m.name: values.get(m.name, math.nan) for m in self.results.measured}
        self.axes.append(
            ProfileAxis(
                key, title, definition, better, kind, *ends, every, scores,
                ratios or {}, self.baselines,
            )
        )  # fmt: skip

    def linear(
        self,
        key: str,
        title: str,
        definition: str,
        kind: Literal["share", "points", "index", "number"],
        ends: tuple[str, str],
        values: Mapping[str, Value],
        zero: float,
        one: float,
    ) -> None:
        """Add an axis whose reference values are the same for all learners."""
        better: Literal["high", "low"] = "high" if one > zero else "low"
        scale = _Linear(zero, one)
        self.add(key, title, definition, better, kind, ends, values, scale.score)

    def classes(self) -> None:
        """Add accuracy and kappa-plus."""
        measured = self.results.measured
        accuracy = {m.name: m.cell("accuracy") for m in measured}
        self.linear("accuracy", "accuracy", "share of correct predictions over the whole stream",
                    "share", ("0 %", "100 %"), accuracy, 0.0, 1.0)  # fmt: skip
        self.linear("kappa_plus", "kappa plus",
                    "geometric mean of kappa and kappa-temporal, each at least 0: the lead over "
                    "chance and over repeating the last label", "index",
                    ("no better than chance or the last label", "perfect"),
                    {m.name: _each(m, _kappa_plus)
                     for m in measured}, 0.0, 1.0)  # fmt: skip

    def real_target(self) -> None:
        """Add the error relative to the better baseline."""
        title = "error by that of the better baseline"
        errors = {m.name: m.value("mae") for m in self.results.measured}
        known = [errors[name] for name in self.baselines if not math.isnan(errors[name])]
        if not known or not min(known):
            self.missing[title] = "no baseline with an error above 0"
            return
        ratios = {name: value / min(known) for name, value in errors.items()}
        self.linear("relative_error", title,
                    "mean absolute error over the whole stream by that of the better baseline",
                    "number", ("as large as that of the baseline", "no error"),
                    ratios, 1.0, 0.0)  # fmt: skip

    def adaptation(self, section: PropertySection | None) -> None:
        """Add deterioration and restoration time at known drifts."""
        found = compared_drifts(self.results)
        if section is None or found is None:
            self.missing["adaptation to drifts"] = self._no_adaptation()
            return
        drifts, window, _ = found
        mean = "mean over the known drifts: " if len(drifts) > 1 else ""
        what = f"{mean}{section.measure} in the {window:,} items after the drift minus before it"
        self._change("dpd", "deterioration at drifts (DPD)", what, section)
        self.linear("drt", "restoration time (DRT)",
                    f"{mean}items until {section.measure} is as good as before the drift; "
                    "∞ if it is not restored", "number", (f"{window:,} items or more", "0 items"),
                    _cells(section.table, "drt"), float(window), 0.0)  # fmt: skip

    def _no_adaptation(self) -> str:
        """Why adaptation is not measured."""
        if not self.results.drifts:
            return "the stream has no known drifts"
        if not comparable(self.results):
            return "the test set of a holdout is predicted again and again"
        return (
            "the known drifts are too close to each other or to the ends of the stream for the "
            "items that each fold predicts"
        )

    def stability(self, section: PropertySection | None) -> None:
        """Add noise variability, and the share of predictions that flip."""
        if section is None:
            self.missing["stability under noise"] = (
                "the logs have no perturbed copies; run them with the protocol perturbed"
            )
            return
        what = f"{self.results.main_measure} over items with noise minus that over the items"
        self._change("variability", "noise variability", what, section)
        if self.results.classification:
            self.linear("flips", "flips under noise",
                        "share of predictions that noise in the features changes", "share",
                        ("100 %", "0 %"), _cells(section.table, "changes"), 1.0, 0.0)  # fmt: skip

    def _change(self, key: str, title: str, what: str, section: PropertySection) -> None:
        """Add an axis of a change of the main measure; a change for the better counts as none."""
        values = _cells(section.table, key)
        if self.results.classification:
            ends = "−100 points", "0 points or more"
            self.linear(key, title, what, "points", ends, values, -1.0, 0.0)
            return
        ends = "as large as the learner's own error over the whole stream", "0 or less"
        own = {m.name: m.value("mae") for m in self.results.measured}
        self.add(key, title, what, "low", "number", ends, values,
                 lambda name, value: linear_score(value, own[name], 0.0)
                 if own[name] else math.nan)  # fmt: skip

    def costs(self, table: Table) -> None:
        """Add time and memory."""
        stated = {c.key for c in table.columns}
        methods = {
            size_method(m.log)
            for m in self.results.measured
            if not m.derived and "bytes" in m.log.vitals().names
        }
        for key, (title, better, definition) in COSTS.items():
            if key not in stated:
                self.missing[title] = NOT_RUN
            elif key in SIZES and len(methods) > 1:
                self.missing[title] = "sizes were obtained in several ways, which do not compare"
            else:
                self._cost(key, title, definition, better, _cells(table, key), 0.0)

    def complexity(self) -> None:
        """Add the first fact about the structure of models that all learners tell."""
        measured = self.results.measured
        facts = [set(m.log.vitals().names) for m in measured if not m.baseline]
        shared = set(COMPLEXITY).intersection(*facts) if facts else set()
        fact = next((name for name in COMPLEXITY if name in shared), None)
        if fact is None:
            self.missing["complexity"] = "no number of splits or parameters is stated for all"
            return
        values = {m.name: _each(m, _Structure(fact).mean) for m in measured}
        self._cost("complexity", fact.replace("_", " "),
                   "mean over samples; a baseline has none. Numbers of models of different "
                   "families do not compare. Ratios are those of the numbers plus 1",
                   "low", values, 1.0)  # fmt: skip

    def _cost(
        self,
        key: str,
        title: str,
        definition: str,
        better: Literal["high", "low"],
        values: Mapping[str, Value],
        added: float,
    ) -> None:
        """Add an axis whose scores are those of ratios to the cheapest learner."""
        known = {n: float(v) + added for n, v in values.items() if float(v) + added > 0}
        ratios = {
            name: max(known.values()) / value if better == "high" else value / min(known.values())
            for name, value in known.items()
        }
        ends = f"{LARGEST_RATIO:,.0f} times the cost of the cheapest learner", "the cheapest"
        self.add(key, title, definition, better, "number", ends, values,
                 lambda name, _: ratio_score(ratios.get(name, math.nan)), ratios)  # fmt: skip

    def selections(self, section: SelectionSection | None) -> None:
        """Add the stability of selected features and the reduction rate."""
        if section is None:
            self.missing["feature selection"] = "no learner selects features"
            return
        self.linear("selection_stability", "stability of selections",
                    "Nogueira's, of the features selected over the whole stream", "index",
                    ("that of random selections, or less", "the selection never changed"),
                    _cells(section.table, "stability"), 0.0, 1.0)  # fmt: skip
        rates = {**dict.fromkeys(self.baselines, 1.0), **_cells(section.table, "reduction")}
        self.linear("reduction", "reduction rate",
                    "share of features that are not selected; baselines read none", "share",
                    ("0 %", "100 %"), rates, 0.0, 1.0)  # fmt: skip

    def alarms(self) -> None:
        """Add false alarms and drifts found of the detectors inside learners."""
        measured, found = self.results.measured, compared_drifts(self.results)
        if not any(len(run.log.alarms().alarms) for m in measured for run in m.each):
            self.missing["alarms"] = "no learner gave an alarm"
            return
        if found is None:
            self.missing["alarms"] = "without known drifts no alarm is known to be false"
            return
        match = _Match(found[0], found[1])
        within = f"an alarm counts for a drift up to {found[1]:,} items after it"
        detecting = [m for m in measured if _detects(m)]
        self.linear("false_alarms", "false alarms",
                    f"per 1,000 items, of learners with a detector; {within}", "number",
                    (f"{MOST_FALSE_ALARMS:g} or more", "none"),
                    {m.name: _each(m, match.false_alarms) for m in detecting},
                    MOST_FALSE_ALARMS, 0.0)  # fmt: skip
        self.linear("drifts_found", "drifts found",
                    f"share of known drifts with an alarm, of learners with a detector; {within}",
                    "share", ("0 %", "100 %"),
                    {m.name: _each(m, match.recall) for m in detecting}, 0.0, 1.0)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Linear:
    zero: float
    one: float

    def score(self, _: str, value: float) -> float:
        return linear_score(value, self.zero, self.one)


@dataclass(frozen=True, slots=True)
class _Structure:
    fact: str

    def mean(self, run: MeasuredLog) -> float:
        """Mean of the samples of a run; 0 for a baseline, NaN if it is not stated."""
        if self.fact in run.log.vitals().names:
            return float(vital_curves(run.log, [self.fact])[self.fact].value.mean())
        return 0.0 if run.baseline else math.nan


@dataclass(frozen=True, slots=True)
class _Match:
    """Alarms of a run beside the known drifts."""

    drifts: Sequence[Drift]
    tolerance: int

    def false_alarms(self, run: MeasuredLog) -> float:
        return FalseAlarmRate().value(self._matching(run.log))

    def recall(self, run: MeasuredLog) -> float:
        return Recall().value(self._matching(run.log))

    def _matching(self, log: Log) -> Matching:
        alarms = log.alarms().alarms
        lasts = [int(rows.item.max()) for rows in log.predictions() if len(rows)]
        items = 1 + max([*lasts, *alarms.tolist()], default=-1)
        drifts = [drift for drift in self.drifts if drift.start < items]
        return match_alarms(alarms, drifts, items, self.tolerance)


def _detects(m: MeasuredLog) -> bool:
    """Whether a learner has a detector inside, as its logs state or their alarms show."""
    logs = [run.log for run in m.each]
    return any("has_alarms" in log.about or len(log.alarms()) for log in logs)


def _kappa_plus(run: MeasuredLog) -> float:
    """Kappa-plus over the whole log; measured here if the report does not show it."""
    if ("kappa_plus", "whole") in run.curves:
        return run.value("kappa_plus")
    return measure(run.log, "kappa_plus", "whole").final


def _cells(table: Table, key: str) -> dict[str, Value]:
    """A column by learner; of several rows of one learner the last, which has the mean."""
    pairs = zip(table.column("learner"), table.column(key), strict=True)
    return {str(name): cell for name, cell in pairs if isinstance(cell, int | float | Spread)}


def _each(m: MeasuredLog, value: Callable[[MeasuredLog], float]) -> Value:
    """The value of one run, or of all repetitions."""
    values = tuple(value(run) for run in m.each)
    if not m.runs:
        return values[0]
    return Spread(values, tuple(seed_of(run.log) or "" for run in m.runs), m.identical)
