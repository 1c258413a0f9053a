"""What the words of a report stand for, in the words of the measures and windows themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields

from streamgauge.names import make
from streamgauge.report.case import Case
from streamgauge.report.page import Definition
from streamgauge.types import Curve

POLICIES = {
    "count_wrong": "a question that got no answer counts as a wrong answer",
    "skip": "a question that got no answer counts for nothing",
    "default_class": "a question that got no answer counts as if the first class had been said",
}

CLOCKS = {
    "label": "curves are booked in the order in which labels became known",
    "said": "curves are booked in the order in which items came",
}

LETTERS = {"alpha": "α", "kappa": "κ", "sum": "Σ", "sqrt": "√", "le": "≤", "ge": "≥", "cdot": "·"}


def define(cases: Sequence[Case]) -> tuple[Definition, ...]:
    """Every measure and window that was used, and on which terms numbers were counted."""
    curves = [c for case in cases for c in case.curves()]
    measures = {c.measure: c.definition.get("formula", "") for c in curves}
    return (
        *(
            Definition(name, prose(make("measure", name)), formula)
            for name, formula in measures.items()
        ),
        *(Definition(name, _window(name)) for name in dict.fromkeys(c.window for c in curves)),
        *_terms(cases, curves),
        *_bands(cases),
    )


def _bands(cases: Sequence[Case]) -> Iterator[Definition]:
    found = [c for case in cases for m in case.measured for c in m.bands.values()]
    hows = list(dict.fromkeys(c.definition["band"] for c in found))
    if hows:
        yield Definition(
            "band",
            "Where a value lies in most of many resampled streams, point by point; for losses that "
            "depend on each other, at an end fixed beforehand.",
            details={"how": "; ".join(hows[:3]) + ("; …" if len(hows) > 3 else "")},
        )


def _window(name: str) -> str:
    window = make("window", name)
    text = prose(window)
    for field in fields(window):  # the docstring names the parameter, the reader wants its value
        value = getattr(window, field.name)
        text = re.sub(rf"\b{field.name}\b", f"{value:,}", text, count=1)
    return text


def _terms(cases: Sequence[Case], curves: Sequence[Curve]) -> list[Definition]:
    held = {
        key: list(dict.fromkeys(c.definition[key] for c in curves if key in c.definition))
        for key in ("cold_start", "clock")
    }
    found = [
        *(
            Definition(f"cold start: {name}", _sentence(POLICIES.get(name, name)))
            for name in held["cold_start"]
        ),
        *(
            Definition(f"clock: {name}", _sentence(CLOCKS.get(name, name)))
            for name in held["clock"]
        ),
    ]
    text = "The share of known labels for which an answer had been given."
    found.append(Definition("coverage", text))
    derived = dict.fromkeys(m.name for case in cases for m in case.measured if m.derived)
    if derived:
        text = (
            "Baselines nobody ran: what they would have predicted, by the same protocol, follows "
            "from the labels. Each prediction rests on the labels learned by then."
        )
        found.append(Definition(" and ".join(derived), text))
    lacking = [c.stream for c in cases if c.persistent is None or c.majority is None]
    if lacking:
        text = (
            f"Not shown for {', '.join(lacking)}: which labels had been learned at each prediction "
            "does not follow from the log, so baselines must be run by the same protocol."
        )
        found.append(Definition("baselines", text))
    return found


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


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
    'Everything, but it fades, where α is below 1.'
    """
    text = inspect.getdoc(type(thing)) or ""
    text = re.split(r"\n\w+\n-{3,}", text)[0]
    text = re.sub(r"(?m)^\.\. math::.*(\n(?=[ \t]|\n[ \t]).*)*", "", text)
    text = re.sub(r":math:`([^`]*)`", lambda m: _plain(m.group(1)), text)
    text = " ".join(text.replace("`", "").split())
    return re.sub(r"\. (where|with|and) ", r", \1 ", text)


def _plain(tex: str) -> str:
    """A little TeX as a reader would write it by hand."""
    tex = re.sub(r"\\([a-z]+) ?", lambda m: LETTERS.get(m.group(1), m.group(1)), tex)
    return re.sub(r"[{}]", "", tex)
