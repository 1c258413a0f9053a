"""Best learners between which the items do not decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, points, shown
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.paired_tests import compared_runs
from streamgauge.report.stream_results import Remark, StreamResults


def _evidence(p: float) -> str:
    return f"p = {shown(p, 'p_value')}" if p < 1 else "no evidence, or too few items for a test"


@dataclass(frozen=True, slots=True)
class TooCloseToCall:
    """The two best learners, if it is undecided which has the higher accuracy in the long run.

    The difference of their accuracies on the same items is not significant at 5 %, as by `compare`,
    if errors may come in bursts: in spells of at most 200 labels on average, or a twentieth of the
    labels if there are fewer than 2,000. Undecided does not mean equal: `compare` with a margin
    states that.
    """

    alpha: float = 0.05

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        ranked = results.ranked("accuracy")
        if not results.classification or len(ranked) < 2:
            return
        first, second = ranked[:2]
        pairs = first.pairs_with(second)
        test = compared_runs(pairs, results.terms.spell)
        if not pairs or test.p <= self.alpha:
            return
        difference = abs(float(first.difference(second, "accuracy")))
        yield Remark(
            "note",
            f"{first.name} and {second.name} are too close to call: their accuracies over "
            f"{count(first.known)} items differ by {points(difference)}, which does not decide "
            f"which of them is better in the long run ({_evidence(test.p)}). That does not make "
            "them equal.",
            Table(
                (
                    Column("learner", "learner"),
                    Column("accuracy", "accuracy", "share"),
                    Column("p", "p, anytime-valid", "p_value"),
                ),
                tuple(Row((m.name, m.cell("accuracy"), test.p)) for m in ranked[:2]),
            ),
        )
