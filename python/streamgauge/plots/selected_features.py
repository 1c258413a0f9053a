"""Selected features over a stream: features by time, and how often each was selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.feature_selection._steps import counts_between, selecting_folds, steps_of
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.plots import learning_curve
from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, literal
from streamgauge.types import F64, I64, Axis, Drift

LONGEST_NAME = 30
"""Characters of the name of a feature."""


@dataclass(frozen=True, slots=True)
class SelectedFeatures:
    """Content of the plot: the features selected most often, the most frequent first.

    `share[i, j]` is the share of the items learned from `edges[j]` to `edges[j + 1]` after which
    feature `names[i]` was selected, `frequency[i]` that of all items. `hidden` features were
    selected less often and are left out.
    """

    names: tuple[str, ...]
    edges: I64
    share: F64
    frequency: F64
    hidden: int
    axis: Axis


@plain_numbers
def data(
    log: Log, *, features: int = 30, points: int = 300, fold: int | None = None
) -> SelectedFeatures:
    """Content of the plot of a log with selections.

    Of equal frequencies the first feature is shown first. The selections are those of one fold,
    which must be given if there are several.

    Examples
    --------
    >>> import streamgauge as sg
    >>> shown = data(sg.run("led(items=500)", "selecting(fires(n_features=2), nb)"), features=3)
    >>> len(shown.names), shown.share.shape, shown.hidden
    (3, (3, 250), 21)
    """
    folds = selecting_folds("selected_features", log, fold)
    if len(folds) > 1:
        raise ParameterError(
            "selected_features: fold must be given for a log with several folds, got none; "
            "give fold=0 for the first"
        )
    steps = steps_of("selected_features", log, folds[0])
    width = max(1, -(-steps.learned // points))
    edges = np.append(np.arange(0, steps.learned, width), steps.learned).astype(np.int64)
    counts = counts_between(steps, edges[:-1], edges[1:])
    total = counts.sum(axis=0)
    order = np.argsort(-total, kind="stable")[:features]
    return SelectedFeatures(
        tuple(steps.schema.names[i] for i in order.tolist()),
        edges,
        (counts[:, order] / np.diff(edges)[:, None]).T,
        total[order] / max(steps.learned, 1),
        max(0, steps.features - features),
        steps.axis,
    )


def draw(
    shown: SelectedFeatures,
    drifts: Sequence[Drift] = (),
    title: str = "",
    width: float = 7.0,
) -> Any:
    """Draw features by time, and beside them bars of their frequencies, in a matplotlib figure."""
    rows = max(1, len(shown.names))
    figure = canvas((width, 0.9 + 0.19 * rows))
    left, right = figure.subplots(1, 2, sharey=True, gridspec_kw={"width_ratios": [4, 1]})
    grid = np.append(np.arange(len(shown.names)) - 0.5, len(shown.names) - 0.5)
    if shown.share.size:
        left.pcolormesh(shown.edges, grid, shown.share, cmap="Blues", vmin=0, vmax=1)
    learning_curve.mark_drifts(left, drifts)
    right.barh(range(len(shown.names)), shown.frequency, color=learning_curve.COLOURS[0])
    left.set(
        yticks=range(len(shown.names)), ylim=(rows - 0.5, -0.5), xlabel=f"{shown.axis} learned"
    )
    left.set_yticklabels([label(name, LONGEST_NAME) for name in shown.names], fontsize="small")
    left.xaxis.set_major_formatter("{x:,.0f}")
    right.set(xlim=(0, 1), xlabel="share selected")
    for axes in (left, right):
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right"]].set_visible(False)
    more = f"{title} ({shown.hidden} more features)" if shown.hidden else title
    left.set_title(label(more.strip(), LONGEST_TITLE), loc="left", fontsize="medium")
    return literal(figure)
