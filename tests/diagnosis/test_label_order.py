"""The order of label dependence, recomputed from its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from streamgauge.diagnosis import label_dependence
from streamgauge.streams import from_arrays


def order(labels, classes, lags):
    """The largest l such that Delta(1), ..., Delta(l) each exceed 0.01 and are significant.

    By the likelihood ratio of a binomial number, at 5 % over all classes and lags.
    """

    def share(of, lag):
        after = [
            t
            for t in range(lag, len(labels))
            if all(labels[t - s] == of for s in range(1, lag + 1))
        ]
        return (sum(labels[t] == of for t in after) / len(after) if after else math.nan), len(after)

    for lag in range(1, lags + 1):
        large = False
        for of in range(classes):
            (p, n), (before, _) = share(of, lag), share(of, lag - 1)
            if n and abs(p - before) >= 0.01:
                seen, given = stats.binom.logpmf(round(p * n), n, [p, before])
                large |= 2 * (seen - given) > stats.chi2.isf(0.05 / classes / lags, 1)
        if not large:
            return lag - 1
    return lags


@pytest.mark.parametrize("stay", [0.5, 0.53, 0.6, 0.9])
@pytest.mark.parametrize("memory", [1, 2])
def test_the_order_is_that_of_the_definition(stay, memory):
    rng = np.random.default_rng(3)
    labels = [0, 1]
    for draw in rng.random(6000):
        last = labels[-memory]
        labels.append(last if draw < stay else 1 - last)
    found = label_dependence(from_arrays(np.zeros((len(labels), 1)), np.array(labels)), lags=4)
    assert found.order == order(labels, 2, 4)
