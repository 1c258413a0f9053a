"""Signals of detectors: a side table of the log, and the result of `detect`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from streamgauge.types import I64, U16, U64, Drift


@dataclass(frozen=True, slots=True)
class Alarms:
    """Signals of detectors, in order.

    `item` is the number of the item, counted from 0, whose loss caused the signal; `fold` the fold
    of the learner; `kind` is `"alarm"`, or `"warning"` at the start of a warning.

    Examples
    --------
    >>> signals = Alarms.of([(7, "ddm", "warning"), (9, "ddm", "alarm")])
    >>> len(signals), signals.alarms.tolist(), signals.warnings.tolist()
    (2, [9], [7])
    """

    item: U64 = field(default_factory=lambda: np.empty(0, np.uint64))
    fold: U16 = field(default_factory=lambda: np.empty(0, np.uint16))
    detector: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()

    @classmethod
    def of(cls, signals: Iterable[tuple[int, str, str]], fold: int = 0) -> Alarms:
        """From one (item, detector, kind) per signal."""
        rows = list(signals)
        return cls(
            np.array([r[0] for r in rows], np.uint64),
            np.full(len(rows), fold, np.uint16),
            tuple(r[1] for r in rows),
            tuple(r[2] for r in rows),
        )

    def __len__(self) -> int:
        return len(self.item)

    def take(self, rows: I64) -> Alarms:
        """The given rows."""
        return Alarms(
            self.item[rows],
            self.fold[rows],
            tuple(self.detector[row] for row in rows.tolist()),
            tuple(self.kind[row] for row in rows.tolist()),
        )

    @property
    def alarms(self) -> I64:
        """The items with an alarm; signed, so that `alarms - drift` can be negative."""
        return self._items("alarm")

    @property
    def warnings(self) -> I64:
        """The items at which a warning begins."""
        return self._items("warning")

    def of_fold(self, fold: int) -> Alarms:
        """The signals of one fold."""
        own = self.fold == fold
        kept = np.flatnonzero(own).tolist()
        return Alarms(
            self.item[own],
            self.fold[own],
            tuple(self.detector[row] for row in kept),
            tuple(self.kind[row] for row in kept),
        )

    def false(self, drifts: Sequence[Drift]) -> int:
        """The number of alarms before the first drift; of all alarms if there is no drift."""
        first = min((d.start for d in drifts), default=None)
        return len(self.alarms) if first is None else int((self.alarms < first).sum())

    def delays(self, drifts: Sequence[Drift]) -> tuple[int | None, ...]:
        """For each drift, in order: the number of its items up to and including the first alarm.

        Alarms until the next drift count; None if there was none (a miss).

        Examples
        --------
        >>> signals = Alarms.of([(120, "ddm", "alarm"), (150, "ddm", "alarm")])
        >>> drifts = [Drift(100, 100, 100), Drift(200, 200, 200)]
        >>> signals.delays(drifts), signals.false(drifts)
        ((21, None), 0)

        References
        ----------
        Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
        Machine Learning 90 (2013), section 5.
        """
        starts = sorted(d.start for d in drifts)
        items = np.sort(self.alarms)
        at = np.searchsorted(items, [*starts, np.iinfo(np.int64).max])
        return tuple(
            int(items[a]) + 1 - start if a < b else None
            for start, (a, b) in zip(starts, pairwise(at.tolist()), strict=True)
        )

    def _items(self, kind: str) -> I64:
        return self.item[np.array([k == kind for k in self.kind], np.bool_)].astype(np.int64)


def concatenate_alarms(parts: Iterable[Alarms]) -> Alarms:
    """Several tables as one."""
    held = [part for part in parts if len(part)]
    if not held:
        return Alarms()
    return Alarms(
        np.concatenate([p.item for p in held]),
        np.concatenate([p.fold for p in held]),
        tuple(d for p in held for d in p.detector),
        tuple(k for p in held for k in p.kind),
    )
