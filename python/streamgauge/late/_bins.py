"""A measure in each bin of the time items were pending: Lambda(T, b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.late._bin_points import BinPoints
from streamgauge.late._bin_predictions import Binning, BinOptions, bin_predictions, packed
from streamgauge.log import Log
from streamgauge.log._one_fold import check_fold, only_fold
from streamgauge.measures._compute import checked_measure
from streamgauge.measures._measure import Measure
from streamgauge.measures._pass import BUILDERS
from streamgauge.summaries._builder import ColdStart, SummaryOptions
from streamgauge.types import F64, I64, Curve
from streamgauge.windows import Whole
from streamgauge.windows._window import Window

POINTS = 50
"""Approximate number of points in time by default."""

ROWS = 65_536
"""Number of rows whose summaries are held at once."""


@dataclass(frozen=True, slots=True)
class Bins:
    """A measure in each bin, along the stream of labels.

    `value[i, b]` is Lambda(T, b) after `at[i]` labels, at time T = `time[i]`. Labels of items that
    were not predicted (by `fold`, if given) are not counted. Bin b = 0 is the first prediction, 1
    to `n_bins` the time in between, `n_bins` + 1 the last prediction. `best` is the best possible
    value of the measure.
    """

    measure: str
    window: str
    n_bins: int
    at: I64
    time: I64
    value: F64
    best: float
    definition: Mapping[str, str] = field(default_factory=dict)

    @property
    def final(self) -> F64:
        """Lambda(T, b) of all bins after the last label; NaN for an empty log."""
        return self.value[-1] if len(self.at) else np.full(self.n_bins + 2, np.nan)

    def until(self, time: int) -> F64:
        """Lambda(T, b) of all bins at the last point up to and including a time."""
        at = int(np.searchsorted(self.time, time, side="right")) - 1
        return self.value[at] if at >= 0 else np.full(self.n_bins + 2, np.nan)

    def curve(self, bin: int) -> Curve:
        """The curve of one bin; its points count labels."""
        if not 0 <= bin <= self.n_bins + 1:
            raise ParameterError.of("curve", "bin", f"from 0 to {self.n_bins + 1}", bin)
        definition = {**self.definition, "bin": str(bin)}
        return Curve(
            self.measure, self.window, self.at, self.value[:, bin], definition, axis="labels"
        )


@reported_by("bins", "measure")
def bins(
    log: Log,
    measure: str | Measure[Any] = "",
    n_bins: int = 50,
    *,
    binning: Binning = "longest",
    window: str | Window | None = None,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    fold: int | None = None,
) -> Bins:
    r"""Measure a log of `Reevaluating` bin by bin.

    .. math:: \Lambda(T, b) = \lambda(\{(y_k, \hat y_{k,b}) : \tilde t_k \le T\})

    The time from the arrival of an item to the arrival of its label is divided into B equal parts.
    Bin 0 is the first prediction and bin B + 1 the one made when the label arrived. A bin in
    between is the prediction current in that part: the class that is current for the longest time
    (of ties the most recent one), in regression the mean over time. Every labelled item counts once
    in every bin, for each fold that predicted it.

    Parameters
    ----------
    log
        A log of `Reevaluating`; it can be read with any number of bins.
    measure
        Any measure that does not need scores; by default `accuracy` or `mae`.
    n_bins
        B, at least 0.
    binning
        `"longest"`: the prediction that is current in the bin for the longest time (the
        definition). `"grzenda"`: as the published program of Grzenda et al. does it, for comparison
        with published tables.
    window
        The predictions that count at each point in time, one per labelled item and fold; by
        default all so far.
    every
        Labels between two points; there is one after the last label too. By default about 50
        points over all labels of the log, fewer with `fold`. `Tumbling` has a point at the end of
        each block.
    cold_start
        How items without a prediction are treated, as in `measure`. With `"default_class"` the
        class is filled in before bins are made.
    fold
        The fold of a log with several; all folds by default.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 3000), 200)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=10))
    >>> found = sg.late.bins(log, "accuracy", n_bins=4)
    >>> found.final.round(2).tolist()
    [0.82, 0.82, 0.84, 0.85, 0.86, 0.87]

    References
    ----------
    Grzenda, Gomes, Bifet. Delayed labelling evaluation for data streams.
    Data Mining and Knowledge Discovery 34 (2020).
    """
    check_fold("bins", log, fold)
    wanted = measure or ("accuracy" if log.schema.task == "classification" else "mae")
    chosen, through, policy = checked_measure(log, wanted, window or Whole(), cold_start)
    if chosen.summary in ("losses", "ranking"):
        raise ParameterError(
            f"bins: measure must use predictions, got {chosen}, which uses scores; "
            "give a measure of predictions"
        )
    options = BinOptions(n_bins, binning, 0 if policy == "default_class" else None)
    labels = log.label_count()
    step = max(1, -(-labels // POINTS)) if every is None else every
    if isinstance(step, bool) or not isinstance(step, int | np.integer) or step < 1:
        raise ParameterError.of("bins", "every", "a whole number, at least 1", every)
    step = min(int(step), labels + 1)  # beyond the log there is only the point after its last label
    # Builders count rows: with several folds any row may be the last one of a label.
    rows = 1 if fold is None and only_fold(log) is None else step
    summary = SummaryOptions(log.schema, (through.spec,), rows, policy)
    builders = [BUILDERS[chosen.summary](summary, chosen.parts()) for _ in range(n_bins + 2)]
    points = BinPoints(chosen, step, through.spec[0] == "tumbling", len(builders))
    for labelled, table in bin_predictions(log, options, fold):
        points.advance(labelled)
        for b, builder in enumerate(builders):
            binned = replace(labelled, prediction=packed(table[:, b]))
            for start in range(0, len(labelled), ROWS):
                builder.push(binned.slice(start, start + ROWS))
                points.add(b, builder.take()[0])
    covered, abstained = builders[0].coverage()
    for b, builder in enumerate(builders):
        points.finish(b, builder.finish()[0])
    at, known, value = points.columns()
    definition = {
        "measure": str(chosen),
        "formula": chosen.formula,
        "window": str(through),
        "bins": str(n_bins),
        "binning": binning,
        "predicts_again": log.about["predicts_again"],
        "cold_start": builders[0].cold_start,
        "coverage": f"{1 - abstained / covered:.6g}" if covered else "nan",
        "items": str(covered),
    }
    return Bins(
        str(chosen), str(through), n_bins, at, known,
        value, chosen.best, definition,
    )  # fmt: skip


def bin_names(n_bins: int) -> Sequence[str]:
    """Names of the bins in tables."""
    return ["first", *map(str, range(1, n_bins + 1)), "last"]
