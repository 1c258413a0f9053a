"""A radar chart as SVG text, drawn without a script."""

from __future__ import annotations

import math

from streamgauge.escapes import in_html
from streamgauge.plots._canvas import label
from streamgauge.plots.learning_curve import COLOURS
from streamgauge.plots.radar import NEARLY_VERTICAL, RINGS, Polygon, Radar

WIDTH, HEIGHT, RADIUS, KEY_HEIGHT = 720, 500, 190, 18
LONGEST_AXIS = 36
"""Characters of the name of an axis that are drawn."""

BASELINES = (("#888888", "5 3"), ("#888888", "1.5 3"))
"""Colour and dashes of the baselines."""


def radar_figure(radar: Radar, title: str) -> str:
    """An SVG element of the polygons: score 0 in the middle, 1 on the outer ring."""
    height = HEIGHT + KEY_HEIGHT * len(radar.polygons) + 4
    angles = radar.angles.tolist()
    out = [
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{in_html(title)}" '
        'style="width:100%;max-width:900px;font:12px sans-serif" fill="currentColor">'
    ]
    for ring in RINGS:
        corners = " ".join(_point(angle, ring) for angle in angles)
        _, y = _place(0.0, ring)
        out.append(
            f'<polygon points="{corners}" fill="none" stroke="currentColor" '
            'stroke-opacity="0.18"/>'
            f'<text x="{WIDTH / 2 - 4:.1f}" y="{y + 11:.1f}" text-anchor="end" '
            f'fill-opacity="0.6" font-size="10">{ring:g}</text>'
        )
    for angle, name in zip(angles, radar.titles, strict=True):
        (x0, y0), (x1, y1), (x, y) = (_place(angle, at) for at in (0.0, 1.0, 1.07))
        side = math.sin(angle)
        anchor = "middle" if abs(side) < NEARLY_VERTICAL else "start" if side > 0 else "end"
        out.append(
            f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" '
            'stroke="currentColor" stroke-opacity="0.18"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">'
            f"{in_html(label(name, LONGEST_AXIS))}</text>"
        )
    baselines = [polygon.name for polygon in radar.polygons if polygon.baseline]
    for number, polygon in enumerate(radar.polygons):
        colour, dashes = COLOURS[number % len(COLOURS)], ""
        if polygon.baseline:
            colour, pattern = BASELINES[baselines.index(polygon.name) % len(BASELINES)]
            dashes = f' stroke-dasharray="{pattern}"'
        out += _polygon(polygon, angles, colour, dashes)
        y_key = HEIGHT + KEY_HEIGHT * number + 10
        out.append(
            f'<line x1="64" x2="88" y1="{y_key - 4}" y2="{y_key - 4}" stroke="{colour}" '
            f'stroke-width="2"{dashes}/>'
            f'<text x="96" y="{y_key}">{in_html(label(polygon.name))}'
            f"{' (baseline)' * polygon.baseline}</text>"
        )
    return "".join([*out, "</svg>"])


def _polygon(polygon: Polygon, angles: list[float], colour: str, dashes: str) -> list[str]:
    """Sides between known scores, and a dot at each."""
    scores = polygon.scores.tolist()
    path = "".join(
        f"M{_point(angles[i], scores[i])}L{_point(angles[j], scores[j])}" for i, j in polygon.sides
    )
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>'
        for x, y in (
            _place(angle, score)
            for angle, score in zip(angles, scores, strict=True)
            if not math.isnan(score)
        )
    ]
    sides = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.7"{dashes}/>'
    return [sides, *dots] if path else dots


def _place(angle: float, score: float) -> tuple[float, float]:
    """Position of a score on an axis, clockwise from the top."""
    return (
        WIDTH / 2 + RADIUS * score * math.sin(angle),
        HEIGHT / 2 - RADIUS * score * math.cos(angle),
    )


def _point(angle: float, score: float) -> str:
    x, y = _place(angle, score)
    return f"{x:.1f},{y:.1f}"
