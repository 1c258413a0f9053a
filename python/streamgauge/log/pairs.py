"""What measures are computed from: labels beside answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from streamgauge.types import F64, I64, U64, Codes, missing, nothing


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


Beside: TypeAlias = Iterator[tuple[Pairs, Codes | F64]]
"""Batches of a log, each with another column beside it."""


def previous_labels(batches: Iterable[Pairs]) -> Beside:
    """Each batch with the labels before its own; `NONE` or NaN where there is none."""
    last: Codes | F64 | None = None
    for batch in batches:
        if not len(batch):
            continue
        if batch.previous is not None:
            yield batch, batch.previous
        else:
            head = np.full(1, nothing(batch.label), batch.label.dtype) if last is None else last
            yield batch, np.concatenate([head, batch.label[:-1]])
        last = batch.label[-1:]


def known_rows(batches: Iterable[Pairs]) -> Iterator[Pairs]:
    """The rows with a label, batch by batch; none of them is empty."""
    for batch in batches:
        label = batch.label
        known = ~missing(label)
        rows = batch if known.all() else taken(batch, np.flatnonzero(known))
        if len(rows):
            yield rows


def items_of(pairs: Pairs) -> U64:
    """The numbers of the items."""
    if pairs.item is not None:
        return pairs.item
    return np.arange(pairs.first, pairs.first + len(pairs), dtype=np.uint64)


def taken(pairs: Pairs, rows: Any) -> Pairs:
    """Some rows, with all their columns; `rows` is an array of their places."""
    item = items_of(pairs)[rows]
    columns = (f.name for f in fields(pairs) if f.name not in ("first", "item"))
    held = {name: getattr(pairs, name) for name in columns}
    some: dict[str, Any] = {k: None if v is None else v[rows] for k, v in held.items()}
    return Pairs(int(item[0]) if len(item) else 0, item=item, **some)
