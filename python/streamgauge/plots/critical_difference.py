"""Critical-difference diagrams: mean ranks, and bars over learners that do not differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, literal
from streamgauge.types import F64


class Ranked(Protocol):
    """Result of a test of all pairs of learners."""

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""

    @property
    def mean_ranks(self) -> F64:
        """Mean ranks of the learners."""

    @property
    def critical_difference(self) -> float | None:
        """Critical difference of mean ranks, if the test has one."""

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Maximal sets of learners without a significant difference."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One learner: its mean rank, and the position of its name (side and line from the top)."""

    name: str
    rank: float
    left: bool
    line: int


@dataclass(frozen=True, slots=True)
class Bar:
    """Learners without a significant difference: best to worst rank, one dot each.

    A learner that lies between the ends and has no dot does differ from some of them.
    """

    low: float
    high: float
    dots: tuple[float, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """Content of the diagram, best rank first."""

    marks: tuple[Mark, ...]
    bars: tuple[Bar, ...]
    critical_difference: float | None = None


def data(verdict: Ranked) -> Diagram:
    """Content of the diagram; the better half of the learners is on the left.

    Examples
    --------
    >>> from streamgauge.comparisons import Scores, nemenyi_test
    >>> table = Scores("abcd", range(9), [[4, 3 + i % 2, 2, 1] for i in range(9)])
    >>> diagram = data(nemenyi_test(table))
    >>> [(m.name, round(m.rank, 2), m.left, m.line) for m in diagram.marks]
    [('a', 1.22, True, 0), ('b', 1.78, True, 1), ('c', 3.0, False, 1), ('d', 4.0, False, 0)]
    >>> [(round(b.low, 2), b.high) for b in diagram.bars]
    [(1.22, 1.78), (1.78, 3.0), (3.0, 4.0)]
    """
    ranks = verdict.mean_ranks
    order = sorted(range(len(ranks)), key=lambda i: float(ranks[i]))
    half = (len(order) + 1) // 2
    marks = tuple(
        Mark(
            verdict.learners[i],
            float(ranks[i]),
            place < half,
            place if place < half else len(order) - 1 - place,
        )
        for place, i in enumerate(order)
    )
    spans = [sorted(float(ranks[i]) for i in group) for group in verdict.groups()]
    return Diagram(marks, _stacked(sorted(spans)), verdict.critical_difference)


def draw(diagram: Diagram, title: str = "", width: float = 6.5) -> Any:
    """Draw the diagram in a matplotlib figure (`plots.save` writes it as SVG or PDF)."""
    count = len(diagram.marks)
    bars = 1 + max((bar.line for bar in diagram.bars), default=-1)
    lines = max((mark.line for mark in diagram.marks), default=0) + 1
    top = 0.9 if diagram.critical_difference is None else 1.7
    bottom = -(0.45 * bars + 0.55 * lines + 0.6)
    figure = canvas((width, 0.38 * (top - bottom) + 0.3))
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set(xlim=(1 - 0.42 * count, count + 0.42 * count), ylim=(bottom, top))
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    ink: dict[str, Any] = {"color": "black", "linewidth": 0.9, "solid_capstyle": "butt"}
    axes.plot([1, count], [0, 0], **ink)
    for tick in range(1, count + 1):
        axes.plot([tick, tick], [0, 0.18], **ink)
        axes.text(tick, 0.28, str(tick), ha="center", va="bottom", fontsize="small")
    for mark in diagram.marks:
        level = -(0.45 * bars + 0.55 * (mark.line + 1))
        end = 0.9 if mark.left else count + 0.1
        axes.plot([mark.rank, mark.rank, end], [0, level, level], **ink)
        side = {"ha": "right", "x": end - 0.06} if mark.left else {"ha": "left", "x": end + 0.06}
        name = label(mark.name)
        text = f"{name}  {mark.rank:.2f}" if mark.left else f"{mark.rank:.2f}  {name}"
        axes.text(y=level, s=text, va="center", fontsize="small", **side)
    for bar in diagram.bars:
        level = -0.45 * (bar.line + 0.8)
        axes.plot([bar.low, bar.high], [level, level], color="#0072B2", linewidth=3.2)
        axes.plot(bar.dots, [level] * len(bar.dots), "o", color="#0072B2", markersize=4.5)
    if diagram.critical_difference is not None:
        end = 1 + diagram.critical_difference
        axes.plot([1, 1, 1, end, end, end], [1.0, 1.24, 1.12, 1.12, 1.24, 1.0], **ink)
        words = f"CD = {diagram.critical_difference:.2f}"
        axes.text((1 + end) / 2, 1.25, words, ha="center", va="bottom", fontsize="small")
    return literal(figure)


def _stacked(spans: Sequence[Sequence[float]]) -> tuple[Bar, ...]:
    """Place the bars on as few lines as possible without overlap."""
    ends: list[float] = []
    bars = []
    for span in spans:
        line = next((i for i, end in enumerate(ends) if end < span[0]), len(ends))
        ends[line : line + 1] = [span[-1]]
        bars.append(Bar(span[0], span[-1], tuple(span), line))
    return tuple(bars)
