"""Sum over classes, the same for one snapshot and for a stack."""

from __future__ import annotations

import numpy as np

from streamgauge.types import F64


def class_sum(values: F64) -> F64:
    """Sum over the first axis (the classes), one class after the other.

    `np.sum` adds in another order for a single snapshot than for a stack of them; the last digit
    would then depend on how the log is split into pieces.

    Examples
    --------
    >>> class_sum(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [4.0, 6.0]
    """
    if not len(values):
        return np.zeros(values.shape[1:])
    result: F64 = np.array(values[0], np.float64)
    for row in values[1:]:
        result += row
    return result
