"""The losses of a learner, label by label, in the order the labels became known."""

from __future__ import annotations

import numpy as np

from streamgauge.log import Log
from streamgauge.log.labelled_predictions import known_rows
from streamgauge.report.stream_results import MeasuredLog
from streamgauge.types import F64


def losses_of(m: MeasuredLog) -> F64:
    """Losses (1 if wrong; absolute errors of real targets), of repetitions their means.

    An abstention is an error; the absolute error of none is NaN. The means end where the shortest
    repetition ends.
    """
    columns = [_losses(run.log) for run in m.each]
    if len(columns) == 1:
        return columns[0]
    shortest = min(len(column) for column in columns)
    mean: F64 = np.mean([column[:shortest] for column in columns], axis=0)
    return mean


def _losses(log: Log) -> F64:
    parts = [np.empty(0)]
    for labelled in known_rows(log.labelled_predictions()):
        if log.schema.classes is None:
            parts.append(np.abs(labelled.prediction - labelled.label))
        else:
            parts.append((labelled.prediction != labelled.label).astype(np.float64))
    return np.concatenate(parts)
