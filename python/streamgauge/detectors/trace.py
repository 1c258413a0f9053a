"""Statistic and threshold of a detector, item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge._core import NativeDetector
from streamgauge.detectors._checked_detector import CheckedDetector
from streamgauge.errors import ParameterError, error_line
from streamgauge.log.alarms import Alarms
from streamgauge.types import F64, I64, U8, U64

ALARM, WARNING = 2, 1


@dataclass(frozen=True, slots=True)
class Trace:
    """The signals of a detector with the test of each item.

    `statistic` and `threshold` have one value per item in `item`: those of the test that the
    detector made at this item, NaN where it made none. There is an alarm where the statistic
    reaches or passes the threshold: from below, but from above for `eddm` and `random_alarms`.
    `rddm` also has an alarm, below the threshold, where a warning reaches its limit.
    """

    detector: str
    alarms: Alarms
    item: U64 | I64
    statistic: F64
    threshold: F64

    def __len__(self) -> int:
        return len(self.item)


def observe_traced(detector: Any, losses: F64, name: str) -> tuple[I64, U8, F64, F64]:
    """Rows and kinds of signals, and the statistic and threshold of each loss."""
    if isinstance(detector, NativeDetector):
        return detector.observe_traced(losses)
    own: Any = detector.detector if isinstance(detector, CheckedDetector) else None
    if not callable(getattr(own, "last_test", None)):
        raise ParameterError(
            f"detect: trace must be False for {name}, which does not tell its statistic, got True; "
            "a detector of your own tells it by last_test()"
        )
    rows, kinds, tests = [], [], []
    last = 0
    for row, loss in enumerate(losses.tolist()):
        state = detector.observe(loss)
        if state not in (0, WARNING, ALARM):
            raise ParameterError.of(name, "what observe returns", "0, 1 or 2", state)
        try:
            statistic, threshold = own.last_test()
            tests.append((float(statistic), float(threshold)))
        except (Exception, SystemExit) as error:
            raise ParameterError(
                f"{name}: last_test must return a statistic and a threshold: {error_line(error)}"
            ) from error
        if state == ALARM or (state == WARNING and last != WARNING):
            rows.append(row)
            kinds.append(state)
        last = state
    columns = np.array(tests, np.float64).reshape(-1, 2)
    return (
        np.array(rows, np.int64),
        np.array(kinds, np.uint8),
        columns[:, 0].copy(),
        columns[:, 1].copy(),
    )
