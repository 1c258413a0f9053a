"""Best learners whose difference may be noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, points
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults, half_width


@dataclass(frozen=True, slots=True)
class TooCloseToCall:
    """The two best learners, if their accuracies over the whole stream differ by less than 1/√n.

    1/√n is the half width of a 95 % interval around a proportion of n items (Gama et al. 2013). A
    paired test on the same items, such as McNemar's, detects smaller differences than this rule.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        ranked = results.ranked("accuracy")
        if not results.classification or len(ranked) < 2:
            return
        first, second = ranked[:2]
        difference = first.value("accuracy") - second.value("accuracy")
        width = half_width(first.known)
        if difference < width:
            yield Remark(
                "note",
                f"{first.name} and {second.name} are too close to call: their accuracies differ "
                f"by {points(difference)}, and the half width of a 95\u00a0% interval over "
                f"{count(first.known)} items is {points(width)}.",
                Table(
                    (
                        Column("learner", "learner"),
                        Column("accuracy", "accuracy", "share"),
                        Column("half_width", "half width (95 %)", "share"),
                    ),
                    tuple(Row((m.name, m.cell("accuracy"), width)) for m in ranked[:2]),
                ),
            )
