"""Picture of selected features as SVG: features by time, and bars of their frequencies."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from markupsafe import Markup

from streamgauge.plots._canvas import label
from streamgauge.plots.selected_features import LONGEST_NAME, SelectedFeatures
from streamgauge.report._format import count, share

LEVELS = 5
"""Shades besides white."""

NAMES, GRID, BARS, LINE = 210, 560, 130, 18
"""Width of the names, of the features by time and of the bars, and height of a feature."""


def selection_picture(shown: SelectedFeatures, title: str) -> Markup:
    """Draw the features of one learner."""
    width, height = NAMES + GRID + BARS + 60, LINE * max(1, len(shown.names)) + 24
    out = [
        Markup('<svg class="selected" role="img" viewBox="0 0 {} {}" aria-label="{}">').format(
            width, height, title
        )
    ]
    end = max(1, int(shown.edges[-1]))
    for row, name in enumerate(shown.names):
        top = row * LINE
        out.append(
            Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(
                NAMES - 6, top + 13, label(name, LONGEST_NAME)
            )
        )
        shades = np.ceil(shown.share[row] * LEVELS).astype(int).tolist()
        at = 0
        for shade, same in groupby(shades):
            until = at + len(list(same))
            if shade:
                x, right = (GRID * int(shown.edges[i]) / end for i in (at, until))
                out.append(
                    Markup(
                        '<rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" opacity="{}"/>'
                    ).format(NAMES + x, top + 1, right - x, LINE - 2, shade / LEVELS)
                )
            at = until
        frequency = float(shown.frequency[row])
        out.append(
            Markup(
                '<rect class="bar" x="{}" y="{}" width="{:.1f}" height="{}"/>'
                '<text x="{:.1f}" y="{}">{}</text>'
            ).format(
                NAMES + GRID + 12,
                top + 3,
                BARS * frequency,
                LINE - 6,
                NAMES + GRID + 16 + BARS * frequency,
                top + 13,
                share(frequency),
            )
        )
    out.append(
        Markup(
            '<text x="{}" y="{}">0</text><text x="{}" y="{}" text-anchor="end">{}</text>'
        ).format(NAMES, height - 6, NAMES + GRID, height - 6, f"{count(end)} {shown.axis} learned")
    )
    if shown.hidden:
        out.append(
            Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(
                NAMES - 6, height - 6, f"{count(shown.hidden)} more features"
            )
        )
    return Markup("").join([*out, Markup("</svg>")])
