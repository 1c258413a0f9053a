"""Accuracy at the end that differs from the accuracy over the whole stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import listed, points
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults, half_width, window_items


@dataclass(frozen=True, slots=True)
class WholeDiffersFromEnd:
    """A learner whose accuracy at the end differs from its accuracy over the whole stream.

    The last sliding window of w items differs from the whole stream by more than 2/√w, twice the
    half width of a 95 % interval over w items. The mean over the whole stream then does not
    describe the current performance.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        window = next((w for w in results.windows("accuracy") if w.startswith("sliding")), None)
        if window is None:
            return
        width = half_width(window_items(window))
        values = {
            m.name: (m.value("accuracy"), m.value("accuracy", window))
            for m in results.learners
            if m.known >= 2 * window_items(window)
            and abs(m.value("accuracy", window) - m.value("accuracy")) > 2 * width
        }
        if not values:
            return
        largest = max(values, key=lambda name: abs(values[name][1] - values[name][0]))
        whole, now = values[largest]
        side = "better" if now > whole else "worse"
        rest = (
            f" (similarly: {listed(n for n in values if n != largest)})" if len(values) > 1 else ""
        )
        yield Remark(
            "note",
            f"{largest} is {points(now - whole)} {side} at the end than over the whole stream"
            f"{rest}; the mean over the whole stream does not describe current performance.",
            Table(
                (
                    Column("learner", "learner"),
                    Column("whole", "whole stream", "share"),
                    Column("now", f"{window}, at the end", "share"),
                ),
                tuple(
                    Row((m.name, m.cell("accuracy"), m.cell("accuracy", window)))
                    for m in results.learners
                    if m.name in values
                ),
            ),
        )
