"""What measures are computed from: labels beside answers."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge.types import F64, I64, U64, Codes


@dataclass(frozen=True, slots=True)
class Pairs:
    """Labels beside the answers given to them, in the order the labels became known.

    `item` None: consecutive items from `first` on. `time` None: the items' own numbers.
    `previous` is the label before each one in stream order (`NONE` or NaN: there is none);
    None: the row above, across batches too. `answer` is `NONE` or NaN where nothing was said.
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
