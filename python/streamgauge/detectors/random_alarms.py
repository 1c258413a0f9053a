"""Alarms at random, independent of the losses: a baseline for detectors."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class RandomAlarms:
    """Alarms at random, independent of the losses: a baseline for detectors.

    From the `warm_start`-th loss after the last alarm on, each loss is an alarm with probability
    `p`. The mean gap is `warm_start` - 1 + 1/p, and 1/p if `warm_start` is 0. With temporal
    dependence a learner that is reset often may be accurate, which is no evidence for its detector.

    Parameters
    ----------
    p
        Probability of an alarm.
    warm_start
        Position, from 1, of the first loss after an alarm that may be the next alarm, as in `RDDM`:
        `warm_start` - 1 losses cannot.

    Examples
    --------
    >>> import numpy as np
    >>> RandomAlarms(p=1.0).bind().observe_many(np.zeros(100))[1].tolist()
    [29, 59, 89]

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    p: float = 0.01
    warm_start: int = 30

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector; the losses are ignored."""
        return native(self, seed, window)
