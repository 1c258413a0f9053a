"""What the words of a report stand for, in the words of the measures and windows themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

from streamgauge.names import make
from streamgauge.report.case import Case
from streamgauge.report.page import Definition
from streamgauge.types import Curve

TERMS = ("variant", "cold_start", "clock", "weighted")
"""What a number depends on besides measure and window, where a curve says so."""

LETTERS = {"alpha": "α", "kappa": "κ", "sum": "Σ", "sqrt": "√", "le": "≤", "ge": "≥", "cdot": "·"}


def define(cases: Sequence[Case]) -> tuple[Definition, ...]:
    """Every measure and window that was used, then the baselines."""
    curves = [c for case in cases for m in case.measured for c in m.curves.values()]
    measures = {c.measure: c for c in curves}
    windows = {c.window: c for c in curves}
    return (
        *(_measure(name, curve) for name, curve in measures.items()),
        *(Definition(name, prose(make("window", name))) for name in windows),
        *_others(cases),
    )


def _measure(name: str, curve: Curve) -> Definition:
    details = {
        key.replace("_", " "): curve.definition[key] for key in TERMS if key in curve.definition
    }
    text = prose(make("measure", name))
    return Definition(name, text, curve.definition.get("formula", ""), details)


def _others(cases: Sequence[Case]) -> list[Definition]:
    found = [
        Definition("coverage", "The share of known labels for which an answer had been given."),
    ]
    derived = dict.fromkeys(m.name for case in cases for m in case.measured if m.derived)
    if derived:
        found.append(
            Definition(
                " and ".join(derived),
                "Baselines that were not run: what they would have said is worked out from the "
                "labels of the log with most of them.",
            )
        )
    return found


def prose(thing: object) -> str:
    r"""What the docstring of a thing says of it, without its formula and sections.

    Examples
    --------
    >>> class Fading:
    ...     r'''Everything, but it fades.
    ...
    ...     .. math:: S_i = x_i + \alpha S_{i-1}
    ...
    ...     where :math:`\alpha` is below :math:`1`.
    ...
    ...     Examples
    ...     --------
    ...     '''
    >>> prose(Fading())
    'Everything, but it fades. where α is below 1.'
    """
    text = inspect.getdoc(type(thing)) or ""
    text = re.split(r"\n\w+\n-{3,}", text)[0]
    text = re.sub(r"(?m)^\.\. math::.*(\n(?=[ \t]|\n[ \t]).*)*", "", text)
    text = re.sub(r":math:`([^`]*)`", lambda m: _plain(m.group(1)), text)
    return " ".join(text.replace("`", "").split())


def _plain(tex: str) -> str:
    """A little TeX as a reader would write it by hand."""
    tex = re.sub(r"\\([a-z]+) ?", lambda m: LETTERS.get(m.group(1), m.group(1)), tex)
    return re.sub(r"[{}]", "", tex)
