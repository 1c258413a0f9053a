"""Where plots are drawn: a figure of matplotlib, which is an extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from streamgauge.errors import MissingExtraError


def canvas(size: tuple[float, float]) -> Any:
    """An empty figure of so many inches, that no window shows."""
    try:
        figures = import_module("matplotlib.figure")
    except ModuleNotFoundError as missing:
        raise MissingExtraError("matplotlib", "plot") from missing
    return figures.Figure(figsize=size, layout="constrained")
