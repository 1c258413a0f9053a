"""Curves aligned at drifts: a measure before and after, one line per learner, with bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS, DASHES, Line
from streamgauge.types import F64, I64


class Aligned(Protocol):
    """Aligned curve of `adaptation`, as far as it is drawn."""

    @property
    def offset(self) -> I64:
        """First item of each step, counted from the drift."""

    @property
    def mean(self) -> F64:
        """Mean over curves."""

    @property
    def low(self) -> F64:
        """Lower limit of the band."""

    @property
    def high(self) -> F64:
        """Upper limit of the band."""


def data(curves: Mapping[str, Aligned], baselines: Sequence[str] = ()) -> tuple[Line, ...]:
    """Lines of the plot, in the order of the learners."""
    return tuple(
        Line(name, one.offset, one.mean, name in baselines, one.low, one.high)
        for name, one in curves.items()
    )


def draw(lines: Sequence[Line], measure: str = "", title: str = "") -> Any:
    """Draw the lines in a matplotlib figure, with the drift at 0."""
    figure = canvas((7.0, 3.4))
    axes = figure.add_subplot()
    axes.axvline(0, color="#888888", linewidth=0.8, linestyle=":")
    handles = []
    for i, line in enumerate(lines):
        style = {
            "color": "#888888" if line.baseline else COLOURS[i % len(COLOURS)],
            "linestyle": DASHES[i // len(COLOURS) % len(DASHES)],
        }
        handles += axes.plot(line.at, line.value, linewidth=1.3, **style)
        if line.low is not None and line.high is not None:
            axes.fill_between(
                line.at, line.low, line.high, color=style["color"], alpha=0.18, linewidth=0
            )
    axes.set(xlabel="items since the drift", ylabel=label(measure))
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    if len(lines) > 1:
        names = [line.name for line in lines]
        legend(figure, handles, names, loc="outside lower center", ncols=min(len(lines), 4))
    return literal(figure)
