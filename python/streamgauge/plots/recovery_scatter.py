"""Duration against maximum performance loss: a point per learner and drift."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS

MARKERS = "osD^v<>P"
"""Markers of the settings; a learner has a colour."""


MOST_NAMES = 12
"""Largest number of names of learners and settings in the legend; above it, it has learners."""


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One learner at one drift, with the intervals of both values.

    `censored`: it has not recovered for good when the stream ends, so that its duration, from the
    drop to the last point, is at least the one shown.
    """

    learner: str
    setting: str
    duration: float
    duration_low: float
    duration_high: float
    loss: float
    loss_low: float
    loss_high: float
    censored: bool


def data(found: Mapping[str, Any] | Any) -> tuple[ScatterPoint, ...]:
    """The points of a `Recovery`, or of several by name; the name is part of the setting.

    Examples
    --------
    >>> import streamgauge as sg
    >>> found = sg.recovery("nb", before="sea(1)", after="sea(3)", items=2000, repetitions=2)
    >>> [(point.learner, point.setting) for point in data(found)]
    [('naive_bayes', 'moderate')]
    """
    named = found if isinstance(found, Mapping) else {"": found}
    points = []
    for name, one in named.items():
        for panel in one.panels:
            number = f", drift {panel.number + 1}" if panel.number else ""
            setting = f"{panel.setting}{number}"
            # That of a curve which was back for a while would look like a quick recovery.
            lasting = panel.outcome == "relapsed"
            time = panel.value("sustained_duration" if lasting else "duration")
            loss = panel.value("maximum_loss")
            points.append(
                ScatterPoint(
                    panel.learner,
                    f"{name}, {setting}" if name else setting,
                    time.value,
                    time.low,
                    time.high,
                    loss.value,
                    loss.low,
                    loss.high,
                    panel.outcome in ("not recovered", "relapsed"),
                )
            )
    return tuple(points)


def draw(points: Sequence[ScatterPoint], title: str = "") -> Any:
    """Draw the points in a matplotlib figure; open ones have not recovered, bars are intervals."""
    figure = canvas((7.0, 4.6))
    axes = figure.add_subplot()
    learners = list(dict.fromkeys(point.learner for point in points))
    settings = list(dict.fromkeys(point.setting for point in points))
    handles: dict[str, Any] = {}
    for point in points:
        if not math.isfinite(point.duration) or not math.isfinite(point.loss):
            continue
        colour = COLOURS[learners.index(point.learner) % len(COLOURS)]
        bars = axes.errorbar(
            point.duration,
            point.loss,
            xerr=_bar(point.duration, point.duration_low, point.duration_high),
            yerr=_bar(point.loss, point.loss_low, point.loss_high),
            fmt=MARKERS[settings.index(point.setting) % len(MARKERS)],
            color=colour,
            markerfacecolor="none" if point.censored else colour,
            markersize=6,
            linewidth=0.8,
            elinewidth=0.6,
        )
        several = len(settings) > 1 and len(learners) * len(settings) <= MOST_NAMES
        name = f"{point.learner}, {point.setting}" if several else point.learner
        handles.setdefault(name, bars)
    axes.set(xlabel="duration", ylabel="maximum performance loss")
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:g} %")
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %")
    axes.spines[["top", "right"]].set_visible(False)
    if handles:
        legend(
            figure,
            [*handles.values()],
            [*handles],
            loc="outside lower center",
            ncols=min(len(handles), 2),
            fontsize="small",
        )
    return literal(figure)


def _bar(value: float, low: float, high: float) -> list[list[float]] | None:
    """The lengths of a bar; none if the interval is not defined."""
    if not math.isfinite(low) or not math.isfinite(high):
        return None
    return [[max(value - low, 0.0)], [max(high - value, 0.0)]]
