"""Sums of the errors and labels of regression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from streamgauge._core import Moments as Core
from streamgauge.log import LabelledPredictions
from streamgauge.summaries._builder import Snapshots, SummaryOptions, weights
from streamgauge.types import F64, I64


@dataclass(frozen=True)
class Moments:
    """Sums of errors, and mean, squared deviations and range of labels; or a stack of such.

    `sums` holds by name: `total` (number of items); `absolute_errors` and `squared_errors`;
    `label_sum`, `label_mean`, `squared_deviations` (from that mean), `lowest_label` and
    `highest_label`; the errors of predicting the previous label (`last_value_absolute`,
    `last_value_squared`, over `with_previous` items) and of predicting the mean of the labels
    before (`target_mean_absolute`, `target_mean_squared`, over `baseline_items`); and, for a mean
    that starts at 0, its error on the first label (`first_absolute`, `first_squared`).

    Examples
    --------
    >>> m = Moments.of([1.0, 2.0, 4.0], [1.0, 1.0, 1.0])
    >>> float(m["absolute_errors"]), float(m["squared_errors"]), float(m["last_value_absolute"])
    (4.0, 10.0, 3.0)
    """

    sums: Mapping[str, F64]

    def __getitem__(self, name: str) -> F64:
        return self.sums[name]

    @classmethod
    def of(cls, label: object, prediction: object) -> Moments:
        """From labels and predictions."""
        core = Core([("whole", 0.0)], 2**62, "skip")
        core.push(np.asarray(label, np.float64), np.asarray(prediction, np.float64))
        ((_, stack),) = core.finish()
        return cls(dict(zip(Core.layout(), stack[:, 0], strict=True)))


class MomentsBuilder:
    """Sums errors and labels over many windows, in one pass."""

    def __init__(self, options: SummaryOptions, parts: frozenset[str]) -> None:
        self.cold_start = options.cold_start
        self._options = options
        self._core = Core(
            list(options.windows),
            options.every,
            options.cold_start,
            options.weighted,
            options.expected_snapshots,
        )

    def push(self, batch: LabelledPredictions) -> int:
        """Add a batch; returns how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(batch.label, np.float64),
            np.ascontiguousarray(batch.prediction, np.float64),
            None if batch.previous is None else np.ascontiguousarray(batch.previous, np.float64),
            weights(batch) if self._options.weighted else None,
        )

    def coverage(self) -> tuple[int, int]:
        """Number of known labels, and how many of those items have no prediction."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Moments]]:
        """The snapshots of each window since the last call."""
        return _snapshots(self._core.take())

    def finish(self) -> list[Snapshots[Moments]]:
        """The remaining snapshots."""
        return _snapshots(self._core.finish())


def _snapshots(stacks: list[tuple[I64, F64]]) -> list[Snapshots[Moments]]:
    names = Core.layout()
    return [Snapshots(at, Moments(dict(zip(names, stack, strict=True)))) for at, stack in stacks]
