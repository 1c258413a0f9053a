"""A measure by delay: one colour per learner, one dash per share of missing labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from streamgauge.plots._canvas import canvas, label, legend, literal
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
    figure = canvas((7.0, 3.4))
    axes = figure.add_subplot()
    learners = list(dict.fromkeys(line.learner for line in lines))
    shares = list(dict.fromkeys(line.missing for line in lines))
    handles, names = [], []
    for line in lines:
        name = line.learner if len(shares) == 1 else f"{line.learner}, {line.missing:.0%} missing"
        handles += axes.plot(
            range(len(line.delays)),
            line.values,
            marker="o",
            markersize=3.5,
            linewidth=1.3,
            color=COLOURS[learners.index(line.learner) % len(COLOURS)],
            linestyle=DASHES[shares.index(line.missing) % len(DASHES)],
        )
        names.append(name)
    axes.set_xticks(range(len(lines[0].delays)), [label(d) for d in lines[0].delays])
    axes.set(xlabel=f"delay of labels ({unit})", ylabel=label(measure))
    axes.spines[["top", "right"]].set_visible(False)
    legend(figure, handles, names, loc="outside lower center", ncols=min(len(lines), 4))
    return literal(figure)
