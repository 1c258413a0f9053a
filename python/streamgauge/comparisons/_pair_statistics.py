"""`pair_statistics`: sums of two learners' losses, computed in one pass over both logs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge._core import Comparison
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

    `thresholds` of the evidence are natural logarithms in increasing order; `main` is the index of
    the one that decides.
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
class LossSums:
    """Sums of the losses of two learners, at each point of a window.

    `count` is the number of pairs that are not left out, `loss_sum_a` the sum of A's losses.
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
class ThresholdTimes:
    """When the evidence for one learner reached each threshold.

    `first` holds the position at which each threshold was first reached, `since` the position from
    which on the evidence has stayed above the main one.
    """

    first: tuple[int | None, ...]
    since: int | None


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """Statistics of a pair of logs: sums over the whole stream and over each window.

    `clipped` counts the items with a loss above the bound; `autocovariances` are count, mean and
    autocovariances of the differences.
    """

    whole: LossSums
    windows: tuple[LossSums, ...]
    pairs: int
    only_a: int
    only_b: int
    threshold_times: tuple[ThresholdTimes, ThresholdTimes] | None
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
        list(options.thresholds),
        options.main,
        options.bound,
        newey_west_lags(labels) if options.lags is None else options.lags,
        min(labels // every + 2, 1_000_000),
    )
    paired = PairedLogs(a, b)
    axis = axis_of(a)
    positions = Positions(axis, every, specs)
    thresholds = _ThresholdPositions(positions, core)
    for batch in paired:
        _push(core, batch)
        thresholds.advance(batch)
        positions.advance(batch.pairs, len(batch))
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
        thresholds.threshold_times(),
        core.clipped(),
        every,
        axis,
        core.autocovariances(),
    )


def _push(core: Comparison, batch: PairedPredictions) -> None:
    columns = (batch.pairs.label, batch.pairs.prediction, batch.prediction_b)
    if batch.pairs.label.dtype.kind == "i":
        core.push_codes(*(np.ascontiguousarray(c, np.int32) for c in columns))
    else:
        core.push_reals(*(np.ascontiguousarray(c, np.float64) for c in columns))


class _ThresholdPositions:
    """Converts the pairs at which thresholds were reached to positions on the axis."""

    def __init__(self, positions: Positions, core: Comparison) -> None:
        self._axis_positions = positions
        self._core = core
        self._pairs = 0
        self._positions: dict[int, int] = {}

    def advance(self, batch: PairedPredictions) -> None:
        """Advance by a batch of pairs."""
        for first, since in self._core.threshold_times() or ():
            for pair in (*first, since):
                if pair is not None and pair > self._pairs:
                    row = pair - self._pairs - 1
                    self._positions[pair] = self._axis_positions.position(batch.pairs, row)
        self._pairs += len(batch)

    def threshold_times(self) -> tuple[ThresholdTimes, ThresholdTimes] | None:
        """When the evidence for A, and for B, reached the thresholds."""
        found = self._core.threshold_times()
        if found is None:
            return None
        a, b = (
            ThresholdTimes(
                tuple(None if pair is None else self._positions[pair] for pair in first),
                None if since is None else self._positions[since],
            )
            for first, since in found
        )
        return a, b


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
