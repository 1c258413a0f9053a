"""matplotlib figures whose names are plain text; matplotlib is an optional dependency."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from streamgauge.errors import MissingExtraError
from streamgauge.escapes import one_line

LONGEST = 60
"""Characters of a name that are drawn; the middle of a longer one is left out."""

LONGEST_TITLE = 100
"""Characters of a title that are drawn."""


def canvas(size: tuple[float, float]) -> Any:
    """Empty figure of a size in inches, without a window."""
    try:
        figures = import_module("matplotlib.figure")
    except ModuleNotFoundError as missing:
        raise MissingExtraError("matplotlib", "plot") from missing
    return figures.Figure(figsize=size, layout="constrained")


def label(name: object, longest: int = LONGEST) -> str:
    """A name on one line, in at most `longest` characters.

    Both ends are kept: names of models differ at the end, in their parameters.

    Examples
    --------
    >>> label("naive_bayes"), label("hoeffding_tree(grace_period=50)", 15)
    ('naive_bayes', 'hoeffdi…iod=50)')
    """
    text = one_line(str(name))
    half = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-(longest - 1 - half) :]}"


def legend(owner: Any, handles: Sequence[Any], names: Sequence[str], **style: Any) -> None:
    """Add a legend to a figure or axes; names that begin with an underscore are shown too."""
    owner.legend(list(handles), [label(name) for name in names], frameon=False, **style)


def literal(figure: Any) -> Any:
    """The figure, with all text shown as it is: a dollar sign does not begin a formula."""
    for text in figure.findobj(import_module("matplotlib.text").Text):
        text.set_parse_math(False)
        text.set_usetex(False)
    return figure
