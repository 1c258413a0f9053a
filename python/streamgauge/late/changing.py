"""Changes of mind: how often, how far, and since when an answer is right for good."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.late.asking import Askings, askings, asks_again
from streamgauge.log import Log
from streamgauge.types import F64, I64, U64, Flags


@dataclass(frozen=True, slots=True)
class Minds:
    """Labelled items in the order their labels came.

    `changes` are the changes of mind from the first answer to the last, `differs` says whether
    the last one is another than the first. `right_after` is the time from an item's coming until
    the answer is right and stays so, in ticks; NaN if the last answer is wrong.
    `right_share` is the same as a share of the time the item waited.
    """

    item: U64
    changes: I64
    differs: Flags
    right_after: F64
    right_share: F64

    @property
    def mean_changes(self) -> float:
        """Changes of mind an item."""
        return _mean(self.changes)

    @property
    def share_changed(self) -> float:
        """The share of items whose last answer is another than the first."""
        return _mean(self.differs)

    @property
    def share_right(self) -> float:
        """The share of items whose last answer is right."""
        return _mean(~np.isnan(self.right_after))

    @property
    def median_right_after(self) -> float:
        """The median time until right for good, of items that are right in the end."""
        known = self.right_after[~np.isnan(self.right_after)]
        return float(np.median(known)) if len(known) else float("nan")

    @property
    def mean_right_share(self) -> float:
        """The mean share of the waiting time until right for good, likewise."""
        return _mean(self.right_share[~np.isnan(self.right_share)])


@dataclass(frozen=True, slots=True)
class Wavering:
    """What `minds` says of all labelled items together."""

    items: int
    mean_changes: float
    share_changed: float
    share_right: float
    median_right_after: float
    mean_right_share: float


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def minds(log: Log, within: float | None = None, fold: int | None = None) -> Minds:
    """Read the changes of mind from a log of `Reevaluating`.

    Parameters
    ----------
    log
        The log.
    within
        In regression: an answer is right if it is no further than this from the label. Without
        it no answer is called right there.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=10))
    >>> found = minds(log)
    >>> round(found.mean_changes, 2), round(found.share_changed, 3), found.median_right_after
    (0.11, 0.063, 0.0)
    """
    parts = list(_parts(log, within, fold, "minds"))
    columns = [np.concatenate([p[i] for p in parts]) if parts else np.empty(0) for i in range(5)]
    return Minds(
        columns[0].astype(np.uint64),
        columns[1].astype(np.int64),
        columns[2].astype(np.bool_),
        columns[3].astype(np.float64),
        columns[4].astype(np.float64),
    )


def wavering(log: Log, within: float | None = None, fold: int | None = None) -> Wavering:
    """The means of `minds`, in memory that follows those who wait: for long logs.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=10))
    >>> found = wavering(log)
    >>> found.items, round(found.mean_changes, 2), found.median_right_after
    (2000, 0.11, 0.0)
    """
    items = changes = differ = 0
    share, after = 0.0, Counter[float]()
    for _, changed, differs, right_after, right_share in _parts(log, within, fold, "wavering"):
        items += len(changed)
        changes += int(changed.sum())
        differ += int(differs.sum())
        good = ~np.isnan(right_after)
        share += float(right_share[good].sum())
        ticks, counts = np.unique(right_after[good], return_counts=True)
        after.update(dict(zip(ticks.tolist(), counts.tolist(), strict=True)))
    right = after.total()
    return Wavering(
        items,
        changes / items if items else math.nan,
        differ / items if items else math.nan,
        right / items if items else math.nan,
        _median(after),
        share / right if right else math.nan,
    )


def _median(counted: Counter[float]) -> float:
    """The median of numbers that were counted; NaN without any."""
    total = counted.total()
    if not total:
        return math.nan
    values = np.array(sorted(counted))
    upto = np.cumsum([counted[value] for value in values.tolist()])
    middle = np.searchsorted(upto, [(total - 1) // 2, total // 2], side="right")
    return float(values[middle].mean())


def _parts(
    log: Log, within: float | None, fold: int | None, who: str
) -> Iterator[tuple[np.ndarray, ...]]:
    asks_again(log, who)
    if within is not None and log.schema.classes is not None:
        raise ParameterError.of(who, "within", "left out for classes", within)
    if within is not None and not within >= 0:
        raise ParameterError.of(who, "within", "a number, at least 0", within)
    for rows in askings(log, fold):
        yield _of(rows, log.schema.classes is None, within)


def _of(rows: Askings, reals: bool, within: float | None) -> tuple[np.ndarray, ...]:
    shown = np.diff(rows.starts)
    latest = rows.answer[rows.starts[1:] - 1] if len(rows) else rows.last
    changes = shown - 1 + _different(rows.last, latest)
    differs = _different(rows.last, rows.first)
    row = np.repeat(np.arange(len(rows)), shown)
    if reals and within is None:
        none = np.full(len(rows), np.nan)
        return rows.item, changes, differs, none, none
    right = _right(rows.answer, rows.label[row], within)
    # The last wrong one on display, if any: right for good from the next one on.
    place = np.arange(len(rows.answer)) - rows.starts[row]
    wrong = np.zeros(len(rows), np.int64)
    np.maximum.at(wrong, row[~right], place[~right] + 1)
    gone = wrong == shown  # what was shown last is wrong; only the last answer may be right
    since = rows.time[np.minimum(rows.starts[:-1] + wrong, len(rows.time) - 1)] if len(rows) else []
    after = np.where(gone, rows.until, since) - rows.came
    good = _right(rows.last, rows.label, within)
    waited = rows.until - rows.came
    right_after = np.where(good, after.astype(np.float64), np.nan)
    share = np.where(good, after / np.maximum(waited, 1), np.nan)
    return rows.item, changes, differs, right_after, share


def _right(answer: np.ndarray, label: np.ndarray, within: float | None) -> np.ndarray:
    right: np.ndarray = answer == label if within is None else np.abs(answer - label) <= within
    return right


def _different(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    differ: np.ndarray = (a != b) & ~((a != a) & (b != b))
    return differ
