"""One-to-one matching of alarms to known drifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import as_list, at_least, plain_numbers
from streamgauge.types import F64, I64, Drift, Flags

UNMATCHED = -1
"""Index of the alarm of a drift without one."""


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Alarms of one detector on one stream, matched one to one to the known drifts.

    Items are counted from 0. The acceptance window of a drift has the items from its start to its
    end plus `tolerance`, both included, as far as the stream goes: [start, start + W] for an
    abrupt drift.

    Parameters
    ----------
    items
        Length of the stream.
    tolerance
        W of the papers.
    drifts
        Known drifts in order of their starts.
    alarms
        Items with an alarm, in order, without duplicates.
    first, last
        First and last item of the acceptance window of each drift.
    matched
        For each drift the index of its alarm in `alarms`; -1 for none.
    inside
        For each alarm whether it is in an acceptance window.
    """

    items: int
    tolerance: int
    drifts: tuple[Drift, ...]
    alarms: I64
    first: I64
    last: I64
    matched: I64
    inside: Flags

    @property
    def found(self) -> Flags:
        """Whether each drift has an alarm of its own."""
        return np.asarray(self.matched != UNMATCHED)

    @property
    def delays(self) -> F64:
        """Items from the start of each drift to its alarm; NaN for a drift without one."""
        delays = np.full(len(self.drifts), np.nan)
        delays[self.found] = self.alarms[self.matched[self.found]] - self.first[self.found]
        return delays

    @property
    def false_alarms(self) -> I64:
        """The alarms in no acceptance window."""
        return self.alarms[~self.inside]

    @property
    def repeated(self) -> int:
        """Number of alarms in an acceptance window that are matched to no drift."""
        return int(self.inside.sum() - self.found.sum())

    @property
    def drift_free(self) -> int:
        """Number of items in no acceptance window."""
        covered, end = 0, -1
        for first, last in zip(self.first.tolist(), self.last.tolist(), strict=True):
            covered += max(0, last - max(first, end + 1) + 1)
            end = max(end, last)
        return self.items - covered

    @property
    def first_in_window(self) -> I64:
        """Index of the first alarm in the window of each drift, -1 for none; not one to one."""
        return _first_between(self.alarms, self.first, self.last)

    @property
    def next_starts(self) -> I64:
        """Start of the next drift, or the end of the stream."""
        return np.append(self.first[1:], self.items)[: len(self.drifts)].astype(np.int64)

    @property
    def first_until_next(self) -> I64:
        """Index of the first alarm of each drift before the next drift or the end; -1 for none."""
        return _first_between(self.alarms, self.first, self.next_starts - 1)


@plain_numbers
def match_alarms(
    alarms: Sequence[int] | I64, drifts: Sequence[Drift], items: int, tolerance: int
) -> Matching:
    """Match alarms to known drifts, one to one.

    Each drift gets at most one alarm and each alarm at most one drift. Alarms are taken in order;
    each goes to that drift without an alarm, among those in whose acceptance window it is, whose
    window ends first. As many drifts as possible are matched. If windows do not overlap, each drift
    gets the first alarm in its window.

    Parameters
    ----------
    alarms
        Items with an alarm, counted from 0. Duplicates are removed, the order does not matter.
    drifts
        Known drifts; each must start before the end of the stream. Of several with one start, the
        one that ends last counts.
    items
        Length of the stream.
    tolerance
        W: the acceptance window of a drift has the items from its start to its end + W.

    Examples
    --------
    >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
    >>> found = match_alarms([20, 130, 140, 150], drifts, items=300, tolerance=50)
    >>> found.delays.tolist(), found.false_alarms.tolist(), found.repeated
    ([30.0, nan], [20], 2)
    """
    at_least("match_alarms", "tolerance", tolerance, 0)
    at_least("match_alarms", "items", items, 0)
    given = np.asarray(alarms)
    if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
        raise ParameterError.of("match_alarms", "alarms", "item numbers", alarms)
    at: I64 = np.unique(given.astype(np.int64))
    if len(at) and not 0 <= at[0] <= at[-1] < items:
        must = f"items from 0 to {items - 1}, the last of the stream"
        raise ParameterError.of("match_alarms", "alarms", must, int(at[0] if at[0] < 0 else at[-1]))
    given_drifts = as_list("match_alarms", "drifts", drifts, "a list of Drift objects")
    for one in given_drifts:
        if not isinstance(one, Drift):
            raise ParameterError.of("match_alarms", "drifts", "a list of Drift objects", one)
    in_order = sorted(given_drifts, key=lambda d: (d.start, d.end))
    known = tuple({drift.start: drift for drift in in_order}.values())
    for drift in known:
        if not 0 <= drift.start <= drift.end or drift.start >= items:
            must = f"inside the stream of {items:,} items"
            raise ParameterError.of("match_alarms", "drifts", must, drift)
    first = np.array([d.start for d in known], np.int64)
    last = np.array([min(d.end + tolerance, items - 1) for d in known], np.int64)
    if len(known) < 2 or bool((first[1:] > last[:-1]).all()):
        matched = _first_between(at, first, last)
    else:
        matched = _earliest_end_first(at, first, last)
    return Matching(items, tolerance, known, at, first, last, matched, _inside(at, first, last))


def _first_between(alarms: I64, first: I64, last: I64) -> I64:
    """Index of the first alarm from `first` to `last`, -1 for none."""
    at = np.searchsorted(alarms, first)
    found = at < np.searchsorted(alarms, last, side="right")
    return np.where(found, at, UNMATCHED).astype(np.int64)


def _inside(alarms: I64, first: I64, last: I64) -> Flags:
    """Whether each alarm is in a window."""
    begun = np.searchsorted(first, alarms, side="right")
    ended = np.searchsorted(np.sort(last), alarms, side="left")
    return np.asarray(begun > ended)


def _earliest_end_first(alarms: I64, first: I64, last: I64) -> I64:
    """Index of the alarm of each drift, for windows that overlap; -1 for none."""
    matched = np.full(len(first), UNMATCHED, np.int64)
    starts, ends = first.tolist(), last.tolist()
    pending: list[tuple[int, int]] = []
    begun = 0
    for nth, alarm in enumerate(alarms.tolist()):
        while begun < len(starts) and starts[begun] <= alarm:
            heappush(pending, (ends[begun], begun))
            begun += 1
        while pending and pending[0][0] < alarm:
            heappop(pending)
        if pending:
            matched[heappop(pending)[1]] = nth
    return matched
