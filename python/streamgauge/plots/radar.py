"""Radar chart: the scores of learners on several axes, one polygon each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS, DASHES
from streamgauge.types import F64

MARK = " *"
"""After the name of an axis on which a baseline is best."""

RINGS = (0.25, 0.5, 0.75, 1.0)
"""Scores with a grid line."""


NEARLY_VERTICAL = 0.1
"""Sine of the angle of an axis up to which its name is centred."""


class ScoredAxis(Protocol):
    """Axis of a profile, as far as it is drawn."""

    @property
    def title(self) -> str:
        """Name of the axis."""

    @property
    def scores(self) -> Mapping[str, float]:
        """Scores from 0 to 1 by learner."""

    @property
    def constant(self) -> tuple[str, ...]:
        """Baselines that are best."""


class Scored(Protocol):
    """Profile of learners, as far as it is drawn."""

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of all learners."""

    @property
    def baselines(self) -> tuple[str, ...]:
        """Names of the learners that do not read features."""

    @property
    def axes(self) -> Sequence[ScoredAxis]:
        """Axes."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """Scores of one learner, one per axis; NaN is a gap."""

    name: str
    scores: F64
    baseline: bool = False

    @property
    def sides(self) -> tuple[tuple[int, int], ...]:
        """Pairs of neighbouring axes of which both scores are known.

        Examples
        --------
        >>> Polygon("nb", np.array([0.5, 1.0, np.nan, 0.2])).sides
        ((0, 1), (3, 0))
        """
        n = len(self.scores)
        known = ~np.isnan(self.scores)
        return tuple((i, (i + 1) % n) for i in range(n) if known[i] and known[(i + 1) % n])


@dataclass(frozen=True, slots=True)
class Radar:
    """Names of the axes, whether a baseline is best on each, and the polygons."""

    axes: tuple[str, ...]
    marked: tuple[bool, ...]
    polygons: tuple[Polygon, ...]

    @property
    def angles(self) -> F64:
        """Angle of each axis, clockwise from the top."""
        return np.linspace(0, 2 * np.pi, len(self.axes), endpoint=False)

    @property
    def titles(self) -> tuple[str, ...]:
        """Names of the axes with their marks."""
        return tuple(
            f"{name}{MARK}" if mark else name
            for name, mark in zip(self.axes, self.marked, strict=True)
        )


def data(profile: Scored) -> Radar:
    """Polygons of the learners of a profile, baselines last.

    Examples
    --------
    >>> import streamgauge as sg
    >>> logs = [sg.run("sea(items=2000)", learner) for learner in ("nb", "ht")]
    >>> shown = data(sg.profile(logs))
    >>> [polygon.name for polygon in shown.polygons]
    ['naive_bayes', 'hoeffding_tree', 'persistent', 'majority_class']
    """
    names = sorted(profile.learners, key=lambda name: name in profile.baselines)
    return Radar(
        tuple(axis.title for axis in profile.axes),
        tuple(bool(axis.constant) for axis in profile.axes),
        tuple(
            Polygon(
                name,
                np.array([axis.scores.get(name, np.nan) for axis in profile.axes], np.float64),
                name in profile.baselines,
            )
            for name in names
        ),
    )


def draw(radar: Radar, title: str = "") -> Any:
    """Draw the polygons in a matplotlib figure; outside is better on every axis."""
    figure = canvas((7.0, 6.2))
    axes = figure.add_subplot(projection="polar")
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_xticks(radar.angles, [label(name) for name in radar.titles])
    axes.set_yticks(RINGS, [f"{ring:g}" for ring in RINGS], color="#666666", fontsize="small")
    axes.set_ylim(0, 1)
    axes.set_rlabel_position(0)
    for text, angle in zip(axes.get_xticklabels(), radar.angles.tolist(), strict=True):
        side = np.sin(angle)
        text.set_horizontalalignment(
            "center" if abs(side) < NEARLY_VERTICAL else "left" if side > 0 else "right"
        )
    handles = []
    for i, polygon in enumerate(radar.polygons):
        style = {
            "color": "#888888" if polygon.baseline else COLOURS[i % len(COLOURS)],
            "linestyle": "--" if polygon.baseline else DASHES[i // len(COLOURS) % len(DASHES)],
            "linewidth": 1.3,
        }
        for side in polygon.sides:
            axes.plot(radar.angles[list(side)], polygon.scores[list(side)], **style)
        marker = "s" if polygon.baseline and i % 2 else "o"
        style |= {"marker": marker, "markersize": 3.5}
        handles += axes.plot([], [], **style)
        style["linestyle"] = "none"
        axes.plot(radar.angles, polygon.scores, clip_on=False, **style)
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    names = [polygon.name for polygon in radar.polygons]
    if any(radar.marked):
        handles += axes.plot([], [], color="black", marker="$*$", linestyle="none", markersize=5)
        names.append("a learner that reads no features is best")
    legend(figure, handles, names, loc="outside lower center", ncols=2)
    return literal(figure)
