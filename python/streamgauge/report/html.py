"""A page as one self-contained HTML file with its styles, scripts and data."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from streamgauge.escapes import SURROGATE
from streamgauge.plots.learning_curve import Line
from streamgauge.plots.recovery_scatter import ScatterPoint
from streamgauge.repetitions._spread import Spread
from streamgauge.report._format import REPEATED, interval_of, shown
from streamgauge.report._line_figure import line_figure
from streamgauge.report._radar_figure import radar_figure
from streamgauge.report._selection_picture import selection_picture
from streamgauge.report.page import (
    Column,
    Finding,
    Page,
    Panel,
    PendingSection,
    ProfileSection,
    PropertySection,
    Section,
    TableCell,
)

DIGITS = 5
"""Significant digits of the points of a curve."""

TINY = 1e-290
"""A curve whose values stay below this is drawn at 0, because its scale underflows."""


def to_html(page: Page) -> str:
    """The page as HTML text; all names are escaped."""
    template = _environment().get_template("page.html")
    html = template.render(
        page=page,
        groups=_groups(page.findings),
        shown=shown,
        raw=raw,
        spread=_spread,
        figure=_figure,
        radar=_radar,
        repeated=REPEATED,
        selection_picture=selection_picture,
        style=_resource("templates", "style.css"),
        script=_resource("templates", "page.js"),
        echarts=_resource("bundle", "echarts.min.js"),
        notice=_text("bundle", "NOTICE"),
        curves=_embedded([_curves(section) for section in page.sections]),
        scatter=_embedded([_point(point) for point in page.scatter]),
    )
    return SURROGATE.sub("\ufffd", html)


def raw(cell: TableCell) -> TableCell:
    """The value by which a cell is sorted."""
    return cell.mean if isinstance(cell, Spread) else cell


def _spread(cell: TableCell, column: Column) -> Markup:
    """Attributes of a cell with repetitions: what is saved as CSV, and the values as a hint."""
    if not isinstance(cell, Spread) or column.kind.endswith("_interval"):
        return Markup("")
    values = ", ".join(shown(value, column.kind) for value in cell.values)
    interval = shown(cell, interval_of("number" if column.kind == "points" else column.kind))
    hint = f"{values}; 95 % interval of the mean: {interval}"
    parts = {"sd": cell.sd, "low": cell.low, "high": cell.high}
    attributes = "".join(f' data-{name}="{value}"' for name, value in parts.items())
    return Markup(attributes) + Markup(' title="{}"').format(hint)


def _point(point: ScatterPoint) -> dict[str, Any]:
    """A point of the scatter for the script; what is undefined is null."""
    found: dict[str, Any] = {
        name: _rounded(getattr(point, name))
        for name in (
            "duration",
            "duration_low",
            "duration_high",
            "loss",
            "loss_low",
            "loss_high",
        )
    }
    return {
        "learner": point.learner,
        "setting": point.setting,
        "censored": point.censored,
        **found,
    }


def _figure(found: PropertySection) -> Markup:
    """The lines of a property as SVG, whose names are escaped."""
    kinds = {column.key: column.kind for column in found.table.columns}
    share = "share" in kinds.values() or "points" in kinds.values()
    return Markup(line_figure(found.lines, found.measure, found.axis, "share" if share else ""))


def _radar(found: ProfileSection, title: str) -> Markup:
    """The polygons of a profile as SVG, whose names are escaped."""
    return Markup(radar_figure(found.radar, title))


def _groups(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings grouped by severity and rule: one card per group."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.severity, finding.rule), []).append(finding)
    return list(groups.values())


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("streamgauge.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


@cache
def _text(folder: str, name: str) -> str:
    return files("streamgauge.report").joinpath(folder, name).read_text(encoding="utf-8")


def _resource(folder: str, name: str) -> Markup:
    """A file of the package, unescaped: it contains no user data."""
    return Markup(_text(folder, name))


def _embedded(thing: object) -> Markup:
    """JSON safe inside a script element: `<` cannot end the element or open another."""
    text = json.dumps(thing, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def _curves(section: Section) -> dict[str, Any]:
    names = {
        line.name: line.baseline
        for panel in section.panels
        for lines in panel.windows.values()
        for line in lines
    }
    number = {name: i for i, name in enumerate(names)}
    return {
        "stream": section.stream,
        "names": list(names),
        "baselines": [number[name] for name, baseline in names.items() if baseline],
        "drifts": [[d.start, d.centre, d.end, d.kind] for d in section.drifts],
        "pending": None if section.pending is None else _pending_data(section.pending, number),
        "alarms": {number[name]: items for name, items in section.alarms.items()},
        "panels": [
            {
                "title": panel.title,
                "kind": panel.kind,
                "axis": panel.axis,
                "windows": {
                    window: [[number[line.name], *_packed(line)] for line in lines]
                    for window, lines in panel.windows.items()
                },
                "bands": {
                    window: [[number[line.name], *_packed_band(line)] for line in lines]
                    for window, lines in panel.bands.items()
                },
            }
            for panel in section.panels
        ]
        + [_vitals_data(section, panel, number) for panel in shown_vitals(section)],
    }


def _vitals_data(section: Section, panel: Panel, number: dict[str, int]) -> dict[str, Any]:
    """A panel of vitals for the script; whichever window is chosen, the samples are the same."""
    lines = [
        [number[line.name], *_packed(line)]
        for line in panel.windows["sampled"]
        if line.name in number
    ]
    return {
        "title": panel.title,
        "kind": panel.kind,
        "axis": panel.axis,
        "windows": dict.fromkeys(section.panels[0].windows, lines),
        "bands": {},
    }


def shown_vitals(section: Section) -> tuple[Panel, ...]:
    """The panels of vitals; none without a panel of a measure, whose controls they share."""
    return section.vitals if section.panels else ()


def _pending_data(found: PendingSection, number: dict[str, int]) -> dict[str, Any]:
    """Bins at each point in time, and costs, for the script."""
    return {
        "measure": found.measure,
        "kind": found.kind,
        "bins": found.bins,
        "labels": found.labels,
        "values": [
            [number[name], [[_rounded(v) for v in row] for row in rows.tolist()]]
            for name, rows in found.values.items()
        ],
        "costs": {
            cost: [[number[line.name], *_packed(line)] for line in lines]
            for cost, lines in found.costs.items()
        },
    }


def _rounded(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _packed(line: Line) -> list[Any]:
    """A line in compact form: steps between items, and values in units of the last digit.

    [items per step, steps, unit, values]; the first step counts from item 0, a gap is null.
    """
    if not len(line.at):
        return [1, [], 1, []]
    steps = np.diff(line.at, prepend=0)
    grid = max(1, int(np.gcd.reduce(steps)))
    largest = float(np.nanmax(np.abs(line.value), initial=0.0))
    size = math.floor(math.log10(largest)) if largest > TINY else 0
    scaled = np.round(line.value * 10.0 ** (DIGITS - 1 - size))
    values = [None if math.isnan(v) else int(v) for v in scaled.tolist()]
    return [grid, (steps // grid).tolist(), size + 1 - DIGITS, values]


def _packed_band(line: Line) -> list[Any]:
    """A band in compact form: [items per step, steps, unit, lower bounds, unit, upper bounds].

    Infinite bounds become gaps.
    """
    low, high = (
        _packed(replace(line, value=np.where(np.isfinite(end), end, np.nan)))
        for end in (line.low, line.high)
        if end is not None
    )
    return [*low, *high[2:]]
