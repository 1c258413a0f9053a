"""ADWIN."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import AfterAlarm, native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class ADWIN:
    r"""ADWIN: do two parts of a window of losses differ in mean?

    The window grows, in buckets of 1, 2, 4, … losses. For each cut between two buckets, with
    :math:`n_0` losses before it and :math:`n_1` after, :math:`W = n_0 + n_1` and the variance
    :math:`\sigma^2` of all:

    .. math:: |\mu_0 - \mu_1| > \sqrt{2 m \sigma^2 d} + \tfrac{2}{3} m d, \quad
              d = \ln \frac{2 \ln W}{\delta}, \quad
              m = \frac{1}{n_0 - s + 1} + \frac{1}{n_1 - s + 1}

    where s is `shortest`. While a cut passes, the oldest bucket is dropped, and that is an alarm,
    whether losses rose or fell. What is left of the window stays (`after_alarm="keep"`, as
    published and in MOA, whose detector is silent when losses fell); river starts anew
    (`after_alarm="reset"`). Losses may be any numbers.

    Parameters
    ----------
    delta
        Confidence: the smaller, the fewer alarms.
    clock
        Cuts are looked at every so many losses.
    buckets
        So many of a size at most.
    shortest
        Parts shorter than this are not compared.
    grace
        Cuts are looked at once there are more losses than this.
    after_alarm
        `"keep"` or `"reset"`.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [200, 60])
    >>> ADWIN().bind().signals(losses)[1].tolist()
    [223, 255]

    References
    ----------
    Bifet, Gavaldà. Learning from time-changing data with adaptive windowing. SDM (2007).
    """

    delta: float = 0.002
    clock: int = 32
    buckets: int = 5
    shortest: int = 5
    grace: int = 10
    after_alarm: AfterAlarm = "keep"

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post: at the losses, or at an estimate `of` the error."""
        return native(self, seed, of)
