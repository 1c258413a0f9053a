"""What folding a log into summaries takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import Pairs
from streamgauge.types import F64, I64, Schema

ColdStart: TypeAlias = Literal["count_wrong", "skip", "default_class"]
"""What becomes of an item to which nothing was said."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a fold must know besides the rows.

    `windows` are kinds with their parameters, `room` is how many snapshots to expect.
    """

    schema: Schema
    windows: tuple[tuple[str, float], ...]
    every: int
    cold_start: ColdStart
    weighted: bool = False
    room: int = 0

    @property
    def classes(self) -> int:
        """Number of classes; 1 where a stream without a label told of none, and nothing counts."""
        return len(self.schema.classes or ()) or 1


S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Snapshots(Generic[S_co]):
    """A stack of summaries of one window, and after how many known labels each was taken."""

    at: I64
    stack: S_co


class Folding(Protocol[S_co]):
    """Takes a log in, batch by batch, and gives snapshots of each window.

    `cold_start` is what it makes of items to which nothing was said.
    """

    cold_start: ColdStart

    def push(self, pairs: Pairs) -> int:
        """Take in a batch; how many of its labels are known."""

    def coverage(self) -> tuple[int, int]:
        """How many known labels there were, and to how many nothing was said."""

    def take(self) -> Sequence[Snapshots[S_co]]:
        """The snapshots of each window since they were last taken, in the order of the terms."""

    def finish(self) -> Sequence[Snapshots[S_co]]:
        """The same, and one after the last row; nothing can be taken in after this."""


def weights(pairs: Pairs) -> F64:
    """The weights of a batch; 1 where a log has none."""
    if pairs.weight is None:
        return np.ones(len(pairs))
    return np.ascontiguousarray(pairs.weight, np.float64)


def scores(pairs: Pairs, classes: int) -> F64:
    """The scores of a batch, or an error that says what to do."""
    if pairs.scores is None:
        raise LogError(
            "measure: this log has no scores; run with scores=True to have them recorded"
        )
    if pairs.scores.shape != (len(pairs), classes):
        raise LogError(
            f"measure: scores must have {classes} columns, one a class, "
            f"got shape {pairs.scores.shape} for {len(pairs)} rows"
        )
    return np.ascontiguousarray(pairs.scores, np.float64)
