"""The verdict on two learners: which is better so far, in the long run, and now."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._text import items
from streamgauge.comparisons.long_run import LongRun, Status
from streamgauge.comparisons.now import Now
from streamgauge.comparisons.so_far import SoFar
from streamgauge.measures._curves import Curves
from streamgauge.types import Axis

Validity: TypeAlias = Literal["anytime valid", "fixed horizon only"]
"""Whether a number is valid at any time, or only at an end fixed beforehand."""

ANYTIME: Validity = "anytime valid"
FIXED: Validity = "fixed horizon only"


@dataclass(frozen=True, slots=True)
class Statistic:
    """The value of one statistic in one window; its name has the sign convention, if it has a sign.

    `p`, `log_e_value` (the natural logarithm of the e-value), `low` and `high` are NaN if
    undefined. `favours` is the better learner by this statistic, significant or not; `method` is
    how the value, its p or its interval was computed, or why there is no p.
    """

    name: str
    window: str
    value: float
    validity: Validity
    favours: str | None = None
    p: float = math.nan
    log_e_value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    method: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which of two learners is better on one stream: three statements, each with its conditions.

    `long_run` is about the long-run mean losses, under dependence shorter than `spell`; it alone
    names the `winner`. `so_far` is exact, for any dependence, about what was expected of the items
    seen; it is None for real losses without a bound. `now` is about recent windows. `winner`,
    `status`, `since`, `first`, `low`, `high` and `p` are those of the long run and come from one
    computation: there is a winner exactly if 0 is outside [`low`, `high`] and `p` is at most
    `alpha`. `difference` is the mean loss of A minus that of B: below 0, A is better.

    With a `margin`, `equivalent` is whether the long-run difference is within ±margin, and
    `not_worse` names each learner that is not worse by more than that.
    """

    a: str
    b: str
    loss: str
    alpha: float
    side: Side
    n_labels: int
    counted: int
    loss_a: float
    loss_b: float
    long_run: LongRun
    so_far: SoFar | None
    now: Now
    margin: float | None = None
    statistics: tuple[Statistic, ...] = ()
    curves: Curves = field(default=Curves(()), repr=False)
    notes: tuple[str, ...] = ()
    axis: Axis = "items"

    @property
    def winner(self) -> str | None:
        """The learner with the lower long-run mean loss, if it is decided."""
        return self.long_run.winner

    @property
    def status(self) -> Status:
        """Why there is a winner, or none."""
        return self.long_run.status

    @property
    def since(self) -> int | None:
        """The position since which there has been this winner."""
        return self.long_run.since

    @property
    def first(self) -> tuple[str, int] | None:
        """The first winner of the long run, and its position."""
        return self.long_run.first

    @property
    def difference(self) -> float:
        """Mean loss of A minus that of B."""
        return self.long_run.difference

    @property
    def low(self) -> float:
        """Lower bound of the long-run difference."""
        return self.long_run.low

    @property
    def high(self) -> float:
        """Upper bound of the long-run difference."""
        return self.long_run.high

    @property
    def p(self) -> float:
        """Anytime-valid p-value of the long run."""
        return self.long_run.p

    @property
    def spell(self) -> int:
        """The longest mean spell of luck that must not name a winner."""
        return self.long_run.spell

    @property
    def decided(self) -> bool:
        """Whether there is a winner."""
        return self.winner is not None

    @property
    def equivalent(self) -> bool | None:
        """Whether the long-run difference is within ±margin, at any time; None without a margin."""
        if self.margin is None:
            return None
        return -self.margin < self.low and self.high < self.margin

    @property
    def not_worse(self) -> tuple[str, ...]:
        """Each learner whose long-run mean loss is not higher than the other's by the margin."""
        if self.margin is None:
            return ()
        sides = ((self.a, self.high < self.margin), (self.b, self.low > -self.margin))
        return tuple(name for name, shown in sides if shown)

    def __getitem__(self, key: tuple[str, str]) -> Statistic:
        """A statistic in a window, by its name or the beginning of its name."""
        name, window = key
        found = [r for r in self.statistics if r.name.startswith(name) and r.window == str(window)]
        if not found:
            raise KeyError(key)
        return found[0]

    def to_text(self) -> str:
        """The verdict as text, one statement per line.

        Examples
        --------
        >>> import numpy as np
        >>> from streamgauge.comparisons import compare
        >>> from streamgauge.log import from_columns
        >>> from streamgauge.types import Schema
        >>> schema = Schema((), classes=("no", "yes"))
        >>> label = np.tile(np.array([0, 1], np.int32), 100)
        >>> good, bad = from_columns(schema, label, label), from_columns(schema, label, 1 - label)
        >>> print(compare(good, bad, names=("good", "bad")).to_text())
        Not decided: the mean zero_one losses of good and bad are 0 and 1 over 200 items.
        Long run: too few items: 200 of the 2,000 that a verdict needs (10 spells of 200 items).
        So far: over the 200 items seen, good was expected to lose less than bad, given the past at
        each item, since item 8 (difference -1 within [-1, -0.784], 95 %); exact for any
        dependence, says nothing about later items.
        Now: no statement before 2,048 items.
        Fixed horizon only: McNemar -200 (positive favours bad; p = 2.09e-45), Diebold-Mariano
        -inf (positive favours bad; p < 1e-300).
        """
        if self.counted == 0:
            return "\n".join([self.nothing_to_compare, *self.notes])
        so_far = (
            "So far: no exact statement about means of losses without a bound."
            if self.so_far is None
            else self.so_far.to_text()
        )
        lines = [
            self._outcome(),
            self.long_run.to_text(),
            self._within_margin(),
            so_far,
            self.now.to_text(),
            self._fixed(),
            *self.notes,
        ]
        return "\n".join(line for line in lines if line)

    @property
    def nothing_to_compare(self) -> str:
        """Why there is no item to compare, if there is none."""
        if self.n_labels == 0:
            return f"Nothing to compare: {self.a} and {self.b} have no labelled items."
        return f"Nothing to compare: no item has predictions of both {self.a} and {self.b}."

    def _outcome(self) -> str:
        mine, other = self.loss_a, self.loss_b
        if self.winner == self.b:
            mine, other = other, mine
        over = f"over {items(self.counted)}"
        if self.winner is not None:
            loser = self.b if self.winner == self.a else self.a
            return (
                f"{self.winner} beats {loser}: its mean {self.loss} loss is {mine:.3g} against "
                f"{other:.3g} {over}."
            )
        return (
            f"Not decided: the mean {self.loss} losses of {self.a} and {self.b} are {mine:.3g} and "
            f"{other:.3g} {over}."
        )

    def _within_margin(self) -> str:
        """What holds with the margin, as a sentence; empty without one."""
        if self.margin is None:
            return ""
        if self.equivalent:
            return (
                f"{self.a} is as good as {self.b}, within ±{self.margin:g}, in the long run "
                f"({self.long_run.condition})."
            )
        if self.not_worse:
            (name,) = self.not_worse
            other = self.b if name == self.a else self.a
            return (
                f"{name} is not worse than {other} by more than {self.margin:g} in the long run "
                f"({self.long_run.condition})."
            )
        return f"Whether they are as good within ±{self.margin:g} is undecided."

    def _fixed(self) -> str:
        statements = []
        for title, name in (("McNemar", "mcnemar"), ("Diebold-Mariano", "diebold_mariano")):
            found = [r for r in self.statistics if r.name.startswith(name) and r.window == "whole"]
            if found and not math.isnan(found[0].value):
                r = found[0]
                statements.append(f"{title} {r.value:.4g} (positive favours {self.b}; {_p(r.p)})")
        return f"Fixed horizon only: {', '.join(statements)}." if statements else ""


def _p(p: float) -> str:
    return f"p = {p:.3g}" if p >= 1e-300 or math.isnan(p) else "p < 1e-300"
