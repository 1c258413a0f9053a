"""Section of a report about the features that learners selected: stability, size, picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.feature_selection import reduction_rate, stability
from streamgauge.log import Log
from streamgauge.plots.selected_features import SelectedFeatures, data
from streamgauge.repetitions._by_learner import seed_of
from streamgauge.repetitions._spread import Spread
from streamgauge.report.page import Column, Row, SelectionSection, Table
from streamgauge.report.stream_results import MeasuredLog, StreamResults

WINDOW = 100
"""Items of the sliding window of the mean stability."""

FEATURES, POINTS = 15, 150
"""Features and steps of a picture."""


def selection_section(results: StreamResults) -> SelectionSection | None:
    """Section about the logs with selected features; None if there are none."""
    selecting = [m for m in results.measured if not m.derived and len(m.log.selections())]
    if not selecting:
        return None
    rows = []
    for m in selecting:
        by_run = [_values(run.log) for run in m.each]
        rows.append(Row((m.name, *(_cell(m, values) for values in zip(*by_run, strict=True)))))
    table = Table(
        (
            Column("learner", "learner"),
            Column("selected", "features selected", "number", None, "mean after each item learned"),
            Column("reduction", "reduction rate", "share", None, "share of features not selected"),
            Column("stability", "stability", "index", "high", "Nogueira's, over the whole stream"),
            Column(
                "recent_stability",
                f"mean in sliding({WINDOW})",
                "index",
                "high",
                f"mean over the stream of the stability of the last {WINDOW} selections",
            ),
            Column("changes", "changes", "count", None, "changes of the selection"),
        ),
        tuple(rows),
    )
    pictures = {m.name: _picture(m.each[0].log) for m in selecting}
    most = max(len(np.unique(m.log.selections().fold)) for m in selecting)
    first = "".join(
        [
            " of the first fold" if most > 1 else "",
            " in the first repetition" if any(m.runs for m in selecting) else "",
        ]
    )
    note = (
        "Selections are those after each item learned. A stability of 1 means that the selection "
        "never changed, random selections have 0 on average; it is not defined if all features are "
        f"selected. Pictures show the features{first} that were selected most often: the darker, "
        "the larger the share of the items after which a feature was selected."
        + (" Values are means over folds." if most > 1 else "")
    )
    return SelectionSection(table, pictures, note)


def _picture(log: Log) -> SelectedFeatures:
    """The picture of the first fold."""
    first = int(log.selections().fold.min())
    return data(log, features=FEATURES, points=POINTS, fold=first)


def _values(log: Log) -> tuple[float, ...]:
    """The numbers of one run, in the order of the columns: means over folds."""
    folds = np.unique(log.selections().fold).tolist()
    each = [_of_fold(log, fold) for fold in folds]
    return tuple(float(np.mean(values)) for values in zip(*each, strict=True))


def _of_fold(log: Log, fold: int) -> tuple[float, ...]:
    rate = reduction_rate(log, fold=fold).final
    recent = stability(log, f"sliding({WINDOW})", fold=fold).value
    defined = recent[~np.isnan(recent)]
    return (
        (1 - rate) * len(log.schema.features),
        rate,
        stability(log, fold=fold).final,
        float(defined.mean()) if len(defined) else float("nan"),
        float(len(log.selections().of_fold(fold)) - 1),
    )


def _cell(m: MeasuredLog, values: Sequence[float]) -> float | Spread:
    if not m.runs:
        return values[0]
    return Spread(tuple(values), tuple(seed_of(run.log) or "" for run in m.runs), m.identical)
