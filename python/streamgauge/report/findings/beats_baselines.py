"""Learners better than both baselines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import listed, number, points
from streamgauge.report.findings._baseline_comparison import advantages, comparison_table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class BeatsBaselines:
    """A learner that is better than both baselines over the whole stream.

    Classification: its accuracy exceeds that of the persistent and of the majority-class baseline.
    Regression: its mean absolute error is lower than that of the last-value and of the target-mean
    baseline. Both differences must be significant in the long run, as by `compare`, over all
    learners together at a significance level of 5 % (Holm), also if errors come in bursts: in
    spells of at most 200 labels on average, or a twentieth of the labels if there are fewer than
    2,000; fewer than 100 labels decide nothing.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        bars = [b for b in (results.persistent, results.majority) if b is not None]
        if len(bars) < 2:
            return
        leads = [advantages(results, b) for b in bars]
        lead = {name: min(one[name] for one in leads) for name in leads[0] if name in leads[1]}
        winners = [m for m in results.ranked(results.main_measure) if lead.get(m.name, 0) > 0]
        if not winners:
            return
        both = listed(b.name for b in bars)
        most = lead[winners[0].name]
        margin = points(most) if results.classification else f"{number(most)} in mae"
        if len(winners) == 1:
            subject = (
                f"{winners[0].name} is better than both baselines ({both}), by at least {margin}"
            )
        else:
            subject = (
                f"{listed(m.name for m in winners)} are better than both baselines ({both}); "
                f"{winners[0].name} by the largest margin, {margin}"
            )
        yield Remark("good", f"{subject}.", comparison_table(results, winners, bars))
