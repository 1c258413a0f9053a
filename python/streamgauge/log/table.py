"""A closed log: read-only, the one thing every measure is computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from streamgauge.types import F64, I64, U64, Codes, Schema


@dataclass(frozen=True, slots=True)
class Pairs:
    """Labels beside the answers given to them, in the order the labels became known.

    `item` None: consecutive items from `first` on. `time` None: the items' own numbers.
    `previous` is the label before each one in stream order; None: the row above
    (across batches too). `answer` is `NONE` or NaN where nothing was said.
    """

    first: int
    label: Codes | F64
    answer: Codes | F64
    scores: F64 | None = None
    item: U64 | None = None
    time: I64 | None = None
    previous: Codes | F64 | None = None
    weight: F64 | None = None

    def __len__(self) -> int:
        return len(self.label)


@dataclass(frozen=True, slots=True)
class Log:
    """What a run said, and what was true. Plain data; the verbs are functions."""

    schema: Schema
    held: Pairs
    about: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True

    def __len__(self) -> int:
        return len(self.held)

    def pairs(self) -> Iterator[Pairs]:
        """Every known label with its answer, batch by batch, in constant memory."""
        if len(self.held):
            yield self.held


def from_columns(
    schema: Schema, label: Codes | F64, answer: Codes | F64, scores: F64 | None = None
) -> Log:
    """A log from two columns: a run made elsewhere is as good as ours."""
    return Log(schema, Pairs(0, label, answer, scores))
