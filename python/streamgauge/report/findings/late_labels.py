"""Delayed labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.log.lateness import delays
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults
from streamgauge.types.times import span

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
"""Quantiles of the delay in the table."""


@dataclass(frozen=True, slots=True)
class LateLabels:
    """A stream whose labels arrive later than their items.

    Quantiles of the delay, from a sample of at most about 200,000 labels. A learner predicts
    before the labels of the last items are known, so values with delays are not comparable with
    values without.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        late = np.concatenate([delays(run.log) for run in results.most_labelled.each])
        if not len(late):
            return
        clock = results.schema.clock
        unit = "items" if clock == "item" else "µs"
        by = np.quantile(late, SHARES, method="inverted_cdf")
        delay = dict(zip(SHARES, (span(float(ticks), clock) for ticks in by), strict=True))
        yield Remark(
            "note",
            f"Labels are delayed: median {delay[0.5]}, 90th percentile {delay[0.9]}, "
            f"maximum {delay[1.0]}.",
            Table(
                (
                    Column("share", "share of labels", "share"),
                    Column("ticks", f"delay at most ({unit})", "count"),
                ),
                tuple(Row((share, int(ticks))) for share, ticks in zip(SHARES, by, strict=True)),
            ),
        )
