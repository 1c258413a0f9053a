"""Selected features: a side table of the log, with one row per change of the selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from streamgauge.types import I64, U16, U32, U64


@dataclass(frozen=True, slots=True)
class Selections:
    """The features that a learner selected, one row per change, in order.

    `item` is the item that was learned when the selection changed; it holds from then on. `fold` is
    the fold of the learner. `chosen` has the numbers of the features of all rows, one row after
    the other, ascending in each; those of row i are from `offset[i]` to `offset[i + 1]` - 1.

    Examples
    --------
    >>> selected = Selections.of([(0, [2, 0]), (99, [1, 2])])
    >>> selected.item.tolist(), [row.tolist() for row in selected.features]
    ([0, 99], [[0, 2], [1, 2]])
    """

    item: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    fold: U16 = field(default_factory=lambda: np.empty(0, np.uint16))
    chosen: U32 = field(default_factory=lambda: np.empty(0, np.uint32))
    offset: I64 = field(default_factory=lambda: np.zeros(1, np.int64))

    @classmethod
    def of(cls, changes: Iterable[tuple[int, Sequence[int] | U32]], fold: int = 0) -> Selections:
        """From one (item, features) per change."""
        rows = list(changes)
        features = [np.sort(np.asarray(r[1], np.uint32)) for r in rows]
        return cls(
            np.array([r[0] for r in rows], np.uint64),
            np.full(len(rows), fold, np.uint16),
            np.concatenate([np.empty(0, np.uint32), *features]),
            np.cumsum([0, *map(len, features)], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.item)

    @property
    def features(self) -> list[U32]:
        """The selected features of each row, ascending."""
        return np.split(self.chosen, self.offset[1:-1]) if len(self) else []

    def take(self, rows: I64) -> Selections:
        """The given rows."""
        features = self.features
        kept = [features[row] for row in rows.tolist()]
        return Selections(
            self.item[rows],
            self.fold[rows],
            np.concatenate([np.empty(0, np.uint32), *kept]),
            np.cumsum([0, *map(len, kept)], dtype=np.int64),
        )

    def of_fold(self, fold: int) -> Selections:
        """The rows of one fold."""
        return self.take(np.flatnonzero(self.fold == fold))


def concatenate_selections(parts: Iterable[Selections]) -> Selections:
    """Several tables as one."""
    held = [part for part in parts if len(part)]
    if not held:
        return Selections()
    counts = np.concatenate([np.diff(p.offset) for p in held])
    return Selections(
        np.concatenate([p.item for p in held]),
        np.concatenate([p.fold for p in held]),
        np.concatenate([p.chosen for p in held]),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)]),
    )
