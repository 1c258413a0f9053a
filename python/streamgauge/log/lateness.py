"""Delays of labels by class: whether the delay depends on the label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge.log.table import Log
from streamgauge.series_spread import series_spread
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
"""Approximate size of the sample of labels, spread evenly over the items."""

LEAST = 30
"""Minimum number of labels of a class."""

BEYOND = 0.06
"""Minimum distance of the probability of a longer delay from one half: a small effect."""

SURE = 0.001
"""Significance level of the test that delays do not depend on the class."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """Delays of the labels of each class.

    `middle` is the median delay of each class in ticks of `clock`, `others` that of all other
    classes together. `later` is the probability that a label of the class has a longer delay than
    one of another class (ties count one half), `p` the p-value of its distance from one half if
    delays do not depend on the class, corrected for the number of classes; labels and delays may
    come in runs. NaN for classes without labels.
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
        """Flags of the classes whose delays clearly differ from those of the others."""
        with np.errstate(invalid="ignore"):
            far: Flags = np.abs(self.later - 0.5) >= BEYOND
            few = np.minimum(self.counts, self.counts.sum() - self.counts) < LEAST
            clear: Flags = far & (self.p < SURE) & ~few
            return clear

    @property
    def consequence(self) -> str:
        """How measures in the order of the labels treat the class that `to_text` names."""
        one = self._named
        if one is None:
            return ""
        if self.later[one] > 0.5:
            return "that class is under-represented until its labels arrive"
        return "that class is over-represented until the labels of the others arrive"

    @property
    def _named(self) -> int | None:
        """The class with the longest delays of those that differ clearly; None if none does."""
        found = np.flatnonzero(self.dependent)
        return int(found[np.argmax(self.later[found])]) if len(found) else None

    def to_text(self) -> str:
        """The result as a sentence; empty if the delay does not depend on the class.

        Examples
        --------
        >>> late = np.array([5, 6, 7, 40, 50, 60] * 20)
        >>> label = np.array([0, 0, 0, 1, 1, 1] * 20, np.int32)
        >>> print(lateness_of(("on time", "late"), label, late).to_text())
        Labels of class late arrive later than others: the median delay is 50 items, that of the
        others 6 items; in 100 % of cases they take longer.
        """
        one = self._named
        if one is None:
            return ""
        chance = float(self.later[one])
        how, longer = ("later", "longer") if chance > 0.5 else ("sooner", "less time")
        middle, others = (span(ticks[one], self.clock) for ticks in (self.middle, self.others))
        return (
            f"Labels of class {self.classes[one]} arrive {how} than others: "
            f"the median delay is {middle}, that of the others "
            f"{others}; in {100 * max(chance, 1 - chance):.0f} % of cases "
            f"they take {longer}."
        )


def lateness(log: Log, *repetitions: Log) -> Lateness | None:
    """The delays of the labels in a log; None if labels arrived in the order of the items.

    In that case the order of the labels does not depend on the class. The labels of repetitions are
    counted together.
    """
    schema, logs = log.schema, (log, *repetitions)
    if schema.classes is None or all(one.tables.labels_in_order for one in logs):
        return None
    if any("test_set" in one.about for one in logs):  # predicted again when labels are known
        return None
    label, late = (np.concatenate(parts) for parts in zip(*map(_sampled, logs), strict=True))
    return lateness_of(schema.classes, label, late, schema.clock)


def delays(log: Log) -> I64:
    """The delays of at most about `MOST` labels, in ticks; empty if none of them is late.

    A protocol that learns items one by one or in chunks (`learns_every`) ignores delays: the labels
    of a chunk become known at its end. The items of a test set are predicted again when their
    labels are known, which is no delay.
    """
    if "test_set" in log.about:
        return np.empty(0, np.int64)
    in_chunks = "learns_every" in log.about and "ties" not in log.about
    if in_chunks and log.tables.labels_in_order:
        return np.empty(0, np.int64)
    late = _sampled(log)[1]
    return late if late.any() else late[:0]


def _sampled(log: Log) -> tuple[Codes, I64]:
    """A sample of labels, spread evenly over the items, and their delays, in order of the items."""
    step = math.ceil(max(1, log.label_count()) / MOST)
    arrived: dict[int, int] = {}
    predicted: set[int] = set()
    for predictions in log.predictions():
        predicted |= {*predictions.item[_spread(predictions.item, step)].tolist()}
    for rows in log.tables.arrivals():  # the predictions of one bin have the times of their labels
        kept = _spread(rows.item, step)
        pairs = zip(rows.item[kept].tolist(), rows.time[kept].tolist(), strict=True)
        arrived |= {item: time for item, time in pairs if item in predicted}
    label, late = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    items = [np.empty(0, np.uint64)]
    for labels in log.labels():
        kept = _spread(labels.item, step)
        times = [arrived.get(item) for item in labels.item[kept].tolist()]
        there = np.array([at is not None for at in times], np.bool_)
        items.append(labels.item[kept][there])
        label.append(np.nan_to_num(labels.label[kept][there]).astype(np.int32))
        began = np.array([at for at in times if at is not None], np.int64)
        late.append(labels.time[kept][there] - began)
    order = np.argsort(np.concatenate(items), kind="stable")
    return np.concatenate(label)[order], np.concatenate(late)[order]


def lateness_in(schema: Schema, batches: Iterable[Batch]) -> Lateness | None:
    """The delays of the labels of a stream; None if no label is late."""
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
    """From labels and delays in order: each class against the others, by ranks (Wilcoxon).

    The variance of the statistic is that of independent labels times how much that of its sums over
    batches of consecutive labels exceeds it, since labels and delays may come in runs.
    """
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
    centred = ranks / n - 0.5 - 1 / (2 * n) if n else ranks
    for c in np.flatnonzero((counts > 0) & (others > 0)).tolist():
        found = series_spread(((label == c) - counts[c] / n) * centred)
        if found.effective_items > 0:
            z[c] *= math.sqrt(min(1.0, found.effective_items / n))
    p = np.array([min(1.0, k * math.erfc(abs(x) / math.sqrt(2))) for x in z.tolist()])
    return Lateness(
        tuple(classes), clock, counts, middle, rest, later, np.where(np.isnan(z), np.nan, p)
    )


def _spread(items: U64 | I64, step: int) -> Flags:
    """Flags of about one in `step` items, irregularly spaced: labels may be periodic."""
    mixed = (items.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    chosen: Flags = mixed % np.uint64(step) == 0
    return chosen
