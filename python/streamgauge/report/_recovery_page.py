"""Page about recovery analyses: findings, tables, panels, duration against loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from streamgauge.log.about import versions
from streamgauge.plots.learning_curve import Line
from streamgauge.plots.recovery_panels import Picture
from streamgauge.plots.recovery_panels import data as pictures_of
from streamgauge.plots.recovery_scatter import data as points_of
from streamgauge.recovery_analysis._compare_recoveries import DURATIONS
from streamgauge.recovery_analysis.recovery_panel import (
    Recovery,
    RecoveryComparison,
    RecoveryPanel,
    RecoveryValue,
)
from streamgauge.report._format import DASH, count, kind_of, shown
from streamgauge.report.page import (
    Column,
    Definition,
    Finding,
    Kind,
    Page,
    Panel,
    Row,
    Section,
    Severity,
    Table,
    TableCell,
    ordered,
)

DEFINITIONS = {
    "duration": "(t2 - t1) / T: from the first point below 95 % of the old pure curve to the first "
    "later one that is back at 95 % of the new pure curve",
    "sustained_duration": "the same, to the first point from which on the curve stays there",
    "duration_from_drift": "the duration without points before the drift has 1 % of the new stream",
    "maximum_loss": "largest relative difference to the worse one of both pure curves",
    "depth": "the same difference, in the unit of the measure",
    "area": "mean difference to the worse one of both pure curves where the mixture is worse",
    "decline": "deterioration per 1,000 items from the point before the drop to the worst point",
    "head_start": "mean of the first points after the drift to a stream that returns, minus that "
    "of the first points of its pure stream; above 0 it has remembered",
}
"""Measures of a recovery and their definitions."""

TITLES = {
    "duration": "duration",
    "sustained_duration": "for good",
    "duration_from_drift": "from the drift",
    "maximum_loss": "maximum loss",
    "depth": "depth",
    "area": "area",
    "decline": "decline per 1,000 items",
    "head_start": "head start",
}
LEVELS = {
    "level_before": "level before",
    "level_after": "level after",
    "level_end": "level at the end",
}
WITH_INTERVAL = ("duration", "maximum_loss")
"""Measures whose intervals are in the table."""

SHORT = ("duration", "sustained_duration", "maximum_loss", "area", "head_start")
"""Measures in the table of a terminal."""

RULE = "recovery"
PER = 1000
"""Items to which the speed of a decline refers in tables."""


def recovery_page(found: Mapping[str, Recovery], title: str = "") -> Page:
    """The page about analyses, by name; one section per drift."""
    sections: list[Section] = []
    findings: list[Finding] = []
    for name, one in found.items():
        pictures = pictures_of(one)
        for setting in one.settings:
            for number in dict.fromkeys(panel.number for panel in one.panels):
                chosen = [
                    (panel, picture)
                    for panel, picture in zip(one.panels, pictures, strict=True)
                    if (panel.setting, panel.number) == (setting, number)
                ]
                heading = _heading(name, one, chosen[0][0])
                sections.append(_section(heading, one, chosen))
                findings += [_finding(panel, heading, one) for panel, _ in chosen]
    first = next(iter(found.values()))
    learners = dict.fromkeys(name for one in found.values() for name in one.learners)
    summary = (
        f"Recovery of {', '.join(learners)} over {first.repetitions} repetitions: the curve on a "
        "drifting mixture of two pure streams, against the curves on the pure streams. "
        + " ".join(f"{note[:1].upper()}{note[1:]}." for one in found.values() for note in one.notes)
    )
    return Page(
        title or "Recovery analysis",
        summary.strip(),
        ordered(findings),
        tuple(sections),
        definitions=_definitions(first),
        versions=versions(),
        scatter=points_of(found if len(found) > 1 else first),
    )


def recovery_table(panels: Sequence[RecoveryPanel], short: bool = False) -> Table:
    """The measures of each learner at one drift; a `short` table fits in a terminal.

    Intervals of the others are in the evidence of the findings.
    """
    names = [name for name in TITLES if any(name in panel.values for panel in panels)]
    if short:
        names = [name for name in names if name in SHORT]
    measure = panels[0].mixture.measure
    columns = [Column("learner", "learner"), Column("outcome", "outcome")]
    for name in names:
        best: Literal["high", "low"] = "high" if name == "head_start" else "low"
        columns.append(Column(name, TITLES[name], _kind(name, measure), best, DEFINITIONS[name]))
        if name in WITH_INTERVAL and not short:
            columns.append(Column(f"{name}_interval_text", f"{TITLES[name]}, interval", "text"))
    columns.append(Column("optimal", "optimal"))
    columns.append(Column("long_enough", "long enough"))
    if not short:
        kind = kind_of(measure)
        columns += [Column(key, title, kind) for key, title in LEVELS.items()]
    rows = []
    for panel in panels:
        cells: list[TableCell] = [panel.learner, panel.outcome]
        for name in names:
            value = panel.values.get(name)
            cells.append(None if value is None else _scale(name) * value.value)
            if name in WITH_INTERVAL and not short:
                cells.append(_interval(value, _kind(name, measure), _scale(name)))
        cells.append({True: "yes", False: "no", None: DASH}[panel.optimal])
        cells.append("yes" if panel.check.long_enough else "no")
        if not short:
            cells += [getattr(panel, key) for key in LEVELS]
        # The duration of a learner that is below at the end is not known, and its losses go on.
        rows.append(Row(tuple(cells), unmarked=not panel.for_good))
    return Table(tuple(columns), tuple(rows))


def comparison_table(found: Sequence[RecoveryComparison]) -> Table:
    """The differences of every two learners at one drift."""
    columns = (
        Column("pair", "learners"),
        Column("measure", "measure"),
        Column("difference", "difference", "number"),
        Column("interval_text", "interval", "text"),
        Column("better", "better"),
    )
    rows = tuple(
        Row(
            (
                f"{one.first} − {one.second}",
                TITLES[one.name],
                one.difference,
                f"{shown(one.low, 'number')} to {shown(one.high, 'number')}"
                if not math.isnan(one.low)
                else DASH,
                one.better or "undecided",
            )
        )
        for one in found
    )
    return Table(columns, rows)


def _heading(name: str, one: Recovery, panel: RecoveryPanel) -> str:
    drift = f", drift {panel.number + 1}" if len(one.concepts) > 2 else ""
    return f"{name}, {panel.setting}{drift}"


def _section(
    heading: str, one: Recovery, chosen: Sequence[tuple[RecoveryPanel, Picture]]
) -> Section:
    panels = [panel for panel, _ in chosen]
    place = panels[0].transition
    compared = [
        c for c in one.comparisons if (c.setting, c.number) == (panels[0].setting, panels[0].number)
    ]
    return Section(
        heading,
        {
            "before": panels[0].old,
            "after": panels[0].new,
            "items": count(one.items),
            "repetitions": str(one.repetitions),
            "measure": one.measure,
            "window": one.window,
            "drift": f"centre {place.centre:,}, width {place.width:,.0f} items, from item "
            f"{place.start:,} to {place.end:,}, counted from 1",
            "bound": panels[0].bound_note,
        },
        recovery_table(panels),
        tuple(_panel(one, picture) for _, picture in chosen),
        (place.marks,),
        comparison_table(compared),
        "Differences by paired repetitions: in every bootstrap sample, both learners have the same "
        "repetitions. A smaller value is better; undecided if the interval has 0."
        if compared
        else "",
    )


def _panel(one: Recovery, picture: Picture) -> Panel:
    window = one.window
    plain = tuple(Line(line.name, line.at, line.value) for line in picture.lines)
    bands = tuple(line for line in picture.lines if line.low is not None)
    return Panel(
        one.measure,
        f"{picture.learner}: {one.measure}",
        kind_of(one.measure),
        {window: plain},
        f"Bands are {100 * one.level:g} % t intervals of the mean over repetitions",
        {window: bands},
    )


def _finding(panel: RecoveryPanel, heading: str, one: Recovery) -> Finding:
    severity: Severity = "note"
    if panel.outcome in ("not recovered", "relapsed") or not panel.check.long_enough:
        severity = "warning"
    elif panel.optimal and panel.outcome in ("recovered", "no drop"):
        severity = "good"
    evidence = Table(
        (Column("measure", "measure"), Column("value", "value"), Column("interval", "interval")),
        tuple(
            Row((TITLES[name], shown(value.value * _scale(name), _kind(name, one.measure)), text))
            for name, value in panel.values.items()
            for text in (_interval(value, _kind(name, one.measure), _scale(name)),)
        ),
    )
    definition = (
        "A learner recovers if its curve on the mixture, once it has dropped below "
        f"{one.definition['limit']} before the drift, is back at this share of the one after it."
    )
    return Finding(RULE, severity, panel.finding, definition, heading, evidence)


def _scale(name: str) -> int:
    return PER if name == "decline" else 1


def _kind(name: str, measure: str) -> Kind:
    if name in (*DURATIONS, "maximum_loss"):
        return "share"
    return "share" if kind_of(measure) == "share" and name != "decline" else "number"


def _interval(value: RecoveryValue | None, kind: Kind, scale: int = 1) -> str:
    if value is None or math.isnan(value.low):
        return DASH
    least = "at least " if value.share_censored > 0 else ""
    return f"{shown(scale * value.low, kind)} to {least}{shown(scale * value.high, kind)}"


def _definitions(one: Recovery) -> tuple[Definition, ...]:
    terms = [
        Definition(TITLES[name], f"{text}.")
        for name, text in DEFINITIONS.items()
        if any(name in panel.values for panel in one.panels)
    ]
    bound = Definition(
        "bound",
        "What the better one of the two models of the pure streams achieves on the mixture: a "
        "lower bound of the optimal score, an upper bound of the optimal loss.",
        "max{λ α + (1 − λ) c, (1 − λ) β + λ c}",
        dict(one.definition),
    )
    return (*terms, bound)
