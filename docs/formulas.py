"""Formulas of docstrings (`.. math::`, `:math:`) as MathML, which browsers draw by themselves."""

from __future__ import annotations

import re
from typing import Any

import griffe
from latex2mathml.converter import convert

DISPLAY = re.compile(r"^( *)\.\. math::[ ]*(.*(?:\n(?:\1[ ]+\S.*|[ ]*(?=\n\1[ ]+\S)))*)", re.M)
INLINE = re.compile(r":math:`([^`]*)`")
CODE = re.compile(r"``([^`]+)``")


def drawn(text: str) -> str:
    """A docstring with its formulas drawn.

    Examples
    --------
    >>> drawn("where :math:`p` is").startswith('where <math ')
    True
    """
    text = DISPLAY.sub(lambda m: f"\n{m[1]}{_math(m[2], 'block')}\n", text)
    return CODE.sub(r"`\1`", INLINE.sub(lambda m: _math(m[1], "inline"), text))


def _math(formula: str, display: str) -> str:
    return convert(" ".join(formula.split()), display=display)


class Formulas(griffe.Extension):
    """Draws the formulas of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace what the docstring says before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = drawn(obj.docstring.value)
