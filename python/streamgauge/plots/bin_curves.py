"""Bin curves: a measure between the arrival of an item and of its label, one line per learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS, DASHES
from streamgauge.types import F64


class Binned(Protocol):
    """Result of `late.bins`, as far as it is drawn."""

    @property
    def n_bins(self) -> int:
        """Number of bins."""

    @property
    def at(self) -> Any:
        """Number of labels at each point in time."""

    @property
    def value(self) -> F64:
        """One row per point in time, one column per bin."""


@dataclass(frozen=True, slots=True)
class BinLine:
    """One learner: positions of the bins from 0 (arrival) to 1 (label), and values."""

    name: str
    place: F64
    value: F64
    labels: int


def data(found: Mapping[str, Binned], point: int = -1) -> tuple[BinLine, ...]:
    """Lines of the plot at one point in time, the last one by default.

    Bins are drawn at their middles, the first prediction at 0 and the last one at 1.
    """
    lines = []
    for name, one in found.items():
        place = np.concatenate([[0.0], (np.arange(one.n_bins) + 0.5) / max(one.n_bins, 1), [1.0]])
        there = len(one.at) > 0
        value = one.value[point] if there else np.full(one.n_bins + 2, np.nan)
        lines.append(BinLine(name, place, value, int(one.at[point]) if there else 0))
    return tuple(lines)


def draw(lines: Sequence[BinLine], measure: str = "", title: str = "") -> Any:
    """Draw the lines in a matplotlib figure."""
    figure = canvas((7.0, 3.4))
    axes = figure.add_subplot()
    handles = []
    for i, line in enumerate(lines):
        style = {
            "color": COLOURS[i % len(COLOURS)],
            "linestyle": DASHES[i // len(COLOURS) % len(DASHES)],
            "linewidth": 1.3,
        }
        handles += axes.plot(100 * line.place[1:-1], line.value[1:-1], **style)
        ends = 100 * line.place[[0, -1]]
        axes.plot(ends, line.value[[0, -1]], "o", color=style["color"], markersize=4)
    axes.set(xlabel="% of the time from an item's coming to its label's", ylabel=label(measure))
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    if len(lines) > 1:
        names = [line.name for line in lines]
        legend(figure, handles, names, loc="outside lower center", ncols=min(len(lines), 4))
    return literal(figure)
