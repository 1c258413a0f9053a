"""HDDM, A-test."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class HDDMA:
    r"""HDDM, A-test: is the mean loss above what it was at the best cut?

    The cut is where the mean plus Hoeffding's bound was smallest. With n losses in all and
    :math:`n_1` up to the cut:

    .. math:: \bar x_n - \bar x_{n_1} \ge
              \sqrt{\tfrac{1}{2} \left(\tfrac{1}{n_1} - \tfrac{1}{n}\right) \ln \tfrac{2}{k}}

    where k is `warning` or `alarm`. Losses are from 0 to 1. After an alarm it starts anew. So
    does river.

    Parameters
    ----------
    warning, alarm
        Confidences.
    two_sided
        Falling losses are a change too.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [50, 30])
    >>> rows, kinds = HDDMA().bind().signals(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([53, 54], [1, 2])

    References
    ----------
    Frías-Blanco, del Campo-Ávila, Ramos-Jiménez, Morales-Bueno, Ortiz-Díaz, Caballero-Mota.
    Online and non-parametric drift detection methods based on Hoeffding's bounds.
    IEEE Transactions on Knowledge and Data Engineering 27 (2015).
    """

    warning: float = 0.005
    alarm: float = 0.001
    two_sided: bool = False

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post: at the losses, or at an estimate `of` the error."""
        return native(self, seed, of)
