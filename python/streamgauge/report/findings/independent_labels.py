"""Finding: labels look independent, as in random order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.report._format import count, points
from streamgauge.report.findings._label_repeats import label_sequence
from streamgauge.report.label_sequence import FEW, LAGS, MAX_LIMIT
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class IndependentLabels:
    """A stream whose labels look independent: their order shows nothing that a random one does not.

    At none of the lags 1 to 10 does a class follow a class more or less often than in random order
    within blocks of 50 labels, and the shares of the classes in spans of 50, 100, 200, … labels
    vary no more than in random order (5 % over all tests). Stated only if there are labels enough:
    a change of the rate at which the most frequent class follows itself by 10 percentage points
    would have been found in 95 % of cases. The evidence has this limit for every class with at
    least 30 labels; of rarer classes nothing is stated. Only the order of labels is tested:
    features and concepts may still drift.
    """

    max_limit: float = MAX_LIMIT

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        sequence = label_sequence(results)
        if sequence is None or not sequence.random:
            return
        limits = sequence.limits
        largest = float(limits[int(np.argmax(sequence.counts))])
        if not largest <= self.max_limit:
            return
        tested = [i for i in range(len(sequence.counts)) if sequence.counts[i] >= FEW]
        rare = sum(0 < n < FEW for n in sequence.counts.tolist())
        without = f" (of {rare} with fewer than {FEW} labels nothing is stated)" if rare else ""
        yield Remark(
            "good",
            f"Labels look independent: over {count(sequence.items)} labels no class was found to "
            "follow another more or less often than in random order, at lags 1 to "
            f"{LAGS}{without}, and no drift of their shares was found. A class that follows itself "
            f"more often by {points(float(np.nanmax(limits)))} would have been found in 95\u00a0% "
            "of cases. So there is no sign that temporal dependence inflates accuracy or kappa.",
            Table(
                (
                    Column("class", "class"),
                    Column("labels", "labels", "count"),
                    Column("share", "share", "share"),
                    Column("rate", "directly after itself", "share"),
                    Column("limit", "excess found in 95 % of cases", "share"),
                ),
                tuple(
                    Row(
                        (
                            str((results.schema.classes or ())[i]),
                            int(sequence.counts[i]),
                            float(sequence.shares[i]),
                            sequence.rate_of_repeats(i),
                            float(limits[i]),
                        )
                    )
                    for i in tested
                ),
            ),
        )
