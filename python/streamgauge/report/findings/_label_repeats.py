"""The sequence of labels of a stream: repeats, successions of classes, shares over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.log.labelled_predictions import known_rows
from streamgauge.report.label_sequence import LabelSequence, LabelSequenceCounter, Succession
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import StreamResults

REPEATS_Z = 3.0
"""Number of standard errors from random order at which repeats differ from it."""


def label_sequence(results: StreamResults) -> LabelSequence | None:
    """The labels of the longest log in stream order; None with fewer than two classes or labels.

    Of repetitions, those of the first: others may have the same labels.
    """
    classes = len(results.schema.classes or ())
    if not classes:
        return None
    labels, items = [np.empty(0, np.int32)], [np.empty(0, np.uint64)]
    for labelled in known_rows(results.most_labelled.each[0].log.labelled_predictions()):
        labels.append(np.asarray(labelled.label, np.int32))
        items.append(labelled.items)
    counter = LabelSequenceCounter(classes)
    counter.push(np.concatenate(labels)[np.argsort(np.concatenate(items), kind="stable")])
    sequence = counter.finish()
    return sequence if (sequence.counts > 0).sum() > 1 else None


@dataclass(frozen=True, slots=True)
class LabelRepeats:
    """Share of labels equal to the previous one, and the share if independent."""

    sequence: LabelSequence
    with_previous: int
    observed: float
    by_chance: float

    def differ(self, min_difference: float) -> bool:
        """Whether labels repeat more or less often than by chance, also within short blocks."""
        difference, z = self.observed - self.by_chance, self.sequence.z_repeats
        return abs(difference) >= min_difference and z * difference > 0 and abs(z) > REPEATS_Z


def label_repeats(results: StreamResults) -> LabelRepeats | None:
    """Repeats in a stream; None with fewer than two classes or two labels."""
    sequence, counts = label_sequence(results), results.most_labelled.counts
    if sequence is None or counts.with_previous == 0:
        return None
    shares = counts.labels / counts.labels.sum()
    observed, by_chance = counts.repeats / counts.with_previous, float((shares**2).sum())
    return LabelRepeats(sequence, counts.with_previous, observed, by_chance)


def sequence_table(
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
