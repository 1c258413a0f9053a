"""Section of a report about repeated predictions of pending items: bins, changes, costs."""

from __future__ import annotations

from typing import Literal

import numpy as np

from streamgauge.late._bins import bins
from streamgauge.late._costs import costs
from streamgauge.late._item_changes import change_summary
from streamgauge.late._psi import psi
from streamgauge.names import make
from streamgauge.plots.resource_curves import data
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, PendingSection, Row, Table
from streamgauge.report.stream_results import StreamResults

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
    every = max(1, -(-max(m.counts.known for m in repeated) // POINTS))
    found = {m.name: bins(m.log, measure, BINS, every=every) for m in repeated}
    step = max(1, every * POINTS // (FINER * LINE))
    spent = {m.name: costs(m.log, every=step) for m in repeated}
    kind = kind_of(measure)
    end: Literal["low", "high"] = "low" if make("measure", measure).best == 0 else "high"
    shown = (0, 25, 45, BINS + 1)
    names = {0: "first prediction", BINS + 1: "last prediction"}
    rows = []
    for m in repeated:
        one, changes = found[m.name], change_summary(m.log)
        n_repeated = float(spent[m.name].n_r[-1])
        cells = (*(float(one.final[b]) for b in shown), psi(one), changes.mean_changes)
        rows.append(Row((m.name, *cells, changes.share_changed, n_repeated), m.baseline))
    table = Table(
        (
            Column("learner", "learner"),
            *(Column(f"bin_{b}", names.get(b, f"bin {b}"), kind, end) for b in shown),
            Column("psi", "mean over bins", kind, end),
            Column("changes", "changes", "number", None, "changes of the prediction per item"),
            Column("changed", "last ≠ first", "share", None, "items whose last prediction differs"),
            Column(
                "repeated", "repeated", "number", None, "repeated predictions per labelled item"
            ),
        ),
        tuple(rows),
    )
    longest = max(found.values(), key=lambda one: len(one.at))
    lines = data({name: one.curves() for name, one in spent.items()}, LINE)
    return PendingSection(
        measure,
        kind,
        BINS,
        tuple(int(n) for n in longest.at),
        {name: np.asarray(one.value) for name, one in found.items()},
        {COSTS[cost]: of for cost, of in lines.items()},
        table,
        f"The time from the arrival of an item to that of its label is divided into {BINS} bins; "
        "the "
        "prediction of a bin is the one that was current for the longest part of it. The dots are "
        "the first and the last prediction.",
    )
