"""Texts that name a learner, stream, protocol, measure or window, with odd parameters."""

from __future__ import annotations

import dataclasses
import inspect
import random
from functools import cache
from typing import Any

from fuzz.changes import changed_text
from streamgauge.errors import StreamgaugeError
from streamgauge.measures._compute import check_measures
from streamgauge.names import find, known, make
from streamgauge.types import Feature, Schema

STREAMS = {
    "classification": (
        "sea(items=30)", "agrawal(items=30)", "stagger(items=9)", "take(sea(), 20)",
        "delay(sea(items=20), 3)", "drift(sea(1), sea(2), at=10, items=30)", "led(items=20)",
        "csv('d.csv', target='y')", "shuffle(sea(items=20))",
    ),
    "regression": (
        "friedman(items=20)", "take(friedman(), 25)", "delay(friedman(items=20), 3)",
        "csv('d.csv', target='b')", "skip(friedman(items=20), 3)",
    ),
}  # fmt: skip
WINDOWS = ("whole", "sliding(50)", "sliding(1)", "fading(0.99)", "tumbling(10)", "ewma(0.1)")
SCHEMAS = {
    "classification": Schema((Feature("x"),), "y", ("a", "b")),
    "regression": Schema((Feature("x"),), "y"),
}
ODD = (
    "0", "-1", "1", "2", "0.5", "1.5", "1e308", "nan", "float('nan')", "2**70", "10**30", "None",
    "True", "'x'", "''", "[]", "[1, 2]", "(1,)", "{}", "{'a': 1}", "1j", "b'x'", "-0.0", "1e-320",
    "99999999999999999999", "1000000000", "1099511627776", "...", "lambda: 0", "sea", "sea()",
    "x.y", "f'{1}'", "'a' * 9",
)  # fmt: skip


@cache
def parameters(family: str, name: str) -> dict[str, Any]:
    """The parameters of a member and their defaults, None if there is none."""
    member: Any = find(family, name)
    if dataclasses.is_dataclass(member):
        return {
            field.name: None if field.default is dataclasses.MISSING else field.default
            for field in dataclasses.fields(member)
            if field.init
        }
    return dict.fromkeys(inspect.signature(member).parameters)


@cache
def members(family: str, task: str) -> tuple[str, ...]:
    """The members that a name alone makes, of those families that have a task for this one."""
    names = sorted(name for name in known(family) if family != "stream" or name in SMALL)
    return tuple(name for name in names if _fits(family, name, task))


def _fits(family: str, name: str, task: str) -> bool:
    try:
        made: Any = make(family, name)
        if family == "measure":
            check_measures([made], ["whole"], SCHEMAS[task])
        return getattr(made, "task", task) == task if family == "learner" else True
    except StreamgaugeError:
        return False


def drawn_name(draw: random.Random, family: str, task: str = "classification") -> str:
    """A member by name; often with a parameter near its default, sometimes with an odd one."""
    pool = STREAMS[task] if family == "stream" else WINDOWS if family == "window" else ()
    if pool and draw.random() < 0.8:
        text = draw.choice(pool)
    else:
        text = draw.choice(members(family, task))
        if draw.random() < 0.4 and (takes := parameters(family, text)):
            name = draw.choice(sorted(takes))
            text = f"{text}({name}={_value(draw, takes[name])})"
        if family == "stream" and "(" not in text:
            text += "(items=25)"
    if draw.random() < 0.04:
        text = changed_text(draw, text, "(),=.'\"[]{}: 0a_")
    return text


def _value(draw: random.Random, default: Any) -> str:
    """A parameter: near the default if that is a number, otherwise an odd one."""
    if isinstance(default, bool) and draw.random() < 0.8:
        return str(not default)
    if isinstance(default, int) and draw.random() < 0.8:
        return repr(draw.choice((default, default + 1, default * 2, 1, 2)))
    if isinstance(default, float) and draw.random() < 0.8:
        return repr(draw.choice((default, default / 2, default * 2, 0.5)))
    if isinstance(default, str) and draw.random() < 0.6:
        return repr(default)
    return draw.choice(ODD)


SMALL = {
    "sea", "agrawal", "friedman", "stagger", "led", "sine", "mixed", "waveform", "hyperplane",
    "random_rbf", "random_tree",
}  # fmt: skip
"""Streams that a name alone makes; the others read files or take streams."""
