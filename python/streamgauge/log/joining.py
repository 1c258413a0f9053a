"""Answers meet their labels: the one join of the house, streaming over both tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from streamgauge.log.by_number import ByNumber
from streamgauge.log.pairs import Pairs
from streamgauge.log.rows import Said, Truth
from streamgauge.types import F64, U64, Codes


def of_fold(said: Iterator[Said], fold: int | None) -> Iterator[Said]:
    """What one copy said; all of it if `fold` is None."""
    if fold is None:
        yield from said
        return
    for rows in said:
        own = rows.fold == fold
        if own.all():
            yield rows
        elif own.any():
            yield Said(
                rows.item[own],
                rows.fold[own],
                rows.turn[own],
                rows.kind[own],
                rows.time[own],
                rows.answer[own],
                None if rows.scores is None else rows.scores[own],
            )


def joined(
    said: Iterator[Said], true: Callable[[], Iterator[Truth]], labels_in_order: bool
) -> Iterator[Pairs]:
    """Each label with the first answer of each fold, in the order the labels became known.

    What waits in memory is what was said and not yet labelled; where labels come in item order
    an answer that its label has passed by is let go.
    """
    waiting = _Waiting(said)
    before = None if labels_in_order else _Previous(true)
    for batch in true():
        if not len(batch):
            continue
        waiting.read_to(int(batch.item.max()))
        rows, answers, scores = waiting.take(batch.item, labels_in_order)
        if not len(rows):
            continue
        whole = len(rows) == len(batch) and bool((np.diff(rows) == 1).all())
        item = batch.item if whole else batch.item[rows]
        label = batch.label if whole else batch.label[rows]
        time = batch.time if whole else batch.time[rows]
        yield Pairs(
            int(item[0]),
            label,
            answers,
            scores,
            item=item,
            time=time,
            previous=None if before is None else before.of(item),
        )


class _Waiting:
    """First answers that have not met their label yet, sorted by item, then fold."""

    def __init__(self, said: Iterator[Said]) -> None:
        self._said = said
        self._item: U64 = np.empty(0, np.uint64)
        self._answer: Codes | F64 = np.empty(0, np.int32)
        self._scores: F64 | None = None
        self._furthest = -1
        self._more = True

    def read_to(self, item: int) -> None:
        """Read on until answers up to `item` are here; items are first asked in order."""
        parts: list[Said] = []
        while self._more and self._furthest < item:
            batch = next(self._said, None)
            if batch is None:
                self._more = False
            elif len(batch):
                parts.append(batch)
                self._furthest = max(self._furthest, int(batch.item.max()))
        for batch in parts:
            first = batch.turn == 0
            keep: slice | np.ndarray[tuple[int], np.dtype[np.bool_]]
            keep = slice(None) if bool(first.all()) else first
            self._add(
                batch.item[keep],
                batch.answer[keep],
                None if batch.scores is None else batch.scores[keep],
            )

    def _add(self, item: U64, answer: Codes | F64, scores: F64 | None) -> None:
        if len(self._item):
            item = np.concatenate([self._item, item])
            answer = np.concatenate([self._answer, answer])
            if scores is not None and self._scores is not None:
                scores = np.concatenate([self._scores, scores])
        if len(item) > 1 and bool((item[1:] < item[:-1]).any()):
            order = np.argsort(item, kind="stable")
            item, answer = item[order], answer[order]
            scores = None if scores is None else scores[order]
        self._item, self._answer, self._scores = item, answer, scores

    def take(
        self, items: U64, in_order: bool
    ) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], Codes | F64, F64 | None]:
        """Rows of `items` that have an answer (one a fold), with the answers and scores."""
        n = len(items)
        side_by_side = in_order and np.array_equal(self._item[:n], items)
        if side_by_side and (n == len(self._item) or self._item[n] != items[-1]):
            return np.arange(n), *self._head(n)  # one answer each: no search
        low = np.searchsorted(self._item, items, side="left")
        high = np.searchsorted(self._item, items, side="right")
        count = high - low
        rows = np.repeat(np.arange(len(items)), count)
        starts = np.repeat(low - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
        at = starts + np.arange(len(rows))
        answers = self._answer[at]
        scores = None if self._scores is None else self._scores[at]
        if in_order:
            gone = int(high.max()) if len(high) else 0
            keep: slice | np.ndarray[tuple[int], np.dtype[np.bool_]] = slice(gone, None)
        else:
            keep = np.ones(len(self._item), np.bool_)
            keep[at] = False
        self._item, self._answer = self._item[keep], self._answer[keep]
        self._scores = None if self._scores is None else self._scores[keep]
        return rows, answers, scores

    def _head(self, n: int) -> tuple[Codes | F64, F64 | None]:
        """Hand out the first `n` answers and let them go."""
        answers = self._answer[:n]
        scores = None if self._scores is None else self._scores[:n]
        self._item, self._answer = self._item[n:], self._answer[n:]
        self._scores = None if self._scores is None else self._scores[n:]
        return answers, scores


class _Previous:
    """The label before each item in stream order, when labels came in another order.

    That label may come long after the item's own, so all are gone through beforehand.
    """

    def __init__(self, true: Callable[[], Iterator[Truth]]) -> None:
        self._before: ByNumber | None = None
        self._kind: np.dtype[Any] = np.dtype(np.int32)
        for batch in true():
            if len(batch):
                if self._before is None:
                    self._kind = batch.label.dtype
                    self._before = ByNumber(np.int32 if self._kind.kind == "i" else np.uint64)
                self._before.put(batch.item, self._marked(batch.label))
        self._fill()

    def of(self, item: U64) -> Codes | F64 | None:
        if self._before is None:
            return None
        cells = self._before.get(np.maximum(item, 1) - np.uint64(1))
        return self._labels(np.where(item > 0, cells, 0).astype(cells.dtype))

    def _fill(self) -> None:
        """Carry each label on to the items after it that have none."""
        last = 0
        for low in range(0, 0 if self._before is None else len(self._before), STRETCH):
            assert self._before is not None
            cells = self._before.stretch(low, low + STRETCH)
            at = np.where(cells != 0, np.arange(len(cells)), -1)
            at = np.maximum.accumulate(at)
            cells[:] = np.where(at < 0, last, cells[at])
            last = cells[-1]

    def _marked(self, labels: Codes | F64) -> Any:
        """Labels as cells that are never 0, which stands for no label."""
        if self._kind.kind == "i":
            return labels + 2
        return np.ascontiguousarray(labels, np.float64).view(np.uint64) ^ NO_REAL

    def _labels(self, cells: Any) -> Codes | F64:
        if self._kind.kind == "i":
            return np.where(cells == 0, -1, cells - 2).astype(self._kind)
        reals: F64 = np.where(cells == 0, NO_REAL, cells ^ NO_REAL).view(np.float64)
        return np.where(cells == 0, np.nan, reals)


STRETCH = 65_536
"""Items whose labels are carried on at once."""

NO_REAL = np.uint64(0xFFF8_5747_2000_0001)
"""The bits of a NaN that no computation makes: what stands for no label is told from 0.0."""


def previous_labels(
    true: Callable[[], Iterator[Truth]], labels_in_order: bool
) -> Callable[[U64], Codes | F64 | None] | None:
    """Item -> the label before it in stream order; None if labels came in that order."""
    return None if labels_in_order else _Previous(true).of
