"""A figure of lines with bands as SVG text, drawn without a script."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from streamgauge.escapes import in_html
from streamgauge.plots._canvas import label
from streamgauge.plots.learning_curve import COLOURS, Line
from streamgauge.types import F64

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 260, 64, 12, 12, 44
LINE_HEIGHT = 18
TICKS = 5


def line_figure(lines: Sequence[Line], title: str, axis: str, kind: str = "number") -> str:
    """An SVG element of the lines; `kind` "share" shows values in percent. Empty without values."""
    parts = [
        values
        for line in lines
        for values in (line.value, line.low, line.high)
        if values is not None
    ]
    finite = np.concatenate([values[np.isfinite(values)] for values in parts] or [np.empty(0)])
    places = np.array([at for line in lines for at in line.at.tolist()], dtype=np.float64)
    if not len(finite):
        return ""
    y, x = (
        _ticks(float(finite.min()), float(finite.max())),
        _ticks(float(places.min()), float(places.max())),
    )
    low, high = min(y[0], float(finite.min())), max(y[-1], float(finite.max()))
    first, last = float(places.min()), float(places.max())
    keys = LINE_HEIGHT * len(lines)

    def across(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (at - first) / ((last - first) or 1)

    def up(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / ((high - low) or 1)

    out = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT + keys}" role="img" aria-label="{in_html(title)}" '
        'style="width:100%;max-width:900px;font:12px sans-serif" fill="currentColor">'
    ]
    for tick in y:
        text = f"{100 * tick:.4g} %" if kind == "share" else f"{tick:.4g}"
        out.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(tick):.1f}" y2="{up(tick):.1f}" '
            'stroke="currentColor" stroke-opacity="0.15"/>'
            f'<text x="{LEFT - 6}" y="{up(tick) + 4:.1f}" text-anchor="end">{text}</text>'
        )
    for tick in x:
        if first <= tick <= last:
            strong = ' stroke-dasharray="3 3"' if tick == 0 and first < 0 else ""
            shade = "0.6" if strong else "0"
            out.append(
                f'<line x1="{across(tick):.1f}" x2="{across(tick):.1f}" y1="{TOP}" '
                f'y2="{HEIGHT - BOTTOM}" stroke="currentColor" stroke-opacity="{shade}"{strong}/>'
                f'<text x="{across(tick):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
                f"{tick:,.6g}</text>"
            )
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{in_html(axis)}</text>')
    for number, line in enumerate(lines):
        colour = "#888888" if line.baseline else COLOURS[number % len(COLOURS)]
        xs = [across(float(at)) for at in line.at]
        if line.low is not None and line.high is not None:
            out += _band(xs, line.low, line.high, up, colour)
        dashes = ' stroke-dasharray="5 3"' if line.baseline else ""
        out += [
            f'<polyline points="{run}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes}/>'
            for run in _runs(xs, line.value, up)
        ]
        y_key = HEIGHT + LINE_HEIGHT * number + 10
        out.append(
            f'<line x1="{LEFT}" x2="{LEFT + 24}" y1="{y_key - 4}" y2="{y_key - 4}" '
            f'stroke="{colour}" stroke-width="2"{dashes}/>'
            f'<text x="{LEFT + 32}" y="{y_key}">{in_html(label(line.name))}</text>'
        )
    return "".join([*out, "</svg>"])


def _runs(xs: Sequence[float], values: F64, up: Callable[[float], float]) -> list[str]:
    """The points of each part of a line without gaps."""
    runs: list[list[str]] = [[]]
    for x, value in zip(xs, values.tolist(), strict=True):
        if math.isfinite(value):
            runs[-1].append(f"{x:.1f},{up(value):.1f}")
        elif runs[-1]:
            runs.append([])
    return [" ".join(run * 2 if len(run) == 1 else run) for run in runs if run]


def _band(
    xs: Sequence[float], low: F64, high: F64, up: Callable[[float], float], colour: str
) -> list[str]:
    """The polygons of a band, one per part without gaps."""
    there = np.isfinite(low) & np.isfinite(high)
    polygons = []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], there.astype(np.int8), [0]])))
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        upper = [f"{xs[i]:.1f},{up(float(high[i])):.1f}" for i in range(start, stop)]
        lower = [f"{xs[i]:.1f},{up(float(low[i])):.1f}" for i in range(start, stop)]
        points = " ".join([*upper, *reversed(lower)])
        polygons.append(f'<polygon points="{points}" fill="{colour}" fill-opacity="0.18"/>')
    return polygons


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers that cover a range.

    Examples
    --------
    >>> _ticks(0.07, 0.31), _ticks(3, 3)
    ([0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35], [3.0])
    """
    if high <= low:
        return [float(low)]
    rough = (high - low) / TICKS
    decade = 10 ** math.floor(math.log10(rough))
    step = next(f * decade for f in (1, 2, 5, 10) if f * decade >= rough)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]
