"""What a report says, before anyone writes it: findings, tables, curves, definitions, origins.

A `Page` is plain data. `html`, `markdown`, `json` and `csv` beside this file each turn one into
text, so that the same numbers are in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from streamgauge.plots.learning_curve import Line
from streamgauge.types import F64, Axis, Drift

Cell: TypeAlias = str | int | float | None
"""What a table holds. NaN and None are shown as `–`."""

Kind: TypeAlias = Literal["text", "count", "share", "points", "index", "number", "chance"]
"""How a cell is shown: a `share` as percent, `points` as a signed difference of two of them, an
`index` (such as kappa) with four decimals, a `number` with as many digits as it needs, a `chance`
(a p-value) with three decimals and never as 0."""

Severity: TypeAlias = Literal["warning", "note", "good"]
"""A warning may overturn a conclusion, a note bears on how to read it, good is good news."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `best` says which end of it is good, if any."""

    key: str
    title: str
    kind: Kind = "text"
    best: Literal["high", "low"] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: a learner, or a baseline to hold it against."""

    cells: tuple[Cell, ...]
    baseline: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def column(self, key: str) -> list[Cell]:
        """The cells of one column, top to bottom."""
        at = [c.key for c in self.columns].index(key)
        return [row.cells[at] for row in self.rows]

    def best(self, key: str) -> set[int]:
        """The rows that hold the best value of a column; none where nothing is better."""
        ends = {c.key: c.best for c in self.columns}[key]
        values = {
            i: float(cell)
            for i, cell in enumerate(self.column(key))
            if isinstance(cell, int | float) and cell == cell
        }
        if ends is None or len(values) < 2 or len(set(values.values())) < 2:
            return set()
        top = max(values.values()) if ends == "high" else min(values.values())
        return {i for i, value in values.items() if value == top}


NOTHING = Table((), ())
"""A table of nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a careful reviewer would say, with what it rests on.

    `rule` is the name of its file in `report/findings`, `how` what that rule looks at.
    """

    rule: str
    severity: Severity
    sentence: str
    how: str
    stream: str = ""
    evidence: Table = NOTHING


@dataclass(frozen=True, slots=True)
class Panel:
    """One measure over the stream: for each window, a line for each learner.

    `bands` are lines with a low and a high end, at fewer points, where they were asked for.
    """

    measure: str
    title: str
    kind: Kind
    windows: Mapping[str, tuple[Line, ...]]
    note: str = ""
    bands: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    axis: Axis = "items"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Late labels: how good answers were from an item's coming to its label's, and at what cost.

    `values` holds for each log a row for each point in time (after `labels` labels), in it a value
    for each bin from 0 to `bins` + 1. `costs` are lines over events, by what they count.
    """

    measure: str
    kind: Kind
    bins: int
    labels: tuple[int, ...]
    values: Mapping[str, F64]
    costs: Mapping[str, tuple[Line, ...]]
    table: Table
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One stream: what it is, who did how well on it, who beats whom, and when.

    `alarms` are where detectors inside learners gave an alarm, by learner, counted from 0; they
    and `drifts` are places on the axis of the panels.
    """

    stream: str
    facts: Mapping[str, str]
    table: Table
    panels: tuple[Panel, ...] = ()
    drifts: tuple[Drift, ...] = ()
    verdicts: Table = NOTHING
    verdicts_note: str = ""
    alarms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    waiting: Waiting | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """What a word in this report stands for; `details` are the terms it was used on."""

    term: str
    text: str
    formula: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report; `overview` sets learners against streams where there are several."""

    title: str
    summary: str
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    overview: Table = NOTHING
    overview_note: str = ""
    definitions: tuple[Definition, ...] = ()
    provenance: Table = NOTHING
    versions: Mapping[str, str] = field(default_factory=dict)


RANK: dict[Severity, int] = {"warning": 0, "note": 1, "good": 2}


def ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Warnings first; otherwise as they came."""
    return tuple(sorted(findings, key=lambda f: RANK[f.severity]))
