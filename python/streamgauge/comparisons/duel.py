"""Sequential comparison of two learners on a live stream."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge._core import SequentialTest
from streamgauge.comparisons._checks import Side, check_alpha, check_margin, check_side, check_spell
from streamgauge.comparisons._cohorts import Cohorts
from streamgauge.comparisons._item_loss import ItemLoss
from streamgauge.comparisons._label_delays import LabelDelays
from streamgauge.comparisons._make_verdict import verdict_of
from streamgauge.comparisons._pair_statistics import (
    ComparisonOptions,
    LossSums,
    PairStatistics,
    first_times,
    quantiles,
    so_far_threshold,
)
from streamgauge.comparisons._statements import current_p
from streamgauge.comparisons.verdict import Verdict
from streamgauge.errors import LogError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64
from streamgauge.windows import Whole

FirstTimes = tuple[list[int | None], list[int | None]]
"""For A and for B, the number of labels at the first decision at each level."""


@plain_numbers
class Duel:
    """Sequential comparison of two learners on a live stream, such as champion and challenger.

    Pass the predictions of both to `observe` and labels to `label`: late, in any order, or never.
    `ever_decided` becomes true, and stays so, once the long run is decided: between learners with
    equal long-run means with a probability of about `alpha`, however often it is checked and
    however long it runs. Only items whose labels are pending are held in memory, and those of
    cohorts that wait for `labelled_share`. If delays depend on the class or on who is wrong, or
    many labels are overdue, a note of the verdict says so.

    Parameters
    ----------
    a, b
        Names of the two learners.
    alpha
        Probability of ever deciding between learners with equal long-run means, about.
    side
        `"either"`: two-sided. `"a"`, `"b"`: only that one can win, which needs less evidence.
    loss
        `"zero_one"` for classes; `"absolute"` or `"squared"` for numbers.
    bound
        The largest loss; larger ones are clipped. Without it nothing is stated about "so far".
    cold_start
        A prediction None is wrong (`"count_wrong"`), or its item is left out (`"skip"`, the
        default for numbers).
    spell
        The longest mean spell of luck, in items, that must not name a winner; no verdict before ten
        spells.
    margin
        A difference of mean losses that does not matter, as in `compare`.
    labelled_share
        Share of the labels of a cohort, 100 items in order, that must be known before any of them
        counts: labels that come late are then less under-represented. By default every label
        counts at once.
    levels
        Further levels at which the times of decisions are kept, decreasing to `alpha`; for
        corrections over several pairs.

    Examples
    --------
    >>> duel = Duel("champion", "challenger")
    >>> for item in range(3000):
    ...     duel.observe(item, prediction_a="ham", prediction_b="spam" if item % 3 else "ham")
    ...     if item >= 10:
    ...         duel.label(item - 10, "spam")
    >>> duel.ever_decided, duel.first_winner, duel.first_decided_at, duel.pending
    (True, 'challenger', 2000, 10)
    >>> duel.verdict().difference
    0.667
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
        spell: int = 200,
        margin: float | None = None,
        labelled_share: float | None = None,
        levels: Sequence[float] = (),
    ) -> None:
        check_alpha("Duel", alpha)
        check_side("Duel", side)
        if a == b:
            raise ParameterError.of("Duel", "names", "two different names", (a, b))
        check_margin("Duel", margin)
        self._names = (a, b)
        self._margin = margin
        self._loss = ItemLoss("Duel", loss, bound, cold_start)
        self._options = ComparisonOptions(
            (Whole(),), loss, self._loss.bound, self._loss.cold_start, side,
            checked_levels(levels, alpha), check_spell("Duel", spell), 1, None, False,
        )  # fmt: skip
        self._test = SequentialTest(
            so_far_threshold(self._options),
            quantiles(self._options),
            len(self._options.levels) - 1,
            None if loss == "zero_one" else self._loss.bound,
            spell,
        )
        self._test.record(1 << 62)  # no curve: the last point only
        self._pending_items: dict[Hashable, tuple[Any, Any, int]] = {}
        self._observed = 0
        self._delays = LabelDelays(self._names)
        self._cohorts = None if labelled_share is None else Cohorts("Duel", labelled_share)
        self._loss_sums = [0.0, 0.0]
        self._worse = [0, 0]
        self._clipped = 0
        none: list[int | None] = [None] * len(self._options.levels)
        self._seen: FirstTimes = (none, none)

    def observe(self, item: Hashable, prediction_a: Any, prediction_b: Any) -> None:
        """Add the predictions of both learners for `item`; its label is not known yet."""
        if item in self._pending_items:
            raise LogError(f"Duel: an item must be observed once, got {item!r} again")
        self._observed += 1
        self._pending_items[item] = (prediction_a, prediction_b, self._observed)

    def losses(self, item: Hashable, y: Any) -> tuple[float, float] | None:
        """The losses of both learners if this is the label of `item`; None if `y` is None.

        Nothing is added; an item without predictions, or a label of the wrong kind, is refused.
        """
        if item not in self._pending_items:
            raise LogError(
                f"Duel: a label must be of an observed item without a label, got one of {item!r}"
            )
        return None if y is None else self._loss.losses_of(*self._pending_items[item][:2], y)

    def label(self, item: Hashable, y: Any) -> None:
        """Add the label of `item`; None if it will never be known."""
        losses = self.losses(item, y)
        _, _, index = self._pending_items.pop(item)
        if losses is not None:
            self._delays.add(self._observed - index, y, *losses)
        if self._cohorts is None:
            if losses is not None:
                self._count(*losses)
            return
        for pair in self._cohorts.add(index, losses):
            self._count(*pair)

    def update(self, prediction_a: Any, prediction_b: Any, y: Any) -> None:
        """Add arrays of predictions and labels of further items, whose labels are known at once.

        The same as `observe` and `label` of each item, but faster unless labels wait for their
        cohort. NaN is no prediction of a number, None no prediction of a class.
        """
        self.add_losses(y, *self.losses_of_arrays(prediction_a, prediction_b, y))

    def losses_of_arrays(self, prediction_a: Any, prediction_b: Any, y: Any) -> tuple[F64, F64]:
        """The losses of both learners if these are their predictions and the labels.

        Nothing is added; arrays of the wrong kind or of different lengths are refused.
        """
        return self._loss.losses_of_arrays(prediction_a, prediction_b, y)

    def add_losses(self, y: Any, a: F64, b: F64) -> None:
        """Add the losses of further items, whose labels `y` are known at once."""
        first = self._observed + 1
        self._observed += len(a)
        self._delays.add_undelayed(np.asarray(y), a, b)
        if self._cohorts is None:
            self._count_arrays(a, b)
            return
        for index, losses in enumerate(zip(a.tolist(), b.tolist(), strict=True), first):
            for pair in self._cohorts.add(index, losses):
                self._count(*pair)

    def _count_arrays(self, a: F64, b: F64) -> None:
        bound = self._loss.bound
        known = ~np.isnan(a)
        self._clipped += int((np.maximum(a, b) > bound).sum())
        a, b = np.minimum(a, bound), np.minimum(b, bound)
        for nth, loss in enumerate((a, b)):
            self._loss_sums[nth] += float(loss[known].sum())
        self._worse[0] += int((a > b).sum())
        self._worse[1] += int((b > a).sum())
        self._test.push(a, b)

    def _count(self, a: float, b: float) -> None:
        bound = self._loss.bound
        self._clipped += max(a, b) > bound
        a, b = min(a, bound), min(b, bound)
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
    def n_labels(self) -> int:
        """Number of labels so far, of items left out too; without cohorts that are held back."""
        return self._test.pairs()[0]

    @property
    def ever_decided(self) -> bool:
        """Whether the long run was ever decided."""
        return self._first() is not None

    @property
    def first_winner(self) -> str | None:
        """The winner of the first decision; None if there was none."""
        first = self._first()
        return None if first is None else first[1]

    @property
    def first_decided_at(self) -> int | None:
        """The value of `n_labels` at the first decision."""
        first = self._first()
        return None if first is None else first[0]

    @property
    def p(self) -> float:
        """The current anytime-valid p-value of the long run."""
        return current_p(self._test, self._options.side)

    @property
    def first_times(self) -> FirstTimes:
        """Number of labels at which each learner first won the long run at each level.

        Between two of its own checks the test decides only when its state is read; what was read
        once stays so.
        """
        a, b = (
            [seen if now is None else now for seen, now in zip(*both, strict=True)]
            for both in zip(self._seen, first_times(self._test, None), strict=True)
        )
        self._seen = (a, b)
        return self._seen

    def verdict(self, level: int = -1) -> Verdict:
        """The current verdict, at the level with this index; positions are numbers of labels."""
        labels, counted = self._test.pairs()
        _, squares = self._test.sums()
        sums = (counted, labels - counted, *self._loss_sums, *self._worse, squares)
        points = 1 if labels else 0
        one = LossSums(
            np.array([labels][:points]), *(np.array([float(s)][:points], np.float64) for s in sums)
        )
        nothing: tuple[int, float, F64] = (0, math.nan, np.empty(0))
        statistics = PairStatistics(
            one, (one,), labels, 0, 0, self._test, None, self._clipped, 1, "labels", nothing
        )
        notes = self._delays.notes(self._pending_items.values(), self._observed)
        found = verdict_of(statistics, self._names, self._options, level, notes, self._margin)
        first = self._first()
        if first is None or level not in (-1, len(self._options.levels) - 1):
            return found
        return replace(found, long_run=replace(found.long_run, first=first[::-1]))

    def _first(self) -> tuple[int, str] | None:
        """The first decision at `alpha`."""
        times = zip("ab", self._names, self.first_times, strict=True)
        reached = [
            (at, name)
            for side, name, first in times
            if (at := first[-1]) is not None and self._options.side in ("either", side)
        ]
        return min(reached, default=None)


def checked_levels(levels: Sequence[float], alpha: float) -> tuple[float, ...]:
    """The levels, not increasing, of which the last is alpha."""
    found = tuple(levels) if isinstance(levels, Sequence) else (levels,)
    if any(isinstance(x, bool) or not isinstance(x, int | float) for x in found) or not all(
        0 < after <= before < 1
        for before, after in zip((*found, alpha)[:-1], (*found, alpha)[1:], strict=True)
    ):
        must = "numbers below 1 that do not increase down to alpha"
        raise ParameterError.of("Duel", "levels", must, levels)
    return found if found and found[-1] == alpha else (*found, alpha)
