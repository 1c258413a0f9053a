"""Alarms over a stream: the error, and one row of marks per detector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from streamgauge.log.alarms import Alarms
from streamgauge.plots import learning_curve
from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.types import I64, Curve, Drift

LONGEST_ROW = 40
"""Characters of the name of a row; it is drawn beside the axes and makes them narrower."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Items of the alarms of one detector, and of the starts of its warnings."""

    name: str
    alarms: I64
    warnings: I64


@dataclass(frozen=True, slots=True)
class AlarmPlot:
    """Content of the plot: curves of the error, and the marks of each detector."""

    lines: tuple[learning_curve.Line, ...]
    marks: tuple[Marks, ...]


def data(curves: Sequence[Curve], signals: Mapping[str, Alarms]) -> AlarmPlot:
    """Content of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> curve = Curve("error", "sliding(100)", np.arange(1, 4), np.array([0.1, 0.1, 0.4]))
    >>> watched = data([curve], {"ddm": Alarms.of([(2, "ddm", "alarm")])})
    >>> [(m.name, m.alarms.tolist(), m.warnings.tolist()) for m in watched.marks]
    [('ddm', [2], [])]
    """
    return AlarmPlot(
        learning_curve.data(curves),
        tuple(Marks(name, a.alarms, a.warnings) for name, a in signals.items()),
    )


def draw(
    watched: AlarmPlot,
    drifts: Sequence[Drift] = (),
    title: str = "",
    measure: str = "",
    size: tuple[float, float] = (7.0, 3.0),
) -> Any:
    """Draw curves and marks in a matplotlib figure."""
    rows = max(1, len(watched.marks))
    height = 0.25 * rows
    figure = canvas((size[0], size[1] + height + 0.3))
    top, below = figure.subplots(
        2, 1, sharex=True, gridspec_kw={"height_ratios": [size[1], height + 0.1]}
    )
    handles = []
    for i, line in enumerate(watched.lines):
        colour = learning_curve.COLOURS[i % len(learning_curve.COLOURS)]
        handles += top.plot(line.at, line.value, color=colour, linewidth=1.3)
    for axes in (top, below):
        learning_curve.mark_drifts(axes, drifts)
        axes.spines[["top", "right"]].set_visible(False)
    for row, marks in enumerate(watched.marks):
        below.plot(marks.warnings, [row] * len(marks.warnings), "|", color="0.6", markersize=7)
        below.plot(marks.alarms, [row] * len(marks.alarms), "|", color="#B00020", markersize=12)
    below.set(yticks=range(rows), ylim=(rows - 0.5, -0.5), xlabel="items")
    below.set_yticklabels(
        [label(m.name, LONGEST_ROW) for m in watched.marks] or [""], fontsize="small"
    )
    below.tick_params(axis="y", length=0)
    below.xaxis.set_major_formatter("{x:,.0f}")
    top.set(ylabel=label(measure))
    top.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    top.margins(x=0.01)
    if len(watched.lines) > 1:
        legend(top, handles, [line.name for line in watched.lines], fontsize="small")
    return literal(figure)
