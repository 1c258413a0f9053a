"""HDDM, W-test."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class HDDMW:
    r"""HDDM, W-test: is the recent loss above what it was before the best cut?

    Before and after the cut, exponentially weighted means are kept: the first loss is the mean,
    each further one counts by `weight`. With the squared weights of both added up to
    :math:`w`, by McDiarmid's bound:

    .. math:: \hat x_\text{after} - \hat x_\text{before} > \sqrt{\tfrac{w}{2} \ln \tfrac{1}{k}}

    where k is `warning` or `alarm`. Losses are from 0 to 1. After an alarm it starts anew. The
    first loss has the weight 1, as published and as in MOA; river's bound is that of a mean with
    one loss more, so that its alarms may differ.

    Parameters
    ----------
    warning, alarm
        Confidences.
    weight
        Of the newest loss: the larger, the faster it forgets.
    two_sided
        Falling losses are a change too.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [50, 30])
    >>> rows, kinds = HDDMW().bind().signals(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([61, 64], [1, 2])

    References
    ----------
    Frías-Blanco, del Campo-Ávila, Ramos-Jiménez, Morales-Bueno, Ortiz-Díaz, Caballero-Mota.
    Online and non-parametric drift detection methods based on Hoeffding's bounds.
    IEEE Transactions on Knowledge and Data Engineering 27 (2015).
    """

    warning: float = 0.005
    alarm: float = 0.001
    weight: float = 0.05
    two_sided: bool = False

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post: at the losses, or at an estimate `of` the error."""
        return native(self, seed, of)
