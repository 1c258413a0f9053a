"""KSWIN: tests whether recent and older losses have the same distribution."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import AfterAlarm, native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class KSWIN:
    """KSWIN: tests whether recent and older losses have the same distribution.

    Of the last `window_size` losses, the `stat_size` newest are compared with the same number drawn
    from the others, by the Kolmogorov-Smirnov test: an alarm if its exact p-value is at most
    `alpha` and the distance is above 0.1, as in river. Losses may be any numbers; draws depend on
    the seed and the number of losses.

    After an alarm the recent losses are kept (`after_alarm="keep"`, as published) or discarded with
    the others (`after_alarm="reset"`, as in river). Draws go on; river repeats them after a reset.

    Parameters
    ----------
    alpha
        Largest p-value of an alarm.
    window_size
        Number of latest losses kept.
    stat_size
        Number of recent losses among them, at most half.
    after_alarm
        `"keep"` or `"reset"`: what it does after an alarm.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [200, 60])
    >>> KSWIN().bind().observe_many(losses)[1].tolist()
    [213]

    References
    ----------
    Raab, Heusinger, Schleif. Reactive soft prototype computing for concept drift streams.
    Neurocomputing 416 (2020).
    """

    alpha: float = 0.005
    window_size: int = 100
    stat_size: int = 30
    after_alarm: AfterAlarm = "keep"

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
