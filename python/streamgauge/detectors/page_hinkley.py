"""Page-Hinkley: tests the accumulated excess of losses over their mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import AfterAlarm, native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class PageHinkley:
    r"""Page-Hinkley: tests the accumulated excess of losses over their mean.

    .. math:: m_t = m_{t-1} + x_t - \bar x_t - \delta, \quad
              \text{alarm while } m_t - \min(m_1, \ldots, m_t) \ge \lambda

    with the mean :math:`\bar x_t` of the losses up to each step. Only increases are found. There
    are no warnings, and no minimum number of losses.

    The published test continues after an alarm, and its alarm lasts while the condition holds
    (`after_alarm="keep"`; consecutive alarms count as one). `after_alarm="reset"` resets it, as
    river and MOA do; river's test is also faded (0.9999), two-sided, without alarms for 29 losses
    and strict (above, not at the threshold), and its defaults are 0.005 and 50.

    Parameters
    ----------
    delta
        Magnitude of change that is ignored.
    threshold
        Accumulated excess that is an alarm: the larger, the fewer false alarms, and the later.
    after_alarm
        `"keep"` or `"reset"`: what it does after an alarm.

    Examples
    --------
    >>> import numpy as np
    >>> detector = PageHinkley(delta=0.1, threshold=2.0).bind()
    >>> losses = np.array([0.0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> taken, rows, kinds = detector.observe_many(losses)
    >>> rows.tolist()
    [7]

    References
    ----------
    Page. Continuous inspection schemes. Biometrika 41 (1954).
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013), Section 5 and Algorithm 4.
    """

    delta: float = 0.1
    threshold: float = 100.0
    after_alarm: AfterAlarm = "keep"

    aliases: ClassVar[tuple[str, ...]] = ("ph",)

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
