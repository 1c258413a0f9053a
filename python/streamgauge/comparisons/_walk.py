"""One pass over two logs: everything a comparison is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge._core import Comparison
from streamgauge.comparisons._meeting import Meeting, Met
from streamgauge.comparisons.diebold_mariano import newey_west
from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.measures._clock import Clock, axis_of
from streamgauge.measures._measuring import round_step
from streamgauge.summaries.folding import ColdStart
from streamgauge.types import F64, I64, Axis
from streamgauge.windows._window import Window

WHOLE = ("whole", 0.0)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a comparison must know besides the logs.

    `thresholds` of the evidence are logarithms and rise; `main` is the number of the one that
    names the winner.
    """

    windows: tuple[Window, ...]
    loss: str
    bound: float
    cold_start: ColdStart
    thresholds: tuple[float, ...]
    main: int
    every: int | None
    lags: int | None
    common: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """Two learners' losses, summed up after each point of a window.

    `worse_a` counts the items on which A lost more than B; `squares` sums (A's loss - B's)².
    """

    at: I64
    total: F64
    left_out: F64
    lost_a: F64
    lost_b: F64
    worse_a: F64
    worse_b: F64
    squares: F64


@dataclass(frozen=True, slots=True)
class Crossed:
    """After how many items the evidence for one learner first reached each threshold, and since
    when it has been beyond the main one."""

    first: tuple[int | None, ...]
    since: int | None


@dataclass(frozen=True, slots=True)
class Walked:
    """What one pass leaves: the whole stream, and each window that was asked for."""

    whole: Sums
    windows: tuple[Sums, ...]
    pairs: int
    only_a: int
    only_b: int
    crossed: tuple[Crossed, Crossed] | None
    cut: int
    every: int
    axis: Axis
    differences: tuple[int, float, F64]


def walk(a: Log, b: Log, terms: Terms) -> Walked:
    """Walk over both logs once. The whole stream is always looked at."""
    specs = tuple(dict.fromkeys([WHOLE, *(w.spec for w in terms.windows)]))
    labels = min(a.labels(), b.labels())
    every = round_step(labels) if terms.every is None else terms.every
    core = Comparison(
        list(specs),
        every,
        terms.loss,
        terms.cold_start,
        list(terms.thresholds),
        terms.main,
        terms.bound,
        newey_west(labels) if terms.lags is None else terms.lags,
        min(labels // every + 2, 1_000_000),
    )
    meeting = Meeting(a, b)
    axis = axis_of(a)
    clock = Clock(axis, every, specs)
    when = _When(clock, core)
    for met in meeting:
        _push(core, met)
        when.passed(met)
        clock.passed(met.pairs, len(met))
    _check_met(meeting, terms.common)
    made = {
        spec: Sums(clock.of(at), *np.ascontiguousarray(stack))
        for spec, (at, stack) in zip(specs, core.finish(), strict=True)
    }
    return Walked(
        made[WHOLE],
        tuple(made[w.spec] for w in terms.windows),
        meeting.met,
        meeting.only_a,
        meeting.only_b,
        when.crossed(),
        core.cut(),
        every,
        axis,
        core.autocovariances(),
    )


def _push(core: Comparison, met: Met) -> None:
    columns = (met.pairs.label, met.pairs.answer, met.other)
    if met.pairs.label.dtype.kind == "i":
        core.push_codes(*(np.ascontiguousarray(c, np.int32) for c in columns))
    else:
        core.push_reals(*(np.ascontiguousarray(c, np.float64) for c in columns))


class _When:
    """Turns numbers of pairs into places on the axis, while they go by."""

    def __init__(self, clock: Clock, core: Comparison) -> None:
        self._clock = clock
        self._core = core
        self._pairs = 0
        self._items: dict[int, int] = {}

    def passed(self, met: Met) -> None:
        """Some pairs have gone by."""
        for first, since in self._core.crossings() or ():
            for pair in (*first, since):
                if pair is not None and pair > self._pairs:
                    row = pair - self._pairs - 1
                    self._items[pair] = self._clock.place(met.pairs, row)
        self._pairs += len(met)

    def crossed(self) -> tuple[Crossed, Crossed] | None:
        """When the evidence for A, and for B, was enough."""
        found = self._core.crossings()
        if found is None:
            return None
        a, b = (
            Crossed(
                tuple(None if pair is None else self._items[pair] for pair in first),
                None if since is None else self._items[since],
            )
            for first, since in found
        )
        return a, b


def _check_met(meeting: Meeting, common: bool) -> None:
    have_a, have_b = meeting.met + meeting.only_a, meeting.met + meeting.only_b
    if not meeting.met and (have_a or have_b):
        raise LogError(
            f"compare: logs must have labelled items in common, got {have_a:,} and {have_b:,} "
            "items and none in both"
        )
    if (meeting.only_a or meeting.only_b) and not common:
        raise LogError(
            f"compare: logs must have labels for the same items, got {have_a:,} and {have_b:,} "
            f"items with {meeting.met:,} in both; say common=True to compare on those"
        )
