"""The loss of each prediction (zero-one or absolute error): the input of detectors and bands."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from streamgauge.types import F64, NONE, Codes, Flags

LossColdStart: TypeAlias = Literal["count_wrong", "skip"]
"""How an item without a prediction counts, at the start or later."""


def losses(
    labels: Codes | F64, predictions: Codes | F64, cold_start: LossColdStart = "count_wrong"
) -> tuple[F64, Flags]:
    """The loss of each item, and which items have one.

    The loss is 0 or 1 for classes, the absolute error for a real target. An item without a label
    has no loss. Without a prediction the loss of a class is 1 (with `cold_start="skip"` there is
    none); with a real target there is none.

    Examples
    --------
    >>> loss, known = losses(np.array([1, 1, -1, 0]), np.array([1, 0, 0, -1]))
    >>> loss[known].tolist()
    [0.0, 1.0, 1.0]
    """
    if labels.dtype.kind == "f":
        loss = np.abs(labels - predictions)
        return loss, ~np.isnan(loss)
    known: Flags = labels != NONE
    if cold_start == "skip":
        known &= predictions != NONE
    return (labels != predictions).astype(np.float64), known
