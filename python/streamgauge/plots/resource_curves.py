"""Costs over the stream, one panel each: of repeated predictions, or vitals of learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from streamgauge.plots import learning_curve
from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS, DASHES, Line
from streamgauge.types import Curve


def data(costs: Mapping[str, Sequence[Curve]], points: int = 2000) -> dict[str, tuple[Line, ...]]:
    """Thinned lines of each log, by cost.

    `costs` are the curves of each log: `late.costs(log).curves()`, or the values of
    `resources.vital_curves(log)`.
    """
    found: dict[str, dict[str, Curve]] = {}
    for name, curves in costs.items():
        for curve in curves:
            found.setdefault(curve.measure, {})[name] = curve
    return {cost: learning_curve.data(lines, points) for cost, lines in found.items()}


def draw(panels: Mapping[str, Sequence[Line]], title: str = "", axis: str = "events") -> Any:
    """Draw the panels in a matplotlib figure."""
    figure = canvas((7.0, 1.8 * max(len(panels), 1)))
    handles: dict[str, Any] = {}
    names = list(dict.fromkeys(line.name for lines in panels.values() for line in lines))
    for row, (cost, lines) in enumerate(panels.items(), 1):
        axes = figure.add_subplot(len(panels), 1, row)
        for line in lines:
            i = names.index(line.name)  # one colour in all panels, although some have fewer lines
            handles[line.name], *_ = axes.plot(
                line.at,
                line.value,
                linewidth=1.1,
                color=COLOURS[i % len(COLOURS)],
                linestyle=DASHES[i // len(COLOURS) % len(DASHES)],
            )
        axes.set(ylabel=cost, xlabel=axis if row == len(panels) else "")
        axes.spines[["top", "right"]].set_visible(False)
        axes.xaxis.set_major_formatter("{x:,.0f}")
    figure.suptitle(label(title, LONGEST_TITLE), fontsize="medium")
    if len(handles) > 1:
        legend(figure, [*handles.values()], [*handles], loc="outside lower center", ncols=4)
    return literal(figure)
