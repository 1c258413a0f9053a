"""What a detector is shown of labels and answers."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from streamgauge.types import F64, NONE, Codes, Flags

ColdStart: TypeAlias = Literal["count_wrong", "skip"]
"""What becomes of an item to which nothing was said."""


def losses(
    labels: Codes | F64, answers: Codes | F64, cold_start: ColdStart = "count_wrong"
) -> tuple[F64, Flags]:
    """The loss of each item, and which items have one: 0 or 1 for classes, else |label - answer|.

    Without a label there is no loss. To a class that nothing was said about the loss is 1, unless
    `cold_start="skip"`; with a real target there is none.

    Examples
    --------
    >>> loss, known = losses(np.array([1, 1, -1, 0]), np.array([1, 0, 0, -1]))
    >>> loss[known].tolist()
    [0.0, 1.0, 1.0]
    """
    if labels.dtype.kind == "f":
        loss = np.abs(labels - answers)
        return loss, ~np.isnan(loss)
    known: Flags = labels != NONE
    if cold_start == "skip":
        known &= answers != NONE
    return (labels != answers).astype(np.float64), known
