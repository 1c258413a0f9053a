"""`stability`: how a measure and the predictions change if items are perturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import check_level, plain_numbers
from streamgauge.log import Log, one_fold
from streamgauge.log.rows import SimpleRows
from streamgauge.log.table import InMemory
from streamgauge.measures._compute import AWindow, checked_measure
from streamgauge.measures._compute import measure as measured
from streamgauge.measures._measure import Measure
from streamgauge.properties._copies import CopiedItems, changes, copies_of
from streamgauge.properties._repetitions import as_repetitions, default_measure
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.repetitions._spread import LEVEL, Spread
from streamgauge.summaries._builder import ColdStart
from streamgauge.types import F64, Curve, Schema
from streamgauge.windows import Tumbling, Whole

CHANGES = {
    "classification": "share of predictions that flip",
    "regression": "mean absolute change of predictions",
}
"""What is measured of the predictions themselves, by task."""


@dataclass(frozen=True, slots=True)
class RunStability:
    """The stability of one run.

    `items` is the number of predictions that have perturbed copies. `original` is the measure over
    them, `perturbed` the measure over each copy, `variability` the mean of `perturbed` minus
    `original`. `changes` is the share of predictions of copies that differ from that of their item
    (of real targets: the mean absolute difference). The curves are the same in windows.
    """

    seed: str
    copies: int
    items: int
    original: float
    perturbed: tuple[float, ...]
    variability: float
    changes: float
    curve: Curve
    change_curve: Curve
    original_curve: Curve


@dataclass(frozen=True, slots=True)
class Stability:
    """The stability of a learner under noise, over repetitions.

    `variability` and `changes` are those of the whole log; `curve` and `change_curve` are in
    windows, means with a band if there are repetitions. `changed` states what `changes` is.
    """

    measure: str
    best: float
    window: str
    noise: str
    changed: str
    runs: tuple[RunStability, ...]
    variability: Spread
    changes: Spread
    curve: Curve
    change_curve: Curve


@plain_numbers
@reported_by("stability", "measure", "one_fold")
def stability(
    logs: Log | Sequence[Log],
    measure: str | Measure[Any] = "",
    window: AWindow | None = None,
    *,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    fold: int | None = None,
    level: float | None = None,
) -> Stability:
    r"""Noise variability: how much a measure changes if the features of items get noise.

    With the value L of a measure over the items of a window, and its values :math:`L_1, …, L_N`
    over N perturbed copies of these items,

    .. math:: NV = \frac{1}{N} \sum_{i=1}^{N} (L_i - L)

    Positive is worse for a loss, and better for a score. Without regard to labels: the share of the
    predictions of copies that differ from the prediction of the item. Both need a log of the
    protocol `Perturbed`; with `share` below 1, both sides are over the items that have copies.
    NaN in a window without such items.

    Parameters
    ----------
    logs
        The log of a run; or logs that differ in their seeds, which are repetitions.
    measure
        Any measure, or its name; by default `error`, in regression `mae`.
    window
        Any window in which the measure is defined, except `EWMA`; `Tumbling(1000)` by default: the
        batches of the paper.
    every
        Number of known labels between points, as in `measure`.
    cold_start
        How an item without a prediction counts, as in `measure`.
    fold
        Which fold, if the protocol has several; by default all of them.
    level
        By default the band of a mean curve is ± one standard deviation over repetitions; with a
        level it is the t interval of the mean.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=2000)", "nb", "perturbed(copies=3, scale=2.0)")
    >>> found = stability(log, "error", "tumbling(500)")
    >>> round(found.runs[0].original, 3), round(found.variability.mean, 3)
    (0.127, 0.097)
    >>> round(found.changes.mean, 3), found.curve.at.tolist()
    (0.151, [500, 1000, 1500, 2000])

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. arXiv:2204.13625 (2022), Eq. 1.
    """
    runs = as_repetitions("stability", logs)
    check_level("stability", level)
    wanted = measure or default_measure(runs[0], "error", "mae")
    chosen, through, _ = checked_measure(
        runs[0], wanted, Tumbling(1000) if window is None else window, cold_start
    )
    if through.spec[0] == "ewma":
        raise ParameterError.of(
            "stability", "window", "whole, sliding, tumbling or fading", str(through)
        )
    found = []
    for log in runs:
        copies = copies_of(one_fold(log, fold))
        if copies is None:
            raise ParameterError(
                "stability: log must have predictions of perturbed copies, got none; run it with "
                "protocols.Perturbed(protocol)"
            )
        found.append(_of_run(log, copies, chosen, through, every, cold_start))
    seeds = tuple(run.seed for run in found)
    used = LEVEL if level is None else level
    return Stability(
        str(chosen),
        float(chosen.best),
        str(through),
        runs[0].about.get("noise", ""),
        CHANGES[runs[0].schema.task],
        tuple(found),
        Spread(tuple(run.variability for run in found), seeds, level=used),
        Spread(tuple(run.changes for run in found), seeds, level=used),
        mean_curve([run.curve for run in found], level),
        mean_curve([run.change_curve for run in found], level),
    )


def _of_run(
    log: Log,
    copies: CopiedItems,
    measure: Measure[Any],
    window: Any,
    every: int | None,
    cold_start: ColdStart | None,
) -> RunStability:
    both = [window, Whole()]
    sides = [
        measured(copies.log(log, copy), measure, both, every=every, cold_start=cold_start)
        for copy in (None, *range(len(copies.copies)))
    ]
    (original, whole), *others = [(curves[0], curves[1]) for curves in sides]
    perturbed = tuple(last.final for _, last in others)
    differences = np.mean([curve.value - original.value for curve, _ in others], axis=0)
    definition = {**original.definition, "copies": str(len(others))}
    about = log.about.get("noise", "")
    curve = replace(
        original,
        measure=f"noise variability of {measure}",
        value=differences,
        definition={**definition, "noise": about},
    )
    changed = _changes(log, copies, [window, Whole()], every)
    return RunStability(
        log.about.get("seed", ""),
        len(others),
        len(copies.original),
        whole.final,
        perturbed,
        variability(whole.final, perturbed),
        changed[1].final,
        curve,
        changed[0],
        original,
    )


def variability(original: float, perturbed: Sequence[float]) -> float:
    """The mean over copies of the perturbed value minus the original; NaN without copies.

    Examples
    --------
    >>> variability(0.25, (0.5, 0.25)), variability(0.25, ())
    (0.125, nan)
    """
    return float(np.mean([value - original for value in perturbed])) if perturbed else float("nan")


def _changes(
    log: Log, copies: CopiedItems, windows: Sequence[Any], every: int | None
) -> list[Curve]:
    """The mean change of predictions in windows over predictions, in their order."""
    change: F64 = changes(copies.original.prediction, copies.copies)
    # The mean absolute error of the prediction 0 of these numbers is their mean.
    rows = SimpleRows(0, change, np.zeros(len(change)), known=~np.isnan(change))
    as_errors = Log(Schema(()), InMemory((rows,)))
    curves = measured(as_errors, "mae", list(windows), every=every)
    name = CHANGES[log.schema.task]
    items = copies.original.item
    return [
        replace(
            curve,
            measure=name,
            at=items[np.maximum(curve.at, 1) - 1].astype(np.int64) + 1,
            definition={"measure": name, "window": curve.window, "every": str(every or "")},
        )
        for curve in (curves[0], curves[1])
    ]
