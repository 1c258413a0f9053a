"""Ahead of both baselines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen
from streamgauge.report.findings._against import ahead, listing
from streamgauge.report.wording import listed, number, points


@dataclass(frozen=True, slots=True)
class BeatsBaselines:
    """A learner that is ahead of both baselines over the whole stream.

    For classes, its accuracy is higher than that of repeating the last label and of saying the
    majority class, each by more than 1/√n. For real targets, its mean absolute error is lower
    than that of repeating the last value and of saying the mean, each by more than 1 %.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        bars = [b for b in (case.persistent, case.majority) if b is not None]
        if len(bars) < 2:
            return
        alike = [m for m in case.learners if all(m.fits(b) for b in bars)]
        lead = {m.name: min(ahead(case, m, b) for b in bars) for m in alike}
        winners = [m for m in case.ranked(case.main) if lead.get(m.name, 0) > 0]
        if not winners:
            return
        both = listed(b.name for b in bars)
        most = lead[winners[0].name]
        margin = points(most) if case.classification else f"{number(most)} in mae"
        if len(winners) == 1:
            who = (
                f"{winners[0].name} does better than both baselines ({both}), by at least {margin}"
            )
        else:
            who = (
                f"{listed(m.name for m in winners)} do better than both baselines ({both}); "
                f"{winners[0].name} by most, {margin}"
            )
        yield Seen("good", f"{who}.", listing(case, winners, bars))
