"""What learners around other learners have in common: they pass on what is told to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge.adapters import bind
from streamgauge.log.about import name_of
from streamgauge.names import make
from streamgauge.types import F64, NONE, U64, Codes, Schema


def bound(base: object, schema: Schema, seed: int) -> Any:
    """The learner inside, bound: a learner, a model of any library, or its name."""
    return bind(make("learner", base) if isinstance(base, str) else base, schema, seed)


def named(base: object) -> str:
    """What tables call the learner inside."""
    return base if isinstance(base, str) else name_of(base)


def labelled(
    rows: F64, labels: Codes | F64, weights: F64 | None, items: U64 | None
) -> tuple[F64, Codes, F64 | None, U64 | None]:
    """Of items to be taught, those with a label, their classes as codes."""
    codes = np.asarray(labels, dtype=np.int32)
    known = codes != NONE
    if known.all():
        return rows, codes, weights, items
    return (
        rows[known],
        codes[known],
        None if weights is None else weights[known],
        None if items is None else items[known],
    )


def teach(
    base: Any, rows: F64, labels: Codes | F64, weights: F64 | None, items: U64 | None
) -> None:
    """Teach the learner inside, with the items' numbers if it wants them."""
    if items is not None and base.remembers:
        base.learn(rows, labels, weights, items)
    else:
        base.learn(rows, labels, weights)


def tell(base: Any, first: int, answers: Codes | F64) -> None:
    """Tell the learner inside what was said, if it wants to know."""
    if base.remembers:
        base.asked(first, answers)


def alarms(base: Any) -> list[tuple[int, str, str]]:
    """What detectors further inside said since they were last asked: (item, detector, kind)."""
    said: list[tuple[int, str, str]] = base.alarms() if base.watches else []
    return said


def let_go(base: Any, keep_from: int) -> None:
    """Let the learner inside forget, if it remembers."""
    if base.remembers:
        base.let_go(keep_from)
