"""KSWIN."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import AfterAlarm, native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class KSWIN:
    """KSWIN: are the recent losses of another distribution than older ones?

    Of the last `window` losses, the `recent` newest are compared with as many that are drawn from
    the others, by the Kolmogorov-Smirnov test: an alarm if its exact p-value is at most `alpha`
    and the distance is above 0.1, as in river. Losses may be any numbers; draws depend on the
    seed and on how many losses there were.

    After an alarm the recent losses stay (`after_alarm="keep"`, as published); river starts anew
    (`after_alarm="reset"`), and repeats its draws.

    Parameters
    ----------
    alpha
        The p-value of an alarm.
    window
        How many losses are held.
    recent
        How many of them are the new ones, at most half.
    after_alarm
        `"keep"` or `"reset"`.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [200, 60])
    >>> KSWIN().bind().signals(losses)[1].tolist()
    [213]

    References
    ----------
    Raab, Heusinger, Schleif. Reactive soft prototype computing for concept drift streams.
    Neurocomputing 416 (2020).
    """

    alpha: float = 0.005
    window: int = 100
    recent: int = 30
    after_alarm: AfterAlarm = "keep"

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post: at the losses, or at an estimate `of` the error."""
        return native(self, seed, of)
