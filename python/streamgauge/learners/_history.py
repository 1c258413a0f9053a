"""The labels before an item, as far as a learner may know them when it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.types import F64, NONE, U64, Codes

Late: TypeAlias = Literal["label", "answer", "both"]
"""What stands in for a label that is late: an older label, the answer to that item, or both."""


def check(learner: object, order: int, late: Late) -> None:
    """Refuse an order below 1 and an unknown way with late labels."""
    if not isinstance(order, int) or isinstance(order, bool) or order < 1:
        raise ParameterError.of(learner, "order", "a whole number, at least 1", order)
    if late not in get_args(Late):
        raise ParameterError.of(learner, "late", f"one of {', '.join(get_args(Late))}", late)


@dataclass(slots=True)
class History:
    """The last labels taught, and for each item in flight what is known of those before it.

    `late="label"`: the last `order` labels that have come, newest first, however old.
    `late="answer"`: of each of the `order` items before, its label if that has come, else the
    answer given to it. `late="both"`: the one, then the other. `NONE` where there is none.

    Asking changes nothing here. Whoever drives the learner tells by `asked` what was said to
    which item, and by its number when it is taught; the columns an item was first asked with
    are kept until then, because they are the ones to train on.
    """

    order: int
    late: Late
    labels: list[int] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, list[int]] = field(default_factory=dict)
    next: int = 0

    @property
    def width(self) -> int:
        """How many columns."""
        return 2 * self.order if self.late == "both" else self.order

    def before(self, item: int, said: dict[int, int] | None = None) -> list[int]:
        """The columns of an item as they are now; `said` are answers not yet told of."""
        older = self.labels + [NONE] * (self.order - len(self.labels))
        if self.late == "label":
            return older
        said = said or {}
        recent = [
            self.values.get(i, said.get(i, NONE))
            for i in range(item - 1, item - 1 - self.order, -1)
        ]
        return older + recent if self.late == "both" else recent

    def asked(self, first: int, answers: Codes | F64) -> None:
        """Take note of what was said to items from `first` on, and with which columns."""
        for item, answer in enumerate(answers.tolist(), first):
            if item not in self.waiting:
                self.waiting[item] = self.before(item)
                self.values.setdefault(item, int(answer))
        self.next = max(self.next, first + len(answers))

    def taught(self, labels: Codes, items: U64 | None) -> Codes:
        """Take labels in; the columns to train each item on, as it was asked or as it is now."""
        columns = np.empty((len(labels), self.width), dtype=np.int32)
        for row, label in enumerate(labels.tolist()):
            item = self.next if items is None else int(items[row])
            kept = self.waiting.pop(item, None)
            columns[row] = self.before(item) if kept is None else kept
            self._know(item, label)
        return columns

    def walked(self, first: int, labels: Codes) -> Iterator[tuple[slice, Codes]]:
        """Stretches of items that are asked and taught one by one, and their columns.

        A stretch ends where the columns behind it depend on an answer: tell it by `asked`.
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
        if not self.waiting:  # walking, nothing older is ever looked at again
            self.let_go(self.next)

    def let_go(self, keep_from: int) -> None:
        """Forget items below `keep_from`, but for those just before it."""
        for item in [i for i in self.waiting if i < keep_from]:
            del self.waiting[item]
        if self.values and min(self.values) < keep_from - self.order:
            self.values = {i: v for i, v in self.values.items() if i >= keep_from - self.order}

    def _know(self, item: int, label: int) -> None:
        self.labels = [label, *self.labels][: self.order]
        if self.late != "label":
            self.values[item] = label
        self.next = max(self.next, item + 1)

    def _columns(self, first: int, labels: Codes, known: np.ndarray) -> Codes:
        """The columns of consecutive items, of which none but the last may lack its label."""
        blocks = []
        if self.late != "answer":
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
