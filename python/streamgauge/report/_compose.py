"""Page made of measured logs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from streamgauge.log.places import label_numbers
from streamgauge.measures._clock import axis_of
from streamgauge.names import make
from streamgauge.plots.learning_curve import data
from streamgauge.report._apply_rules import apply_rules
from streamgauge.report._format import count, kind_of, listed, number, share
from streamgauge.report._pending_section import pending_section
from streamgauge.report._verdicts import verdict_table
from streamgauge.report.page import (
    NOTHING,
    Cell,
    Column,
    Definition,
    Kind,
    Page,
    Panel,
    Row,
    Section,
    Table,
)
from streamgauge.report.stream_results import MeasuredLog, StreamResults

PER_LOG = ("protocol", "seed")
"""Properties that are shown for each log even if all logs agree on them."""

MARKS = 400
"""Maximum number of alarms marked per learner."""

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
    items = sum(results.most_labelled.counts.items for results in all_results)
    drifts = sum(len(results.drifts) for results in all_results)
    known = f" with {drifts} known drift{'s' * (drifts != 1)}" if drifts else ""
    where = "the stream" if len(all_results) == 1 else f"{len(all_results)} streams"
    sentences = [f"{count(items)} items of {where}{known} were predicted."]
    if len(all_results) == 1 and (ranked := all_results[0].ranked(all_results[0].main_measure)):
        results, top = all_results[0], ranked[0]
        show = share if results.classification else number
        baselines = [b for b in (results.persistent, results.majority) if b is not None]
        beside = listed(f"{b.name} {show(b.value(results.main_measure))}" for b in baselines)
        value = show(top.value(results.main_measure))
        best_value = (
            f"The best {results.main_measure} over the whole stream is {value}, of {top.name}"
            if len(ranked) > 1
            else f"Over the whole stream, {top.name} has {results.main_measure} {value}"
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
            f"By {main}, {name} is the best learner on {listed(streams, 6)}."
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
        {m.name: m.value(results.main_measure) for m in results.measured} for results in all_results
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
    return Section(
        stream=results.stream,
        facts=_facts(results),
        table=_table(results, results.shown),
        panels=tuple(_panel(results, measure, points) for measure in results.shown),
        drifts=results.drift_positions,
        verdicts=verdicts,
        verdicts_note=verdicts_note,
        pending=pending_section(results),
        alarms={m.name: _alarms(m) for m in results.measured if len(m.log.alarms().alarms)},
    )


def _alarms(m: MeasuredLog) -> tuple[int, ...]:
    """Positions of the alarms, thinned evenly to `MARKS`."""
    items = np.unique(m.log.alarms().alarms)
    if axis_of(m.log) == "labels":
        items = label_numbers(m.log, items)
    if len(items) > MARKS:
        items = items[np.linspace(0, len(items) - 1, MARKS).astype(np.int64)]
    return tuple(items.tolist())


def _facts(results: StreamResults) -> dict[str, str]:
    counts = results.most_labelled.counts
    facts = {"items": count(counts.items), "labels": count(counts.known)}
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
        if counts.pairs:
            facts["label repeats"] = share(counts.repeats / counts.pairs)
    alarms = [(m.name, len(m.log.alarms().alarms)) for m in results.measured]
    counted = [f"{name} {count(n)}" for name, n in alarms if n]
    if counted:
        facts["alarms of detectors"] = listed(counted)
    if results.drifts:
        facts["known drifts"] = listed(
            (f"{d.kind} at {count(d.centre)}" for d in results.drifts), 6
        )
    return facts


def _table(results: StreamResults, measures: Sequence[str]) -> Table:
    baselines = [b for b in (results.persistent, results.majority) if b is not None]
    columns = [Column("learner", "learner")]
    for measure in measures:
        best: Literal["low", "high"] = "low" if make("measure", measure).best == 0 else "high"
        columns.append(Column(measure, measure, kind_of(measure), best, "over the whole stream"))
        if measure == results.main_measure:
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
    ranked = sorted(
        results.measured,
        key=lambda m: (
            m.baseline,
            _sort_key(m.value(results.main_measure), results.classification),
        ),
    )
    return Table(tuple(columns), tuple(_row(results, m, measures, baselines) for m in ranked))


def _sort_key(value: float, higher: bool) -> float:
    return math.inf if math.isnan(value) else (-value if higher else value)


def _row(
    results: StreamResults,
    m: MeasuredLog,
    measures: Sequence[str],
    baselines: Sequence[MeasuredLog],
) -> Row:
    cells: list[Cell] = [m.name]
    for measure in measures:
        cells.append(m.value(measure))
        if measure == results.main_measure:
            cells += [
                m.value(measure) - b.value(measure)
                if b is not m and m.comparable_with(b)
                else math.nan
                for b in baselines
            ]
    cells += [m.counts.coverage, m.counts.known]
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
        window: data({m.name: m.bands[measure, window] for m in banded}, points)
        for window in windows
        if (banded := [m for m in results.learners if (measure, window) in m.bands])
    }
    title = measure if results.axis == "items" else f"{measure} over known {results.axis}"
    return Panel(measure, title, kind_of(measure), windows, bands=bands, axis=results.axis)


def _provenance(all_results: Sequence[StreamResults]) -> Table:
    ran = [(results, m) for results in all_results for m in results.measured if not m.derived]
    keys = [k for k in _about(all_results) if k in PER_LOG or k not in _common(all_results)]
    return Table(
        (Column("stream", "stream"), Column("learner", "learner"), *(Column(k, k) for k in keys)),
        tuple(
            Row((results.stream, m.name, *(m.log.about.get(k) for k in keys))) for results, m in ran
        ),
    )


def _about(all_results: Sequence[StreamResults]) -> list[str]:
    """Keys of the metadata of the logs, without stream and learner."""
    ran = [m for results in all_results for m in results.measured if not m.derived]
    keys = dict.fromkeys(key for m in ran for key in m.log.about)
    return [key for key in keys if key not in ("stream", "learner")]


def _common(all_results: Sequence[StreamResults]) -> dict[str, str]:
    """Metadata equal in all logs."""
    ran = [m for results in all_results for m in results.measured if not m.derived]
    values = {key: {m.log.about.get(key) for m in ran} for key in _about(all_results)}
    return {key: str(*distinct) for key, distinct in values.items() if len(distinct) == 1}
