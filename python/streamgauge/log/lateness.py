"""How late labels come, class by class: does the delay depend on the label?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge.log.table import Log
from streamgauge.types import (
    F64,
    I64,
    NEVER,
    U64,
    Batch,
    Codes,
    Flags,
    Schema,
    Value,
    missing,
)
from streamgauge.types.times import span

MOST = 200_000
"""About so many labels are looked at, evenly spread over the items."""

LEAST = 30
"""A class with fewer labels says nothing."""

BEYOND = 0.06
"""How far from one half the chance to come later must be: what is called a small effect."""

SURE = 0.001
"""And how small the chance of seeing that where delays do not depend on the class."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late the labels of each class came.

    `middle` is the median delay of each class in ticks of `clock`, `others` that of all the other
    classes together; `later` the chance that a
    label of the class took longer than one of another class (half a count where equal); `p` the
    chance of one so far from a half where delays do not depend on the class, corrected for the
    number of classes. NaN for classes without labels.
    """

    classes: tuple[Value, ...]
    clock: str
    counts: I64
    middle: F64
    others: F64
    later: F64
    p: F64

    @property
    def dependent(self) -> Flags:
        """Which classes clearly come later or sooner than the others."""
        with np.errstate(invalid="ignore"):
            far: Flags = np.abs(self.later - 0.5) >= BEYOND
            few = np.minimum(self.counts, self.counts.sum() - self.counts) < LEAST
            clear: Flags = far & (self.p < SURE) & ~few
            return clear

    def words(self) -> str:
        """In plain words; empty where the delay does not depend on the class.

        Examples
        --------
        >>> late = np.array([5, 6, 7, 40, 50, 60] * 20)
        >>> label = np.array([0, 0, 0, 1, 1, 1] * 20, np.int32)
        >>> print(lateness_of(("on time", "late"), label, late).words())
        Labels of the class late come later than others: 50 items after their item in the middle,
        the others 6 items; in 100 % of cases they take longer.
        """
        found = np.flatnonzero(self.dependent)
        if not len(found):
            return ""
        one = found[np.argmax(self.later[found])]
        chance = float(self.later[one])
        how, longer = ("later", "longer") if chance > 0.5 else ("sooner", "less time")
        middle, others = (span(ticks[one], self.clock) for ticks in (self.middle, self.others))
        return (
            f"Labels of the class {self.classes[one]} come {how} than others: "
            f"{middle} after their item in the middle, the others "
            f"{others}; in {100 * max(chance, 1 - chance):.0f} % of cases "
            f"they take {longer}."
        )


def lateness(log: Log) -> Lateness | None:
    """How late the labels in a log came; None where all came in the order of the items.

    Then the order in which they became known says nothing about the class.
    """
    schema = log.schema
    if schema.classes is None or log.tables.labels_in_order:
        return None
    return lateness_of(schema.classes, *_sampled(log), schema.clock)


def waits(log: Log) -> I64:
    """How many ticks labels took, of `MOST` at most; none where no label is late."""
    if "asks_again" not in log.about and log.tables.labels_in_order:
        return np.empty(0, np.int64)
    return _sampled(log)[1]


def _sampled(log: Log) -> tuple[Codes, I64]:
    """Labels, evenly spread over the items, and how late each came."""
    step = math.ceil(max(1, log.labels()) / MOST)
    came: dict[int, int] = {}
    for said in log.said():
        kept = (said.turn == 0) & _spread(said.item, step)
        came |= zip(said.item[kept].tolist(), said.time[kept].tolist(), strict=True)
    label, late = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    for true in log.true():
        kept = _spread(true.item, step)
        asked = [came.get(item) for item in true.item[kept].tolist()]
        there = np.array([at is not None for at in asked], np.bool_)
        label.append(np.nan_to_num(true.label[kept][there]).astype(np.int32))
        began = np.array([at for at in asked if at is not None], np.int64)
        late.append(true.time[kept][there] - began)
    return np.concatenate(label), np.concatenate(late)


def lateness_in(schema: Schema, batches: Iterable[Batch]) -> Lateness | None:
    """How late the labels of a stream come; None where all come at once."""
    label, late = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    for batch in batches:
        if batch.label_time is not None:
            own = np.arange(batch.first, batch.first + len(batch), dtype=np.int64)
            known = ~missing(batch.label) & (batch.label_time != NEVER)
            label.append(np.asarray(batch.label[known], np.int32))
            late.append((batch.label_time - (own if batch.time is None else batch.time))[known])
    every = np.concatenate(late)
    if schema.classes is None or not every.any():
        return None
    step = math.ceil(len(every) / MOST)
    some = slice(None) if step == 1 else np.flatnonzero(_spread(np.arange(len(every)), step))
    return lateness_of(schema.classes, np.concatenate(label)[some], every[some], schema.clock)


def lateness_of(classes: Sequence[Value], label: Codes, late: I64, clock: str = "item") -> Lateness:
    """From labels and how late each came: one against the others, by ranks (Wilcoxon)."""
    k, n = len(classes), len(label)
    counts = np.bincount(label, minlength=k).astype(np.int64)
    middle, rest = (
        np.array([np.median(late[s]) if s.any() else np.nan for s in sides])
        for sides in ([label == c for c in range(k)], [label != c for c in range(k)])
    )
    _, place, ties = np.unique(late, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2)[place]
    sums = np.bincount(label, ranks, minlength=k)
    others = (n - counts).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        later = (sums / counts - (counts + 1) / 2) / others
        spread = 1 - float((ties.astype(np.float64) ** 3 - ties).sum()) / (n**3 - n or 1)
        z = (later - 0.5) / np.sqrt(spread * (n + 1) / (12.0 * counts * others))
    p = np.array([min(1.0, k * math.erfc(abs(x) / math.sqrt(2))) for x in z.tolist()])
    return Lateness(
        tuple(classes), clock, counts, middle, rest, later, np.where(np.isnan(z), np.nan, p)
    )


def _spread(items: U64 | I64, step: int) -> Flags:
    """About one in `step` items, not at even distances, which labels might share."""
    mixed = (items.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    chosen: Flags = mixed % np.uint64(step) == 0
    return chosen
