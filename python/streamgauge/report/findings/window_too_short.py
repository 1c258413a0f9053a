"""Windows too short to separate the best learners."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, points
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.paired_tests import compared_runs
from streamgauge.report.stream_results import Remark, StreamResults, window_items

QUANTILE = 1.96
"""Normal quantile of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class WindowTooShort:
    """A window too short to show the difference between the two best learners.

    Stated if their difference over the whole stream is significant at 5 % (as in
    `too_close_to_call`), but smaller than the half width of a 95 % interval of their difference in
    a window of w items, 1.96 √(V/w). V is the variance of sums of many paired differences of their
    losses, per item, which allows for errors in bursts; a fading window with factor a corresponds
    to (1+a)/(1−a) items. Crossings of their curves are then not evidence. A difference d needs a
    window of 1.96² V/d² items.
    """

    alpha: float = 0.05

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        ranked = results.ranked("accuracy")
        if not results.classification or len(ranked) < 2:
            return
        first, second = ranked[:2]
        test = compared_runs(first.pairs_with(second), results.terms.spell)
        if not test.p <= self.alpha:  # then no window is long enough
            return
        difference = abs(test.difference)
        sizes = {w: window_items(w) for w in results.windows("accuracy")}
        widths = {w: QUANTILE * math.sqrt(test.variance / n) for w, n in sizes.items()}
        short = [w for w in sizes if widths[w] > difference]
        if short:
            window = min(short, key=lambda w: sizes[w])
            needed = QUANTILE**2 * test.variance / difference**2
            yield Remark(
                "note",
                f"{first.name} and {second.name} differ by {points(difference)}, but the half "
                f"width of a 95\u00a0% interval of their difference in {window} is "
                f"{points(widths[window])}: crossings of their curves there are not evidence. "
                f"Showing such a difference needs a window of {count(needed)} items.",
                Table(
                    (
                        Column("window", "window"),
                        Column("items", "effective items", "count"),
                        Column("half_width", "half width (95 %)", "share"),
                        Column("difference", "difference", "share"),
                    ),
                    tuple(Row((w, sizes[w], widths[w], difference)) for w in short),
                ),
            )
