"""The labels before an item, as far as they are known when it is predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, NONE, U64, Codes

Late: TypeAlias = Literal["label", "prediction", "both"]
"""What replaces a label that is not known yet: an older label, the prediction, or both."""


def check(learner: object, order: int, late: Late) -> None:
    """Refuse an order below 1 and an unknown `late`."""
    if not isinstance(order, int) or isinstance(order, bool) or order < 1:
        raise ParameterError.of(learner, "order", "a whole number, at least 1", order)
    if late not in get_args(Late):
        raise ParameterError.of(learner, "late", f"one of {', '.join(get_args(Late))}", late)


@dataclass(slots=True)
class History:
    """The last labels learned, and for each pending item what was known of those before it.

    `late="label"`: the last `order` known labels, newest first, however old. `late="prediction"`:
    of each of the `order` items before, its label if known, otherwise its prediction.
    `late="both"`: the former, then the latter. `NONE` where there is none.

    Predicting changes nothing here. The engine passes predictions by `predicted`, and item numbers
    when items are learned; the columns of an item's first prediction are kept until then, because
    the item is trained on them.
    """

    order: int
    late: Late
    labels: list[int] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    pending: dict[int, list[int]] = field(default_factory=dict)
    next: int = 0

    @property
    def width(self) -> int:
        """Number of columns."""
        return 2 * self.order if self.late == "both" else self.order

    def before(self, item: int, made: dict[int, int] | None = None) -> list[int]:
        """The current columns of an item; `made` are predictions not yet passed to `predicted`."""
        older = self.labels + [NONE] * (self.order - len(self.labels))
        if self.late == "label":
            return older
        made = made or {}
        recent = [
            self.values.get(i, made.get(i, NONE))
            for i in range(item - 1, item - 1 - self.order, -1)
        ]
        return older + recent if self.late == "both" else recent

    def predicted(self, first: int, predictions: Codes | F64) -> None:
        """Store the predictions of items from `first` on, and their columns."""
        for item, prediction in enumerate(predictions.tolist(), first):
            if item not in self.pending:
                self.pending[item] = self.before(item)
                self.values.setdefault(item, int(prediction))
        self.next = max(self.next, first + len(predictions))

    def learned(self, labels: Codes, items: U64 | None) -> Codes:
        """Store labels; the columns to train each item on: those of its prediction, or current."""
        columns = np.empty((len(labels), self.width), dtype=np.int32)
        for row, label in enumerate(labels.tolist()):
            item = self.next if items is None else int(items[row])
            kept = self.pending.pop(item, None)
            columns[row] = self.before(item) if kept is None else kept
            self._know(item, label)
        return columns

    def segments(self, first: int, labels: Codes) -> Iterator[tuple[slice, Codes]]:
        """Segments of items that are predicted and learned one by one, and their columns.

        A segment ends where later columns depend on its last prediction.
        """
        known = labels != NONE
        ends = [len(labels)] if self.late == "label" else _ends(known)
        low = 0
        for high in ends:
            some = slice(low, high)
            yield some, self._columns(first + low, labels[some], known[some])
            for item in range(max(low, high - self.order - 1), high):
                if known[item]:
                    self.values[first + item] = int(labels[item])
            self.labels = [
                *labels[some][known[some]][: -self.order - 1 : -1].tolist(),
                *self.labels,
            ][: self.order]
            low = high
        self.next = max(self.next, first + len(labels))
        if not self.pending:  # no older item is used again
            self.forget(self.next)

    def forget(self, keep_from: int) -> None:
        """Forget items below `keep_from`, except the `order` items before it."""
        for item in [i for i in self.pending if i < keep_from]:
            del self.pending[item]
        if self.values and min(self.values) < keep_from - self.order:
            self.values = {i: v for i, v in self.values.items() if i >= keep_from - self.order}

    def _know(self, item: int, label: int) -> None:
        self.labels = [label, *self.labels][: self.order]
        if self.late != "label":
            self.values[item] = label
        self.next = max(self.next, item + 1)

    def _columns(self, first: int, labels: Codes, known: np.ndarray) -> Codes:
        """The columns of consecutive items, of which only the last may lack a label."""
        blocks = []
        if self.late != "prediction":
            line = np.array([*[NONE] * self.order, *self.labels[::-1], *labels[known]], np.int32)
            at = self.order + len(self.labels) + np.cumsum(known) - known
            blocks.append(line[at[:, None] - 1 - np.arange(self.order)])
        if self.late != "label":
            past = [self.values.get(i, NONE) for i in range(first - self.order, first)]
            line = np.array([*past, *labels], np.int32)
            at = self.order + np.arange(len(labels))
            blocks.append(line[at[:, None] - 1 - np.arange(self.order)])
        return np.concatenate(blocks, axis=1)


def _ends(known: np.ndarray) -> list[int]:
    ends = (np.flatnonzero(~known) + 1).tolist()
    return ends if ends and ends[-1] == len(known) else [*ends, len(known)]
