"""HDDM, A-test: compares the mean loss with the mean up to the best cut."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class HDDMA:
    r"""HDDM, A-test: compares the mean loss with the mean up to the best cut.

    The cut is where the mean plus Hoeffding's bound was smallest. With n losses in all and
    :math:`n_1` up to the cut:

    .. math:: \bar x_n - \bar x_{n_1} \ge
              \sqrt{\tfrac{1}{2} \left(\tfrac{1}{n_1} - \tfrac{1}{n}\right) \ln \tfrac{2}{k}}

    where k is `warning_confidence` or `drift_confidence`. Losses are from 0 to 1. After an alarm it
    is reset, as in river.

    Parameters
    ----------
    warning_confidence, drift_confidence
        Confidence levels of warning and alarm: the smaller, the fewer.
    two_sided_test
        True: a decrease is a change too.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [50, 30])
    >>> rows, kinds = HDDMA().bind().observe_many(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([53, 54], [1, 2])

    References
    ----------
    Frías-Blanco, del Campo-Ávila, Ramos-Jiménez, Morales-Bueno, Ortiz-Díaz, Caballero-Mota.
    Online and non-parametric drift detection methods based on Hoeffding's bounds.
    IEEE Transactions on Knowledge and Data Engineering 27 (2015).
    """

    warning_confidence: float = 0.005
    drift_confidence: float = 0.001
    two_sided_test: bool = False

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
