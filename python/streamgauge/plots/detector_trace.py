"""Statistic and threshold of a detector over a stream, with its alarms and the known drifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.detectors.trace import Trace
from streamgauge.kinds import at_least
from streamgauge.plots._canvas import LONGEST_TITLE, canvas, label, legend, literal
from streamgauge.plots._thin import thin
from streamgauge.plots.learning_curve import COLOURS, mark_drifts
from streamgauge.types import F64, I64, Drift


@dataclass(frozen=True, slots=True)
class TraceLines:
    """Content of the plot; items without a test are left out, points are thinned."""

    name: str
    at: I64
    statistic: F64
    threshold_at: I64
    threshold: F64
    alarms: I64


def data(trace: Trace, points: int = 4000) -> TraceLines:
    """Lines of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log.alarms import Alarms
    >>> tests = np.array([np.nan, 1, 2]), np.array([9, 9, 9.0])
    >>> trace = Trace("ddm", Alarms(), np.arange(3), *tests)
    >>> data(trace).at.tolist()
    [1, 2]
    """
    at_least("detector_trace", "points", points, 1)
    tested = ~np.isnan(trace.statistic)
    item = trace.item[tested].astype(np.int64)
    at, statistic = thin(item, trace.statistic[tested], points)
    threshold = trace.threshold[tested]
    limited = np.isfinite(threshold)
    threshold_at, limits = thin(item[limited], threshold[limited], points)
    return TraceLines(trace.detector, at, statistic, threshold_at, limits, trace.alarms.alarms)


def draw(
    lines: TraceLines,
    drifts: Sequence[Drift] = (),
    title: str = "",
    size: tuple[float, float] = (7.0, 3.0),
) -> Any:
    """Draw the lines in a matplotlib figure; alarms are marks below the curve."""
    figure = canvas(size)
    axes = figure.add_subplot()
    mark_drifts(axes, drifts)
    handles = axes.plot(lines.at, lines.statistic, color=COLOURS[0], linewidth=1.0)
    handles += axes.plot(
        lines.threshold_at, lines.threshold, color=COLOURS[1], linewidth=1.0, linestyle="--"
    )
    names = ["statistic", "threshold of an alarm"]
    if len(lines.alarms):
        # along the lower edge of the axes, whatever the values are
        handles += axes.plot(
            lines.alarms,
            np.full(len(lines.alarms), 0.02),
            "|",
            color="#B00020",
            markersize=12,
            transform=axes.get_xaxis_transform(),
        )
        names.append("alarms")
    axes.set(xlabel="items", ylabel=label(lines.name))
    axes.set_title(label(title, LONGEST_TITLE), loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.margins(x=0.01)
    legend(figure, handles, names, loc="outside lower center", ncols=3)
    return literal(figure)
