"""`pair_statistics`: sums and the sequential test of two logs' losses, in one pass over both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from streamgauge._core import Comparison, SequentialTest
from streamgauge.comparisons._boundary import squared_quantile
from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._paired_logs import PairedLogs, PairedPredictions
from streamgauge.comparisons.diebold_mariano import newey_west_lags
from streamgauge.errors import LogError
from streamgauge.log import Log
from streamgauge.measures._compute import round_step
from streamgauge.measures._positions import Positions, axis_of
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64, I64, Axis
from streamgauge.windows._window import Window

WHOLE = ("whole", 0.0)


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """Options of a comparison of two logs.

    `levels` are the significance levels at which the times of verdicts are kept, not increasing;
    intervals of curves and the statements about "so far" and "now" are at the last one.
    """

    windows: tuple[Window, ...]
    loss: str
    bound: float
    cold_start: ColdStart
    side: Side
    levels: tuple[float, ...]
    spell: int
    every: int | None
    lags: int | None
    common: bool


@dataclass(frozen=True, slots=True)
class LossSums:
    """Sums of the losses of two learners, at each point of a window.

    `count` is the number of items that are not left out, `loss_sum_a` the sum of A's losses.
    `worse_a` counts the items on which A has the larger loss; `squares` sums the squared
    differences of the losses.
    """

    at: I64
    count: F64
    left_out: F64
    loss_sum_a: F64
    loss_sum_b: F64
    worse_a: F64
    worse_b: F64
    squares: F64


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """Statistics of a pair of logs: sums over the whole stream and over each window.

    `test` is the sequential test of all items, `positions` the positions on the axis of the items
    at which it reached a level (None: their numbers). `clipped` counts the items with a loss above
    the bound; `autocovariances` are count, mean and autocovariances of the differences.
    """

    whole: LossSums
    windows: tuple[LossSums, ...]
    n_labels: int
    only_a: int
    only_b: int
    test: SequentialTest
    positions: Mapping[int, int] | None
    clipped: int
    every: int
    axis: Axis
    autocovariances: tuple[int, float, F64]


def pair_statistics(a: Log, b: Log, options: ComparisonOptions) -> PairStatistics:
    """Read both logs once and sum their losses; the whole stream is always included."""
    specs = tuple(dict.fromkeys([WHOLE, *(w.spec for w in options.windows)]))
    labels = min(a.label_count(), b.label_count())
    every = round_step(labels) if options.every is None else options.every
    core = Comparison(
        list(specs),
        every,
        options.loss,
        options.cold_start,
        so_far_threshold(options),
        quantiles(options),
        len(options.levels) - 1,
        options.bound,
        options.spell,
        newey_west_lags(labels) if options.lags is None else options.lags,
        min(labels // every + 2, 1_000_000),
    )
    paired = PairedLogs(a, b)
    axis = axis_of(a)
    positions = Positions(axis, every, specs)
    crossings = _CrossingPositions(positions, core)
    for batch in paired:
        _push(core, batch)
        crossings.advance(batch)
        positions.advance(batch.of_a, len(batch))
    _check_matched(paired, options.common)
    made = {
        spec: LossSums(positions.of(at), *np.ascontiguousarray(stack))
        for spec, (at, stack) in zip(specs, core.finish(), strict=True)
    }
    return PairStatistics(
        made[WHOLE],
        tuple(made[w.spec] for w in options.windows),
        paired.matched,
        paired.only_a,
        paired.only_b,
        core.test(),
        crossings.found,
        core.clipped(),
        every,
        axis,
        core.autocovariances(),
    )


def so_far_threshold(options: ComparisonOptions) -> float:
    """The e-value that decides, as a natural logarithm: each of two sides has half of alpha."""
    return math.log((2 if options.side == "either" else 1) / options.levels[-1])


def quantiles(options: ComparisonOptions) -> list[float]:
    """The squared quantiles of the levels."""
    return [squared_quantile(level, options.side) for level in options.levels]


def first_times(
    test: SequentialTest, positions: Mapping[int, int] | None
) -> tuple[list[int | None], list[int | None]]:
    """The positions at which A, and B, first won the long run at each level."""
    (for_a, _), (for_b, _) = test.long_run_times()
    a, b = (
        [pair if pair is None or positions is None else positions[pair] for pair in side]
        for side in (for_a, for_b)
    )
    return a, b


def _push(core: Comparison, batch: PairedPredictions) -> None:
    columns = (batch.of_a.label, batch.of_a.prediction, batch.prediction_b)
    if batch.of_a.label.dtype.kind == "i":
        core.push_codes(*(np.ascontiguousarray(c, np.int32) for c in columns))
    else:
        core.push_reals(*(np.ascontiguousarray(c, np.float64) for c in columns))


class _CrossingPositions:
    """Converts the items at which levels were reached to positions on the axis."""

    def __init__(self, positions: Positions, core: Comparison) -> None:
        self._axis_positions = positions
        self._core = core
        self._items = 0
        self.found: dict[int, int] = {}

    def advance(self, batch: PairedPredictions) -> None:
        """Advance by a batch of items."""
        for pair in self._core.crossings():
            if pair > self._items:
                row = pair - self._items - 1
                self.found[pair] = self._axis_positions.position(batch.of_a, row)
        self._items += len(batch)


def _check_matched(paired: PairedLogs, common: bool) -> None:
    items_a, items_b = paired.matched + paired.only_a, paired.matched + paired.only_b
    if not paired.matched and (items_a or items_b):
        raise LogError(
            f"compare: logs must have labelled items in common, got {items_a:,} and {items_b:,} "
            "items and none in both"
        )
    if (paired.only_a or paired.only_b) and not common:
        raise LogError(
            f"compare: logs must have labels for the same items, got {items_a:,} and {items_b:,} "
            f"items with {paired.matched:,} in both; use common=True to compare on those"
        )
