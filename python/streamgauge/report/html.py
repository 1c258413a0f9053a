"""A page as one HTML file that needs nothing else: styles, scripts and data are inside."""

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

from streamgauge.plots.learning_curve import Line
from streamgauge.report.page import Finding, Page, Section, Waiting
from streamgauge.report.wording import shown

DIGITS = 5
"""Significant digits of the points of a curve."""

TINY = 1e-290
"""A curve that never gets above this is drawn at 0: its digits have no power of ten."""


def to_html(page: Page) -> str:
    """The whole page as text. Names are escaped wherever they stand."""
    template = _environment().get_template("page.html")
    return template.render(
        page=page,
        groups=_groups(page.findings),
        shown=shown,
        style=_inside("templates", "style.css"),
        script=_inside("templates", "page.js"),
        echarts=_inside("bundle", "echarts.min.js"),
        notice=_text("bundle", "NOTICE"),
        curves=_embedded([_curves(section) for section in page.sections]),
    )


def _groups(findings: Sequence[Finding]) -> list[list[Finding]]:
    """What a rule said, just as gravely, about several streams: one card."""
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


def _inside(folder: str, name: str) -> Markup:
    """A file of ours, as it is: it holds nothing that anyone else wrote."""
    return Markup(_text(folder, name))


def _embedded(thing: object) -> Markup:
    """JSON that a script element can hold: no `<` in it can end the element or open another."""
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
        "waiting": None if section.waiting is None else _waiting(section.waiting, number),
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
                    window: [[number[line.name], *_ends(line)] for line in lines]
                    for window, lines in panel.bands.items()
                },
            }
            for panel in section.panels
        ],
    }


def _waiting(found: Waiting, number: dict[str, int]) -> dict[str, Any]:
    """Bins at each point in time, and costs, as the script draws them."""
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
    """A line in few characters: steps between items, and values in units of its last digit.

    [items per step, steps, unit, values]; the first step is counted from item 0, a gap is null.
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


def _ends(line: Line) -> list[Any]:
    """A band in few characters: [items per step, steps, unit, low ends, unit, high ends].

    What is infinite has no place on an axis and is a gap.
    """
    low, high = (
        _packed(replace(line, value=np.where(np.isfinite(end), end, np.nan)))
        for end in (line.low, line.high)
        if end is not None
    )
    return [*low, *high[2:]]
