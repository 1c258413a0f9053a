"""Labels with their predictions: the input of measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np

from streamgauge.log._join import Pending, join, past_item, same_rows
from streamgauge.log._previous import Known, known
from streamgauge.log.rows import Columns, Labels, Predictions, concatenated
from streamgauge.types import F64, I64, U64, Codes, missing, nothing


@dataclass(frozen=True, slots=True)
class LabelledPredictions(Columns):
    """Labels with their predictions, in the order the labels became known.

    `item` None: consecutive items from `first` on. `time` None: the item numbers. `previous` is the
    label before each one in stream order (`NONE` or NaN if there is none); None: the row above,
    across batches too. `prediction` is `NONE` or NaN if the learner abstained. `weight` None: every
    weight is 1. `position` is the number of items before a curve's point after each row; None:
    those up to the item of the row.
    """

    first: int
    label: Codes | F64
    prediction: Codes | F64
    scores: F64 | None = None
    item: U64 | None = None
    time: I64 | None = None
    previous: Codes | F64 | None = None
    weight: F64 | None = None
    position: I64 | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def items(self) -> U64:
        """The number of the item of each row."""
        if self.item is not None:
            return self.item
        return np.arange(self.first, self.first + len(self), dtype=np.uint64)

    @property
    def consecutive(self) -> int | None:
        """The first item if the numbers are not stored."""
        return self.first if self.item is None else None

    def slice(self, start: int, stop: int) -> LabelledPredictions:
        """Rows `start` to `stop` - 1, as views."""
        if start == 0 and stop >= len(self):
            return self
        first = self.first + start if self.item is None else int(self.item[start])
        return self._of(
            first, None if self.item is None else self.item[start:stop], slice(start, stop)
        )

    def take(self, rows: Any) -> LabelledPredictions:
        """The given rows: positions, or one flag per row."""
        item = self.items[rows]
        return self._of(int(item[0]) if len(item) else 0, item, rows)

    @classmethod
    def concatenate(cls, parts: Sequence[LabelledPredictions]) -> LabelledPredictions:
        """Several batches as one; a column missing in one of them is left out, weights become 1."""
        if len(parts) == 1:
            return parts[0]
        held = [replace(part, item=part.items) for part in parts]
        return cls(parts[0].first, **{name: concatenated(held, name) for name in COLUMNS})

    def _of(self, first: int, item: U64 | None, rows: Any) -> LabelledPredictions:
        held = {name: getattr(self, name) for name in COLUMNS if name != "item"}
        cut: dict[str, Any] = {
            name: None if column is None else column[rows] for name, column in held.items()
        }
        return LabelledPredictions(first, item=item, **cut)


COLUMNS = tuple(f.name for f in fields(LabelledPredictions) if f.name != "first")
"""The columns of `LabelledPredictions`."""


WithColumn: TypeAlias = Iterator[tuple[LabelledPredictions, Codes | F64]]
"""Batches of a log, each with another column."""


def previous_labels(batches: Iterable[LabelledPredictions]) -> WithColumn:
    """Each batch with its previous labels; `NONE` or NaN if there is none."""
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


def known_rows(batches: Iterable[LabelledPredictions]) -> Iterator[LabelledPredictions]:
    """The rows with a label, in non-empty batches."""
    for batch in batches:
        label = batch.label
        known = ~missing(label)
        rows = batch if known.all() else batch.take(known)
        if len(rows):
            yield rows


@dataclass(frozen=True, slots=True)
class _First(Columns):
    """The columns of first predictions that labelled predictions need."""

    item: U64
    time: I64
    prediction: Codes | F64
    scores: F64 | None


def _first_predictions(predictions: Iterator[Predictions]) -> Iterator[_First]:
    for rows in predictions:
        first = _First(rows.item, rows.time, rows.prediction, rows.scores)
        own = rows.turn == 0
        yield first if own.all() else first.take(own)


def _one_row_each(right: Pending[_First], labels: Known) -> int:
    """The number of first rows of the same items, if no other fold predicted them.

    A row of another fold would follow with the same time.
    """
    rows, part = same_rows(right, labels), right.part(0)
    if not rows or part is None:
        return 0
    after, nth = (part, rows) if rows < len(part) else (right.part(1), 0)
    return rows if after is None or after.time[nth] != part.time[rows - 1] else 0


def _past_items(right: Pending[_First], labels: Known) -> None:
    """Read past these items, and past the time of the next one.

    First predictions are in the order of items, but at equal times sorted by fold.
    """
    past_item(right, labels)
    rows = right.rows
    if rows is None:
        return
    beyond = np.flatnonzero(rows.item > labels.item.max())
    last: _First | None = rows
    while last is not None and len(beyond) and last.time[-1] == rows.time[beyond[0]]:
        last = right.read()


def join_labels(
    predictions: Iterator[Predictions],
    read_labels: Callable[[], Iterator[Labels]],
    labels_in_order: bool,
) -> Iterator[LabelledPredictions]:
    """Each label with the first prediction of each fold, in the order labels became known."""
    batches = known(read_labels, labels_in_order)
    first = Pending(_first_predictions(predictions))
    done = 0
    for batch, place, rows in join(batches, first, _past_items, _one_row_each, labels_in_order):
        labels = batch if place is None else batch.take(place)
        # Without that column the previous label is the row above, across batches too.
        previous = labels.previous if labels.start == done else labels.written_out
        done = labels.stop
        yield LabelledPredictions(
            int(labels.item[0]),
            labels.label,
            rows.prediction,
            rows.scores,
            item=labels.item,
            time=labels.time,
            previous=previous,
            weight=labels.weight,
        )
