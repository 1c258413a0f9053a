"""DDM: tests whether the error is several deviations above its minimum so far."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class DDM:
    r"""DDM: tests whether the error is several deviations above its minimum so far.

    With the error :math:`p` of :math:`n` losses and :math:`s = \sqrt{p (1 - p) / n}`, and
    :math:`p_\min, s_\min` those whose sum was smallest since the first `warm_start` losses:

    .. math:: p + s > p_\min + k \, s_\min

    where k is `warning_threshold` or `drift_threshold`. Losses are from 0 to 1. After an alarm it
    is reset, as in river; with MOA the minimum begins two losses earlier, alarms one loss earlier.

    Parameters
    ----------
    warning_threshold, drift_threshold
        Levels of warning and alarm, in standard deviations.
    warm_start
        Number of losses without warnings and alarms, from the start and after every alarm, as in
        river: loss `warm_start` + 1 is the first that may be one. (In `RDDM` it is loss
        `warm_start`, as in MOA.)

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0, 0.0, 1.0], [30, 1, 60, 5])
    >>> rows, kinds = DDM().bind().observe_many(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([91, 92], [1, 2])

    References
    ----------
    Gama, Medas, Castillo, Rodrigues. Learning with drift detection. SBIA (2004).
    """

    warning_threshold: float = 2.0
    drift_threshold: float = 3.0
    warm_start: int = 30

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
