"""A measure of recovery over the width and the size of a drift: a surface per learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, literal
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class Surface:
    """Values of one learner: one row per size of the drift, one column per width."""

    widths: tuple[str, ...]
    sizes: tuple[str, ...]
    values: F64


def data(found: Any, name: str = "maximum_loss") -> dict[str, Surface]:
    """The surface of each learner of a `RecoverySweep`; `name` is a measure of the recovery.

    Examples
    --------
    >>> from streamgauge.recovery_runs import recovery_sweep
    >>> after = {"small": "sea(2)", "large": "sea(3)"}
    >>> found = recovery_sweep(
    ...     "nb", before="sea(1)", after=after, widths=[0, 200], items=1500, repetitions=2
    ... )
    >>> data(found)["naive_bayes"].values.shape
    (2, 2)
    """
    widths = tuple(dict.fromkeys(point.setting for point in found.points))
    sizes = tuple(dict.fromkeys(point.size for point in found.points))
    surfaces = {}
    for learner in dict.fromkeys(point.learner for point in found.points):
        values = np.full((len(sizes), len(widths)), np.nan)
        for point in found.points:
            if point.learner == learner:
                row, column = sizes.index(point.size), widths.index(point.setting)
                values[row, column] = point.panel.value(name).value
        surfaces[learner] = Surface(widths, sizes, values)
    return surfaces


def draw(surfaces: Mapping[str, Surface], title: str = "maximum performance loss") -> Any:
    """Draw the surfaces in a matplotlib figure, with the values in their cells."""
    named: Sequence[tuple[str, Surface]] = [*surfaces.items()]
    figure = canvas((3.6 * max(1, len(named)) + 0.8, 3.4))
    grid = figure.subplots(1, max(1, len(named)), squeeze=False)[0]
    finite = [one.values[np.isfinite(one.values)] for one in surfaces.values()]
    every = np.concatenate(finite) if finite else np.zeros(1)
    low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
    image = None
    for axes, (learner, one) in zip(grid, named, strict=False):
        image = axes.imshow(
            one.values, origin="lower", aspect="auto", cmap="viridis_r", vmin=low, vmax=high
        )
        for row, column in np.ndindex(one.values.shape):
            value = one.values[row, column]
            text = f"{100 * value:.0f} %" if np.isfinite(value) else "–"
            dark = np.isfinite(value) and high > low and (value - low) / (high - low) > 0.5
            axes.text(
                column, row, text, ha="center", va="center", color="white" if dark else "black"
            )
        axes.set_xticks(range(len(one.widths)), [label(w, 20) for w in one.widths])
        axes.set_yticks(range(len(one.sizes)), [label(s, 20) for s in one.sizes])
        axes.set(xlabel="width of the drift", ylabel="size of the drift")
        axes.set_title(label(learner, LONGEST_TITLE // len(named)), loc="left", fontsize="small")
    if image is not None:
        figure.colorbar(image, ax=list(grid), label=label(title))
    return literal(figure)
