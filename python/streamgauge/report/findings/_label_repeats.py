"""The order of the labels of a stream: repeats, successions of classes, shares over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.log.labelled_predictions import known_rows
from streamgauge.report.label_order import LabelOrder, LabelOrderCounter, Succession
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import StreamResults

REPEATS_Z = 3.0
"""Number of standard errors from random order at which repeats differ from it."""


def label_order(results: StreamResults) -> LabelOrder | None:
    """The labels of the longest log in stream order; None with fewer than two classes or labels.

    Of repetitions, those of the first: others may have the same labels.
    """
    classes = len(results.schema.classes or ())
    if not classes:
        return None
    labels, items = [np.empty(0, np.int32)], [np.empty(0, np.uint64)]
    for pairs in known_rows(results.most_labelled.each[0].log.labelled_predictions()):
        labels.append(np.asarray(pairs.label, np.int32))
        items.append(pairs.items)
    counter = LabelOrderCounter(classes)
    counter.push(np.concatenate(labels)[np.argsort(np.concatenate(items), kind="stable")])
    order = counter.finish()
    return order if (order.counts > 0).sum() > 1 else None


@dataclass(frozen=True, slots=True)
class LabelRepeats:
    """Share of labels equal to the previous one, and the share if independent."""

    order: LabelOrder
    with_previous: int
    observed: float
    by_chance: float

    def differ(self, min_difference: float) -> bool:
        """Whether labels repeat more or less often than by chance, also within short blocks."""
        difference, z = self.observed - self.by_chance, self.order.z_repeats
        return abs(difference) >= min_difference and z * difference > 0 and abs(z) > REPEATS_Z


def label_repeats(results: StreamResults) -> LabelRepeats | None:
    """Repeats in a stream; None with fewer than two classes or two labels."""
    order, counts = label_order(results), results.most_labelled.counts
    if order is None or counts.with_previous == 0:
        return None
    shares = counts.labels / counts.labels.sum()
    observed, by_chance = counts.repeats / counts.with_previous, float((shares**2).sum())
    return LabelRepeats(order, counts.with_previous, observed, by_chance)


def order_table(
    results: StreamResults, repeats: LabelRepeats, strongest: Succession | None = None
) -> Table:
    """The values as evidence: repeats, and the succession with the largest effect."""
    columns = (
        Column("with_previous", "labels with a previous one", "count"),
        Column("observed", "repeats (p_per)", "share"),
        Column("by_chance", "expected if independent", "share"),
    )
    cells = (repeats.with_previous, repeats.observed, repeats.by_chance)
    if strongest is None:
        return Table(columns, (Row(cells),))
    before, after = (
        str((results.schema.classes or ())[i]) for i in (strongest.before, strongest.after)
    )
    more = (
        Column("lag", "labels later", "count"),
        Column("before", "after class"),
        Column("after", "class"),
        Column("rate", "share", "share"),
        Column("in_random_order", "in random order", "share"),
    )
    found = (strongest.lag, before, after, strongest.rate, strongest.expected)
    return Table((*columns, *more), (Row((*cells, *found)),))
