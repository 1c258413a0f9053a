"""What a report says of late labels: bins, changes of mind, costs."""

from __future__ import annotations

from typing import Literal

import numpy as np

from streamgauge.late.changing import wavering
from streamgauge.late.costing import costs
from streamgauge.late.measuring import bins
from streamgauge.late.summing import psi
from streamgauge.names import make
from streamgauge.plots.resource_curves import data
from streamgauge.report.case import Case
from streamgauge.report.page import Column, Row, Table, Waiting
from streamgauge.report.wording import kind_of

BINS = 50
POINTS = 40
"""Points in time."""

LINE = 600
"""Points of a line of costs."""

FINER = 10
"""So many times finer costs are looked at, so that the line keeps their peaks."""

COSTS = {
    "n_c": "answers to items asked again, within the last 100 events",
    "n_b": "answers to items asked again that still wait",
    "n_r": "answers to items asked again, a labelled item",
}


def waiting(case: Case) -> Waiting | None:
    """What the logs that asked again say; None if there are none."""
    asked = [m for m in case.measured if m.log.about.get("asks_last") == "True" and not m.derived]
    if not asked or not any(m.counts.known for m in asked):
        return None
    measure = case.main
    every = max(1, -(-max(m.counts.known for m in asked) // POINTS))
    found = {m.name: bins(m.log, measure, BINS, every=every) for m in asked}
    step = max(1, every * POINTS // (FINER * LINE))
    spent = {m.name: costs(m.log, every=step) for m in asked}
    kind = kind_of(measure)
    end: Literal["low", "high"] = "low" if make("measure", measure).best == 0 else "high"
    shown = (0, 25, 45, BINS + 1)
    names = {0: "first answer", BINS + 1: "last answer"}
    rows = []
    for m in asked:
        one, mind = found[m.name], wavering(m.log)
        again = float(spent[m.name].n_r[-1])
        cells = (*(float(one.final[b]) for b in shown), psi(one), mind.mean_changes)
        rows.append(Row((m.name, *cells, mind.share_changed, again), m.baseline))
    table = Table(
        (
            Column("learner", "learner"),
            *(Column(f"bin_{b}", names.get(b, f"bin {b}"), kind, end) for b in shown),
            Column("psi", "mean over bins", kind, end),
            Column("changes", "changes of mind", "number", None, "an item"),
            Column("changed", "last ≠ first", "share", None, "items whose last answer is another"),
            Column("again", "asked again", "number", None, "a labelled item"),
        ),
        tuple(rows),
    )
    longest = max(found.values(), key=lambda one: len(one.at))
    lines = data({name: one.curves() for name, one in spent.items()}, LINE)
    return Waiting(
        measure,
        kind,
        BINS,
        tuple(int(n) for n in longest.at),
        {name: np.asarray(one.value) for name, one in found.items()},
        {COSTS[cost]: of for cost, of in lines.items()},
        table,
        f"The time from an item's coming to its label's is cut into {BINS} bins; a bin's answer is "
        "what was on display longest. The dots are the first and the last answer.",
    )
