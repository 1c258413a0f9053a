"""Windows too short to separate the best learners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import count, points
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults, half_width, window_items


@dataclass(frozen=True, slots=True)
class WindowTooShort:
    """A window too short to show the difference between the two best learners.

    The half width of a 95 % interval around a proportion of n items is 1/√n; a fading window with
    factor a corresponds to (1+a)/(1−a) items. If the two best learners differ over the whole
    stream by less than the half width of the window, crossings of their curves are not evidence.
    A difference d needs a window of 1/d² items (Gama et al. 2013). Errors on the same items are
    correlated, so this is conservative.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        ranked = results.ranked("accuracy")
        if not results.classification or len(ranked) < 2:
            return
        first, second = ranked[:2]
        difference = first.value("accuracy") - second.value("accuracy")
        if difference < half_width(first.known):  # then no window is long enough
            return
        needed = difference**-2
        short = {w: window_items(w) for w in results.windows("accuracy")}
        short = {w: n for w, n in short.items() if n < needed}
        if short:
            window, items = min(short.items(), key=lambda pair: pair[1])
            yield Remark(
                "note",
                f"{first.name} and {second.name} differ by {points(difference)}, but the half "
                "width "
                f"of a 95\u00a0% interval in {window} is {points(half_width(items))}: crossings "
                f"of their curves there are not evidence. Showing such a difference needs a "
                f"window of {count(needed)} items.",
                Table(
                    (
                        Column("window", "window"),
                        Column("items", "effective items", "count"),
                        Column("half_width", "half width (95 %)", "share"),
                        Column("difference", "difference", "share"),
                    ),
                    tuple(Row((w, n, half_width(n), difference)) for w, n in short.items()),
                ),
            )
