"""EDDM: tests whether the distance between errors has decreased."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class EDDM:
    r"""EDDM: tests whether the distance between errors has decreased.

    With the mean distance :math:`p'` between errors and its standard deviation :math:`s'`
    (divisor n - 1), and the largest :math:`p' + 2 s'` so far:

    .. math:: (p' + 2 s') / \max(p' + 2 s') < k

    where k is `warning_threshold` or `drift_threshold`. The test is made at each error, and its
    result holds until the next. Losses are 0 or 1, so it cannot observe a mean loss. After an alarm
    it is reset, as in river; MOA has the divisor n, and counts one loss more.

    Parameters
    ----------
    warning_threshold, drift_threshold
        Levels of warning and alarm, as shares of the maximum.
    warm_start
        Number of losses, and of errors, without warnings and alarms, as in river: loss and error
        `warm_start` + 1 are the first that may be one. The maximum is taken over the errors after
        so many losses.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.concatenate([np.tile([0.0] * 7 + [1], 40), np.ones(50)])
    >>> rows, kinds = EDDM().bind().observe_many(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([355, 369], [1, 2])

    References
    ----------
    Baena-García, del Campo-Ávila, Fidalgo, Bifet, Gavaldà, Morales-Bueno. Early drift detection
    method. Workshop on Knowledge Discovery from Data Streams (2006).
    """

    warning_threshold: float = 0.95
    drift_threshold: float = 0.9
    warm_start: int = 30

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector."""
        return native(self, seed, window)
