"""A measure over the folds of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from streamgauge.errors import ParameterError, reported_by
from streamgauge.log import Log
from streamgauge.measures._compute import AMeasure, AWindow, measure
from streamgauge.repetitions._by_fold import by_fold, overlap_of
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.repetitions._spread import Spread
from streamgauge.types import Curve


@dataclass(frozen=True, slots=True)
class FoldCurves:
    """The curves of a measure of each fold, their mean with a band, and the spread of the last.

    `mean` is the pointwise mean, ± one standard deviation over the folds; `final` has the last
    value of each fold, their mean and standard deviation, and an interval that accounts for the
    items that the folds have in common (`Spread`).
    """

    curves: tuple[Curve, ...]
    mean: Curve
    final: Spread

    def __len__(self) -> int:
        return len(self.curves)


@reported_by("over_folds", "measure", "one_fold")
def over_folds(
    log: Log, measures: AMeasure, windows: AWindow | None = None, **options: Any
) -> FoldCurves:
    """Measure each fold of a log, and their mean.

    Parameters
    ----------
    log
        The log of a run with several folds.
    measures
        The name of a measure, or the measure.
    windows
        The name of a window, or the window; as in `measure` by default.
    **options
        Other options of `measure`.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=5000)", sg.learners.NaiveBayes(), sg.protocols.KFold(5))
    >>> found = over_folds(log, "accuracy", "sliding(200)")
    >>> len(found), found.final.mean, found.final.sd
    (5, 0.865, 0.0190)
    >>> found.mean.definition["band"]
    'mean ± standard deviation of 5 folds'
    """
    if not isinstance(log, Log):
        raise ParameterError.of("over_folds", "log", "a log, as returned by run", log)
    if options.get("fold") is not None:
        raise ParameterError.of("over_folds", "fold", "left out", options["fold"])
    found = each_over_folds(log, measures, windows, **options)
    if len(found) != 1:
        raise ParameterError.of("over_folds", "measures", "one measure in one window", measures)
    return found[0]


def each_over_folds(
    log: Log,
    measures: AMeasure | Sequence[AMeasure],
    windows: AWindow | Sequence[AWindow] | None,
    **options: Any,
) -> list[FoldCurves]:
    """Measures in windows over the folds of a log, as `over_folds` does for one."""
    logs = by_fold(log)
    of_folds = []
    for one in logs:
        curves: Any = measure(one, measures, windows, **options)
        fold = one.about.get("fold", "0")
        of_folds.append(
            [
                replace(curve, definition={**curve.definition, "fold": fold})
                for curve in ([curves] if isinstance(curves, Curve) else curves)
            ]
        )
    overlap = overlap_of(logs)
    return [
        FoldCurves(
            tuple(curves),
            mean_curve(curves),
            Spread(tuple(curve.final for curve in curves), overlap=overlap),
        )
        for curves in zip(*of_folds, strict=True)
    ]
