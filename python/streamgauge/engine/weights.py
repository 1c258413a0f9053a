"""The weights of items in flight, for the labels that come later."""

from __future__ import annotations

import numpy as np

from streamgauge.types import F64, U64, Flags


class Weights:
    """Weights by item; 1 where none is given. Nothing is held for a stream without weights."""

    def __init__(self) -> None:
        self._item: U64 = np.empty(0, np.uint64)
        self._weight: F64 = np.empty(0)

    def add(self, first: int, weights: F64 | None) -> None:
        """Take in the weights of consecutive items, which follow all items before."""
        if weights is not None:
            item = np.arange(first, first + len(weights), dtype=np.uint64)
            self._item = np.concatenate([self._item, item])
            self._weight = np.concatenate([self._weight, weights])

    def of(self, items: U64) -> F64 | None:
        """The weights of these items; None: each is 1."""
        if not len(self._item):
            return None
        row = np.minimum(np.searchsorted(self._item, items), len(self._item) - 1)
        return np.where(self._item[row] == items, self._weight[row], 1.0)

    def keep(self, pending: U64) -> None:
        """Only the labels of these items may still come."""
        self._stay(np.isin(self._item, pending))

    def keep_from(self, item: int) -> None:
        """Only the labels of items from this one on may still come."""
        self._stay(self._item >= np.uint64(item))

    def _stay(self, which: Flags) -> None:
        if not which.all():
            self._item, self._weight = self._item[which], self._weight[which]
