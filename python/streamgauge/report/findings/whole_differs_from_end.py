"""Accuracy at the end that differs from the accuracy over the whole stream."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

from streamgauge.report._format import listed, points
from streamgauge.report.loss_columns import losses_of
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.performance_drops import LEAST_EFFECTIVE
from streamgauge.report.stream_results import Remark, StreamResults, window_items
from streamgauge.series_spread import spread_of_changes
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class WholeDiffersFromEnd:
    """A learner whose accuracy at the end differs from its accuracy over the whole stream.

    The errors in the last sliding window of w items are compared with those of all items before it.
    The difference must exceed a normal quantile (5 % over all learners) times its standard error,
    √(V/w + V/(n−w)); V is the variance of sums of many errors, per item, before the last window,
    from differences of errors at a distance of w items, so that errors in bursts count and a trend
    does not. There must be at least three windows, and a window must be worth 30 independent items.
    The mean over the whole stream then does not describe the current performance.
    """

    alpha: float = 0.05

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        window = next((w for w in results.windows("accuracy") if w.startswith("sliding")), None)
        if window is None:
            return
        size, level = int(window_items(window)), self.alpha / max(1, len(results.learners))
        values = {
            m.name: (m.value("accuracy"), m.value("accuracy", window))
            for m in results.learners
            if ends_differently(losses_of(m), size, level)
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


def ends_differently(losses: F64, size: int, level: float) -> bool:
    """Whether the mean of the last losses differs from that of the losses before them."""
    before, last = losses[:-size], losses[-size:]
    if len(before) < 2 * size:
        return False
    variance, single = spread_of_changes(before, size).variance, float(before.var())
    if variance > 0 and size * single / variance < LEAST_EFFECTIVE:
        return False
    now = variance * max(1.0, float(last.var()) / single) if single > 0 else float(last.var())
    error = math.sqrt(now / size + variance / len(before))
    return abs(float(last.mean() - before.mean())) > NormalDist().inv_cdf(1 - level / 2) * error
