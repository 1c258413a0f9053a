"""Section of a report about known drifts: deterioration, restoration, aligned curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from streamgauge.plots.aligned_curves import data
from streamgauge.properties._adaptation import adaptation
from streamgauge.properties._drift_adaptation import Adaptation
from streamgauge.repetitions._spread import Spread
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, PropertySection, Row, Table, TableCell
from streamgauge.report.stream_results import MeasuredLog, StreamResults
from streamgauge.types import Drift

WINDOW = 1000
"""Largest number of items on each side of a drift that are compared."""

STEPS = 10
"""Steps in a window."""

LEAST = 20
"""Least number of items in a step: shorter ones say little."""


def comparable(results: StreamResults) -> list[MeasuredLog]:
    """The learners with labels whose protocol predicts items in order, which a holdout does not."""
    return [
        m
        for m in results.measured
        if m.counts.known and not any("test_set" in run.log.about for run in m.each)
    ]


def compared_drifts(results: StreamResults) -> tuple[list[Drift], int, int] | None:
    """Known drifts, items in a window and in a step; None if windows of whole steps do not fit."""
    logs = comparable(results)
    if not results.drifts or not logs:
        return None
    stop = min(m.counts.known // len(m.each) for m in logs)
    drifts = [drift for drift in results.drifts if drift.start < stop]
    starts = sorted({drift.start for drift in drifts})
    distances = [b - a for a, b in zip([0, *starts], [*starts, stop], strict=True)]
    batch = min(WINDOW, min(distances, default=0)) // STEPS
    return (drifts, STEPS * batch, batch) if drifts and batch >= LEAST else None


def adaptation_section(results: StreamResults) -> PropertySection | None:
    """Section about the known drifts of a stream; None if windows of whole steps do not fit."""
    compared = compared_drifts(results)
    if compared is None:
        return None
    logs = comparable(results)
    (drifts, window, batch), measure = compared, results.main_measure
    found = {
        m.name: adaptation([run.log for run in m.each], measure, window, batch=batch, drifts=drifts)
        for m in logs
    }
    baselines = [m.name for m in logs if m.baseline]
    curves = {name: one.curves[0] for name, one in found.items()}
    return PropertySection(
        "Adaptation to known drifts",
        adaptation_table(found, baselines),
        f"{measure} in steps of {batch:,} items, counted from each drift; before and after are "
        f"windows of {window:,} items. Deterioration (DPD) is the mean after the drift minus the "
        "mean before it; restoration time (DRT) is the number of items until a step is as good as "
        "the mean before, ∞ if none is. The figure has the mean over drifts and repetitions.",
        measure,
        "items since the drift",
        data(curves, baselines),
    )


def adaptation_table(found: Mapping[str, Adaptation], baselines: Sequence[str] = ()) -> Table:
    """One row per learner and drift, and one for all drifts if there are several."""
    first = next(iter(found.values()))
    # The rows of several drifts are not comparable.
    several = any(len({row.at for row in one.drifts}) > 1 for one in found.values())
    low = first.definition["better"] == "low"
    better: Literal["low", "high"] | None = None if several else "low" if low else "high"
    kind = kind_of(first.measure.partition("(")[0])
    columns = (
        Column("learner", "learner"),
        Column("drift", "drift at item"),
        Column("before", f"{first.measure} before", kind, None, "mean in the window before"),
        Column("dpd", "DPD", "points" if kind == "share" else "number", better, "after − before"),
        Column(
            "drt", "DRT", "number", None if several else "low", "items until restored; ∞ if never"
        ),
        Column("restored", "restored", "text", None, "runs and drifts restored before the next"),
    )
    rows = []
    for name, one in found.items():
        places = sorted({row.at for row in one.drifts})
        for number, at in enumerate(places):
            of_drift = one.of_drift(number)
            cells = (
                _cell(one.over_folds(number, "before")),
                _cell(one.over_folds(number, "dpd")),
                _cell(one.over_folds(number, "drt")),
            )
            outcomes = [row.outcome for row in of_drift]
            text = f"{outcomes.count('restored')} of {sum(map(bool, outcomes))}"
            rows.append(Row((name, f"{at:,}", *cells, text), name in baselines))
        if len(places) > 1:
            both = (_cell(spread.values) for spread in (one.dpd, one.drt))
            text = f"{one.restored} of {one.defined}"
            rows.append(Row((name, "mean", math.nan, *both, text), name in baselines))
    return Table(columns, tuple(rows))


def _cell(values: Sequence[float]) -> TableCell:
    return values[0] if len(values) == 1 else Spread(tuple(values))
