"""The mean of bins over repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from streamgauge.late._bins import Bins
from streamgauge.repetitions._mean_curve import aligned, moments


def bins_over_repetitions(found: Sequence[Bins]) -> Bins:
    """The mean of each bin over repetitions, at the points in the range that all cover.

    Times are those of one repetition.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.SEA(items=500), 50)
    >>> logs = [sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(), seed=s)
    ...         for s in (1, 2)]
    >>> runs = [sg.late.bins(log, "accuracy", n_bins=2) for log in logs]
    >>> mean = (runs[0].final + runs[1].final) / 2
    >>> bins_over_repetitions(runs).final.round(3).tolist() == mean.round(3).tolist()
    True
    """
    first = found[0]
    if len(found) == 1:
        return first
    at, values = aligned([one.at for one in found], [np.asarray(one.value) for one in found])
    rows = np.searchsorted(first.at, at, side="right") - 1
    definition = {k: v for k, v in first.definition.items() if k not in ("items", "coverage")}
    return replace(
        first,
        at=at,
        time=first.time[rows],
        value=moments(values)[0],
        definition={**definition, "repetitions": str(len(found))},
    )
