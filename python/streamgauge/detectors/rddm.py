"""RDDM."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._watching import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class RDDM:
    """RDDM: DDM that does not grow numb on long concepts.

    The test is that of `DDM`. After an alarm it goes on from the losses since its warning began
    (from the last one, if it had not warned). A concept longer than `longest` is cut to its last
    `keep` losses, and a warning of `patience` losses is taken for an alarm. Losses are from 0 to
    1. So does MOA.

    Parameters
    ----------
    warning, alarm
        Levels, in standard deviations.
    warm_up
        Nothing is said before so many losses.
    longest, keep
        How long a concept may be, and how many losses are kept of one that is longer.
    patience
        How long a warning may be.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.concatenate([np.tile([0.0, 0, 0, 1], 100), np.ones(60)])
    >>> rows, kinds = RDDM().bind().signals(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([407, 413], [1, 2])

    References
    ----------
    Barros, Cabral, Gonçalves, Santos. RDDM: reactive drift detection method.
    Expert Systems with Applications 90 (2017).
    """

    warning: float = 1.773
    alarm: float = 2.258
    warm_up: int = 129
    longest: int = 40_000
    keep: int = 7_000
    patience: int = 1_400

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, of: Window | None = None) -> NativeDetector:
        """Put it on its post: at the losses, or at an estimate `of` the error."""
        return native(self, seed, of)
