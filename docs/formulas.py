"""Formulas of docstrings (`.. math::`, `:math:`) as MathML, which browsers display."""

from __future__ import annotations

import re
from typing import Any

import griffe
from latex2mathml.converter import convert

DISPLAY = re.compile(r"^( *)\.\. math::[ ]*(.*(?:\n(?:\1[ ]+\S.*|[ ]*(?=\n\1[ ]+\S)))*)", re.M)
INLINE = re.compile(r":math:`([^`]*)`")
CODE = re.compile(r"``([^`]+)``")


def with_mathml(text: str) -> str:
    """A docstring with its formulas as MathML.

    Examples
    --------
    >>> with_mathml("where :math:`p` is").startswith('where <math ')
    True
    """
    text = DISPLAY.sub(lambda m: f"\n{m[1]}{_math(m[2], 'block')}\n", text)
    return CODE.sub(r"`\1`", INLINE.sub(lambda m: _math(m[1], "inline"), text))


def _math(formula: str, display: str) -> str:
    return convert(" ".join(formula.split()), display=display)


class Formulas(griffe.Extension):
    """Converts the formulas of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the formulas of the docstring before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = with_mathml(obj.docstring.value)
