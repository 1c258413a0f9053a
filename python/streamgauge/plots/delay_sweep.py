"""A measure by delay: one colour per learner, one dash per share of missing labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from streamgauge.errors import MissingExtraError
from streamgauge.plots.learning_curve import COLOURS, DASHES


class Scored(Protocol):
    """Point of `late.sweep`, as far as it is drawn."""

    @property
    def learner(self) -> str:
        """Name of the learner."""

    @property
    def delay(self) -> str:
        """Delay of the labels."""

    @property
    def missing(self) -> float:
        """Share of missing labels."""

    @property
    def value(self) -> float:
        """Value of the measure."""


@dataclass(frozen=True, slots=True)
class SweepLine:
    """Values of one learner at one share of missing labels."""

    learner: str
    missing: float
    delays: tuple[str, ...]
    values: tuple[float, ...]


def data(points: Sequence[Scored]) -> tuple[SweepLine, ...]:
    """Lines of the plot."""
    lines = []
    for learner, missing in dict.fromkeys((p.learner, p.missing) for p in points):
        own = [p for p in points if (p.learner, p.missing) == (learner, missing)]
        lines.append(
            SweepLine(learner, missing, tuple(p.delay for p in own), tuple(p.value for p in own))
        )
    return tuple(lines)


def draw(lines: Sequence[SweepLine], measure: str = "", unit: str = "item") -> Any:
    """Draw the lines in a matplotlib figure, with delays in the given order."""
    try:
        figures = import_module("matplotlib.figure")
    except ModuleNotFoundError as missing:
        raise MissingExtraError("matplotlib", "plot") from missing
    figure = figures.Figure(figsize=(7.0, 3.4), layout="constrained")
    axes = figure.add_subplot()
    learners = list(dict.fromkeys(line.learner for line in lines))
    shares = list(dict.fromkeys(line.missing for line in lines))
    for line in lines:
        name = line.learner if len(shares) == 1 else f"{line.learner}, {line.missing:.0%} missing"
        axes.plot(
            range(len(line.delays)),
            line.values,
            marker="o",
            markersize=3.5,
            linewidth=1.3,
            color=COLOURS[learners.index(line.learner) % len(COLOURS)],
            linestyle=DASHES[shares.index(line.missing) % len(DASHES)],
            label=name,
        )
    axes.set_xticks(range(len(lines[0].delays)), lines[0].delays)
    axes.set(xlabel=f"delay of labels ({unit})", ylabel=measure)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=min(len(lines), 4), frameon=False)
    return figure
