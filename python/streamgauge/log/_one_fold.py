"""The log of one fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least
from streamgauge.log.alarms import Alarms
from streamgauge.log.labelled_predictions import LabelledPredictions
from streamgauge.log.rows import Arrived, Labels, Perturbed, Predictions, Training, of_fold
from streamgauge.log.selections import Selections
from streamgauge.log.table import InMemory, Log, Tables
from streamgauge.log.vitals import Vitals


def one_fold(log: Log, fold: int | None) -> Log:
    """The log of one fold: its predictions, training and side tables, and all labels.

    None: the whole log. A fold that the protocol does not have is refused; if the log does not
    state how many it has, such a fold has no predictions.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 1000), 10)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Delayed(folds=2))
    >>> sum(len(labelled) for f in (0, 1) for labelled in one_fold(log, f).labelled_predictions())
    1000
    """
    if fold is None:
        return log
    check_fold("one_fold", log, fold)
    about = log.about
    if "folds" in about:
        about = {**about, "folds": "1", "fold": str(int(fold))}
    return replace(log, tables=_OneFold(log.tables, int(fold)), about=about)


def check_fold(who: str, log: Log, fold: int | None) -> None:
    """Refuse a fold that the protocol of a log does not have; None, for all folds, is accepted.

    A log of one fold of several does not state how many there are, nor do predictions in files.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=100)", sg.learners.NaiveBayes(), sg.protocols.KFold(3))
    >>> check_fold("measure", log, 3)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: measure: fold must be from 0 to 2, the folds of the \
protocol, got 3
    """
    if fold is None:
        return
    at_least(who, "fold", fold, 0)
    about = log.about
    if "fold" in about or not ("folds" in about or "protocol" in about):
        return
    count = int(about.get("folds", "1"))
    if fold >= count and fold not in folds_of(log):
        every = "0, the only fold" if count == 1 else f"from 0 to {count - 1}, the folds"
        raise ParameterError.of(who, "fold", f"{every} of the protocol", fold)


def only_fold(log: Log) -> int | None:
    """The fold of all predictions of a log; None if there are several, 0 without predictions.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 1000), 10)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Delayed(folds=2))
    >>> print(only_fold(log), only_fold(one_fold(log, 1)))
    None 1
    """
    first: int | None = None
    for rows in filter(len, log.predictions()):
        first = int(rows.fold[0]) if first is None else first
        if (rows.fold != first).any():
            return None
    return first or 0


def folds_of(log: Log) -> list[int]:
    """The folds that have predicted, ascending; fold 0 without predictions.

    Examples
    --------
    >>> import streamgauge as sg
    >>> folds_of(sg.run("sea(items=100)", sg.learners.NaiveBayes(), sg.protocols.KFold(3)))
    [0, 1, 2]
    """
    found: set[int] = set()
    for rows in log.predictions():
        found.update(np.unique(rows.fold).tolist())
    return sorted(found) or [0]


@dataclass(frozen=True, slots=True)
class _OneFold:
    """The tables of a log with the rows of one fold."""

    tables: Tables
    fold: int

    @property
    def labels_in_order(self) -> bool:
        return self.tables.labels_in_order

    def predictions(self) -> Iterator[Predictions]:
        if isinstance(self.tables, InMemory):
            return self.tables.predictions_of(self.fold)
        return of_fold(self.tables.predictions(), self.fold)

    def labels(self) -> Iterator[Labels]:
        return self.tables.labels()

    def training(self) -> Iterator[Training]:
        return of_fold(self.tables.training(), self.fold)

    def arrivals(self) -> Iterator[Arrived]:
        return self.tables.arrivals()

    def label_count(self) -> int:
        return self.tables.label_count()

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        if fold in (None, self.fold):
            yield from self.tables.labelled_predictions(self.fold)

    def alarms(self) -> Alarms:
        return self.tables.alarms().of_fold(self.fold)

    def perturbed(self) -> Iterator[Perturbed]:
        return of_fold(self.tables.perturbed(), self.fold)

    def vitals(self) -> Vitals:
        return self.tables.vitals().of_fold(self.fold)

    def selections(self) -> Selections:
        return self.tables.selections().of_fold(self.fold)
