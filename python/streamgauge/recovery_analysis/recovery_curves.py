"""The curves of all repetitions on two pure streams and on their mixture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, I64


@dataclass(frozen=True, slots=True)
class RecoveryCurves:
    """Curves of one learner: one row per repetition, one column per point.

    `at` is the number of items up to each point. The rows of a repetition belong together: its
    mixture is made of its pure streams.
    """

    at: I64
    before: F64
    after: F64
    mixture: F64

    def __post_init__(self) -> None:
        shapes = {np.shape(rows) for rows in (self.before, self.after, self.mixture)}
        if len(shapes) > 1 or self.before.ndim != 2 or self.before.shape[1] != len(self.at):
            raise ParameterError(
                "RecoveryCurves: curves must have one row per repetition and "
                f"{len(self.at)} points, got shapes {', '.join(map(str, sorted(shapes)))}"
            )

    @property
    def repetitions(self) -> int:
        """Number of repetitions."""
        return len(self.before)

    @property
    def identical(self) -> bool:
        """Whether all repetitions have equal curves."""
        rows = (self.before, self.after, self.mixture)
        return all(bool(np.array_equal(r, np.tile(r[:1], (len(r), 1)), True)) for r in rows)

    def part(self, points: slice) -> RecoveryCurves:
        """Some of the points."""
        return RecoveryCurves(
            self.at[points],
            self.before[:, points],
            self.after[:, points],
            self.mixture[:, points],
        )

    def resampled(self, weights: F64) -> RecoveryCurves:
        """Weighted means over the repetitions, one row per row of weights."""
        with np.errstate(invalid="ignore"):
            return RecoveryCurves(
                self.at, weights @ self.before, weights @ self.after, weights @ self.mixture
            )
