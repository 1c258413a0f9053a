"""Score against delay: one line a learner, a dash a share of missing labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from streamgauge.errors import MissingExtraError
from streamgauge.plots.learning_curve import COLOURS, DASHES


class Scored(Protocol):
    """A point of `late.sweep`, as far as it is drawn."""

    @property
    def learner(self) -> str:
        """Whose."""

    @property
    def delay(self) -> str:
        """Under which delay."""

    @property
    def missing(self) -> float:
        """Under which share of missing labels."""

    @property
    def value(self) -> float:
        """How good."""


@dataclass(frozen=True, slots=True)
class SweepLine:
    """One learner under one share of missing labels."""

    learner: str
    missing: float
    delays: tuple[str, ...]
    values: tuple[float, ...]


def data(points: Sequence[Scored]) -> tuple[SweepLine, ...]:
    """The lines."""
    lines = []
    for learner, missing in dict.fromkeys((p.learner, p.missing) for p in points):
        own = [p for p in points if (p.learner, p.missing) == (learner, missing)]
        lines.append(
            SweepLine(learner, missing, tuple(p.delay for p in own), tuple(p.value for p in own))
        )
    return tuple(lines)


def draw(lines: Sequence[SweepLine], measure: str = "", unit: str = "item") -> Any:
    """Draw it: a matplotlib figure. Delays stand side by side, in the order given."""
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
