"""Content of a report as plain data: findings, tables, curves, definitions, provenance.

`html`, `markdown`, `json`, `csv` and `latex` in this package each convert a `Page` to text, so all
formats hold the same values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from streamgauge.plots.learning_curve import Line
from streamgauge.plots.radar import Radar
from streamgauge.plots.recovery_scatter import ScatterPoint
from streamgauge.plots.selected_features import SelectedFeatures
from streamgauge.repetitions._spread import Spread
from streamgauge.types import F64, Axis, Drift

TableCell: TypeAlias = str | int | float | Spread | None
"""Cell of a table; a `Spread` holds the values of repetitions. NaN and None are shown as `–`."""

Kind: TypeAlias = Literal[
    "text",
    "count",
    "share",
    "points",
    "index",
    "number",
    "p_value",
    "share_interval",
    "index_interval",
    "number_interval",
]
"""Format of a cell: a `share` in percent, `points` as a signed difference in percentage points, an
`index` (such as kappa) with four decimals, a `number` with four or five significant digits, a
`p_value` with three decimals and never as 0. A `Spread` is shown as mean ± standard deviation; an
interval of it is for readers only and is left out of JSON and CSV, where the `Spread` has it."""

Severity: TypeAlias = Literal["warning", "note", "good"]
"""A warning may invalidate a conclusion, a note affects its interpretation, good confirms it."""


@dataclass(frozen=True, slots=True)
class Column:
    """Column of a table; `best` is whether high or low values are better, if either."""

    key: str
    title: str
    kind: Kind = "text"
    best: Literal["high", "low"] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a table: a learner or a baseline; `unmarked` if it is never marked as the best."""

    cells: tuple[TableCell, ...]
    baseline: bool = False
    note: str = ""
    unmarked: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def column(self, key: str) -> list[TableCell]:
        """The cells of one column, top to bottom."""
        at = [c.key for c in self.columns].index(key)
        return [row.cells[at] for row in self.rows]

    def best(self, key: str) -> set[int]:
        """Indices of the rows with the best value of a column; empty if none is better.

        Where an unmarked row has the best value, no row is the best.
        """
        ends = {c.key: c.best for c in self.columns}[key]
        values = {
            i: float(cell)
            for i, cell in enumerate(self.column(key))
            if isinstance(cell, int | float | Spread) and not math.isnan(cell)
        }
        if ends is None or len(values) < 2 or len(set(values.values())) < 2:
            return set()
        top = max(values.values()) if ends == "high" else min(values.values())
        found = {i for i, value in values.items() if value == top}
        return set() if any(self.rows[i].unmarked for i in found) else found

    @property
    def repeated(self) -> bool:
        """Whether a cell holds the values of repetitions."""
        return any(isinstance(cell, Spread) for row in self.rows for cell in row.cells)

    @property
    def without_intervals(self) -> Table:
        """The table without columns of intervals, which repeat what other cells hold."""
        kept = [i for i, c in enumerate(self.columns) if not c.kind.endswith("_interval")]
        if len(kept) == len(self.columns):
            return self
        rows = (replace(row, cells=tuple(row.cells[i] for i in kept)) for row in self.rows)
        return Table(tuple(self.columns[i] for i in kept), tuple(rows))


NOTHING = Table((), ())
"""The empty table."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Statement of a rule about a stream, with its evidence.

    `rule` is the name of its file in `report/findings`, `definition` the docstring of the rule;
    `missing_cells` and `kept_cells`, about a run folder, are added by `report` and `run`, and
    `recovery` by a recovery analysis.
    """

    rule: str
    severity: Severity
    sentence: str
    definition: str
    stream: str = ""
    evidence: Table = NOTHING


@dataclass(frozen=True, slots=True)
class Panel:
    """One measure over the stream: one line per learner for each window.

    `bands` are lines with lower and upper bounds, at fewer points, if requested.
    """

    measure: str
    title: str
    kind: Kind
    windows: Mapping[str, tuple[Line, ...]]
    note: str = ""
    bands: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    axis: Axis = "items"


@dataclass(frozen=True, slots=True)
class PendingSection:
    """Quality and cost of repeated predictions between the arrival of an item and of its label.

    `values` holds for each log an array of one row per point in time (after `labels` labels) and
    one column per bin from 0 to `bins` + 1. `costs` are lines over events, by name of the cost.
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
class PropertySection:
    """A property of the learners on one stream: a table, a note, and lines with bands.

    `measure` is what the lines show, `axis` what their positions count.
    """

    title: str
    table: Table
    note: str
    measure: str
    axis: str
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class SelectionSection:
    """Stability and size of the selections of features; `pictures` by learner."""

    table: Table
    pictures: Mapping[str, SelectedFeatures]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ProfileSection:
    """All properties of the learners side by side.

    `values` are the properties, `scores` the same from 0 to 1, `axes` the definitions with the
    values that have these scores; `missing` are the properties that the logs do not show.
    """

    values: Table
    scores: Table
    axes: Table
    missing: Mapping[str, str]
    radar: Radar
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One stream: its properties, the values of the learners, verdicts and curves.

    `alarms` are the positions of the alarms of detectors inside learners, by learner, counted from
    0. They and `drifts` are positions on the axis of the panels. `costs` are what the runs cost,
    `vitals` panels of sampled facts about the learners.
    """

    stream: str
    facts: Mapping[str, str]
    table: Table
    panels: tuple[Panel, ...] = ()
    drifts: tuple[Drift, ...] = ()
    verdicts: Table = NOTHING
    verdicts_note: str = ""
    alarms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    pending: PendingSection | None = None
    properties: tuple[PropertySection, ...] = ()
    selections: SelectionSection | None = None
    profile: ProfileSection | None = None
    costs: Table = NOTHING
    costs_note: str = ""
    vitals: tuple[Panel, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """Definition of a term of the report; `details` are the parameters it was used with."""

    term: str
    text: str
    formula: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report; `overview` is a table of learners by streams, if there are several.

    `scatter` are the points of a recovery analysis: duration against loss.
    """

    title: str
    summary: str
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    overview: Table = NOTHING
    overview_note: str = ""
    definitions: tuple[Definition, ...] = ()
    provenance: Table = NOTHING
    versions: Mapping[str, str] = field(default_factory=dict)
    scatter: tuple[ScatterPoint, ...] = ()


RANK: dict[Severity, int] = {"warning": 0, "note": 1, "good": 2}


def ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings sorted by severity, warnings first; the order is otherwise kept."""
    return tuple(sorted(findings, key=lambda f: RANK[f.severity]))
