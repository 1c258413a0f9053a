"""Checks of the options of a comparison and names of its learners, before any log is read."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from streamgauge.comparisons._checks import (
    Side,
    check_alpha,
    check_side,
    check_spell,
    finite_bound,
)
from streamgauge.comparisons._pair_statistics import ComparisonOptions
from streamgauge.comparisons.diebold_mariano import MOST_LAGS
from streamgauge.errors import LogError, ParameterError
from streamgauge.escapes import one_line
from streamgauge.kinds import at_most
from streamgauge.log import Log
from streamgauge.log.about import learner_name
from streamgauge.names import make
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import Schema
from streamgauge.windows import Fading, Sliding, Whole
from streamgauge.windows._window import Window

WINDOWS: tuple[Window, ...] = (Whole(), Sliding(1000), Fading(0.999))
"""Windows of the classical statistics by default."""

LOSSES = {"classification": ("zero_one",), "regression": ("absolute", "squared")}
"""The losses of each task; the first is the default."""


def checked_options(
    a: Log,
    b: Log,
    windows: str | Window | Sequence[str | Window] | None,
    alpha: float,
    side: Side,
    loss: str | None,
    bound: float | None,
    cold_start: ColdStart | None,
    every: int | None,
    lags: int | None,
    common: bool,
    spell: int = 200,
    levels: Sequence[float] = (),
) -> ComparisonOptions:
    """The checked options; raises ParameterError or LogError if one is invalid.

    `levels` are those of the steps of a correction, not increasing; by default alpha.
    """
    check_alpha("compare", alpha)
    check_side("compare", side)
    _check_one_stream(a, b)
    return ComparisonOptions(
        _windows(windows),
        _loss(a.schema, loss),
        _bound(a.schema, bound),
        _cold_start(a.schema, cold_start),
        side,
        tuple(levels) or (alpha,),
        check_spell("compare", spell),
        _check_int("every", every, 1, sys.maxsize),
        _check_int("lags", lags, 0, MOST_LAGS),
        common,
    )


def names_of(a: Log, b: Log, names: Sequence[str] | None) -> tuple[str, str]:
    """The names of the two learners: as given, or from their logs, made different."""
    if names is not None:
        if (
            isinstance(names, str)
            or not isinstance(names, Sequence)
            or len(names) != 2
            or names[0] == names[1]
        ):
            raise ParameterError.of("compare", "names", "two different names", names)
        return str(names[0]), str(names[1])
    first, second = (one_line(learner_name({"learner": "", **log.about})) for log in (a, b))
    if first and second and first != second:
        return first, second
    return f"{first} A".strip(), f"{second} B".strip()


def _check_one_stream(a: Log, b: Log) -> None:
    for who, log in (("the first", a), ("the second", b)):
        if not isinstance(log, Log):
            raise ParameterError.of("compare", f"{who} of two logs", "a log", log)
    streams = [log.about.get("stream") for log in (a, b)]
    # logs from files are named after their files; their labels are compared instead
    elsewhere = any(log.about.get("protocol") == "as logged" for log in (a, b))
    if all(streams) and streams[0] != streams[1] and not elsewhere:
        raise LogError(
            f"compare: logs must be of one stream, got {streams[0]!r} and {streams[1]!r}"
        )


def _windows(windows: Any) -> tuple[Window, ...]:
    if windows is None:
        return WINDOWS
    listed = (
        list(windows)
        if isinstance(windows, Iterable) and not isinstance(windows, str)
        else [windows]
    )
    made = [make("window", w) if isinstance(w, str) else w for w in listed]
    for window in made:
        if not isinstance(window, Window):
            raise ParameterError.of("compare", "a window", "a name or a window", window)
        if window.spec[0] not in ("whole", "sliding", "fading"):
            raise ParameterError.of("compare", "a window", "whole, sliding or fading", str(window))
    return tuple(made)


def _loss(schema: Schema, loss: str | None) -> str:
    legal = LOSSES[schema.task]
    if loss is not None and loss not in legal:
        raise ParameterError.of("compare", f"loss in {schema.task}", " or ".join(legal), loss)
    return loss or legal[0]


def _bound(schema: Schema, bound: float | None) -> float:
    if schema.task == "classification":
        if bound not in (None, 1):
            raise ParameterError.of("compare", "bound in classification", "1", bound)
        return 1.0
    return math.inf if bound is None else finite_bound("compare", bound)


def _cold_start(schema: Schema, policy: ColdStart | None) -> ColdStart:
    legal = [p for p in get_args(ColdStart) if schema.classes or p != "count_wrong"]
    if policy is None:
        return "count_wrong" if schema.classes else "skip"
    if policy not in legal:
        raise ParameterError.of("compare", "cold_start", f"one of {', '.join(legal)}", policy)
    return policy


def _check_int(what: str, value: int | None, least: int, most: int) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ParameterError.of("compare", what, f"a whole number, at least {least}", value)
    at_most("compare", what, value, most)
    return value
