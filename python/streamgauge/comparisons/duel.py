"""Sequential comparison of two learners on a live stream."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from streamgauge._core import SequentialTest
from streamgauge.comparisons._checks import Side, check_alpha, check_side
from streamgauge.comparisons._compare import verdict_of
from streamgauge.comparisons._item_loss import ItemLoss
from streamgauge.comparisons._pair_statistics import (
    ComparisonOptions,
    LossSums,
    PairStatistics,
    ThresholdTimes,
)
from streamgauge.comparisons.confidence_sequence import threshold
from streamgauge.comparisons.verdict import Verdict
from streamgauge.errors import LogError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.summaries._builder import ColdStart
from streamgauge.windows import Whole


@plain_numbers
class Duel:
    """Sequential comparison of two learners on a live stream, such as champion and challenger.

    Pass the predictions of both to `observe` and labels to `label`: late, in any order, or never.
    `ever_decided` becomes true, and stays so, once there is enough evidence: between equal learners
    with a probability of at most `alpha`, however often it is checked and however long it runs.
    Only items whose labels are pending are held in memory.

    Parameters
    ----------
    a, b
        Names of the two learners.
    alpha
        Probability of ever deciding between equal learners, at most.
    side
        `"either"`: two-sided. `"a"`, `"b"`: only that one can win, which needs less evidence.
    loss
        `"zero_one"` for classes; `"absolute"` or `"squared"` for numbers, with a `bound`.
    bound
        The largest loss; larger ones are clipped.
    cold_start
        A prediction None is wrong (`"count_wrong"`), or its item is left out (`"skip"`, the
        default for numbers).
    thresholds
        All evidence thresholds, as natural logarithms, not decreasing; the last one decides. By
        default that of `alpha`.

    Examples
    --------
    >>> duel = Duel("champion", "challenger")
    >>> for item in range(100):
    ...     duel.observe(item, prediction_a="ham", prediction_b="spam")
    ...     if item >= 10:
    ...         duel.label(item - 10, "spam")
    >>> duel.ever_decided, duel.first_winner, duel.first_decided_at, duel.pending
    (True, 'challenger', 21, 10)
    >>> duel.verdict().difference
    1.0
    """

    def __init__(
        self,
        a: str = "a",
        b: str = "b",
        *,
        alpha: float = 0.05,
        side: Side = "either",
        loss: str = "zero_one",
        bound: float | None = None,
        cold_start: ColdStart | None = None,
        thresholds: Sequence[float] = (),
    ) -> None:
        check_alpha("Duel", alpha)
        check_side("Duel", side)
        if a == b:
            raise ParameterError.of("Duel", "names", "two different names", (a, b))
        self._names = (a, b)
        self._alpha = alpha
        self._side: Side = side
        self._loss = ItemLoss("Duel", loss, bound, cold_start)
        _check_thresholds(thresholds)
        self._thresholds = tuple(thresholds) or (threshold(alpha, side),)
        self._main = len(self._thresholds) - 1
        self._test = SequentialTest(self._thresholds, self._main, self._loss.bound)
        self._pending_items: dict[Hashable, tuple[Any, Any]] = {}
        self._loss_sums = [0.0, 0.0]
        self._worse = [0, 0]
        self._clipped = 0

    def observe(self, item: Hashable, prediction_a: Any, prediction_b: Any) -> None:
        """Add the predictions of both learners for `item`; its label is not known yet."""
        if item in self._pending_items:
            raise LogError(f"Duel: an item must be observed once, got {item!r} again")
        self._pending_items[item] = (prediction_a, prediction_b)

    def losses(self, item: Hashable, y: Any) -> tuple[float, float] | None:
        """The losses of both learners if this is the label of `item`; None if `y` is None.

        Nothing is added; an item without predictions, or a label of the wrong kind, is refused.
        """
        if item not in self._pending_items:
            raise LogError(
                f"Duel: a label must be of an observed item without a label, got one of {item!r}"
            )
        return None if y is None else self._loss.losses_of(*self._pending_items[item], y)

    def label(self, item: Hashable, y: Any) -> None:
        """Add the label of `item`; None if it will never be known."""
        losses = self.losses(item, y)
        del self._pending_items[item]
        if losses is None:
            return
        self._clipped += max(losses) > self._loss.bound
        a, b = (min(loss, self._loss.bound) for loss in losses)
        if not math.isnan(a):
            self._loss_sums[0] += a
            self._loss_sums[1] += b
            self._worse[0] += a > b
            self._worse[1] += b > a
        self._test.update(a, b)

    @property
    def pending(self) -> int:
        """Number of items whose labels are pending."""
        return len(self._pending_items)

    @property
    def pairs(self) -> int:
        """Number of labels so far."""
        return self._test.pairs()[0]

    @property
    def ever_decided(self) -> bool:
        """Whether there was ever enough evidence."""
        return self._first() is not None

    @property
    def first_winner(self) -> str | None:
        """The winner of the first decision; None if there was none."""
        first = self._first()
        return None if first is None else first[1]

    @property
    def first_decided_at(self) -> int | None:
        """Number of labels at the first decision."""
        first = self._first()
        return None if first is None else first[0]

    @property
    def threshold_times(self) -> tuple[list[int | None], list[int | None]]:
        """Number of labels at which the evidence for each learner reached each threshold."""
        (for_a, _), (for_b, _) = self._test.threshold_times()
        return for_a, for_b

    def verdict(self) -> Verdict:
        """The current verdict; positions are numbers of labels."""
        pairs, counted = self._test.pairs()
        _, squares = self._test.sums()
        sums = (counted, pairs - counted, *self._loss_sums, *self._worse, squares)
        times_a, times_b = (
            ThresholdTimes(tuple(first), since) for first, since in self._test.threshold_times()
        )
        one = LossSums(np.array([pairs]), *(np.array([float(s)]) for s in sums))
        nothing = (0, math.nan, np.empty(0))
        statistics = PairStatistics(
            one, (one,), pairs, 0, 0, (times_a, times_b), self._clipped, 1, "labels", nothing
        )
        options = ComparisonOptions(
            (Whole(),),
            self._loss.loss,
            self._loss.bound,
            self._loss.cold_start,
            self._thresholds,
            self._main,
            1,
            None,
            False,
        )
        return verdict_of(statistics, self._names, options, self._alpha, self._side)

    def _first(self) -> tuple[int, str] | None:
        sides = zip("ab", self._names, self._test.threshold_times(), strict=True)
        reached = [
            (at, name)
            for side, name, (first, _) in sides
            if (at := first[self._main]) is not None and self._side in ("either", side)
        ]
        return min(reached) if reached else None


def _check_thresholds(thresholds: Sequence[float]) -> None:
    if not (
        isinstance(thresholds, Sequence)
        and all(isinstance(t, int | float) and 0 < t < math.inf for t in thresholds)
        and list(thresholds) == sorted(thresholds)
    ):
        must = "finite numbers above 0, not decreasing"
        raise ParameterError.of("Duel", "thresholds", must, thresholds)
