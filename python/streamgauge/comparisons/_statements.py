"""The three statements about two learners, from the sequential test of their losses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

from streamgauge._core import SequentialTest
from streamgauge.comparisons._boundary import p_value, squared_quantile
from streamgauge.comparisons._checks import Side
from streamgauge.comparisons.few_losses import few_losses
from streamgauge.comparisons.long_run import LongRun, Status
from streamgauge.comparisons.now import Now
from streamgauge.comparisons.so_far import SoFar
from streamgauge.types import Axis

Names = tuple[str, str]


def current_p(test: SequentialTest, side: Side = "either") -> float:
    """The anytime-valid p-value of the long run."""
    _, _, mean, _, _, statistic = test.long_run()
    return p_value(statistic, side, mean < 0)


def long_run_of(
    test: SequentialTest,
    names: Names,
    alpha: float,
    side: Side,
    spell: int,
    level: int,
    position: Mapping[int, int] | None,
    axis: Axis,
    bound: float,
) -> LongRun:
    """The long run at `alpha`, the level with this index in the test.

    `position` holds the position on the axis of each pair at which a level was reached; None: the
    number of the pair.
    """
    status, items, mean, _, effective, statistic = test.long_run()
    p = p_value(statistic, side, mean < 0)
    first, since, winner = None, None, None
    sides = [
        (name, times)
        for own, name, times in zip("ab", names, test.long_run_times(), strict=True)
        if side in ("either", own)
    ]
    for name, (_, reached) in sides:
        if reached[level] is not None:
            winner, since = name, _at(reached[level], position)
    reached_first = [(at, name) for name, (ever, _) in sides if (at := ever[level]) is not None]
    if reached_first:
        at, name = min(reached_first)
        first = (name, _at(at, position) or 0)
    low, high = test.interval(squared_quantile(alpha, side))
    low, high = _one_sided(low, high, side)
    low, high = max(low, -bound), min(high, bound)
    return LongRun(
        *names,
        status="decided" if winner is not None else cast(Status, status),
        winner=winner,
        since=since,
        first=first,
        items=items,
        effective_items=effective if items else math.nan,
        difference=mean if items else math.nan,
        low=low if items else math.nan,
        high=high if items else math.nan,
        p=p if items else math.nan,
        alpha=alpha,
        side=side,
        spell=spell,
        axis=axis,
        few_losses=few_losses(test, names, winner, spell),
    )


def so_far_of(
    test: SequentialTest,
    names: Names,
    alpha: float,
    side: Side,
    position: Mapping[int, int] | None,
    axis: Axis,
    bound: float,
) -> SoFar | None:
    """What is exact about the items seen; None without a bound of the losses."""
    evidence = test.log_evidence()
    if evidence is None:
        return None
    _, items = test.pairs()
    total, _ = test.sums()
    sides = [
        (name, times)
        for own, name, times in zip("ab", names, test.so_far_times(), strict=True)
        if side in ("either", own)
    ]
    leader, since, first = None, None, None
    for name, (_, held) in sides:
        if held is not None:
            leader, since = name, _at(held, position)
    reached = [(at, name) for name, (at, _) in sides if at is not None]
    if reached:
        at, name = min(reached)
        first = (name, _at(at, position) or 0)
    low, high = _one_sided(*test.so_far(), side) if items else (math.nan, math.nan)
    return SoFar(
        *names,
        items=items,
        difference=total / items if items else math.nan,
        low=max(low, -bound) if items else math.nan,
        high=min(high, bound) if items else math.nan,
        log_e_value_a=evidence[0],
        log_e_value_b=evidence[1],
        leader=leader,
        since=since,
        first=first,
        alpha=alpha,
        side=side,
        axis=axis,
    )


def now_of(
    test: SequentialTest, names: Names, alpha: float, side: Side, spell: int, bound: float
) -> Now:
    """The shortest recent window that decides, or the shortest one."""
    windows = test.windows()
    by_length = sorted(range(len(windows)), key=lambda i: windows[i][2])
    chosen, leader = (by_length[0] if by_length else None), None
    for i in by_length:
        scale, start, _, mean, _, statistic = windows[i]
        share = window_share(alpha, scale, start)
        if p_value(statistic, side, mean < 0) <= share:
            chosen, leader = i, names[0] if mean < 0 else names[1]
            break
    if chosen is None:
        return Now(*names, None, 0, math.nan, math.nan, math.nan, alpha, side, spell)
    scale, start, length, mean, _, _ = windows[chosen]
    share = window_share(alpha, scale, start)
    low, high = test.window_interval(chosen, squared_quantile(share, side))
    low, high = _one_sided(low, high, side)
    return Now(*names, leader, length, mean, max(low, -bound), min(high, bound), alpha, side, spell)


def window_share(alpha: float, scale: int, start: int) -> float:
    """The share of alpha of a window; the shares of all windows, for ever, sum to alpha.

    Examples
    --------
    >>> window_share(0.05, 0, 0), window_share(0.05, 1, 2048)
    (0.0125, 0.00139)
    """
    nth = start // (1024 << scale) + 1
    return alpha / ((scale + 1) * (scale + 2)) / (nth * (nth + 1))


def _at(pair: int | None, position: Mapping[int, int] | None) -> int | None:
    return pair if pair is None or position is None else position[pair]


def _one_sided(low: float, high: float, side: Side) -> tuple[float, float]:
    return (-math.inf if side == "a" else low), (math.inf if side == "b" else high)
