"""Comparison of every learner with a control."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from typing import Literal

import numpy as np

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons._holm import holm
from streamgauge.comparisons._scores import Scores
from streamgauge.comparisons.ranks import Ranks, rank
from streamgauge.comparisons.wilcoxon_holm import signed_rank, signed_rank_signs
from streamgauge.errors import ParameterError, UnknownNameError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class VersusControl:
    """Tests of every learner against the control; `p` is corrected by Holm, NaN at the control.

    If the data chose the control (`chosen`), the correction is for all pairs of learners.
    `signs` is 1 where a learner's own test is in favour of the control, -1 of the learner.
    """

    ranks: Ranks
    control: int
    p: F64
    p_uncorrected: F64
    signs: F64
    alpha: float
    statistic: Literal["wilcoxon", "ranks"]
    chosen: bool = False

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""
        return self.ranks.table.learners

    def to_text(self) -> str:
        """The result as text."""
        name = self.learners[self.control]
        sides: dict[str, list[str]] = {"better than": [], "worse than": [], "": []}
        for i in self.ranks.best_first:
            if i != self.control:
                found = self.p[i] < self.alpha
                side = "better than" if self.signs[i] > 0 else "worse than"
                sides[side if found else ""].append(f"{self.learners[i]} (p = {self.p[i]:.3g})")
        statements = [
            f"is {side} {', '.join(names)}" for side, names in sides.items() if side and names
        ]
        if sides[""]:
            statements.append(f"does not differ significantly from {', '.join(sides[''])}")
        test = "Wilcoxon" if self.statistic == "wilcoxon" else "mean ranks"
        over = "Holm over all pairs" if self.chosen else "Holm"
        return f"{name} {'; '.join(statements)} ({test}, {over}, level {self.alpha:g})."


@plain_numbers
@reported_by("versus_control_test", "rank")
def versus_control_test(
    table: Scores,
    control: str | None = None,
    alpha: float = 0.05,
    statistic: Literal["wilcoxon", "ranks"] = "wilcoxon",
) -> VersusControl:
    r"""Test each learner against a control.

    There are fewer tests than for all pairs, so they have more power.

    Parameters
    ----------
    table
        The scores.
    control
        Its name; by default the learner with the best mean rank. Since the data choose that one, p
        is then corrected for all pairs of learners, which costs power: name your own learner, or
        the baseline, beforehand.
    alpha
        The significance level: the probability of any false rejection.
    statistic
        `"wilcoxon"`: signed ranks of the differences. `"ranks"`: mean ranks,
        :math:`z = (R_i - R_0) / \sqrt{k (k+1) / 6 n}`.

    Examples
    --------
    >>> table = Scores("abc", range(8), [[3, 2, 1 + i / 5] for i in range(8)])
    >>> versus_control_test(table, "a").to_text()
    'a is better than b (p = 0.0156), c (p = 0.0156) (Wilcoxon, Holm, level 0.05).'

    References
    ----------
    Demšar. Statistical comparisons of classifiers over multiple data sets. JMLR 7 (2006).
    """
    check_alpha("versus_control_test", alpha)
    if statistic not in ("wilcoxon", "ranks"):
        raise ParameterError.of(
            "versus_control_test", "statistic", "'wilcoxon' or 'ranks'", statistic
        )
    ranks = rank(table)
    at = ranks.best_first[0] if control is None else learner_index(table, control)
    others = [i for i in range(len(table.learners)) if i != at]
    oriented, mean = table.oriented_values, ranks.mean
    n, k = oriented.shape
    # a learner that the data chose may be of any pair, so all pairs are tested
    pairs = list(combinations(range(k), 2)) if control is None else [(at, i) for i in others]
    if statistic == "wilcoxon":
        found = [signed_rank(oriented[:, i], oriented[:, j]) for i, j in pairs]
        signs = signed_rank_signs(oriented)[at]
    else:
        norm = import_module("scipy.stats").norm
        error = math.sqrt(k * (k + 1) / (6 * n))
        found = [float(2 * norm.sf(abs(mean[i] - mean[j]) / error)) for i, j in pairs]
        signs = np.sign(mean - mean[at])
    p, p_uncorrected = np.full(k, np.nan), np.full(k, np.nan)
    for pair, corrected, own in zip(pairs, holm(found), found, strict=True):
        if at in pair:
            other = pair[0] if pair[1] == at else pair[1]
            p[other], p_uncorrected[other] = corrected, own
    return VersusControl(ranks, at, p, p_uncorrected, signs, alpha, statistic, control is None)


def learner_index(table: Scores, learner: str) -> int:
    """The index of a learner in the table."""
    if learner not in table.learners:
        raise UnknownNameError("learner in the table", learner, table.learners)
    return table.learners.index(learner)
