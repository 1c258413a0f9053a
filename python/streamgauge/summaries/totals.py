"""Sums over classes."""

from __future__ import annotations

import numpy as np

from streamgauge.types import F64


def total(each: F64) -> F64:
    """The sum over the first axis, one after the other.

    NumPy's own sum takes another order for a single snapshot than for a stack of them, and then
    the last digit would depend on how a log is cut.

    Examples
    --------
    >>> total(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [4.0, 6.0]
    """
    if not len(each):
        return np.zeros(each.shape[1:])
    sum_so_far: F64 = np.array(each[0], np.float64)
    for one in each[1:]:
        sum_so_far += one
    return sum_so_far


def total_product(a: F64, b: F64) -> F64:
    """The same of products."""
    sum_so_far: F64 = np.asarray(a[0] * b[0])
    for one, other in zip(a[1:], b[1:], strict=True):
        sum_so_far = sum_so_far + one * other
    return sum_so_far
