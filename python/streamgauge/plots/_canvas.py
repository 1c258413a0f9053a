"""Empty matplotlib figures; matplotlib is an optional dependency."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from streamgauge.errors import MissingExtraError


def canvas(size: tuple[float, float]) -> Any:
    """Empty figure of a size in inches, without a window."""
    try:
        figures = import_module("matplotlib.figure")
    except ModuleNotFoundError as missing:
        raise MissingExtraError("matplotlib", "plot") from missing
    return figures.Figure(figsize=size, layout="constrained")
