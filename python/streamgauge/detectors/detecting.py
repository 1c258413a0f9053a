"""The verb: a log and a detector in, alarms out. After the fact, in constant memory."""

from __future__ import annotations

import re
from typing import Any, get_args

import numpy as np

from streamgauge.detectors._watching import KINDS
from streamgauge.detectors.foreign import adapt, watched_name
from streamgauge.detectors.losses import ColdStart, losses
from streamgauge.errors import LogError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.log.alarms import Alarms
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.types import U64
from streamgauge.windows._window import Window


@plain_numbers
def detect(
    log: Log,
    detector: object,
    of: Window | str | None = None,
    *,
    fold: int = 0,
    cold_start: ColdStart = "count_wrong",
    seed: int = 0,
) -> Alarms:
    """Let a detector watch the errors in a log, in the order the labels became known.

    Parameters
    ----------
    log
        What was said and what was true.
    detector
        A name (`"ddm"`), a detector of `streamgauge.detectors`, or one of river or CapyMOA. Yours
        stays as it is.
    of
        The estimate of the error it watches: `Whole()`, `Sliding(1000)`, `Fading(0.999)`, or a
        name. If not given, the losses themselves: 0 or 1, in regression the absolute error.
    fold
        Which copy of the learner.
    cold_start
        What becomes of an item to which nothing was said: `"count_wrong"` or `"skip"`. In
        regression it is always skipped.
    seed
        Of a detector that draws.

    Returns
    -------
    Alarms
        Items are counted from 0: an alarm at item 31,999 came with the 32,000th.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label = np.zeros(300, np.int32)
    >>> answer = np.repeat(np.array([0, 1], np.int32), [200, 100])
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, answer)
    >>> said = detect(log, "adwin")
    >>> said.alarms.tolist()
    [223, 255, 287]
    >>> detect(log, "page_hinkley(threshold=10)", of="fading(0.9)").alarms.tolist()
    [220]
    """
    if isinstance(detector, str):
        detector = make("detector", detector)
    looked_at: Window | None = make("window", of) if isinstance(of, str) else of
    if cold_start not in get_args(ColdStart):
        must = " or ".join(map(repr, get_args(ColdStart)))
        raise ParameterError.of("detect", "cold_start", must, cold_start)
    name = watched_name(detector, looked_at)
    watch = adapt(detector, seed, looked_at)
    signals: list[tuple[int, str, str]] = []
    seen = 0
    for pairs in log.pairs(fold):
        seen += len(pairs)
        loss, known = losses(pairs.label, pairs.answer, cold_start)
        item: Any = pairs.item
        if item is None:
            item = np.arange(pairs.first, pairs.first + len(pairs), dtype=np.uint64)
        if not known.all():
            loss, item = loss[known], item[known]
        signals += _watched(watch, loss, item, name)
    if not seen and log.labels():
        raise ParameterError.of("detect", "fold", "that of a copy in the log", fold)
    return Alarms.of(signals, fold)


def _watched(watch: Any, loss: Any, item: U64, name: str) -> list[tuple[int, str, str]]:
    try:
        _, rows, kinds = watch.signals(loss)
    except ValueError as error:
        words = re.sub(r"at row (\d+)", lambda row: f"at item {item[int(row[1])]}", str(error))
        advice = "; take a detector of any losses (page_hinkley, ratio, adwin, kswin)"
        endless = not np.isfinite(loss).all()  # which no detector takes
        raise LogError(f"detect: {words}{'' if endless else advice}") from None
    return [
        (int(item[row]), name, KINDS[kind])
        for row, kind in zip(rows.tolist(), kinds.tolist(), strict=True)
    ]
