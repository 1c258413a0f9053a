"""Predictions that changed while the labels were pending."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from streamgauge.late._item_changes import ChangeSummary, change_summary
from streamgauge.report._format import share
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class ChangedPredictions:
    """Items that were predicted repeatedly and whose last prediction differs from the first.

    Classification only: a real-valued prediction changes nearly every time. Reported from 1 % of
    the items on. The first prediction is the one available when the item arrived; a measure of
    last predictions describes what was known when the label arrived.
    """

    min_share: float = 0.01

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        repeated = [m for m in results.learners if m.log.about.get("predicts_last") == "True"]
        if not results.classification:
            return
        changes = {
            m.name: _mean([change_summary(run.log) for run in m.each])
            for m in repeated
            if m.counts.known and not m.derived
        }
        changed = {
            name: one for name, one in changes.items() if one.share_changed >= self.min_share
        }
        if not changed:
            return
        name, most = max(changed.items(), key=lambda pair: pair[1].share_changed)
        first = next(m for m in repeated if m.name == name).value(results.main_measure)
        others = len(changed) - 1
        more = f" (also {others} other learner{'s' * (others > 1)})" if others else ""
        yield Remark(
            "note",
            f"{name} changes predictions while labels are pending{more}: for "
            f"{share(most.share_changed)} of the items the last prediction differs from the "
            f"first. {share(first)} of its first predictions and {share(most.share_correct)} of "
            "its last predictions are correct.",
            Table(
                (
                    Column("learner", "learner"),
                    Column("changes", "changes per item", "number"),
                    Column("changed", "last ≠ first", "share"),
                    Column("correct", "last correct", "share"),
                ),
                tuple(
                    Row((name, one.mean_changes, one.share_changed, one.share_correct))
                    for name, one in changes.items()
                ),
            ),
        )


def _mean(summaries: Sequence[ChangeSummary]) -> ChangeSummary:
    """Means over repetitions."""
    if len(summaries) == 1:
        return summaries[0]
    means: Any = {
        name: math.fsum(getattr(one, name) for one in summaries) / len(summaries)
        for name in ("mean_changes", "share_changed", "share_correct")
    }
    return replace(summaries[0], **means)
