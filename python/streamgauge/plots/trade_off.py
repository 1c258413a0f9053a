"""A score against a cost: one line per learner, over arrival rates or sizes of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from streamgauge.plots._canvas import canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS, DASHES, Line


class Scored(Protocol):
    """Point of `resources.load_sweep` or `resources.memory_sweep`, as far as it is drawn."""

    @property
    def learner(self) -> str:
        """Name of the learner."""

    @property
    def value(self) -> float:
        """Value of the measure."""


def data(points: Sequence[Scored], cost: str) -> tuple[Line, ...]:
    """One line per learner over the attribute `cost` of its points, in its order.

    Examples
    --------
    >>> from streamgauge.resources import load_sweep
    >>> found = load_sweep("sea(items=500)", "nb", [2000, 500], service=0.001)
    >>> [line.at.tolist() for line in data(found.points, "rate")]
    [[500.0, 2000.0]]
    """
    lines = []
    for name in dict.fromkeys(p.learner for p in points):
        own = sorted((float(getattr(p, cost)), p.value) for p in points if p.learner == name)
        at, value = np.array(own).T
        lines.append(Line(name, at, value))
    return tuple(lines)


def draw(lines: Sequence[Line], cost: str = "", measure: str = "", title: str = "") -> Any:
    """Draw the lines in a matplotlib figure, over a logarithmic axis."""
    figure = canvas((7.0, 3.4))
    axes = figure.add_subplot()
    handles = []
    for i, line in enumerate(lines):
        handles += axes.plot(
            line.at,
            line.value,
            marker="o",
            markersize=3.5,
            linewidth=1.3,
            color=COLOURS[i % len(COLOURS)],
            linestyle=DASHES[i // len(COLOURS) % len(DASHES)],
        )
    axes.set_xscale("log")
    axes.set(xlabel=label(cost), ylabel=label(measure), title=label(title))
    axes.spines[["top", "right"]].set_visible(False)
    names = [line.name for line in lines]
    legend(figure, handles, names, loc="outside lower center", ncols=min(len(lines), 4))
    return literal(figure)
