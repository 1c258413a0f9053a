"""The two best are too close to call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen, half_width
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import count, points


@dataclass(frozen=True, slots=True)
class TooCloseToCall:
    """Two best learners whose accuracies over the whole stream differ by less than 1/√n.

    1/√n is the half width of a 95 % interval around a share of n items (Gama et al. 2013). A
    paired test on the same items, such as McNemar's, sees finer differences than this rule.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        ranked = case.ranked("accuracy")
        if not case.classification or len(ranked) < 2:
            return
        first, second = ranked[:2]
        gap = first.value("accuracy") - second.value("accuracy")
        width = half_width(first.counts.known)
        if gap < width:
            yield Seen(
                "note",
                f"{first.name} and {second.name} are too close to call: they differ by "
                f"{points(gap)}, and {count(first.counts.known)} items are good to "
                f"±{points(width)}.",
                Table(
                    (
                        Column("learner", "learner"),
                        Column("accuracy", "accuracy", "share"),
                        Column("half_width", "good to ±", "share"),
                    ),
                    tuple(Row((m.name, m.value("accuracy"), width)) for m in ranked[:2]),
                ),
            )
