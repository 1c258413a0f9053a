"""Alarms at random."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class RandomAlarms:
    """Alarms at random, whatever the losses: what a detector must do better than.

    Losses are counted since the last alarm, this one included; once there are `warm_up`, each
    raises an alarm with probability `p`. The mean gap is `warm_up` - 1 + 1/p. With temporal
    dependence, a learner that is reset often may do well, which says nothing for its detector.

    Parameters
    ----------
    p
        Probability of an alarm.
    warm_up
        The first loss after an alarm that may raise the next.

    Examples
    --------
    >>> import numpy as np
    >>> RandomAlarms(p=1.0).bind().signals(np.zeros(100))[1].tolist()
    [29, 59, 89]

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    p: float = 0.01
    warm_up: int = 30

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post; what it looks at is all the same."""
        return native(self, seed, of)
