"""The whole stream hides how things stand now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen, half_width, window_items
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import listed, points


@dataclass(frozen=True, slots=True)
class WholeHidesNow:
    """A learner whose accuracy at the end of the stream is far from that over all of it.

    The last sliding window differs from the whole stream by more than 2/√w, twice the half width
    of the window. The average over everything then describes a past that is gone.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        window = next((w for w in case.windows("accuracy") if w.startswith("sliding")), None)
        if window is None:
            return
        width = half_width(window_items(window))
        gaps = {
            m.name: (m.value("accuracy"), m.value("accuracy", window))
            for m in case.learners
            if m.counts.known >= 2 * window_items(window)
            and abs(m.value("accuracy", window) - m.value("accuracy")) > 2 * width
        }
        if not gaps:
            return
        far = max(gaps, key=lambda name: abs(gaps[name][1] - gaps[name][0]))
        whole, now = gaps[far]
        side = "better" if now > whole else "worse"
        rest = f" (also far off: {listed(n for n in gaps if n != far)})" if len(gaps) > 1 else ""
        yield Seen(
            "note",
            f"{far} is {points(now - whole)} {side} at the end of the stream than over all of "
            f"it{rest}; the average describes a past that is gone.",
            Table(
                (
                    Column("learner", "learner"),
                    Column("whole", "whole stream", "share"),
                    Column("now", f"{window}, at the end", "share"),
                ),
                tuple(Row((name, *pair)) for name, pair in gaps.items()),
            ),
        )
