"""Alarms of detectors over many repetitions: a row of marks per repetition, a panel per stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, literal
from streamgauge.plots.learning_curve import COLOURS, mark_drifts
from streamgauge.types import I64, Drift

MOST_MARKS = 20_000
"""Largest number of marks drawn per detector and stream; more are thinned evenly."""


class Matched(Protocol):
    """Matching of one repetition, as far as it is drawn."""

    @property
    def alarms(self) -> I64:
        """Items with an alarm."""

    @property
    def items(self) -> int:
        """Number of items."""

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """Known drifts."""


class Evaluated(Protocol):
    """`DetectorEvaluation`, as far as it is drawn."""

    @property
    def detectors(self) -> tuple[str, ...]:
        """Names of the detectors."""

    @property
    def matchings(self) -> Mapping[tuple[str, str], Sequence[Matched]]:
        """(stream, detector) -> matching of each repetition."""


@dataclass(frozen=True, slots=True)
class Raster:
    """Alarms on one stream: for each detector the items and the repetitions of its alarms."""

    stream: str
    items: int
    drifts: tuple[Drift, ...]
    repetitions: int
    marks: Mapping[str, tuple[I64, I64]]


def data(found: Evaluated) -> tuple[Raster, ...]:
    """Panels of the plot, one per stream.

    Examples
    --------
    >>> from streamgauge import evaluate_detectors
    >>> stream = "bernoulli(items=2000, at=(1000,), levels=(0.1, 0.9))"
    >>> found = evaluate_detectors("adwin", stream, 500, repetitions=3)
    >>> [panel] = data(found)
    >>> panel.repetitions, len(panel.marks["adwin"][0]) >= 3
    (3, True)
    """
    panels = []
    for stream in dict.fromkeys(stream for stream, _ in found.matchings):
        marks = {}
        for detector in found.detectors:
            runs = found.matchings[stream, detector]
            items = np.concatenate([run.alarms for run in runs])
            rows = np.repeat(np.arange(len(runs)), [len(run.alarms) for run in runs])
            step = -(-len(items) // MOST_MARKS) or 1
            marks[detector] = (items[::step], rows[::step])
        one = found.matchings[stream, found.detectors[0]][0]
        runs_count = len(found.matchings[stream, found.detectors[0]])
        panels.append(Raster(stream, one.items, one.drifts, runs_count, marks))
    return tuple(panels)


def draw(panels: Sequence[Raster], width: float = 7.0) -> Any:
    """Draw the panels below each other in a matplotlib figure."""
    rows = sum(len(panel.marks) for panel in panels)
    figure = canvas((width, 0.45 * rows + 0.75 * len(panels) + 0.2))
    heights = [len(panel.marks) for panel in panels]
    grid = figure.subplots(
        len(panels), 1, squeeze=False, gridspec_kw={"height_ratios": [h + 0.4 for h in heights]}
    )
    for panel, axes in zip(panels, grid[:, 0], strict=True):
        mark_drifts(axes, panel.drifts)
        for nth, (items, runs) in enumerate(panel.marks.values()):
            # repetitions fill 0.8 of the height of the row
            height = nth - 0.4 + 0.8 * (runs + 0.5) / max(panel.repetitions, 1)
            colour = COLOURS[nth % len(COLOURS)]
            axes.plot(items, height, "|", color=colour, markersize=3, markeredgewidth=0.8)
        axes.set(
            xlim=(0, panel.items),
            ylim=(len(panel.marks) - 0.4, -0.6),
            yticks=range(len(panel.marks)),
        )
        axes.set_yticklabels([label(name, 40) for name in panel.marks], fontsize="small")
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_title(label(panel.stream, LONGEST_TITLE), loc="left", fontsize="medium")
    grid[-1, 0].set_xlabel("items")
    return literal(figure)
