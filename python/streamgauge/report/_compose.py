"""Page made of measured logs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from streamgauge.comparisons.verdict import ANYTIME
from streamgauge.log import Log
from streamgauge.log.places import label_numbers
from streamgauge.measures._positions import axis_of
from streamgauge.names import make
from streamgauge.plots.learning_curve import data
from streamgauge.report._adaptation_section import adaptation_section
from streamgauge.report._apply_rules import apply_rules
from streamgauge.report._format import count, interval_of, kind_of, listed, number, share
from streamgauge.report._pending_section import pending_section
from streamgauge.report._profile_axes import profile_of
from streamgauge.report._profile_section import profile_section
from streamgauge.report._resource_section import resource_section
from streamgauge.report._selection_section import selection_section
from streamgauge.report._stability_section import stability_section
from streamgauge.report._verdicts import verdict_table
from streamgauge.report.page import (
    NOTHING,
    Column,
    Definition,
    Kind,
    Page,
    Panel,
    Row,
    Section,
    Table,
    TableCell,
)
from streamgauge.report.stream_results import MeasuredLog, StreamResults
from streamgauge.types import I64

PER_LOG = ("protocol", "seed")
"""Properties that are shown for each log even if all logs agree on them."""

MARKS = 400
"""Maximum number of alarms marked per learner."""

BAND_POINTS = 500
"""Maximum number of points of a band."""

MAX_POINTS = 220_000
"""Maximum number of points on one page, shared among all curves; bounds the file size."""


def compose(
    all_results: Sequence[StreamResults],
    title: str = "",
    points: int = 2000,
    definitions: Sequence[Definition] = (),
) -> Page:
    """Make the page about these streams."""
    curves = sum(len(results.curves()) for results in all_results)
    points = max(100, min(points, MAX_POINTS // max(curves, 1)))
    return Page(
        title=title or _title(all_results),
        summary=_summary(all_results),
        findings=apply_rules(all_results),
        overview=_overview(all_results),
        overview_note=f"{all_results[0].main_measure} over the whole of each stream"
        if all_results
        else "",
        sections=tuple(_section(results, points) for results in all_results),
        definitions=tuple(definitions),
        provenance=_provenance(all_results),
        versions={k: v for k, v in _common(all_results).items() if k not in PER_LOG},
    )


def _title(all_results: Sequence[StreamResults]) -> str:
    learners = {m.name for results in all_results for m in results.learners}
    subject = next(iter(learners)) if len(learners) == 1 else f"{len(learners)} learners"
    where = all_results[0].stream if len(all_results) == 1 else f"{len(all_results)} streams"
    return f"{subject} on {where}"


def _summary(all_results: Sequence[StreamResults]) -> str:
    items = sum(_per_run(results.most_labelled, "items") for results in all_results)
    drifts = sum(len(results.drifts) for results in all_results)
    known = f" with {drifts} known drift{'s' * (drifts != 1)}" if drifts else ""
    where = "the stream" if len(all_results) == 1 else f"{len(all_results)} streams"
    most = max((len(m.runs) for results in all_results for m in results.measured), default=0)
    each = f" in each of {most} repetitions" if most else ""
    mean = "mean " if most else ""
    sentences = [f"{count(items)} items of {where}{known} were predicted{each}."]
    if len(all_results) == 1 and (ranked := all_results[0].ranked(all_results[0].main_measure)):
        results, top = all_results[0], ranked[0]
        show = share if results.classification else number
        baselines = [b for b in (results.persistent, results.majority) if b is not None]
        beside = listed(f"{b.name} {show(b.value(results.main_measure))}" for b in baselines)
        value = show(top.value(results.main_measure))
        best_value = (
            f"The best {mean}{results.main_measure} over the whole stream is {value}, of {top.name}"
            if len(ranked) > 1
            else f"Over the whole stream, {top.name} has {mean}{results.main_measure} {value}"
        )
        sentences.append(
            f"{best_value}; the baselines have {beside}." if baselines else f"{best_value}."
        )
    elif len(all_results) > 1:
        best: dict[tuple[str, str], list[str]] = {}
        for results in all_results:
            for top in results.ranked(results.main_measure)[:1]:
                best.setdefault((top.name, results.main_measure), []).append(results.stream)
        sentences += [
            f"By {mean}{main}, {name} is the best learner on {listed(streams, 6)}."
            for (name, main), streams in best.items()
        ]
    return " ".join(sentences)


def _overview(all_results: Sequence[StreamResults]) -> Table:
    """Table of learners by streams, if there are several streams of one task."""
    if len(all_results) < 2 or len({results.main_measure for results in all_results}) > 1:
        return NOTHING
    best: Literal["low", "high"] = "high" if all_results[0].classification else "low"
    names = {
        m.name: m.baseline
        for results in all_results
        for m in (*results.learners, *results.baselines)
    }
    all_values = [
        {m.name: m.cell(results.main_measure) for m in results.measured} for results in all_results
    ]
    return Table(
        (
            Column("learner", "learner"),
            *(
                Column(f"stream_{i}", results.stream, results.kind, best)
                for i, results in enumerate(all_results, 1)
            ),
        ),
        tuple(
            Row((name, *(values.get(name) for values in all_values)), baseline)
            for name, baseline in sorted(names.items(), key=lambda pair: pair[1])
        ),
    )


def _section(results: StreamResults, points: int) -> Section:
    verdicts, verdicts_note = verdict_table(results)
    costs, selections = resource_section(results), selection_section(results)
    adaptation, stability = adaptation_section(results), stability_section(results)
    return Section(
        stream=results.stream,
        facts=_facts(results),
        table=_table(results, results.shown),
        panels=tuple(_panel(results, measure, points) for measure in results.shown),
        drifts=results.drift_positions,
        verdicts=verdicts,
        verdicts_note=verdicts_note,
        pending=pending_section(results),
        properties=tuple(one for one in (adaptation, stability) if one is not None),
        selections=selections,
        profile=profile_section(
            profile_of(results, adaptation, stability, costs, selections), results
        ),
        alarms={m.name: _alarms(m) for m in results.measured if _alarm_count(m)},
        costs=costs.table,
        costs_note=costs.note,
        vitals=costs.panels,
    )


def _alarm_count(m: MeasuredLog) -> float:
    """Number of alarms of a run."""
    return sum(len(run.log.alarms().alarms) for run in m.each) / len(m.each)


def _alarms(m: MeasuredLog) -> tuple[int, ...]:
    """Positions of the alarms of all repetitions, thinned evenly to `MARKS`."""
    items = np.unique(np.concatenate([_alarms_of(run.log) for run in m.each]))
    if len(items) > MARKS:
        items = items[np.linspace(0, len(items) - 1, MARKS).astype(np.int64)]
    return tuple(items.tolist())


def _alarms_of(log: Log) -> I64:
    items = np.unique(log.alarms().alarms)
    return label_numbers(log, items) if axis_of(log) == "labels" else items


def _per_run(m: MeasuredLog, what: Literal["items", "known"]) -> int:
    """A count of one run; of repetitions, the mean, rounded."""
    total: int = getattr(m.counts, what)
    return round(total / len(m.each))


def _facts(results: StreamResults) -> dict[str, str]:
    longest = results.most_labelled
    counts = longest.counts
    facts = {
        "items": count(_per_run(longest, "items")),
        "labels": count(_per_run(longest, "known")),
    }
    if repeated := dict.fromkeys(len(m.runs) for m in results.measured if m.runs):
        unit = "folds" if any(m.folds for m in results.measured) else "repetitions"
        facts[unit] = " or ".join(map(count, sorted(repeated)))
    if results.schema.features:
        nominal = sum(f.nominal for f in results.schema.features)
        kinds = f" ({nominal} nominal)" if nominal else ""
        facts["features"] = f"{len(results.schema.features)}{kinds}"
    if results.schema.classes is not None:
        top = int(counts.labels.argmax()) if counts.labels.any() else None
        facts["classes"] = str(len(results.schema.classes))
        if top is not None:
            part = share(counts.labels[top] / counts.known)
            facts["most frequent class"] = f"{results.schema.classes[top]} ({part})"
        if counts.with_previous:
            facts["label repeats"] = share(counts.repeats / counts.with_previous)
    alarms = [(m, _alarm_count(m)) for m in results.measured]
    counted = [f"{m.name} {number(n) if m.runs else count(n)}" for m, n in alarms if n]
    if counted:
        of_each = " per repetition" if repeated else ""
        facts[f"alarms of detectors{of_each}"] = listed(counted)
    if results.drifts:
        facts["known drifts"] = listed(
            (f"{d.kind} at {count(d.centre)}" for d in results.drifts), 6
        )
    return facts


def _table(results: StreamResults, measures: Sequence[str]) -> Table:
    baselines = [b for b in (results.persistent, results.majority) if b is not None]
    repeated = any(m.runs for m in results.measured)
    columns = [Column("learner", "learner")]
    for measure in measures:
        best: Literal["low", "high"] = "low" if make("measure", measure).best == 0 else "high"
        columns.append(Column(measure, measure, kind_of(measure), best, "over the whole stream"))
        if measure == results.main_measure:
            if repeated:
                columns.append(
                    Column(
                        f"{measure}_interval",
                        "95\u00a0% interval",
                        interval_of(kind_of(measure)),
                        None,
                        f"t interval of the mean {measure} over repetitions or folds",
                    )
                )
            unit: Kind = "points" if results.classification else "number"
            columns += [
                Column(
                    f"vs_{b.plain_name}",
                    f"vs {b.name}",
                    unit,
                    None,
                    f"{measure} minus that of {b.name}",
                )
                for b in baselines
            ]
    columns.append(
        Column("coverage", "coverage", "share", None, "share of labelled items with a prediction")
    )
    columns.append(
        Column("labels", "labels", "count", None, "number of labels the values are computed on")
    )
    if repeated:
        columns.append(Column("repetitions", "runs", "count", None, "number of seeds or folds"))
    ranked = sorted(
        results.measured,
        key=lambda m: (
            m.baseline,
            _sort_key(m.value(results.main_measure), results.classification),
        ),
    )
    rows = (_row(results, m, measures, baselines, repeated) for m in ranked)
    return Table(tuple(columns), tuple(rows))


def _sort_key(value: float, higher: bool) -> float:
    return math.inf if math.isnan(value) else (-value if higher else value)


def _row(
    results: StreamResults,
    m: MeasuredLog,
    measures: Sequence[str],
    baselines: Sequence[MeasuredLog],
    repeated: bool,
) -> Row:
    cells: list[TableCell] = [m.name]
    for measure in measures:
        cells.append(m.cell(measure))
        if measure == results.main_measure:
            if repeated:
                cells.append(m.cell(measure) if m.runs else None)
            cells += [math.nan if b is m else m.difference(b, measure) for b in baselines]
    cells += [m.counts.coverage, _per_run(m, "known")]
    if repeated:
        cells.append(len(m.each))
    return Row(tuple(cells), m.baseline, "computed from the labels" if m.derived else "")


def _panel(results: StreamResults, measure: str, points: int) -> Panel:
    baselines = [m.name for m in results.measured if m.baseline]
    windows = {}
    for window in results.windows(measure):
        curves = {
            m.name: m.curves[measure, window]
            for m in (*results.learners, *results.baselines)
            if (measure, window) in m.curves
        }
        windows[window] = data(curves, points, baselines)
    bands = {
        window: data({m.name: m.bands[measure, window] for m in banded}, min(points, BAND_POINTS))
        for window in windows
        if (banded := [m for m in results.learners if (measure, window) in m.bands])
    }
    title = measure if results.axis == "items" else f"{measure} over known {results.axis}"
    of_runs = dict.fromkeys(
        f"Bands are the {m.bands[measure, 'whole'].definition['band']}"
        for m in results.learners
        if m.runs and (measure, "whole") in m.bands
    )
    note = "; ".join([*of_runs, *_bootstrap_notes(results, measure)])
    return Panel(measure, title, kind_of(measure), windows, note, bands, results.axis)


def _bootstrap_notes(results: StreamResults, measure: str) -> Iterator[str]:
    """What the bootstrap bands of a measure state, and which windows are too short for them."""
    curves = [
        (m.name, c)
        for m in results.learners
        if not m.runs
        for (name, _), c in m.bands.items()
        if name == measure
    ]
    if curves:
        uniform = curves[0][1].definition["validity"] == ANYTIME
        yield (
            "Bands are bootstrap intervals that hold at all points together, also under continuous "
            "monitoring"
            if uniform
            else "Bands are bootstrap intervals at each point, valid at a horizon fixed in advance"
        )
    for name, c in curves:
        if warning := c.definition.get("warning"):
            yield f"{name}, {c.window}: {warning}"


def _provenance(all_results: Sequence[StreamResults]) -> Table:
    ran = [(results, m) for results in all_results for m in results.measured if not m.derived]
    keys = [k for k in _about(all_results) if k in PER_LOG or k not in _common(all_results)]
    return Table(
        (Column("stream", "stream"), Column("learner", "learner"), *(Column(k, k) for k in keys)),
        tuple(
            Row((results.stream, m.name, *(run.log.about.get(k) for k in keys)))
            for results, m in ran
            for run in m.each
        ),
    )


def _about(all_results: Sequence[StreamResults]) -> list[str]:
    """Keys of the metadata of the logs, without stream and learner."""
    keys = dict.fromkeys(key for run in _ran(all_results) for key in run.log.about)
    return [key for key in keys if key not in ("stream", "learner")]


def _common(all_results: Sequence[StreamResults]) -> dict[str, str]:
    """Metadata equal in all logs."""
    ran = _ran(all_results)
    values = {key: {run.log.about.get(key) for run in ran} for key in _about(all_results)}
    return {key: str(*distinct) for key, distinct in values.items() if len(distinct) == 1}


def _ran(all_results: Sequence[StreamResults]) -> list[MeasuredLog]:
    """Every run of every learner; baselines that were computed from labels are none."""
    return [
        run for results in all_results for m in results.measured if not m.derived for run in m.each
    ]
