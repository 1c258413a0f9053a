"""HDDM, W-test: compares weighted mean losses before and after the best cut."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class HDDMW:
    r"""HDDM, W-test: compares weighted mean losses before and after the best cut.

    Both means are exponentially weighted: the first loss is the mean, each further one has the
    weight `lambda_value`. With :math:`w` the sum of the squared weights of both, by McDiarmid's
    bound:

    .. math:: \hat x_\text{after} - \hat x_\text{before} > \sqrt{\tfrac{w}{2} \ln \tfrac{1}{k}}

    where k is `warning_confidence` or `drift_confidence`. Losses are from 0 to 1. After an alarm it
    is reset. The first loss has the weight 1, as published and in MOA; river's bound is that of a
    mean with one loss more, so its alarms may differ.

    Parameters
    ----------
    warning_confidence, drift_confidence
        Confidence levels of warning and alarm: the smaller, the fewer.
    lambda_value
        Weight of the newest loss: the larger, the faster older losses are forgotten.
    two_sided_test
        True: a decrease is a change too.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.repeat([0.0, 1.0], [50, 30])
    >>> rows, kinds = HDDMW().bind().observe_many(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([61, 64], [1, 2])

    References
    ----------
    Frías-Blanco, del Campo-Ávila, Ramos-Jiménez, Morales-Bueno, Ortiz-Díaz, Caballero-Mota.
    Online and non-parametric drift detection methods based on Hoeffding's bounds.
    IEEE Transactions on Knowledge and Data Engineering 27 (2015).
    """

    warning_confidence: float = 0.005
    drift_confidence: float = 0.001
    lambda_value: float = 0.05
    two_sided_test: bool = False

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
