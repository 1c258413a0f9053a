"""The verdict on two learners over paired repetitions, or over the folds of one run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from streamgauge.comparisons._checks import Side
from streamgauge.comparisons._text import confidence
from streamgauge.comparisons.verdict import FIXED, Validity, Verdict
from streamgauge.repetitions._spread import Spread


@dataclass(frozen=True, slots=True)
class VerdictOverRepetitions:
    """Which of two learners is better on one stream, over repetitions with different seeds.

    Or over the folds of one run (`unit` is `"fold"`).

    Repetitions are paired by their seeds: both learners have the same items in each. `difference`
    holds the mean loss of A minus that of B in each repetition; `winner` is the learner that the t
    interval of its mean over repetitions favours, or None. This is a statement about the mean over
    seeds on this stream, at a number of repetitions fixed in advance. `verdicts` are those within
    each repetition, in the order of the seeds; none of them alone decides, unless the repetitions
    are identical: then they are one run, and its verdict is the result. If the repetitions have
    several folds, the difference of one is the mean over its folds, and `verdicts` are those of the
    folds.

    Folds are paired by their numbers: in each, both learners predict and learn the same items.
    Folds learn overlapping items, so their differences are correlated, and the interval is that of
    the corrected resampled t test (`nadeau_bengio_test`). It is a statement about the mean over
    such divisions of this stream into training and test items, conditional on the items that the
    stream had, at a number of folds fixed in advance; it is not one about other streams.
    """

    a: str
    b: str
    winner: str | None
    loss: str
    alpha: float
    side: Side
    loss_a: Spread
    loss_b: Spread
    difference: Spread
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    unit: Literal["repetition", "fold"] = "repetition"

    @property
    def validity(self) -> Validity:
        """Within which limits the verdict is valid: that of one run, if all are identical."""
        return self.verdicts[0].statistics[0].validity if self.difference.identical else FIXED

    @property
    def repetitions(self) -> int:
        """Number of paired repetitions."""
        return len(self.difference)

    @property
    def decided(self) -> bool:
        """Whether there is a winner."""
        return self.winner is not None

    @property
    def low(self) -> float:
        """Lower bound of the mean difference; -inf if only an upper one is tested."""
        return _open(self.difference.low, -math.inf, self.side == "a")

    @property
    def high(self) -> float:
        """Upper bound of the mean difference; inf if only a lower one is tested."""
        return _open(self.difference.high, math.inf, self.side == "b")

    @property
    def p(self) -> float:
        """P-value of the paired t test of the tested side; NaN if there is no interval."""
        if math.isnan(self.difference.low):
            return math.nan
        n = self.repetitions
        t = self.difference.mean / self.difference.error
        below = float(import_module("scipy.stats").t.cdf(t, n - 1))
        match self.side:
            case "a":
                return below
            case "b":
                return 1 - below
            case _:
                return self.difference.p

    @property
    def log_e_values(self) -> tuple[float, float]:
        """Logarithms of the mean e-values so far, for A and for B; NaN without a bound.

        A mean of e-values is an e-value however the repetitions depend on each other; a product
        would be one only if they were independent.
        """
        found = [v.so_far for v in self.verdicts]
        exact = [one for one in found if one is not None]
        if len(exact) < len(found):
            return math.nan, math.nan
        return (
            _log_mean([one.log_e_value_a for one in exact]),
            _log_mean([one.log_e_value_b for one in exact]),
        )

    def decided_alone(self, name: str | None) -> int:
        """How many of `verdicts` name this learner; None: neither."""
        return sum(verdict.winner == name for verdict in self.verdicts)

    def to_text(self) -> str:
        """The verdict as text.

        Examples
        --------
        >>> import streamgauge as sg
        >>> stream = sg.streams.SEA(items=2000)
        >>> good, bad = ([sg.run(stream, learner, seed=s) for s in (1, 2, 3)]
        ...              for learner in (sg.learners.NaiveBayes(), sg.learners.Persistent()))
        >>> print(sg.compare(good, bad).to_text())
        naive_bayes beats persistent over 3 repetitions: its mean zero_one loss is 0.13 ± 0.00983
        against 0.457 ± 0.0132; the paired difference is -0.327 ± 0.00831, interval [-0.347, -0.306]
        (95 % t interval of the mean over repetitions, fixed horizon only).
        Verdicts on the long run within the runs (anytime valid): naive_bayes 3 of 3.
        So far, naive_bayes was expected to lose less on the items seen: the mean e-value over the
        repetitions is 2.69e+120 (exact for any dependence of the repetitions).
        """
        alone = () if self.difference.identical else (self._alone(), self._evidence())
        # The text of a run that stands for identical ones has its own notes.
        shown = self.verdicts[0].notes if self.difference.identical else ()
        lines = [self._outcome(), *alone, *(note for note in self.notes if note not in shown)]
        return "\n".join(line for line in lines if line)

    def _outcome(self) -> str:
        if self.difference.identical:
            return self.verdicts[0].to_text()
        mine, other = (
            (self.loss_b, self.loss_a) if self.winner == self.b else (self.loss_a, self.loss_b)
        )
        over = f"over {self.repetitions} {self.unit}{'s' * (self.repetitions != 1)}"
        interval = "t interval" if self.unit == "repetition" else "corrected resampled t interval"
        within = (
            f"the paired difference is {_shown(self.difference)}, interval [{self.low:.3g}, "
            f"{self.high:.3g}] ({confidence(self.alpha)} {interval} of the mean over {self.unit}s, "
            f"{FIXED})"
        )
        if self.winner is not None:
            loser = self.b if self.winner == self.a else self.a
            return (
                f"{self.winner} beats {loser} {over}: its mean {self.loss} loss is {_shown(mine)} "
                f"against {_shown(other)}; {within}."
            )
        means = (
            f"the mean {self.loss} losses of {self.a} and {self.b} are {_shown(mine)} and "
            f"{_shown(other)} {over}"
        )
        if math.isnan(self.difference.low):
            return f"Not decided: {means}; {no_interval(self.difference, self.unit)}."
        return f"Not decided: {means}; {within}."

    def _alone(self) -> str:
        """The verdicts within the runs, in one sentence."""
        n = len(self.verdicts)
        named = [(name, self.decided_alone(name)) for name in (self.a, self.b)]
        parts = [f"{name} {k} of {n}" for name, k in named if k]
        if undecided := self.decided_alone(None):
            parts.append(f"not decided {undecided} of {n}")
        within = "runs" if n == self.repetitions and self.unit == "repetition" else "folds"
        return f"Verdicts on the long run within the {within} (anytime valid): {', '.join(parts)}."

    def _evidence(self) -> str:
        """The mean evidence so far, in one sentence; empty if there is little."""
        for_a, for_b = self.log_e_values
        name = self.a if for_a > for_b else self.b
        log_e_value = max(for_a, for_b) - math.log(2)
        if self.side != "either":
            name, log_e_value = (self.a, for_a) if self.side == "a" else (self.b, for_b)
        if math.isnan(log_e_value) or log_e_value < -math.log(self.alpha):
            return ""
        shown = f"{math.exp(log_e_value):.3g}" if log_e_value < 700 else "above 1e+304"
        return (
            f"So far, {name} was expected to lose less on the items seen: the mean e-value over "
            f"the {self.unit}s is {shown} (exact for any dependence of the {self.unit}s)."
        )


def _log_mean(logs: list[float]) -> float:
    top = max(logs)
    return top + math.log(sum(math.exp(one - top) for one in logs) / len(logs))


def _open(bound: float, end: float, is_open: bool) -> float:
    return end if is_open and not math.isnan(bound) else bound


def _shown(values: Spread) -> str:
    return f"{values.mean:.3g}" + ("" if math.isnan(values.sd) else f" ± {values.sd:.3g}")


def no_interval(difference: Spread, unit: str = "repetition") -> str:
    """Why there is no interval of a difference."""
    if len(difference) < 2:
        return f"one {unit} shows no spread"
    if difference.sd == 0:
        return f"the difference is {difference.mean:.3g} in every {unit}, which shows no spread"
    return f"the difference is undefined in a {unit}"
