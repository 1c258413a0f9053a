"""Page-Hinkley ratio: tests the ratio of short-term to long-term error by Page-Hinkley."""

from __future__ import annotations

from dataclasses import dataclass, field

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import AfterAlarm, native
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window
from streamgauge.windows.fading import Fading
from streamgauge.windows.sliding import Sliding
from streamgauge.windows.whole import Whole


@plain_numbers
@dataclass(frozen=True, slots=True)
class PageHinkleyRatio:
    r"""Page-Hinkley ratio: tests the ratio of short-term to long-term error by Page-Hinkley.

    .. math:: R_i = M_\text{short}(i) / M_\text{long}(i)

    Both windows are fading, or both are sliding; `short` is the shorter one, and `long` may be
    `Whole()`. Where the long-term error is 0, the ratio is 1: of losses that are not negative, the
    short-term error is 0 too. Detects changes much earlier than Page-Hinkley over one mean loss,
    with more false alarms.

    Parameters
    ----------
    short, long
        The windows of the two mean losses: `Fading`, `Sliding`, and for `long` also `Whole`.
    delta, threshold, after_alarm
        As in `PageHinkley`.

    Examples
    --------
    >>> import numpy as np
    >>> detector = PageHinkleyRatio(Sliding(2), Sliding(8), delta=0.0, threshold=2.0).bind()
    >>> losses = np.array([0.0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1])
    >>> detector.observe_many(losses)[1].tolist()
    [9]

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013), Section 5.3 and Algorithm 4.
    """

    short: Fading | Sliding = field(default_factory=lambda: Fading(0.997))
    long: Fading | Sliding | Whole = field(default_factory=lambda: Fading(0.9994))
    delta: float = 0.1
    threshold: float = 100.0
    after_alarm: AfterAlarm = "keep"

    def __post_init__(self) -> None:
        short, long = self.short, self.long
        match short, long:
            case Fading(), Fading():
                fits = short.factor < long.factor
            case Sliding(), Sliding():
                fits = short.size < long.size
            case Fading() | Sliding(), Whole():
                fits = short != Fading(1.0)
            case _:
                fits = False
        if not fits:
            must = f"the same kind of window as `long` ({long}) and shorter"
            if isinstance(long, Whole):
                must = "`Sliding`, or `Fading` with a factor below 1, if `long` is `Whole()`"
            elif not isinstance(long, Fading | Sliding):
                raise ParameterError.of(self, "long", "`Fading`, `Sliding` or `Whole`", str(long))
            raise ParameterError.of(self, "short", must, str(short))
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
