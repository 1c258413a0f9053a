"""Learning curves: a measure over the stream, one line per learner, with drifts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from streamgauge.kinds import at_least
from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots._thin import thin
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.types import F64, I64, Axis, Curve, Drift

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7A5195")
"""Colour-blind safe palette of Okabe and Ito; the pale yellow is replaced."""

DASHES = ("-", "--", "-.", ":")
"""Dashes; the next one is used when the colours repeat."""


@dataclass(frozen=True, slots=True)
class Line:
    """Curve of one learner, thinned for drawing, with an optional band. NaN is a gap."""

    name: str
    at: I64
    value: F64
    baseline: bool = False
    low: F64 | None = None
    high: F64 | None = None
    axis: Axis = "items"


Drawn: TypeAlias = Curve | Sequence[Curve] | Mapping[str, Curve] | Mapping[str, Sequence[Curve]]
"""One curve, several, or several by name; several of one name are repetitions."""


def named(curves: Drawn) -> dict[str, Curve]:
    """Curves by the shortest unique name: window, measure, or both; means over repetitions."""
    if isinstance(curves, Mapping):
        found: dict[str, Curve] = {}
        for key, one in curves.items():
            runs = [one] if isinstance(one, Curve) else list(one)
            mean = mean_curve(runs)
            found[key if len(runs) == 1 else f"{key} ({mean.definition['band']})"] = mean
        return found
    if isinstance(curves, Curve):
        return {curves.window: curves}
    for name in (lambda c: c.window, lambda c: c.measure, lambda c: f"{c.measure}, {c.window}"):
        found = {name(c): c for c in curves}
        if len(found) == len(curves):
            return found
    return {f"{i}: {c.measure}, {c.window}": c for i, c in enumerate(curves, 1)}


def data(
    curves: Drawn,
    points: int = 2000,
    baselines: Iterable[str] = (),
) -> tuple[Line, ...]:
    """Lines of the plot: each curve in at most `points` points, with peaks and gaps kept.

    Examples
    --------
    >>> import numpy as np
    >>> curve = Curve("accuracy", "whole", np.arange(1, 6), np.array([1, 1, 0.67, 0.75, 0.8]))
    >>> [(line.name, len(line.at)) for line in data({"naive_bayes": curve})]
    [('naive_bayes', 5)]
    """
    at_least("learning_curve", "points", points, 1)
    grey = set(baselines)
    return tuple(_line(name, c, points, name in grey) for name, c in named(curves).items())


def _line(name: str, curve: Curve, points: int, baseline: bool) -> Line:
    at, value = thin(curve.at, curve.value, points)
    if curve.low is None or curve.high is None:
        return Line(name, at, value, baseline, axis=curve.axis)
    kept = np.searchsorted(curve.at, at)
    return Line(name, at, value, baseline, curve.low[kept], curve.high[kept], curve.axis)


def draw(
    lines: Sequence[Line],
    drifts: Sequence[Drift] = (),
    title: str = "",
    measure: str = "",
    size: tuple[float, float] = (7.0, 3.0),
) -> Any:
    """Draw the lines in a matplotlib figure."""
    figure = canvas(size)
    axes = figure.add_subplot()
    mark_drifts(axes, drifts)
    coloured = 0
    handles = []
    for line in lines:
        if line.baseline:
            style: dict[str, Any] = {"color": "0.45", "linewidth": 1.0, "linestyle": "--"}
        else:
            dash = DASHES[coloured // len(COLOURS) % len(DASHES)]
            colour = COLOURS[coloured % len(COLOURS)]
            style = {"color": colour, "linewidth": 1.3, "linestyle": dash}
            coloured += 1
        handles += axes.plot(line.at, line.value, **style)
        if line.low is not None:
            axes.fill_between(line.at, line.low, line.high, color=style["color"], alpha=0.2, lw=0)
    axes.set(xlabel=" or ".join(dict.fromkeys(line.axis for line in lines)), ylabel=label(measure))
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.margins(x=0.01)
    if len(lines) > 1:
        names = [line.name for line in lines]
        legend(figure, handles, names, loc="outside lower center", ncols=min(len(lines), 4))
    return literal(figure)


def mark_drifts(axes: Any, drifts: Sequence[Drift]) -> None:
    """Draw a line at each known drift, and a grey area over a gradual one."""
    for drift in drifts:
        if drift.end > drift.start + 1:
            axes.axvspan(drift.start, drift.end, color="0.5", alpha=0.15, linewidth=0)
        axes.axvline(drift.centre, color="0.4", linewidth=0.8, linestyle=(0, (3, 3)))
