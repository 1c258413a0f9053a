"""Recovery panels: the curves of both pure streams and of their mixture, with drift and bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import Line
from streamgauge.types import F64, Curve, Drift

STYLES: dict[str, dict[str, Any]] = {
    "before": {"color": "#0072B2", "linewidth": 1.0, "linestyle": "--"},
    "after": {"color": "#009E73", "linewidth": 1.0, "linestyle": "-."},
    "mixture": {"color": "#D55E00", "linewidth": 1.5},
    "bound": {"color": "#7F4F24", "linewidth": 1.0, "linestyle": ":"},
}
"""Style of each curve."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One panel: a learner at one drift.

    `share` is the probability of the new stream at the points of the mixture, drawn as a light
    sigmoid, and `drift` is counted from 1, as the axis. `lines` are those of `before`, `after` and
    `mixture`, and of `bound` if there is one.
    """

    learner: str
    setting: str
    measure: str
    lines: tuple[Line, ...]
    drift: Drift
    share: F64


def data(found: Any) -> tuple[Picture, ...]:
    """The panels of a `Recovery`, in its order.

    Examples
    --------
    >>> import streamgauge as sg
    >>> found = sg.recovery("nb", before="sea(1)", after="sea(3)", items=2000, repetitions=2)
    >>> [(one.learner, [line.name for line in one.lines]) for one in data(found)]
    [('naive_bayes', ['before', 'after', 'mixture', 'bound'])]
    """
    pictures = []
    for panel in found.panels:
        number = f", drift {panel.number + 1}" if _several(found, panel) else ""
        curves = {"before": panel.before, "after": panel.after, "mixture": panel.mixture}
        if panel.bound is not None:
            curves["bound"] = panel.bound
        at = np.asarray(panel.mixture.at, np.float64)
        pictures.append(
            Picture(
                panel.learner,
                f"{panel.setting}{number}",
                found.measure,
                tuple(_line(name, curve) for name, curve in curves.items()),
                panel.transition.marks,
                1 - panel.transition.share(at),
            )
        )
    return tuple(pictures)


def draw(pictures: Sequence[Picture], width: float = 3.4) -> Any:
    """Draw the panels in a matplotlib figure: a row per learner, a column per drift."""
    learners = list(dict.fromkeys(one.learner for one in pictures))
    settings = list(dict.fromkeys(one.setting for one in pictures))
    rows, columns = max(1, len(learners)), max(1, len(settings))
    figure = canvas((max(5.0, width * columns), 2.3 * rows + 0.5))
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True)
    handles: dict[str, Any] = {}
    for one in pictures:
        axes = grid[learners.index(one.learner)][settings.index(one.setting)]
        _draw_panel(axes, one, handles)
        title = f"{one.learner}, {one.setting}"
        axes.set_title(label(title, LONGEST_TITLE // columns), loc="left", fontsize="small")
    for axes in grid[:, 0]:
        axes.set_ylabel(label(pictures[0].measure) if pictures else "")
    for axes in grid[-1, :]:
        axes.set_xlabel("items")
    if handles:
        legend(
            figure,
            [*handles.values()],
            [*handles],
            loc="outside lower center",
            ncols=len(handles),
        )
    return literal(figure)


def _draw_panel(axes: Any, one: Picture, handles: dict[str, Any]) -> None:
    sigmoid = axes.twinx()  # the light sigmoid of the drift has an axis of its own, from 0 to 1
    sigmoid.plot(one.lines[-1].at, one.share, color="0.8", linewidth=2.5)
    sigmoid.set(ylim=(-0.02, 1.02), yticks=[])
    sigmoid.set_zorder(axes.get_zorder() - 1)
    axes.patch.set_visible(False)
    axes.axvspan(one.drift.start, one.drift.end, color="0.5", alpha=0.1, linewidth=0)
    for line in one.lines:
        style = STYLES[line.name]
        (handle,) = axes.plot(line.at, line.value, **style)
        if line.low is not None and line.high is not None:
            axes.fill_between(
                line.at, line.low, line.high, color=style["color"], alpha=0.15, linewidth=0
            )
        handles.setdefault(line.name, handle)
    for part in (axes, sigmoid):
        part.spines[["top", "right"]].set_visible(False)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.margins(x=0.01)


def _several(found: Any, panel: Any) -> bool:
    return any(other.number != panel.number for other in found.panels)


def _line(name: str, curve: Curve) -> Line:
    return Line(name, curve.at, curve.value, False, curve.low, curve.high, curve.axis)
