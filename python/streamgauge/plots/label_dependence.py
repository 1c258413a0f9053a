"""Delta(l), the effect of one more equal previous label, one line per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots.learning_curve import COLOURS, DASHES
from streamgauge.types import F64, I64, Value


class Dependence(Protocol):
    """Temporal dependence of labels."""

    @property
    def classes(self) -> tuple[Value, ...]:
        """Classes."""

    @property
    def delta(self) -> F64:
        """Delta(l), one row per class, l from 1 on."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Delta(l) of one class; NaN is a gap."""

    name: str
    lag: I64
    delta: F64


def data(seen: Dependence) -> tuple[Steps, ...]:
    """Lines of the plot: classes with a defined Delta(l).

    Examples
    --------
    >>> from streamgauge.diagnosis import label_dependence
    >>> labels = np.array([0, 0, 0, 1, 1, 0, 0, 1], np.int32)
    >>> [(s.name, s.lag.tolist()) for s in data(label_dependence(labels, lags=2))]
    [('0', [1, 2]), ('1', [1, 2])]
    """
    lag = np.arange(1, seen.delta.shape[1] + 1)
    return tuple(
        Steps(str(name), lag, row)
        for name, row in zip(seen.classes, seen.delta, strict=True)
        if np.isfinite(row).any()
    )


def draw(steps: Sequence[Steps], title: str = "", size: tuple[float, float] = (5.5, 3.0)) -> Any:
    """Draw the lines in a matplotlib figure."""
    figure = canvas(size)
    axes = figure.add_subplot()
    axes.axhline(0, color="0.4", linewidth=0.8, linestyle=(0, (3, 3)))
    handles = []
    for i, one in enumerate(steps):
        handles += axes.plot(
            one.lag,
            one.delta,
            marker="o",
            markersize=3.5,
            linewidth=1.2,
            color=COLOURS[i % len(COLOURS)],
            linestyle=DASHES[i // len(COLOURS) % len(DASHES)],
        )
    axes.set(xlabel="labels before, l", ylabel="Delta(l)")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    if len(steps) > 1:
        names = [one.name for one in steps]
        legend(axes, handles, names, fontsize="small", ncols=1 + len(steps) // 12)
    return literal(figure)
