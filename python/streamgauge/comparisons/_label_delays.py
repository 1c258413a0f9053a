"""Delays of labels on a live stream: whether they depend on the class or on who is wrong."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from streamgauge.comparisons._text import items, percent
from streamgauge.log.lateness import lateness_of
from streamgauge.types import F64

MOST = 4096
"""Maximum number of delays that are kept, spread evenly over the labels."""

MOST_CLASSES = 100
"""Above so many different labels, delays are not tested by class."""

OVERDUE = 0.02
"""Share of items whose labels are overdue from which on a note says so."""

LEAST = 100
"""Number of labels before which their delays are not tested."""


class LabelDelays:
    """A sample of the delays of labels, with the label and which learner lost more.

    Delays are in items observed meanwhile.
    """

    def __init__(self, names: tuple[str, str]) -> None:
        self._outcomes = (
            f"on which {names[0]} lost less",
            "on which both lost the same",
            f"on which {names[1]} lost less",
        )
        self._kept: list[tuple[int, Hashable, int]] = []
        self._labels = 0
        self._step = 1

    def add(self, delay: int, label: Hashable, loss_a: float, loss_b: float) -> None:
        """Add the delay of a label; an item that is left out has losses of NaN and is not added."""
        if math.isnan(loss_a):
            return
        self._labels += 1
        if self._labels % self._step == 0:
            self._keep(delay, label, loss_a, loss_b)

    def _keep(self, delay: int, label: Hashable, loss_a: float, loss_b: float) -> None:
        outcome = 1 + (loss_a > loss_b) - (loss_a < loss_b)
        self._kept.append((delay, label, outcome))
        if len(self._kept) == MOST:
            del self._kept[::2]
            self._step *= 2

    def add_undelayed(self, labels: np.ndarray[Any, Any], loss_a: F64, loss_b: F64) -> None:
        """Add labels that came at once, before another item was observed."""
        counted = ~np.isnan(loss_a)
        if not counted.all():
            labels, loss_a, loss_b = labels[counted], loss_a[counted], loss_b[counted]
        start = 0
        while start < len(labels):
            # of each step, as many as are kept until it is doubled
            first = start + self._step - 1 - self._labels % self._step
            kept = range(first, len(labels), self._step)[: MOST - len(self._kept)]
            stop = kept[-1] + 1 if len(kept) == MOST - len(self._kept) else len(labels)
            for nth in kept:
                label = labels[nth].item() if isinstance(labels[nth], np.generic) else labels[nth]
                self._keep(0, label, loss_a[nth], loss_b[nth])
            self._labels += stop - start
            start = stop

    def notes(self, pending: Iterable[tuple[Any, Any, int]], observed: int) -> tuple[str, ...]:
        """Notes on labels that depend on their delay, given the pending items, oldest first."""
        if len(self._kept) < LEAST:
            return ()
        late = np.array([delay for delay, _, _ in self._kept], np.int64)
        found = [_overdue(late, pending, observed)]
        if late.any():
            found = [self._by_label(late), self._by_outcome(late), *found]
        notes = tuple(note for note in found if note)
        if notes:
            notes += ("The verdict is about the labels that have come.",)
        return notes

    def _by_label(self, late: np.ndarray[Any, np.dtype[np.int64]]) -> str:
        labels = [label for _, label, _ in self._kept]
        classes = {label: code for code, label in enumerate(dict.fromkeys(labels))}
        if not 2 <= len(classes) <= MOST_CLASSES:
            return ""
        codes = np.array([classes[label] for label in labels], np.int32)
        return lateness_of(tuple(map(str, classes)), codes, late).to_text()

    def _by_outcome(self, late: np.ndarray[Any, np.dtype[np.int64]]) -> str:
        codes = np.array([outcome for _, _, outcome in self._kept], np.int32)
        found = lateness_of(self._outcomes, codes, late)
        text = found.to_text()
        return text.replace("Labels of class", "Labels of items")


def _overdue(
    late: np.ndarray[Any, np.dtype[np.int64]],
    pending: Iterable[tuple[Any, Any, int]],
    observed: int,
) -> str:
    """A note on items without a label for longer than twice the delay of 95 % of the labels."""
    usual = int(np.quantile(late, 0.95))
    before = observed - 2 * usual - 1
    overdue = 0
    for _, _, index in pending:
        if index > before:
            break
        overdue += 1
    if before <= 0 or overdue < OVERDUE * before:
        return ""
    if usual == 0:
        who, came = "before the last one", "at once"
    else:
        who, came = f"more than {items(2 * usual)} ago", f"within {items(usual)}"
    return (
        f"{percent(overdue / before)} of the items observed {who} have no label yet, while 95 % of "
        f"the labels came {came}."
    )
