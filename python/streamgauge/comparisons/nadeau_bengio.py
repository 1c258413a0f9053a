"""The corrected resampled t-test, for folds of one stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from streamgauge.comparisons._checks import check_alpha
from streamgauge.comparisons._tolerance import ROUNDING
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.types import F64


@dataclass(frozen=True, slots=True)
class NadeauBengio:
    """Result of the corrected resampled t-test (Nadeau and Bengio).

    `mean` is the mean difference (positive: a is better), `error` its standard error, corrected
    for the training items that folds share. `better`, `equal` and `worse` are the probabilities
    that a is better by more than `rope`, within it, worse by more than it (the Bayesian correlated
    t-test).
    """

    folds: int
    mean: float
    error: float
    t: float
    p: float
    better: float
    equal: float
    worse: float
    rope: float
    alpha: float

    @property
    def significant(self) -> bool:
        """Whether p is below alpha."""
        return self.p < self.alpha

    def to_text(self) -> str:
        """The result as text."""
        if math.isnan(self.p):
            return f"The two learners are equal on all {self.folds} folds."
        side = "better" if self.mean > 0 else "worse"
        result = f"The first learner is {side}" if self.significant else "No difference is shown"
        return (
            f"{result} (corrected resampled t = {self.t:.3g} over {self.folds} folds, "
            f"p = {self.p:.3g}; mean difference {self.mean:.4g} ± {self.error:.4g})."
        )


@plain_numbers
def nadeau_bengio_test(
    a: Sequence[float] | F64,
    b: Sequence[float] | F64,
    *,
    runs: int = 1,
    test_to_train: float | None = None,
    higher_is_better: bool = True,
    rope: float = 0.0,
    alpha: float = 0.05,
) -> NadeauBengio:
    r"""The corrected resampled t-test (Nadeau and Bengio).

    .. math:: t = \frac{\bar d}{\sqrt{(1/n + n_{test}/n_{train})\, s_d^2}}

    with n - 1 degrees of freedom. Folds train on overlapping items, so their scores are
    correlated and the plain t-test rejects too often. If all differences are 0, up to rounding, t
    and p are NaN; if they are equal and not 0, t is infinite and p is 0.

    Parameters
    ----------
    a, b
        One score per fold each, the same folds in the same order.
    runs
        Number of times the folds were drawn (5 times 2 folds: 5).
    test_to_train
        Ratio of test to training items in a fold; by default 1 / (folds of a run - 1).
    higher_is_better
        Whether a higher score is better.
    rope
        Differences up to this do not matter (for the three probabilities).
    alpha
        The significance level.

    Examples
    --------
    >>> result = nadeau_bengio_test([0.8, 0.82, 0.81, 0.83, 0.79], [0.7, 0.75, 0.72, 0.74, 0.73])
    >>> print(result.to_text())
    The first learner is better (corrected resampled t = 7.44 over 5 folds, p = 0.00174; mean
    difference 0.082 ± 0.01102).

    References
    ----------
    Nadeau, Bengio. Inference for the generalization error. Machine Learning 52 (2003).
    Corani, Benavoli. A Bayesian approach for comparing cross-validated algorithms on multiple
    data sets. Machine Learning 100 (2015).
    """
    who = "nadeau_bengio_test"
    check_alpha(who, alpha)
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    n = len(first)
    if first.shape != second.shape or first.ndim != 1:
        raise ParameterError.of(who, "a and b", "of the same length", (len(a), len(b)))
    if n < 2:
        raise ParameterError.of(who, "folds", "at least 2", n)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        scores = np.concatenate([first, second])
        raise ParameterError.of(who, "scores", "finite", float(scores[~np.isfinite(scores)][0]))
    if not isinstance(higher_is_better, bool):
        raise ParameterError.of(who, "higher_is_better", "True or False", higher_is_better)
    if not (math.isfinite(rope) and rope >= 0):
        raise ParameterError.of(who, "rope", "a number from 0 up", rope)
    at_least(who, "runs", runs, 1)
    if n % runs or n // runs < 2:
        raise ParameterError.of(who, "runs", f"a divisor of {n} folds that leaves 2 or more", runs)
    ratio = 1 / (n / runs - 1) if test_to_train is None else test_to_train
    if not (math.isfinite(ratio) and ratio > 0):
        raise ParameterError.of(who, "test_to_train", "a number above 0", ratio)
    differences = first - second if higher_is_better else second - first
    mean = float(differences.mean())
    spread = float(differences.var(ddof=1))
    rounding = ROUNDING * max(float(np.abs(first).max()), float(np.abs(second).max()))
    if math.sqrt(spread) <= rounding:  # the square of `rounding` may underflow
        spread, mean = 0.0, mean if abs(mean) > rounding else 0.0
    return _result(n, mean, math.sqrt(spread * (1 / n + ratio)), rope, alpha)


def _result(n: int, mean: float, error: float, rope: float, alpha: float) -> NadeauBengio:
    if error == 0:
        t = math.copysign(math.inf, mean) if mean else math.nan
        p = 0.0 if mean else math.nan
        half = 0.5 * (rope == 0) * (mean == 0)
        better = float(mean > rope) + half
        worse = float(mean < -rope) + half
        return NadeauBengio(n, mean, 0.0, t, p, better, 1 - better - worse, worse, rope, alpha)
    stats = import_module("scipy.stats")
    t = mean / error
    p = float(2 * stats.t.sf(abs(t), n - 1))
    better = float(stats.t.sf(rope, n - 1, mean, error))
    worse = float(stats.t.cdf(-rope, n - 1, mean, error))
    return NadeauBengio(n, mean, error, t, p, better, 1 - better - worse, worse, rope, alpha)
