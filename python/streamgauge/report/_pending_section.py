"""Section of a report about repeated predictions of pending items: bins, changes, costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from streamgauge.late._bins import Bins, bins
from streamgauge.late._bins_over_repetitions import bins_over_repetitions
from streamgauge.late._costs import Costs, costs
from streamgauge.late._item_changes import ChangeSummary, change_summary
from streamgauge.late._mean_over_bins import mean_over_bins
from streamgauge.names import make
from streamgauge.plots.resource_curves import data
from streamgauge.repetitions._by_learner import seed_of
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.repetitions._spread import Spread
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, PendingSection, Row, Table
from streamgauge.report.stream_results import MeasuredLog, StreamResults
from streamgauge.types import Curve

BINS = 50
POINTS = 40
"""Points in time."""

LINE = 600
"""Points of a cost curve."""

FINER = 10
"""Costs are computed at this many times the points of the line, which keeps its peaks."""

COSTS = {
    "n_c": "repeated predictions within the last 100 events",
    "n_b": "repeated predictions of pending items",
    "n_r": "repeated predictions per labelled item",
}


def pending_section(results: StreamResults) -> PendingSection | None:
    """Section about the logs with repeated predictions; None if there are none."""
    repeated = [
        m for m in results.measured if m.log.about.get("predicts_last") == "True" and not m.derived
    ]
    if not repeated or not any(m.counts.known for m in repeated):
        return None
    measure = results.main_measure
    known = max(run.counts.known for m in repeated for run in m.each)
    every = max(1, -(-known // POINTS))
    found = {
        m.name: [bins(run.log, measure, BINS, every=every) for run in m.each] for m in repeated
    }
    step = max(1, every * POINTS // (FINER * LINE))
    spent = {m.name: [costs(run.log, every=step) for run in m.each] for m in repeated}
    kind = kind_of(measure)
    end: Literal["low", "high"] = "low" if make("measure", measure).best == 0 else "high"
    shown = (0, 25, 45, BINS + 1)
    names = {0: "first prediction", BINS + 1: "last prediction"}
    rows = []
    for m in repeated:
        by_run = [
            _values(one, change_summary(run.log), shown, spent_)
            for one, run, spent_ in zip(found[m.name], m.each, spent[m.name], strict=True)
        ]
        cells = (_cell(m, values) for values in zip(*by_run, strict=True))
        rows.append(Row((m.name, *cells), m.baseline))
    table = Table(
        (
            Column("learner", "learner"),
            *(Column(f"bin_{b}", names.get(b, f"bin {b}"), kind, end) for b in shown),
            Column("mean", "mean over bins", kind, end),
            Column("changes", "changes", "number", None, "changes of the prediction per item"),
            Column("changed", "last ≠ first", "share", None, "items whose last prediction differs"),
            Column(
                "repeated", "repeated", "number", None, "repeated predictions per labelled item"
            ),
        ),
        tuple(rows),
    )
    means = {name: bins_over_repetitions(by_run) for name, by_run in found.items()}
    longest = max(means.values(), key=lambda one: len(one.at))
    lines = data({name: _mean_curves(by_run) for name, by_run in spent.items()}, LINE)
    return PendingSection(
        measure,
        kind,
        BINS,
        tuple(int(n) for n in longest.at),
        {name: np.asarray(one.value) for name, one in means.items()},
        {COSTS[cost]: of for cost, of in lines.items()},
        table,
        f"The time from the arrival of an item to that of its label is divided into {BINS} bins; "
        "the "
        "prediction of a bin is the one that was current for the longest part of it. The dots are "
        "the first and the last prediction.",
    )


def _values(
    one: Bins, changes: ChangeSummary, shown: Sequence[int], spent: Costs
) -> tuple[float, ...]:
    """The numbers of one run, in the order of the columns."""
    in_bins = (float(one.final[b]) for b in shown)
    repeated = float(spent.n_r[-1])
    return *in_bins, mean_over_bins(one), changes.mean_changes, changes.share_changed, repeated


def _cell(m: MeasuredLog, values: Sequence[float]) -> float | Spread:
    if not m.runs:
        return values[0]
    return Spread(tuple(values), tuple(seed_of(run.log) or "" for run in m.runs), m.identical)


def _mean_curves(by_run: Sequence[Costs]) -> tuple[Curve, ...]:
    """The cost curves; their means over repetitions."""
    each = zip(*(one.curves() for one in by_run), strict=True)
    return tuple(replace(mean_curve(curves), low=None, high=None) for curves in each)
