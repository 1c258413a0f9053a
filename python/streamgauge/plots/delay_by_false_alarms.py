"""Delay against the rate of false alarms: one point per detector, one panel per stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.alarm_measures import FalseAlarmRate, Matching, RestrictedMeanDelay
from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.alarm_raster import Evaluated
from streamgauge.plots.learning_curve import COLOURS
from streamgauge.repetitions import Spread

MARKERS = "osD^v<>P"
"""Markers; the next one is used when the colours repeat."""

GREY = {"never": "x", "always": "+"}
"""Markers of the baselines."""


@dataclass(frozen=True, slots=True)
class Point:
    """Mean and standard deviation of both measures of one detector or baseline on one stream."""

    detector: str
    baseline: bool
    false_alarms: Spread
    delay: Spread


def data(found: Evaluated) -> dict[str, tuple[Point, ...]]:
    """Points of each stream with known drifts: false alarms per 1,000 items, restricted mean delay.

    Both are computed from the matchings, whatever the measures of the evaluation are.

    Examples
    --------
    >>> from streamgauge import evaluate_detectors
    >>> stream = "bernoulli(items=2000, at=(1000,), levels=(0.1, 0.9))"
    >>> found = evaluate_detectors("adwin", stream, 500, repetitions=3)
    >>> [point.detector for point in data(found)[found.streams[0].name]]
    ['adwin', 'never', 'always', 'random, as often as adwin']
    """
    matchings: Any = found.matchings
    rate, delay = FalseAlarmRate(), RestrictedMeanDelay()
    panels: dict[str, list[Point]] = {}
    for (stream, detector), runs in matchings.items():
        each: Sequence[Matching] = runs
        if each[0].drifts and each[0].drift_free:
            rates = Spread(tuple(rate.value(run) for run in each))
            delays = Spread(tuple(delay.value(run) for run in each))
            point = Point(detector, detector not in found.detectors, rates, delays)
            panels.setdefault(stream, []).append(point)
    return {stream: tuple(points) for stream, points in panels.items()}


def draw(panels: Mapping[str, Sequence[Point]], width: float = 7.0) -> Any:
    """Draw the panels in a matplotlib figure; bars are one standard deviation on each side.

    The axis of false alarms is linear below 0.01 and logarithmic above, as many detectors have 0.
    """
    columns = min(len(panels), 2) or 1
    rows = -(-len(panels) // columns) or 1
    figure = canvas((width, 3.0 * rows + 0.6))
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    handles: dict[str, Any] = {}
    for axes, (stream, points) in zip(grid, panels.items(), strict=False):
        coloured = [p.detector for p in points if not p.baseline]
        for point in points:
            style = _style(point, coloured)
            x, y = point.false_alarms, point.delay
            bars = axes.errorbar(
                x.mean,
                y.mean,
                xerr=None if point.baseline else np.nan_to_num(x.sd),
                yerr=None if point.baseline else np.nan_to_num(y.sd),
                **style,
            )
            kind = point.detector.partition(",")[0] if point.baseline else point.detector
            shown = "random, as often as each detector" if kind == "random" else kind
            handles.setdefault(shown, bars)
        axes.set_xscale("symlog", linthresh=0.01)
        axes.xaxis.set_major_formatter("{x:g}")  # the usual one writes formulas
        axes.set(
            xlim=(-0.002, None),
            ylim=(0, None),
            xlabel="false alarms per 1,000 items",
            ylabel="restricted mean delay",
        )
        axes.set_title(label(stream, LONGEST_TITLE // columns), loc="left", fontsize="small")
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    if handles:
        names = [*handles]
        ncols = min(len(names), 3)
        legend(figure, [*handles.values()], names, loc="outside lower center", ncols=ncols)
    return literal(figure)


def _style(point: Point, coloured: Sequence[str]) -> dict[str, Any]:
    if point.baseline:
        marker = GREY.get(point.detector, ".")
        return {"fmt": marker, "color": "0.55", "markersize": 5}
    nth = coloured.index(point.detector)
    return {
        "fmt": MARKERS[nth // len(COLOURS) % len(MARKERS)],
        "color": COLOURS[nth % len(COLOURS)],
        "markersize": 5,
        "linewidth": 0.9,
        "capsize": 2,
    }
