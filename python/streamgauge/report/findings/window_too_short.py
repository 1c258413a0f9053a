"""A window too short for what is read off it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.case import Case, Seen, half_width, window_items
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import count, points


@dataclass(frozen=True, slots=True)
class WindowTooShort:
    """A window in which the two best learners cannot be told apart, though the stream can.

    A share over n items is good to ±1/√n (half width at 95 %); over a fading window with factor
    a it is as good as over (1+a)/(1−a) items. If the two best learners differ by less than that
    over the whole stream, a crossing of their curves means nothing. A gap g needs a window of
    1/g² items (Gama et al. 2013). Learners on the same items err together, so this is cautious.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        ranked = case.ranked("accuracy")
        if not case.classification or len(ranked) < 2:
            return
        first, second = ranked[:2]
        gap = first.value("accuracy") - second.value("accuracy")
        if gap < half_width(first.counts.known):  # then no window is long enough
            return
        needed = gap**-2
        short = {w: window_items(w) for w in case.windows("accuracy")}
        short = {w: n for w, n in short.items() if n < needed}
        if short:
            window, items = min(short.items(), key=lambda pair: pair[1])
            yield Seen(
                "note",
                f"{first.name} and {second.name} differ by {points(gap)}, but a curve over "
                f"{window} is only good to ±{points(half_width(items))}: ups and downs between "
                f"the two prove nothing there. To see such a gap, a window needs "
                f"{count(needed)} items.",
                Table(
                    (
                        Column("window", "window"),
                        Column("items", "worth items", "count"),
                        Column("half_width", "good to ±", "share"),
                        Column("gap", "gap", "share"),
                    ),
                    tuple(Row((w, n, half_width(n), gap)) for w, n in short.items()),
                ),
            )
