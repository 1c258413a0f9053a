"""The log of one copy of the learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from streamgauge.kinds import at_least
from streamgauge.log.alarms import Alarms
from streamgauge.log.pairs import Pairs
from streamgauge.log.rows import Came, Said, Taught, Truth, of_fold
from streamgauge.log.table import Log, Tables


def one_fold(log: Log, fold: int | None) -> Log:
    """The log as if copy `fold` had been alone: its predictions, training and alarms, all labels.

    None: the log as it is. Whatever reads a log reads this one; a copy that is not in it made no
    prediction.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 1000), 10)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Delayed(folds=2))
    >>> sum(len(pairs) for f in (0, 1) for pairs in one_fold(log, f).pairs())
    1000
    """
    if fold is None:
        return log
    at_least("one_fold", "fold", fold, 0)
    return replace(log, tables=_OneFold(log.tables, int(fold)))


@dataclass(frozen=True, slots=True)
class _OneFold:
    """The tables of a log, cut to the rows of one copy."""

    tables: Tables
    fold: int

    @property
    def labels_in_order(self) -> bool:
        return self.tables.labels_in_order

    def said(self) -> Iterator[Said]:
        return of_fold(self.tables.said(), self.fold)

    def true(self) -> Iterator[Truth]:
        return self.tables.true()

    def taught(self) -> Iterator[Taught]:
        return of_fold(self.tables.taught(), self.fold)

    def arrivals(self) -> Iterator[Came]:
        return self.tables.arrivals()

    def labels(self) -> int:
        return self.tables.labels()

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        if fold in (None, self.fold):
            yield from self.tables.pairs(self.fold)

    def alarms(self) -> Alarms:
        return self.tables.alarms().of_fold(self.fold)
