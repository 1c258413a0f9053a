"""Interface of the builders that turn the rows of a log into summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import LabelledPredictions
from streamgauge.types import F64, I64, Schema

ColdStart: TypeAlias = Literal["count_wrong", "skip", "default_class"]
"""How an item without a prediction is treated."""


@dataclass(frozen=True, slots=True)
class SummaryOptions:
    """Options of a summary builder.

    `windows` are pairs of kind and parameter. `expected_snapshots` is the number of snapshots to
    reserve memory for.
    """

    schema: Schema
    windows: tuple[tuple[str, float], ...]
    every: int
    cold_start: ColdStart
    weighted: bool = False
    expected_snapshots: int = 0

    @property
    def classes(self) -> int:
        """Number of classes, at least 1: the schema of a stream without labels declares none."""
        return len(self.schema.classes or ()) or 1


S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Snapshots(Generic[S_co]):
    """A stack of summaries of one window, and after how many known labels each was taken."""

    at: I64
    stack: S_co


class SummaryBuilder(Protocol[S_co]):
    """Adds up the rows of a log, batch by batch, and returns snapshots of each window.

    `cold_start` is how it treats items without a prediction.
    """

    cold_start: ColdStart

    def push(self, batch: LabelledPredictions) -> int:
        """Add a batch; returns how many of its labels are known."""

    def coverage(self) -> tuple[int, int]:
        """Number of known labels, and how many of those items have no prediction."""

    def take(self) -> Sequence[Snapshots[S_co]]:
        """The snapshots of each window since the last call, in the order of `windows`."""

    def finish(self) -> Sequence[Snapshots[S_co]]:
        """As `take`, with one more snapshot after the last row; no batch can follow."""


def weights(batch: LabelledPredictions) -> F64:
    """The weights of a batch; 1 where a log has none."""
    if batch.weight is None:
        return np.ones(len(batch))
    return np.ascontiguousarray(batch.weight, np.float64)


def scores(batch: LabelledPredictions, classes: int) -> F64:
    """The scores of a batch; raises LogError if there are none or their shape is wrong."""
    if batch.scores is None:
        raise LogError(
            "measure: this log has no scores; run with scores=True to record them (a log of "
            "`at_bin` never has them)"
        )
    if batch.scores.shape != (len(batch), classes):
        raise LogError(
            f"measure: scores must have {classes} columns, one per class, "
            f"got shape {batch.scores.shape} for {len(batch)} rows"
        )
    return np.ascontiguousarray(batch.scores, np.float64)
