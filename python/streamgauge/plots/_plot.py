"""`sg.plot`: figures of curves, written reproducibly."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from streamgauge.errors import ParameterError, reported_by
from streamgauge.files import whole
from streamgauge.plots import learning_curve
from streamgauge.types import Drift

STABLE: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}
"""Metadata to leave out of each file format so that files are reproducible."""


def plot(
    curves: learning_curve.Drawn,
    path: str | Path | None = None,
    drifts: Sequence[Drift] = (),
    title: str = "",
) -> Any:
    """Draw learning curves in a matplotlib figure and optionally write it to `path`.

    Parameters
    ----------
    curves
        One curve, several, or several by name (`{"naive_bayes": curve, …}`). Several curves of one
        name (`{"naive_bayes": [curve, curve], …}`) are repetitions: their mean is drawn, with a
        band of one standard deviation on each side, and the legend says so.
    path
        Where to write it: `.svg`, `.pdf` or `.png`. Text stays text in SVG and PDF.
    drifts
        Known drifts to mark; a log has them in `log.schema.drifts`.
    title
        The title of the figure; none by default.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Curve
    >>> curve = Curve("accuracy", "whole", np.arange(1, 4), np.array([1.0, 0.5, 0.67]))
    >>> plot(curve).axes[0].get_ylabel()
    'accuracy'
    """
    if path is not None:
        check_path(path)
    by_name = learning_curve.named(curves)
    measures = dict.fromkeys(c.measure for c in by_name.values())
    figure = learning_curve.draw(
        learning_curve.data(by_name),
        drifts=drifts,
        title=title,
        measure=next(iter(measures)) if len(measures) == 1 else "",
    )
    if path is not None:
        save(figure, Path(path))
    return figure


def check_path(path: str | Path) -> None:
    """Raise if a figure cannot be written to a path."""
    if Path(path).suffix.lstrip(".") not in STABLE:
        ends = ", ".join(f".{kind}" for kind in STABLE)
        raise ParameterError.of("plot", "path", f"a name that ends in one of {ends}", str(path))


@reported_by("save", "plot")
def save(figure: Any, path: Path) -> None:
    """Write a figure atomically and reproducibly."""
    check_path(path)
    kind = path.suffix.lstrip(".")
    stable = {"svg.hashsalt": "streamgauge", "svg.fonttype": "none", "pdf.fonttype": 42}
    with whole(path) as part, import_module("matplotlib").rc_context(stable):
        figure.savefig(part, format=kind, metadata=STABLE[kind], dpi=200)
