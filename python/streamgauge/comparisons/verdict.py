"""The verdict on two learners: which is better, since when, with which evidence."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from streamgauge.comparisons._checks import Side
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
    """Which of two learners is better on one stream.

    `winner` is the learner whose anytime-valid e-value is at least its threshold, or None; it has
    been so since position `since` (in items or labels: `axis`). `first` is the first decision and
    its position; under drift it may be the other learner. `difference` is the mean loss of A minus
    that of B: below 0, A is better. The mean of its conditional expectations lies between `low`
    and `high`, at all times simultaneously, with probability at least 1 - `alpha`.
    """

    a: str
    b: str
    winner: str | None
    since: int | None
    first: tuple[str, int] | None
    loss: str
    alpha: float
    side: Side
    pairs: int
    counted: int
    loss_a: float
    loss_b: float
    difference: float
    low: float
    high: float
    log_e_value_a: float
    log_e_value_b: float
    statistics: tuple[Statistic, ...] = ()
    curves: Curves = field(default=Curves(()), repr=False)
    notes: tuple[str, ...] = ()
    axis: Axis = "items"

    @property
    def decided(self) -> bool:
        """Whether there is a winner."""
        return self.winner is not None

    @property
    def e_value(self) -> float:
        """The e-value against the null hypothesis that the tested learner is not better.

        With `side="either"`, that the learners are equal. At most e^700, about 1e304;
        `log_e_value` has no limit.
        """
        return math.exp(min(self.log_e_value, 700.0))

    @property
    def log_e_value(self) -> float:
        """Natural logarithm of the e-value."""
        match self.side:
            case "a":
                return self.log_e_value_a
            case "b":
                return self.log_e_value_b
            case _:
                return max(self.log_e_value_a, self.log_e_value_b) - math.log(2)

    @property
    def p(self) -> float:
        """An anytime-valid p-value: 1 / e-value, at most 1."""
        return math.nan if math.isnan(self.log_e_value) else math.exp(-max(self.log_e_value, 0.0))

    def __getitem__(self, key: tuple[str, str]) -> Statistic:
        """A statistic in a window, by its name or the beginning of its name."""
        name, window = key
        found = [r for r in self.statistics if r.name.startswith(name) and r.window == str(window)]
        if not found:
            raise KeyError(key)
        return found[0]

    def to_text(self) -> str:
        """The verdict as text.

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
        good beats bad since item 21: its mean zero_one loss is 0 against 1 over 200 items; the
        difference is -1, interval [-1, -0.743] (95 %, anytime valid).
        Fixed horizon only: McNemar -200 (positive favours bad; p = 2.09e-45), Diebold-Mariano
        -inf (positive favours bad; p < 1e-300).
        """
        if self.counted == 0:
            return "\n".join([self.nothing_to_compare, *self.notes])
        lines = [self._outcome(), self._fixed(), *self.notes]
        return "\n".join(line for line in lines if line)

    @property
    def nothing_to_compare(self) -> str:
        """Why there is no item to compare, if there is none."""
        if self.pairs == 0:
            return f"Nothing to compare: {self.a} and {self.b} have no labelled items."
        return f"Nothing to compare: no item has predictions of both {self.a} and {self.b}."

    def _outcome(self) -> str:
        loser = self.b if self.winner == self.a else self.a
        mine, other = self.loss_a, self.loss_b
        if self.winner == self.b:
            mine, other = other, mine
        over = f"over {format_items(self.counted)}"
        within = (
            f"the difference is {self.difference:.3g}, interval [{self.low:.3g}, {self.high:.3g}]"
            f" ({100 * (1 - self.alpha):.3g} %, anytime valid)"
        )
        if self.winner is not None:
            return (
                f"{self.winner} beats {loser} since {singular(self.axis)} {self.since:,}: its mean "
                f"{self.loss} loss is {mine:.3g} against {other:.3g} {over}; {within}."
            )
        means = (
            f"the mean {self.loss} losses of {self.a} and {self.b} are {mine:.3g} and {other:.3g} "
            f"{over}"
        )
        if math.isnan(self.log_e_value):
            return f"Not decided: {means}; anytime-valid evidence needs a bound on the loss."
        before = ""
        if self.first is not None:
            name, at = self.first
            before = (
                f" At {singular(self.axis)} {at:,} it was decided for {name}, which no longer "
                "holds."
            )
        return f"Not decided: {means}; {within}.{before}"

    def _fixed(self) -> str:
        statements = []
        for title, name in (("McNemar", "mcnemar"), ("Diebold-Mariano", "diebold_mariano")):
            found = [r for r in self.statistics if r.name.startswith(name) and r.window == "whole"]
            if found and not math.isnan(found[0].value):
                r = found[0]
                statements.append(f"{title} {r.value:.4g} (positive favours {self.b}; {_p(r.p)})")
        return f"Fixed horizon only: {', '.join(statements)}." if statements else ""


def singular(axis: Axis) -> str:
    """The singular of an axis: item, label."""
    return axis.removesuffix("s")


def format_items(count: int) -> str:
    """A number of items as text.

    Examples
    --------
    >>> format_items(1), format_items(2000)
    ('1 item', '2,000 items')
    """
    return f"{count:,} item{'s' * (count != 1)}"


def _p(p: float) -> str:
    return f"p = {p:.3g}" if p >= 1e-300 or math.isnan(p) else "p < 1e-300"
