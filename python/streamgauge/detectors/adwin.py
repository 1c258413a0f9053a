"""ADWIN: tests whether two parts of a window of losses differ in mean."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import AfterAlarm, native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class ADWIN:
    r"""ADWIN: tests whether two parts of a window of losses differ in mean.

    The window grows, in buckets of 1, 2, 4, … losses. For each cut between two buckets, with
    :math:`n_0` losses before it and :math:`n_1` after, :math:`W = n_0 + n_1` and the variance
    :math:`\sigma^2` of all:

    .. math:: |\mu_0 - \mu_1| > \sqrt{2 m \sigma^2 d} + \tfrac{2}{3} m d, \quad
              d = \ln \frac{2 \ln W}{\delta}, \quad
              m = \frac{1}{n_0 - s + 1} + \frac{1}{n_1 - s + 1}

    where s is `min_window_length`. While the inequality holds at a cut, the oldest bucket is
    dropped. That is an alarm, whether losses rose or fell (in MOA only if they rose). The rest of
    the window is kept (`after_alarm="keep"`, as published and in MOA); river resets the detector
    (`after_alarm="reset"`). Losses may be any numbers.

    Parameters
    ----------
    delta
        Confidence parameter: the smaller, the fewer alarms.
    clock
        Losses between two tests of the cuts.
    max_buckets
        Maximum number of buckets of one size.
    min_window_length
        Minimum length of a part.
    grace_period
        Number of losses in the window up to which no cut is tested.
    after_alarm
        `"keep"` or `"reset"`: what it does after an alarm.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [200, 60])
    >>> ADWIN().bind().observe_many(losses)[1].tolist()
    [223, 255]

    References
    ----------
    Bifet, Gavaldà. Learning from time-changing data with adaptive windowing. SDM (2007).
    """

    delta: float = 0.002
    clock: int = 32
    max_buckets: int = 5
    min_window_length: int = 5
    grace_period: int = 10
    after_alarm: AfterAlarm = "keep"

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
