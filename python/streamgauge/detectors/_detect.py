"""`detect`: the signals of a detector that observes the errors in a log.

Memory is proportional to the pending items; with `trace`, to all items.
"""

from __future__ import annotations

import re
from typing import Any, Literal, get_args, overload

import numpy as np

from streamgauge.detectors._checked_detector import CheckedDetector
from streamgauge.detectors._detector import KINDS
from streamgauge.detectors.external import ExternalDetector, adapt, detector_name
from streamgauge.detectors.losses import LossColdStart, losses
from streamgauge.detectors.trace import Trace, observe_traced
from streamgauge.errors import LogError, ParameterError, StreamgaugeError, error_line
from streamgauge.kinds import check_seed, plain_numbers
from streamgauge.log._one_fold import check_fold, only_fold
from streamgauge.log._refuse_test_set import refuse_test_set
from streamgauge.log.alarms import Alarms
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.types import F64, U64
from streamgauge.windows._window import Window


@overload
def detect(
    log: Log,
    detector: object,
    window: Window | str | None = None,
    *,
    fold: int | None = None,
    cold_start: LossColdStart = "count_wrong",
    seed: int = 0,
    trace: Literal[False] = False,
) -> Alarms: ...
@overload
def detect(
    log: Log,
    detector: object,
    window: Window | str | None = None,
    *,
    fold: int | None = None,
    cold_start: LossColdStart = "count_wrong",
    seed: int = 0,
    trace: Literal[True],
) -> Trace: ...
@plain_numbers
def detect(
    log: Log,
    detector: object,
    window: Window | str | None = None,
    *,
    fold: int | None = None,
    cold_start: LossColdStart = "count_wrong",
    seed: int = 0,
    trace: bool = False,
) -> Alarms | Trace:
    """Alarms and warnings of a detector on the errors in a log, in the order of the labels.

    Parameters
    ----------
    log
        Predictions and labels.
    detector
        A name (`"ddm"`), a detector of `streamgauge.detectors`, one of river or CapyMOA, which is
        copied, or your own object with `bind`.
    window
        The detector observes the mean loss in this window: `Whole()`, `Sliding(1000)`,
        `Fading(0.999)`, or a name. By default it observes the losses themselves: 0 or 1, in
        regression the absolute error.
    fold
        Fold of the learner; must be given if the log has several, of which each is a learner of its
        own.
    cold_start
        How an item without a prediction counts: `"count_wrong"` or `"skip"`. In regression it is
        always skipped.
    seed
        Seed of a detector that draws.
    trace
        Also the statistic and the threshold of the detector at each item: native detectors, and
        your own with a method `last_test`, which returns both.

    Returns
    -------
    Alarms
        Items are counted from 0. With `trace` it is a `Trace`, whose `alarms` they are;
        `plots.detector_trace` draws it.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label = np.zeros(300, np.int32)
    >>> prediction = np.repeat(np.array([0, 1], np.int32), [200, 100])
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, prediction)
    >>> found = detect(log, "adwin")
    >>> found.alarms.tolist()
    [223, 255, 287]
    >>> detect(log, "page_hinkley(threshold=10)", window="fading(0.9)").alarms.tolist()
    [220]
    >>> traced = detect(log, "page_hinkley(threshold=10)", trace=True)
    >>> traced.statistic[198:201].round(3).tolist(), traced.alarms.alarms.tolist()
    ([0.0, 0.0, 0.895], [211])
    """
    if isinstance(detector, str):
        detector = make("detector", detector)
    used: Window | None = make("window", window) if isinstance(window, str) else window
    if cold_start not in get_args(LossColdStart):
        must = " or ".join(map(repr, get_args(LossColdStart)))
        raise ParameterError.of("detect", "cold_start", must, cold_start)
    refuse_test_set("detect", log)
    fold = detected_fold(log, fold)
    check_seed("detect", seed)
    name = detector_name(detector, used)
    adapted = adapt(detector, seed, used)
    signals: list[tuple[int, str, str]] = []
    tests: list[tuple[U64, F64, F64]] = []
    seen = 0
    for labelled in log.labelled_predictions(fold):
        seen += len(labelled)
        loss, known = losses(labelled.label, labelled.prediction, cold_start)
        item: Any = labelled.item
        if item is None:
            item = np.arange(labelled.first, labelled.first + len(labelled), dtype=np.uint64)
        if not known.all():
            loss, item = loss[known], item[known]
        found, statistic, threshold = _observed(adapted, loss, item, name, trace)
        signals += found
        if trace:
            tests.append((item, statistic, threshold))
    if not seen and log.label_count():
        raise ParameterError.of("detect", "fold", "a fold of the log", fold)
    alarms = Alarms.of(signals, fold)
    if not trace:
        return alarms
    empty = (np.empty(0, np.uint64), np.empty(0), np.empty(0))
    columns = [np.concatenate(parts) for parts in zip(*(tests or [empty]), strict=True)]
    return Trace(name, alarms, columns[0], columns[1], columns[2])


def detected_fold(log: Log, fold: int | None) -> int:
    """The fold whose errors are observed: the only one by default."""
    check_fold("detect", log, fold)
    chosen = only_fold(log) if fold is None else fold
    if chosen is None:
        raise ParameterError(
            "detect: fold must be given for a log with several folds, got none; "
            "give fold=0 for the first"
        )
    return chosen


def _observed(
    detector: Any, loss: Any, item: U64, name: str, trace: bool
) -> tuple[list[tuple[int, str, str]], F64, F64]:
    """The signals, and the statistics and thresholds (empty unless `trace`)."""
    statistic = threshold = np.empty(0)
    try:
        if trace:
            rows, kinds, statistic, threshold = observe_traced(detector, loss, name)
        else:
            _, rows, kinds = detector.observe_many(loss)
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        if isinstance(detector, ExternalDetector) or isinstance(error, SystemExit):
            raise ParameterError(f"{name}: update failed: {error_line(error)}") from error
        if not isinstance(error, ValueError) or isinstance(detector, CheckedDetector):
            raise
        message = re.sub(r"at row (\d+)", lambda row: f"at item {item[int(row[1])]}", str(error))
        advice = "; use a detector of any losses (page_hinkley, page_hinkley_ratio, adwin, kswin)"
        infinite = not np.isfinite(loss).all()  # refused by every detector
        raise LogError(f"detect: {message}{'' if infinite else advice}") from None
    found = [
        (int(item[row]), name, KINDS[kind])
        for row, kind in zip(rows.tolist(), kinds.tolist(), strict=True)
    ]
    return found, statistic, threshold
