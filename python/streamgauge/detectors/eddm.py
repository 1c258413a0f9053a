"""EDDM."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class EDDM:
    r"""EDDM: do errors lie closer together than they did?

    With the mean distance :math:`p'` between errors and its standard deviation :math:`s'`
    (divisor n - 1), and the largest :math:`p' + 2 s'` so far:

    .. math:: (p' + 2 s') / \max(p' + 2 s') < k

    where k is `warning` or `alarm`. Each error decides anew, and what it decided holds until the
    next. Losses are 0 or 1, so it cannot look at an estimate. After an alarm it starts anew. So
    does river; MOA has the divisor n, and counts one loss ahead.

    Parameters
    ----------
    warning, alarm
        Levels, as shares.
    warm_up
        Nothing is said during so many losses, and so many errors.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.concatenate([np.tile([0.0] * 7 + [1], 40), np.ones(50)])
    >>> rows, kinds = EDDM().bind().signals(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([355, 369], [1, 2])

    References
    ----------
    Baena-García, del Campo-Ávila, Fidalgo, Bifet, Gavaldà, Morales-Bueno. Early drift detection
    method. Workshop on Knowledge Discovery from Data Streams (2006).
    """

    warning: float = 0.95
    alarm: float = 0.9
    warm_up: int = 30

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post: at the losses."""
        return native(self, seed, of)
