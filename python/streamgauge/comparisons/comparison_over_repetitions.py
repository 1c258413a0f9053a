"""The result of a comparison of several learners on one stream over repetitions or folds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamgauge.comparisons._holm import holm
from streamgauge.comparisons._text import confidence
from streamgauge.comparisons.multiple_comparison import Correction
from streamgauge.comparisons.verdict import FIXED
from streamgauge.comparisons.verdict_over_repetitions import VerdictOverRepetitions, no_interval


@dataclass(frozen=True, slots=True)
class ComparisonOverRepetitions:
    """Comparison of several learners over repetitions; P(any decision is wrong) is at most `alpha`.

    `verdicts` are those of each pair at an equal share of alpha, so that their intervals hold
    simultaneously. `decided_pairs` uses the correction of the p-values of the paired t tests.
    *Fixed horizon only*: the number of repetitions is fixed in advance.
    """

    names: tuple[str, ...]
    verdicts: tuple[VerdictOverRepetitions, ...]
    correction: Correction
    alpha: float

    @property
    def p(self) -> tuple[float, ...]:
        """The p-value of each pair, corrected for the number of pairs; NaN without an interval."""
        found = [v.p for v in self.verdicts]
        known = [1.0 if math.isnan(p) else p for p in found]
        if self.correction == "holm":
            corrected = holm(known)
        else:
            corrected = [min(1.0, len(known) * p) for p in known]
        return tuple(
            math.nan if math.isnan(p) else c for p, c in zip(found, corrected, strict=True)
        )

    @property
    def winners(self) -> tuple[str | None, ...]:
        """The better learner of each pair, or None. Of identical repetitions, that of one run."""
        return tuple(
            v.winner
            if v.difference.identical
            else (v.a if v.difference.mean < 0 else v.b)
            if p < self.alpha
            else None
            for v, p in zip(self.verdicts, self.p, strict=True)
        )

    @property
    def decided_pairs(self) -> tuple[tuple[str, str], ...]:
        """The decided pairs: the better learner and the other."""
        return tuple(
            (winner, v.b if winner == v.a else v.a)
            for v, winner in zip(self.verdicts, self.winners, strict=True)
            if winner is not None
        )

    @property
    def best(self) -> str | None:
        """The learner that beats all others, if there is one."""
        for name in self.names:
            if sum(winner == name for winner, _ in self.decided_pairs) == len(self.names) - 1:
                return name
        return None

    def to_text(self) -> str:
        """The comparison as text."""
        lines = []
        for v, winner, p in zip(self.verdicts, self.winners, self.p, strict=True):
            loser = v.b if winner == v.a else v.a
            means = f"{v.difference.mean:.3g} ± {v.difference.sd:.3g}"
            if v.difference.identical:
                outcome = f"{v.a} and {v.b}" if winner is None else f"{winner} beats {loser}"
                undecided = "Not decided: " if winner is None else ""
                lines.append(f"{undecided}{outcome}, in one run: the {v.unit}s are identical.")
            elif winner is not None:
                over = f"over {v.repetitions} {v.unit}s"
                lines.append(f"{winner} beats {loser} {over} ({means}, p = {p:.3g}).")
            elif math.isnan(v.low):
                lines.append(f"Not decided: {v.a} and {v.b} ({no_interval(v.difference, v.unit)}).")
            else:
                within = f"within [{v.low:.3g}, {v.high:.3g}]"
                lines.append(f"Not decided: {v.a} and {v.b} ({means} {within}).")
        unit = self.verdicts[0].unit
        test = "corrected resampled t" if unit == "fold" else "paired t"
        lines.append(
            f"All statements about means over {unit}s hold simultaneously with a probability of "
            f"at least {confidence(self.alpha)} ({test}, {self.correction}), {FIXED}."
        )
        lines += dict.fromkeys(note for v in self.verdicts for note in v.notes)
        return "\n".join(lines)
