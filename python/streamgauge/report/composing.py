"""Measured logs become a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from streamgauge.log.places import label_numbers
from streamgauge.measures._clock import axis_of
from streamgauge.names import make
from streamgauge.plots.learning_curve import data
from streamgauge.report.case import Case, Measured
from streamgauge.report.judging import judge
from streamgauge.report.looking import look
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
from streamgauge.report.waiting import waiting
from streamgauge.report.wording import count, kind_of, listed, number, share

VARIED = ("protocol", "seed")
"""What is shown for each log, even if all logs agree on it."""

MARKS = 400
"""Alarms of a learner that are marked."""

ROOM = 220_000
"""Points on one page; shared among all curves so that many streams do not make a heavy file."""


def compose(
    cases: Sequence[Case],
    title: str = "",
    points: int = 2000,
    definitions: Sequence[Definition] = (),
) -> Page:
    """The page about these streams."""
    curves = sum(len(case.curves()) for case in cases)
    points = max(100, min(points, ROOM // max(curves, 1)))
    return Page(
        title=title or _title(cases),
        summary=_summary(cases),
        findings=look(cases),
        overview=_overview(cases),
        overview_note=f"{cases[0].main} over the whole of each stream" if cases else "",
        sections=tuple(_section(case, points) for case in cases),
        definitions=tuple(definitions),
        provenance=_provenance(cases),
        versions={k: v for k, v in _common(cases).items() if k not in VARIED},
    )


def _title(cases: Sequence[Case]) -> str:
    learners = {m.name for case in cases for m in case.learners}
    who = next(iter(learners)) if len(learners) == 1 else f"{len(learners)} learners"
    where = cases[0].stream if len(cases) == 1 else f"{len(cases)} streams"
    return f"{who} on {where}"


def _summary(cases: Sequence[Case]) -> str:
    items = sum(case.fullest.counts.asked for case in cases)
    drifts = sum(len(case.drifts) for case in cases)
    known = f" with {drifts} known drift{'s' * (drifts != 1)}" if drifts else ""
    where = "the stream" if len(cases) == 1 else f"{len(cases)} streams"
    said = [f"{count(items)} items of {where} were asked about{known}."]
    if len(cases) == 1 and (ranked := cases[0].ranked(cases[0].main)):
        case, top = cases[0], ranked[0]
        show = share if case.classification else number
        bars = [b for b in (case.persistent, case.majority) if b is not None]
        beside = listed(f"{b.name} {show(b.value(case.main))}" for b in bars)
        value = show(top.value(case.main))
        had = (
            f"The best {case.main} over all of them was {value}, by {top.name}"
            if len(ranked) > 1
            else f"Over all of them, {top.name} had {case.main} {value}"
        )
        said.append(f"{had}; the baselines had {beside}." if bars else f"{had}.")
    elif len(cases) > 1:
        best: dict[tuple[str, str], list[str]] = {}
        for case in cases:
            for top in case.ranked(case.main)[:1]:
                best.setdefault((top.name, case.main), []).append(case.stream)
        said += [
            f"By {main}, {name} was the best learner on {listed(streams, 6)}."
            for (name, main), streams in best.items()
        ]
    return " ".join(said)


def _overview(cases: Sequence[Case]) -> Table:
    """Learners against streams, where there are several of one task."""
    if len(cases) < 2 or len({case.main for case in cases}) > 1:
        return NOTHING
    best: Literal["low", "high"] = "high" if cases[0].classification else "low"
    names = {m.name: m.baseline for case in cases for m in (*case.learners, *case.baselines)}
    held = [{m.name: m.value(case.main) for m in case.measured} for case in cases]
    return Table(
        (
            Column("learner", "learner"),
            *(
                Column(f"stream_{i}", case.stream, case.kind, best)
                for i, case in enumerate(cases, 1)
            ),
        ),
        tuple(
            Row((name, *(values.get(name) for values in held)), baseline)
            for name, baseline in sorted(names.items(), key=lambda pair: pair[1])
        ),
    )


def _section(case: Case, points: int) -> Section:
    verdicts, how = judge(case)
    return Section(
        stream=case.stream,
        facts=_facts(case),
        table=_table(case, case.shown),
        panels=tuple(_panel(case, measure, points) for measure in case.shown),
        drifts=case.marks,
        verdicts=verdicts,
        verdicts_note=how,
        waiting=waiting(case),
        alarms={m.name: _alarms(m) for m in case.measured if len(m.log.alarms().alarms)},
    )


def _alarms(m: Measured) -> tuple[int, ...]:
    """Where alarms are, spread out evenly where there are too many to be told apart."""
    items = np.unique(m.log.alarms().alarms)
    if axis_of(m.log) == "labels":
        items = label_numbers(m.log, items)
    if len(items) > MARKS:
        items = items[np.linspace(0, len(items) - 1, MARKS).astype(np.int64)]
    return tuple(items.tolist())


def _facts(case: Case) -> dict[str, str]:
    counts = case.fullest.counts
    facts = {"items": count(counts.asked), "labels": count(counts.known)}
    if case.schema.features:
        nominal = sum(f.nominal for f in case.schema.features)
        kinds = f" ({nominal} nominal)" if nominal else ""
        facts["features"] = f"{len(case.schema.features)}{kinds}"
    if case.schema.classes is not None:
        top = int(counts.labels.argmax()) if counts.labels.any() else None
        facts["classes"] = str(len(case.schema.classes))
        if top is not None:
            part = share(counts.labels[top] / counts.known)
            facts["commonest class"] = f"{case.schema.classes[top]} ({part})"
        if counts.pairs:
            facts["label repeats"] = share(counts.repeats / counts.pairs)
    alarms = [(m.name, len(m.log.alarms().alarms)) for m in case.measured]
    told = [f"{name} {count(n)}" for name, n in alarms if n]
    if told:
        facts["alarms of detectors"] = listed(told)
    if case.drifts:
        facts["known drifts"] = listed((f"{d.kind} at {count(d.centre)}" for d in case.drifts), 6)
    return facts


def _table(case: Case, measures: Sequence[str]) -> Table:
    bars = [b for b in (case.persistent, case.majority) if b is not None]
    columns = [Column("learner", "learner")]
    for measure in measures:
        best: Literal["low", "high"] = "low" if make("measure", measure).best == 0 else "high"
        columns.append(Column(measure, measure, kind_of(measure), best, "over the whole stream"))
        if measure == case.main:
            unit: Kind = "points" if case.classification else "number"
            columns += [
                Column(
                    f"vs_{b.plain_name}", f"vs {b.name}", unit, None, f"{measure} minus {b.name}'s"
                )
                for b in bars
            ]
    columns.append(Column("coverage", "coverage", "share", None, "labels that had an answer"))
    columns.append(Column("labels", "labels", "count", None, "known labels it was measured on"))
    ranked = sorted(
        case.measured,
        key=lambda m: (m.baseline, _worst_first(m.value(case.main), case.classification)),
    )
    return Table(tuple(columns), tuple(_row(case, m, measures, bars) for m in ranked))


def _worst_first(value: float, higher: bool) -> float:
    return math.inf if math.isnan(value) else (-value if higher else value)


def _row(case: Case, m: Measured, measures: Sequence[str], bars: Sequence[Measured]) -> Row:
    cells: list[Cell] = [m.name]
    for measure in measures:
        cells.append(m.value(measure))
        if measure == case.main:
            held = [b is not m and m.fits(b) for b in bars]
            apart = [m.value(measure) - b.value(measure) for b in bars]
            cells += [x if fits else math.nan for x, fits in zip(apart, held, strict=True)]
    cells += [m.counts.coverage, m.counts.known]
    return Row(tuple(cells), m.baseline, "worked out from the labels" if m.derived else "")


def _panel(case: Case, measure: str, points: int) -> Panel:
    grey = [m.name for m in case.measured if m.baseline]
    windows = {}
    for window in case.windows(measure):
        curves = {
            m.name: m.curves[measure, window]
            for m in (*case.learners, *case.baselines)
            if (measure, window) in m.curves
        }
        windows[window] = data(curves, points, grey)
    bands = {
        window: data({m.name: m.bands[measure, window] for m in banded}, points)
        for window in windows
        if (banded := [m for m in case.learners if (measure, window) in m.bands])
    }
    title = measure if case.axis == "items" else f"{measure} over known {case.axis}"
    return Panel(measure, title, kind_of(measure), windows, bands=bands, axis=case.axis)


def _provenance(cases: Sequence[Case]) -> Table:
    ran = [(case, m) for case in cases for m in case.measured if not m.derived]
    keys = [k for k in _about(cases) if k in VARIED or k not in _common(cases)]
    return Table(
        (Column("stream", "stream"), Column("learner", "learner"), *(Column(k, k) for k in keys)),
        tuple(Row((case.stream, m.name, *(m.log.about.get(k) for k in keys))) for case, m in ran),
    )


def _about(cases: Sequence[Case]) -> list[str]:
    """What the logs say about themselves, besides who and where."""
    ran = [m for case in cases for m in case.measured if not m.derived]
    keys = dict.fromkeys(key for m in ran for key in m.log.about)
    return [key for key in keys if key not in ("stream", "learner")]


def _common(cases: Sequence[Case]) -> dict[str, str]:
    """What all logs agree on."""
    ran = [m for case in cases for m in case.measured if not m.derived]
    values = {key: {m.log.about.get(key) for m in ran} for key in _about(cases)}
    return {key: str(*held) for key, held in values.items() if len(held) == 1}
