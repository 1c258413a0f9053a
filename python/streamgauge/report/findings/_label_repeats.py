"""Share of labels equal to the previous label, observed and expected under independence."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import StreamResults


@dataclass(frozen=True, slots=True)
class LabelRepeats:
    """Observed and expected share of repeats among `pairs` of consecutive labels."""

    pairs: int
    observed: float
    by_chance: float


def label_repeats(results: StreamResults) -> LabelRepeats | None:
    """Repeats in a stream; None with fewer than two classes or two labels."""
    counts = results.most_labelled.counts
    if counts.pairs == 0 or (counts.labels > 0).sum() < 2:
        return None
    shares = counts.labels / counts.labels.sum()
    return LabelRepeats(counts.pairs, counts.repeats / counts.pairs, float((shares**2).sum()))


def repeats_table(repeats: LabelRepeats) -> Table:
    """The values as evidence."""
    return Table(
        (
            Column("pairs", "consecutive pairs", "count"),
            Column("observed", "repeats (p_per)", "share"),
            Column("by_chance", "expected if independent", "share"),
        ),
        (Row((repeats.pairs, repeats.observed, repeats.by_chance)),),
    )
