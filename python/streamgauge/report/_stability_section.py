"""Section of a report about perturbed copies of items: noise variability and flips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from streamgauge.plots.learning_curve import data
from streamgauge.properties._stability import Stability, stability
from streamgauge.report._format import kind_of
from streamgauge.report.page import Column, PropertySection, Row, Table, TableCell
from streamgauge.report.stream_results import StreamResults
from streamgauge.windows import Tumbling

BATCHES, LEAST = 50, 100
"""Number of batches of the figure, unless they would have fewer items than the second."""

POINTS = 200
"""Points of a line."""


def stability_section(results: StreamResults) -> PropertySection | None:
    """Section about the logs with predictions of perturbed copies; None if there are none."""
    logs = [
        m
        for m in results.measured
        if m.counts.known and all(any(map(len, run.log.perturbed())) for run in m.each)
    ]
    if not logs:
        return None
    known = max(m.counts.known // len(m.each) for m in logs)
    batch = max(LEAST, known // BATCHES)
    found = {
        m.name: stability([run.log for run in m.each], results.main_measure, Tumbling(batch))
        for m in logs
    }
    first = next(iter(found.values()))
    unread = [m.name for m in results.measured if m.derived]
    baselines = [m.name for m in logs if m.baseline]
    return PropertySection(
        "Stability under noise",
        stability_table(found, baselines, unread),
        f"Items with noise ({first.noise}), their copies, are predicted right after them and never "
        f"learned. Noise variability is {first.measure} over the copies minus that over the items; "
        "baselines do not read features, so noise changes nothing. The figure has batches of "
        f"{batch:,} items.",
        first.curve.measure,
        "items",
        data({name: one.curve for name, one in found.items()}, POINTS, baselines),
    )


def stability_table(
    found: Mapping[str, Stability], baselines: Sequence[str] = (), unread: Sequence[str] = ()
) -> Table:
    """One row per learner; `unread` are learners that do not read features."""
    first = next(iter(found.values()))
    kind = kind_of(first.measure.partition("(")[0])
    share = first.changed.startswith("share")
    # No value is marked as the best: a learner that does not read features has 0.
    columns = (
        Column("learner", "learner"),
        Column("copies", "copies", "count", None, "perturbed copies per item"),
        Column("items", "items", "count", None, "predictions with copies"),
        Column("variability", "noise variability", "points" if kind == "share" else "number",
               None, f"{first.measure} of copies minus that of items"),
        Column("changes", "flips" if share else "mean change", "share" if share else "number",
               None, first.changed),
    )  # fmt: skip
    rows = [
        Row(
            (
                name,
                one.runs[0].copies,
                round(sum(run.items for run in one.runs) / len(one.runs)),
                _cell(one, "variability"),
                _cell(one, "changes"),
            ),
            name in baselines,
        )
        for name, one in found.items()
    ]
    rows += [Row((name, None, None, 0.0, 0.0), True, "reads no features") for name in unread]
    return Table(columns, tuple(rows))


def _cell(found: Stability, what: Literal["variability", "changes"]) -> TableCell:
    spread = found.variability if what == "variability" else found.changes
    return spread.values[0] if len(spread) == 1 else spread
