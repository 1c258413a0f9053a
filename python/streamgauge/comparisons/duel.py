"""A duel: champion against challenger on a live stream, decided without peeking errors."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from streamgauge._core import Watch
from streamgauge.comparisons._losing import Losing
from streamgauge.comparisons._terms import check_side
from streamgauge.comparisons._walk import Crossed, Sums, Terms, Walked
from streamgauge.comparisons.comparing import verdict_of
from streamgauge.comparisons.confidence_sequence import check_alpha, threshold
from streamgauge.comparisons.mcnemar import Side
from streamgauge.comparisons.verdict import Verdict
from streamgauge.errors import LogError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.summaries.folding import ColdStart
from streamgauge.windows import Whole


@plain_numbers
class Duel:
    """Two learners on a live stream; look at it whenever you like.

    Say what both answered with `observe`, and what turned out to be true with `label`: late, out
    of order, or never. `decided` turns true, and stays so, once the evidence is enough: between
    equals it does so with a chance of at most `alpha`, however often one looks and however long
    it runs. What is held is what waits for its label.

    Parameters
    ----------
    a, b
        What the two are called.
    alpha
        The chance to decide between equals, ever.
    side
        `"either"`: whoever is better. `"a"`, `"b"`: only that one can win; found sooner.
    loss
        `"zero_one"`: right or wrong. `"absolute"`, `"squared"`: of numbers, with a `bound`.
    bound
        The largest loss; larger ones are cut to it.
    cold_start
        An answer None is wrong (`"count_wrong"`), or its item is left out (`"skip"`, the rule for
        numbers).
    levels
        Further thresholds below that of alpha, as logarithms: for corrections.

    Examples
    --------
    >>> duel = Duel("champion", "challenger")
    >>> for item in range(100):
    ...     duel.observe(item, answer_a="ham", answer_b="spam")
    ...     if item >= 10:
    ...         duel.label(item - 10, "spam")
    >>> duel.decided, duel.winner, duel.since, duel.waiting
    (True, 'challenger', 21, 10)
    >>> duel.verdict().difference
    1.0
    """

    def __init__(
        self,
        a: str = "champion",
        b: str = "challenger",
        *,
        alpha: float = 0.05,
        side: Side = "either",
        loss: str = "zero_one",
        bound: float | None = None,
        cold_start: ColdStart | None = None,
        levels: Sequence[float] = (),
    ) -> None:
        check_alpha("Duel", alpha)
        check_side("Duel", side)
        if a == b:
            raise ParameterError.of("Duel", "names", "two different names", (a, b))
        self._names = (a, b)
        self._alpha = alpha
        self._side: Side = side
        self._losing = Losing("Duel", loss, bound, cold_start)
        self._levels = tuple(levels) or (threshold(alpha, side),)
        self._main = len(self._levels) - 1
        self._watch = Watch(self._levels, self._main, self._losing.bound)
        self._waiting: dict[Hashable, tuple[Any, Any]] = {}
        self._lost = [0.0, 0.0]
        self._worse = [0, 0]

    def observe(self, item: Hashable, answer_a: Any, answer_b: Any) -> None:
        """Both have answered `item`; its label is not known yet."""
        if item in self._waiting:
            raise LogError(f"Duel: an item must be observed once, got {item!r} again")
        self._waiting[item] = (answer_a, answer_b)

    def label(self, item: Hashable, y: Any) -> None:
        """The label of `item` has come; None: it never will."""
        try:
            answers = self._waiting.pop(item)
        except KeyError:
            raise LogError(
                f"Duel: a label must be of an item that was observed and waits, got one of {item!r}"
            ) from None
        if y is None:
            return
        a, b = (self._losing.of(answer, y) for answer in answers)
        if math.isnan(a) or math.isnan(b):
            a = b = math.nan
        else:
            self._lost[0] += a
            self._lost[1] += b
            self._worse[0] += a > b
            self._worse[1] += b > a
        self._watch.update(a, b)

    @property
    def waiting(self) -> int:
        """How many items wait for their label."""
        return len(self._waiting)

    @property
    def pairs(self) -> int:
        """How many labels have come."""
        return self._watch.pairs()[0]

    @property
    def decided(self) -> bool:
        """Has the evidence ever been enough?"""
        return self._first() is not None

    @property
    def winner(self) -> str | None:
        """Who was decided for, at the first time it was enough."""
        first = self._first()
        return None if first is None else first[1]

    @property
    def since(self) -> int | None:
        """After how many labels that was."""
        first = self._first()
        return None if first is None else first[0]

    @property
    def crossed(self) -> tuple[list[int | None], list[int | None]]:
        """After how many labels the evidence for each reached each of the levels."""
        (for_a, _), (for_b, _) = self._watch.crossings()
        return for_a, for_b

    def verdict(self) -> Verdict:
        """How things stand now: positions are numbers of labels."""
        pairs, counted = self._watch.pairs()
        _, squares = self._watch.sums()
        sums = (counted, pairs - counted, *self._lost, *self._worse, squares)
        at_a, at_b = (Crossed(tuple(first), since) for first, since in self._watch.crossings())
        one = Sums(np.array([pairs]), *(np.array([float(s)]) for s in sums))
        nothing = (0, math.nan, np.empty(0))
        walked = Walked(
            one, (one,), pairs, 0, 0, (at_a, at_b), self._losing.cut, 1, "labels", nothing
        )
        terms = Terms(
            (Whole(),),
            self._losing.loss,
            self._losing.bound,
            self._losing.cold_start,
            self._levels,
            self._main,
            1,
            None,
            False,
        )
        return verdict_of(walked, self._names, terms, self._alpha, self._side)

    def _first(self) -> tuple[int, str] | None:
        sides = zip("ab", self._names, self._watch.crossings(), strict=True)
        begun = [
            (at, name)
            for side, name, (first, _) in sides
            if (at := first[self._main]) is not None and self._side in ("either", side)
        ]
        return min(begun) if begun else None
