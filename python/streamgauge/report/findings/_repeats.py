"""How often labels repeat the one before, and how often they would by chance."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.report.case import Case
from streamgauge.report.page import Column, Row, Table


@dataclass(frozen=True, slots=True)
class Repeats:
    """Over `pairs` of neighbouring labels."""

    pairs: int
    observed: float
    by_chance: float


def repeats(case: Case) -> Repeats | None:
    """What the stream shows; None where there are not two classes or not two labels."""
    counts = case.fullest.counts
    if counts.pairs == 0 or (counts.labels > 0).sum() < 2:
        return None
    shares = counts.labels / counts.labels.sum()
    return Repeats(counts.pairs, counts.repeats / counts.pairs, float((shares**2).sum()))


def listing(seen: Repeats) -> Table:
    """The numbers as evidence."""
    return Table(
        (
            Column("pairs", "pairs of neighbours", "count"),
            Column("observed", "repeat (p_per)", "share"),
            Column("by_chance", "would by chance", "share"),
        ),
        (Row((seen.pairs, seen.observed, seen.by_chance)),),
    )
