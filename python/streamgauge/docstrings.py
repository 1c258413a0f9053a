"""Docstrings as data: the definition, the parameters and the references of an object.

The docstring of a measure, window, protocol, learner or stream is its only definition: reports,
explanations and the reference pages show it.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass

LETTERS = {"alpha": "α", "kappa": "κ", "sum": "Σ", "sqrt": "√", "le": "≤", "ge": "≥", "cdot": "·"}


def prose(thing: object) -> str:
    r"""Description of an object from its docstring, without formula and sections.

    The names of numeric parameters (fields) are replaced by their values.

    Examples
    --------
    >>> from streamgauge.windows import Sliding
    >>> prose(Sliding(5000))
    'The last 5,000 items, or all if there are fewer.'
    >>> class Fading:
    ...     r'''Exponentially weighted counts.
    ...
    ...     .. math:: S_i = x_i + \alpha S_{i-1}
    ...
    ...     where :math:`\alpha` is below :math:`1`.
    ...
    ...     Examples
    ...     --------
    ...     '''
    >>> prose(Fading())
    'Exponentially weighted counts, where α is below 1.'
    """
    text = re.split(r"\n\w+\n-{3,}", _docstring(thing))[0]
    text = re.sub(r"(?m)^\.\. math::.*(\n(?=[ \t]|\n[ \t]).*)*", "", text)
    if is_dataclass(thing) and not inspect.isclass(thing):
        for field in fields(thing):
            value = getattr(thing, field.name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                text = text.replace(f"`{field.name}`", f"{value:,}")
    return re.sub(r"\. (where|with|and|over) ", r", \1 ", _plain(text))


def first_paragraph(thing: object) -> str:
    """The first paragraph of a docstring, on one line.

    Examples
    --------
    >>> first_paragraph(prose)
    'Description of an object from its docstring, without formula and sections.'
    """
    return _plain(_docstring(thing).partition("\n\n")[0])


def parameter(thing: object, name: str) -> str:
    """What a docstring says about a parameter; nothing if it does not mention it.

    Examples
    --------
    >>> from streamgauge.protocols import Prequential
    >>> parameter(Prequential, "pretrain")
    'Number of first items that are only learned, not predicted.'
    """
    for names, text in re.findall(
        r"(?m)^(\w[\w, ]*)\n((?:(?: {4}.*)?\n?)+)", _section(thing, "Parameters")
    ):
        if name in re.split(r",\s*", names):
            return _plain(text)
    return ""


def references(thing: object) -> str:
    """The references of a docstring on one line; nothing if it has none.

    Examples
    --------
    >>> from streamgauge.detectors import ADWIN
    >>> references(ADWIN)
    'Bifet, Gavaldà. Learning from time-changing data with adaptive windowing. SDM (2007).'
    """
    return " ".join(_section(thing, "References").split())


def _section(thing: object, name: str) -> str:
    """The text of a section of a docstring."""
    parts = re.split(r"(?m)^(\w+)\n-{3,}\n", _docstring(thing))
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(name, "")


def _docstring(thing: object) -> str:
    named = inspect.isclass(thing) or inspect.isroutine(thing)
    return inspect.getdoc(thing if named else type(thing)) or ""


def _plain(text: str) -> str:
    """Text on one line, without marks of code and formulas."""
    text = re.sub(r":math:`([^`]*)`", lambda m: _letters(m.group(1)), text)
    return " ".join(re.sub(r"\*(\w[^*]*)\*", r"\1", text.replace("`", "")).split())


def _letters(tex: str) -> str:
    """TeX as plain text."""
    tex = tex.replace(r"\hat y", "ŷ").replace(r"\bar y", "ȳ")
    tex = re.sub(r"\\([a-z]+)(?: (?=\w))?", lambda m: LETTERS.get(m.group(1), m.group(1)), tex)
    return re.sub(r"[{}]", "", tex)
