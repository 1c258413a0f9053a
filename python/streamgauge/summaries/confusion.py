"""Labels against answers, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from streamgauge._core import Confusions
from streamgauge.errors import LogError
from streamgauge.log import Log, Pairs
from streamgauge.summaries.folding import Snapshots, Terms, weights
from streamgauge.summaries.shares import Beyond
from streamgauge.summaries.smoothed import Smoothed
from streamgauge.summaries.totals import total, total_product
from streamgauge.types import F64, I64, Value


@dataclass(frozen=True)
class Confusion(Beyond):
    """Counts of labels and answers, or a stack of such.

    Only what was asked for is there. Counts per class have the class as their first axis, so
    that a formula over a stack reads memory in one go.

    Examples
    --------
    >>> c = Confusion.of([[20, 5], [10, 15]])
    >>> float(c.total), float(c.agreed), c.truths.tolist(), c.answers.tolist()
    (50.0, 35.0, [25.0, 25.0], [30.0, 20.0])
    """

    classes: tuple[Value, ...]
    counts: Mapping[str, F64]

    @classmethod
    def of(cls, matrix: object, classes: tuple[Value, ...] | None = None) -> Confusion:
        """From a matrix: one line a label, one column an answer."""
        m = np.asarray(matrix, np.float64)
        hits = np.moveaxis(np.diagonal(m, axis1=-2, axis2=-1), -1, 0)
        counts = {
            "total": m.sum((-2, -1)),
            "agreed": hits.sum(0),
            "hits": hits,
            "truths": np.moveaxis(m.sum(-1), -1, 0),
            "answers": np.moveaxis(m.sum(-2), -1, 0),
        }
        return cls(classes or tuple(range(m.shape[-1])), counts)

    @property
    def total(self) -> F64:
        """How many items count."""
        return self.counts["total"]

    @property
    def agreed(self) -> F64:
        """How many answers are right."""
        return self.counts["agreed"]

    @property
    def hits(self) -> F64:
        """Right answers of each class."""
        return self.counts["hits"]

    @property
    def truths(self) -> F64:
        """Labels of each class."""
        return self.counts["truths"]

    @property
    def answers(self) -> F64:
        """Answers of each class."""
        return self.counts["answers"]

    @cached_property
    def silent(self) -> F64:
        """How many items count although nothing was said to them."""
        value: F64 = self.total - total(self.answers)
        return np.where(value < 1e-12 * self.total, 0.0, value)

    @cached_property
    def observed(self) -> F64:
        """p: the share of right answers."""
        return self.agreed / self.total

    @cached_property
    def by_chance(self) -> F64:
        """p_ran: the share of right answers if they were dealt out at random."""
        return total_product(self.truths, self.answers) / self.total / self.total

    @cached_property
    def persistent(self) -> F64:
        """p_per: the share of labels that repeat the one before."""
        return self.counts["repeats"] / self.counts["pairs"]

    @cached_property
    def largest(self) -> F64:
        """p_maj: the share of the most frequent label."""
        value: F64 = self.truths.max(0) / self.total
        return value


class ConfusionFolding:
    """Counts labels against answers over many windows, in one pass."""

    def __init__(self, terms: Terms, parts: frozenset[str]) -> None:
        self.cold_start = terms.cold_start
        self._terms = terms
        self._core = Confusions(
            terms.classes,
            list(terms.windows),
            terms.every,
            sorted(parts),
            terms.cold_start,
            terms.weighted,
            terms.room,
        )
        self._layout = self._core.layout()

    def push(self, pairs: Pairs) -> int:
        """Take in a batch; how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(pairs.label, np.int32),
            np.ascontiguousarray(pairs.answer, np.int32),
            None if pairs.previous is None else np.ascontiguousarray(pairs.previous, np.int32),
            weights(pairs) if self._terms.weighted else None,
        )

    def coverage(self) -> tuple[int, int]:
        """How many known labels there were, and to how many nothing was said."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Confusion | Smoothed]]:
        """The snapshots of each window since they were last taken."""
        return self._named(self._core.take())

    def finish(self) -> list[Snapshots[Confusion | Smoothed]]:
        """The rest of the snapshots."""
        return self._named(self._core.finish())

    def _named(self, stacks: list[tuple[I64, F64]]) -> list[Snapshots[Confusion | Smoothed]]:
        classes = self._terms.schema.classes or ()
        made: list[Snapshots[Confusion | Smoothed]] = []
        for (kind, _), (at, stack) in zip(self._terms.windows, stacks, strict=True):
            if kind == "ewma":
                truths, answers, repeats = np.split(stack[1:], 3)
                made.append(Snapshots(at, Smoothed(classes, stack[0], truths, answers, repeats)))
            else:
                made.append(Snapshots(at, Confusion(classes, named(self._layout, stack))))
        return made


def named(layout: list[tuple[str, int]], stack: F64) -> dict[str, F64]:
    """The components of a stack by name; those with several numbers keep their axis."""
    parts: dict[str, F64] = {}
    start = 0
    for name, size in layout:
        per_class = name in ("hits", "truths", "answers")
        parts[name] = stack[start : start + size] if per_class else stack[start]
        start += size
    return parts


def confusion_matrix(log: Log, fold: int | None = None) -> I64:
    """How often each class was answered to each: one line a label, one column an answer.

    The last column is for items to which nothing was said. With `fold`, of that copy alone.

    Examples
    --------
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label, answer = np.array([0, 0, 1, 1], np.int32), np.array([-1, 0, 0, 1], np.int32)
    >>> confusion_matrix(from_columns(Schema((), classes=("no", "yes")), label, answer)).tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    if log.schema.classes is None:
        raise LogError("confusion_matrix: needs a log of classes, and this one is of numbers")
    k = len(log.schema.classes)
    cells = np.zeros(k * (k + 1), np.int64)
    for pairs in log.pairs(fold):
        known = pairs.label >= 0
        label, answer = pairs.label[known].astype(np.int64), pairs.answer[known].astype(np.int64)
        place = label * (k + 1) + np.where(answer < 0, k, answer)
        cells += np.bincount(place, minlength=len(cells))
    return cells.reshape(k, k + 1)
