"""Section of a report about what runs cost: time, memory, and the structure of learners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from streamgauge.plots import learning_curve
from streamgauge.repetitions._by_learner import seed_of
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.repetitions._spread import Spread
from streamgauge.report.page import NOTHING, Column, Panel, Row, Table, TableCell
from streamgauge.report.stream_results import MeasuredLog, StreamResults
from streamgauge.resources._resources import PARTS, resources, size_method
from streamgauge.resources._vital_curves import COMPLEXITY, vital_curves
from streamgauge.types import Curve

Best = Literal["high", "low"] | None

COLUMNS: dict[str, tuple[str, float, Best, str]] = {
    "items_per_second": ("items/s", 1.0, "high", "items of the run by its seconds"),
    "predict_seconds_per_item": ("predict (µs)", 1e6, "low", "microseconds per item, on copies"),
    "learn_seconds_per_item": ("learn (µs)", 1e6, "low", "microseconds per item, on copies"),
    "fastest_rate": ("fastest rate (1/s)", 1.0, "high", "1 / (predict + learn)"),
    "read_seconds": ("read (s)", 1.0, None, PARTS["read_seconds"][1]),
    "log_seconds": ("log (s)", 1.0, None, PARTS["log_seconds"][1]),
    "largest_bytes": ("size (kB)", 1e-3, None, "the largest sample of the learner's size"),
    "ram_hours": ("RAM-Hours", 1.0, None, "GiB times hours, by the sampled sizes"),
    "peak_bytes": ("peak (MB)", 1e-6, None, PARTS["peak_bytes"][1]),
    "energy_joules": ("energy (J)", 1.0, None, PARTS["energy_joules"][1]),
}
"""Cost -> title, factor, which values are better, note. Sizes of different methods do not compare,
so none is called better."""

SHOWN = ("bytes", *COMPLEXITY, "n_models", "drifts")
"""Facts that are drawn, if a learner tells them."""

MOST_PANELS = 6

POINTS = 200
"""Points of a line."""


@dataclass(frozen=True, slots=True)
class ResourceSection:
    """A table of costs with its note, and panels of vitals over the stream."""

    table: Table = NOTHING
    note: str = ""
    panels: tuple[Panel, ...] = ()


def resource_section(results: StreamResults) -> ResourceSection:
    """What the runs of a stream cost; empty if no log states it."""
    ran = [m for m in (*results.learners, *results.baselines) if not m.derived]
    found = {
        m.name: [{cost.name: cost.value for cost in resources(run.log)} for run in m.each]
        for m in ran
    }
    known = [
        name for name in COLUMNS if any(name in costs for each in found.values() for costs in each)
    ]
    if not known:
        return ResourceSection()
    columns = [Column("learner", "learner")]
    for name in known:
        title, _, best, note = COLUMNS[name]
        columns.append(Column(name, title, "number", best, note))
    rows = (
        Row((m.name, *(_cell(m, name, found[m.name]) for name in known)), m.baseline) for m in ran
    )
    return ResourceSection(Table(tuple(columns), tuple(rows)), _note(ran), _panels(results, ran))


def _cell(m: MeasuredLog, name: str, each: Sequence[dict[str, float]]) -> TableCell:
    factor = COLUMNS[name][1]
    values = tuple(costs[name] * factor for costs in each if name in costs)
    if not m.runs or len(values) < len(each):
        return fmean(values) if values else math.nan
    return Spread(values, tuple(seed_of(run.log) or "" for run in m.runs), m.identical)


def _note(ran: Sequence[MeasuredLog]) -> str:
    """How the numbers were obtained."""
    methods = dict.fromkeys(size_method(m.log) for m in ran if "bytes" in m.log.vitals().names)
    sizes = f" Sizes are {' or '.join(methods)}; methods do not compare." if methods else ""
    return (
        "Times are those of the machine that ran each cell, under whatever else it did. Those to "
        f"predict and to learn are medians over copies of the learner.{sizes}"
    )


def _panels(results: StreamResults, ran: Sequence[MeasuredLog]) -> tuple[Panel, ...]:
    """One panel per fact that a learner tells."""
    baselines = [m.name for m in results.baselines]
    panels: list[Panel] = []
    for fact in SHOWN:
        curves = {m.name: _curve(m, fact) for m in ran if fact in m.log.vitals().names}
        if curves and len(panels) < MOST_PANELS:
            lines = learning_curve.data(curves, POINTS, baselines)
            panels.append(Panel(fact, fact.replace("_", " "), "number", {"sampled": lines}))
    return tuple(panels)


def _curve(m: MeasuredLog, fact: str) -> Curve:
    """The curve of a fact; of repetitions, their mean."""
    curves = [vital_curves(run.log, [fact])[fact] for run in m.each if _tells(run, fact)]
    same = [c for c in curves if c.at.tolist() == curves[0].at.tolist()]
    return curves[0] if len(same) == 1 else mean_curve(same)


def _tells(run: MeasuredLog, fact: str) -> bool:
    return fact in run.log.vitals().names
