"""The weighted mean of a measure over bins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain
from streamgauge.late._bin_predictions import check_bins
from streamgauge.late._bins import Bins
from streamgauge.lazy import suggestion
from streamgauge.types import F64


def _first(n_bins: int) -> F64:
    weights = np.zeros(n_bins + 2)
    weights[0] = 1.0
    return weights


def _last(n_bins: int) -> F64:
    return _first(n_bins)[::-1]


def _uniform(n_bins: int) -> F64:
    return np.ones(n_bins + 2)


def _late(n_bins: int) -> F64:
    """The second half of the time items are pending, with the middle bin if B is odd."""
    weights = np.zeros(n_bins + 2)
    weights[1 + n_bins // 2 : n_bins + 1] = 1.0
    return weights


def _early(n_bins: int) -> F64:
    """The first half of the time items are pending, with the middle bin if B is odd."""
    return _late(n_bins)[::-1]


def _exponential(n_bins: int) -> F64:
    """Doubling five times from the first prediction to the last."""
    return 2.0 ** (5 * np.arange(n_bins + 2) / (n_bins + 1))


WEIGHTS: dict[str, Callable[[int], F64]] = {
    "first": _first,
    "last": _last,
    "uniform": _uniform,
    "late": _late,
    "early": _early,
    "exponential": _exponential,
}
"""Name -> function from B to the weights of bins 0 to B + 1."""


def mean_over_bins(binned: Bins, weights: str | Sequence[float] | F64 = "uniform") -> float:
    r"""The weighted mean of a measure over all bins: Psi of Grzenda et al. (2020).

    .. math:: \Psi_w(T) = \sum_b w_b \Lambda(T, b) \Big/ \sum_b w_b

    Parameters
    ----------
    binned
        The result of `bins`.
    weights
        B + 2 numbers, at least 0, or a name: `"first"` (bin 0), `"last"` (bin B + 1),
        `"uniform"`, `"early"` and `"late"` (the first and second half of the time items are
        pending; of an odd B the middle bin is in both), `"exponential"` (doubling five times from
        the first to the last).

    Examples
    --------
    >>> value = np.array([[0.5, 0.6, 0.8, 0.9]])
    >>> binned = Bins("accuracy", "whole", 2, np.array([9]), np.array([9]), value, 1.0)
    >>> [mean_over_bins(binned, w) for w in ("uniform", "early", [1, 0, 0, 1])]
    [0.7, 0.6, 0.7]
    >>> mean_over_bins(binned, [0, 0, 0, 0])
    nan
    """
    if isinstance(weights, str):
        if weights not in WEIGHTS:
            known = f"one of {', '.join(WEIGHTS)}, or {binned.n_bins + 2} numbers"
            hint = suggestion(weights, WEIGHTS)
            raise ParameterError(f"mean_over_bins: weights must be {known}, got {weights!r}{hint}")
        chosen = WEIGHTS[weights](binned.n_bins)
    else:
        chosen = _numbers(weights)
    if chosen.shape != (binned.n_bins + 2,) or not (chosen >= 0).all():
        must = f"{binned.n_bins + 2} numbers, at least 0, one per bin"
        raise ParameterError.of("mean_over_bins", "weights", must, plain(weights))
    total = float(chosen.sum())
    used = chosen > 0
    return float(chosen[used] @ binned.final[used]) / total if total else float("nan")


def _numbers(weights: Sequence[float] | F64) -> F64:
    """The weights as an array; an empty one, which is refused, if they are not numbers."""
    try:
        return np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        return np.empty(0)


def bin_positions(n_bins: int, scale: float = 100.0) -> F64:
    """Positions of bins 1 to B on a scale that does not depend on B: b · scale / B.

    Examples
    --------
    >>> bin_positions(4).tolist()
    [25.0, 50.0, 75.0, 100.0]
    """
    check_bins("bin_positions", n_bins)
    return np.arange(1, n_bins + 1) * scale / max(n_bins, 1)
