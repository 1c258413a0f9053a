"""`at_bin`: a log with the predictions of one bin only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.late._bin_predictions import (
    Binning,
    BinOptions,
    bin_predictions,
    histories_with_bins,
    packed,
)
from streamgauge.late._prediction_history import reevaluation_period
from streamgauge.log import Alarms, LabelledPredictions, Log, Selections, Vitals, one_fold
from streamgauge.log.rows import Arrived, Labels, Perturbed, Predictions, Training

ABOUT_REPEATED = ("predicts_again", "predicts_last", "first_at_zero")
"""What a log states about repeated predictions, which one of a bin has not."""


@reported_by("at_bin", "bins", "one_fold")
def at_bin(
    log: Log,
    bin: int,
    n_bins: int = 50,
    binning: Binning = "longest",
    fill: float | None = None,
    fold: int | None = None,
) -> Log:
    """A log with the predictions of one bin only.

    It can be used by `measure`, `compare`, `detect` and others, but not by what reads repeated
    predictions (`bins`, `costs`, `item_changes`), nor by measures of scores, which are not kept.
    Each prediction has the time of its label.

    Parameters
    ----------
    log
        A log of `Reevaluating`.
    bin
        0 is the first prediction, 1 to `n_bins` the prediction current in that part of the time
        the item was pending, `n_bins` + 1 the prediction when the label arrived.
    n_bins
        B, the number of bins.
    binning
        `"longest"`: the prediction that is current in the bin for the longest time (in regression
        the mean over time). `"grzenda"`: as the published program of Grzenda et al. does it.
    fill
        The class code or the value that replaces an abstained prediction before bins are made.
    fold
        The fold of the learner; all folds by default.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating())
    >>> late = sg.late.at_bin(log, 51)
    >>> sg.measure(late, "accuracy").final > sg.measure(log, "accuracy").final
    True
    """
    options = BinOptions(n_bins, binning, fill)
    if isinstance(bin, bool) or not isinstance(bin, int | np.integer) or not 0 <= bin <= n_bins + 1:
        raise ParameterError.of("at_bin", "bin", f"from 0 to {n_bins + 1}", bin)
    reevaluation_period(log, "at_bin")
    about: Mapping[str, str] = {
        **{key: text for key, text in log.about.items() if key not in ABOUT_REPEATED},
        "bin": f"{int(bin)} of {n_bins}, {binning}",
    }
    return one_fold(replace(log, tables=_OneBin(log, int(bin), options), about=about), fold)


def whole_log(log: Log) -> Log:
    """The log that a log of `at_bin` was made from; any other log as it is."""
    tables = getattr(log.tables, "tables", log.tables)  # those of one fold hold the others
    return tables.log if isinstance(tables, _OneBin) else log


@dataclass(frozen=True, slots=True)
class _OneBin:
    """The tables of a log with the predictions of one bin."""

    log: Log
    bin: int
    options: BinOptions

    @property
    def labels_in_order(self) -> bool:
        return self.log.tables.labels_in_order

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        for labelled, table in bin_predictions(self.log, self.options, fold):
            yield replace(labelled, prediction=packed(table[:, self.bin]))

    def predictions(self) -> Iterator[Predictions]:
        for rows, _, table in histories_with_bins(self.log, self.options, None):
            none = np.zeros(len(rows), np.uint8)
            prediction = packed(table[:, self.bin])
            yield Predictions(
                rows.item, rows.fold, none.astype(np.uint32), none, rows.label_time, prediction
            )

    def labels(self) -> Iterator[Labels]:
        return self.log.tables.labels()

    def training(self) -> Iterator[Training]:
        return self.log.tables.training()

    def arrivals(self) -> Iterator[Arrived]:
        return self.log.tables.arrivals()

    def label_count(self) -> int:
        return self.log.tables.label_count()

    def alarms(self) -> Alarms:
        return self.log.tables.alarms()

    def perturbed(self) -> Iterator[Perturbed]:
        return self.log.tables.perturbed()

    def vitals(self) -> Vitals:
        return self.log.tables.vitals()

    def selections(self) -> Selections:
        return self.log.tables.selections()
