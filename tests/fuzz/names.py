"""Texts that name a learner, stream, protocol, measure or window, with odd parameters."""

from __future__ import annotations

import dataclasses
import inspect
import random
from functools import cache
from typing import Any

from fuzz.changes import changed_text
from streamgauge.names import find, known

SMALL_STREAMS = (
    "sea(items=30)", "agrawal(items=30)", "friedman(items=20)", "stagger(items=9)",
    "take(sea(), 20)", "delay(sea(items=20), 3)", "drift(sea(1), sea(2), at=10, items=30)",
    "led(items=20)", "csv('d.csv', target='y')", "shuffle(sea(items=20))",
)  # fmt: skip
ODD = (
    "0", "-1", "1", "2", "0.5", "1.5", "1e308", "nan", "float('nan')", "2**70", "10**30", "None",
    "True", "'x'", "''", "[]", "[1, 2]", "(1,)", "{}", "{'a': 1}", "1j", "b'x'", "-0.0", "1e-320",
    "99999999999999999999", "...", "lambda: 0", "sea", "sea()", "x.y", "f'{1}'", "'a' * 9",
)  # fmt: skip


@cache
def parameters(family: str, name: str) -> tuple[str, ...]:
    """The parameters of a member."""
    member: Any = find(family, name)
    if dataclasses.is_dataclass(member):
        return tuple(field.name for field in dataclasses.fields(member) if field.init)
    return tuple(inspect.signature(member).parameters)


def drawn_name(draw: random.Random, family: str) -> str:
    """A member by name; often with a parameter, sometimes with an odd one."""
    if family == "stream" and draw.random() < 0.7:
        text = draw.choice(SMALL_STREAMS)
    else:
        members = [name for name in known(family) if family != "stream" or name in SMALL]
        text = draw.choice(sorted(members))
        if draw.random() < 0.4 and (takes := parameters(family, text)):
            text = f"{text}({draw.choice(takes)}={draw.choice(ODD)})"
    if draw.random() < 0.06:
        text = changed_text(draw, text, "(),=.'\"[]{}: 0a_")
    return text


SMALL = {
    "sea", "agrawal", "friedman", "stagger", "led", "sine", "mixed", "waveform", "hyperplane",
    "random_rbf", "random_tree",
}  # fmt: skip
"""Streams that a name alone makes; the others read files or take streams."""
