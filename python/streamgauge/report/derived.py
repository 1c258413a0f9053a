"""Baselines nobody ran: what they would have said follows from the labels of any log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.log.alarms import Alarms
from streamgauge.log.pairs import Beside, Pairs, previous_labels
from streamgauge.log.rows import Said, Taught, Truth
from streamgauge.log.table import Log
from streamgauge.types import NONE

SLICE = 65_536
"""Running class counts are worked out for so many labels at a time."""


def last_label(log: Log) -> Beside:
    """Each batch with the labels before its own."""
    return previous_labels(log.pairs())


def majority_so_far(log: Log) -> Beside:
    """Each batch with the most frequent class of the labels before; the first class at ties."""
    seen = np.zeros(len(log.schema.classes or ()), np.int64)
    for batch in log.pairs():
        said = np.empty(len(batch), np.int32)
        for a in range(0, len(batch), SLICE):
            label = batch.label[a : a + SLICE]
            coming = np.bincount(label, minlength=len(seen))
            # only a class that can catch up with the leader in this slice needs running counts
            able = np.flatnonzero(seen + coming >= seen.max()).astype(np.int32)
            if len(able) == 1:
                said[a : a + SLICE] = able[0]
            else:
                hits = label[:, None] == able
                before = seen[able] + np.cumsum(hits, axis=0) - hits
                said[a : a + SLICE] = able[before.argmax(axis=1)]
            if not seen.any():
                said[a] = NONE
            seen += coming
        yield batch, said


def mean_so_far(log: Log) -> Beside:
    """Each batch with the mean of the labels before."""
    total, n = 0.0, 0
    for batch in log.pairs():
        sums = np.concatenate([[0.0], np.cumsum(batch.label)])[:-1] + total
        counts = np.arange(n, n + len(batch), dtype=np.float64)
        yield batch, np.divide(sums, counts, out=np.full(len(batch), np.nan), where=counts > 0)
        total, n = total + float(batch.label.sum()), n + len(batch)


@dataclass(frozen=True, slots=True)
class FromLabels:
    """The tables of a learner that only ever looked at the labels of `log`."""

    log: Log
    answers: Callable[[Log], Beside]
    labels_in_order: bool = True

    def alarms(self) -> Alarms:
        """None: there is no detector in it."""
        return Alarms()

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Labels beside what the baseline would have said, the same for every fold."""
        return (replace(batch, answer=said, scores=None) for batch, said in self.answers(self.log))

    def labels(self) -> int:
        """As many as there are."""
        return self.log.labels()

    def said(self) -> Iterator[Said]:
        """What was asked of the other learner was asked of this one."""
        return self.log.said()

    def true(self) -> Iterator[Truth]:
        """The same labels."""
        return self.log.true()

    def taught(self) -> Iterator[Taught]:
        """The same lessons."""
        return self.log.taught()


def baselines(log: Log) -> dict[str, Log]:
    """By name, the two baselines of a log: the last label again, and the majority or mean.

    Examples
    --------
    >>> from streamgauge.log.table import from_columns
    >>> from streamgauge.types import Feature, Schema
    >>> schema = Schema((Feature("x"),), classes=("no", "yes"))
    >>> label = np.array([1, 1, 0, 0, 0, 1], np.int32)
    >>> for name, derived in baselines(from_columns(schema, label, label)).items():
    ...     print(name, [p.answer.tolist() for p in derived.pairs()])
    persistent [[-1, 1, 1, 0, 0, 0]]
    majority_class [[-1, 1, 1, 1, 0, 0]]
    """
    if log.schema.classes is not None:
        rules = {"persistent": last_label, "majority_class": majority_so_far}
    else:
        rules = {"last_value": last_label, "target_mean": mean_so_far}
    return {
        name: replace(
            log,
            tables=FromLabels(log, rule, log.tables.labels_in_order),
            about={**log.about, "learner": name},
        )
        for name, rule in rules.items()
    }
