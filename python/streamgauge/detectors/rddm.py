"""RDDM: DDM that keeps its sensitivity on long concepts by discarding old losses."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import NativeDetector
from streamgauge.detectors._detector import native
from streamgauge.kinds import plain_numbers
from streamgauge.windows._window import Window


@plain_numbers
@dataclass(frozen=True, slots=True)
class RDDM:
    """RDDM: DDM that keeps its sensitivity on long concepts by discarding old losses.

    The test is that of `DDM`. After an alarm it continues from the losses since the warning began
    (from the last loss, if there was no warning or the warning reached its limit). A concept that
    reaches `max_size_concept` losses outside a warning is cut to its last
    `min_size_stable_concept`, and a warning longer than `warning_limit` losses is an alarm. Losses
    are from 0 to 1. All is as in MOA.

    Parameters
    ----------
    warning_threshold, drift_threshold
        Levels of warning and alarm, in standard deviations.
    warm_start
        Position, from 1, of the first loss that may be a warning or alarm, as in MOA: `warm_start`
        - 1 losses cannot. (In `DDM` it is one more, as in river.)
    max_size_concept
        Maximum length of a concept, in losses.
    min_size_stable_concept
        Number of losses kept of a longer concept.
    warning_limit
        Maximum length of a warning, in losses.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.concatenate([np.tile([0.0, 0, 0, 1], 100), np.ones(60)])
    >>> rows, kinds = RDDM().bind().observe_many(losses)[1:]
    >>> rows.tolist(), kinds.tolist()
    ([407, 413], [1, 2])

    References
    ----------
    Barros, Cabral, Gonçalves, Santos. RDDM: reactive drift detection method.
    Expert Systems with Applications 90 (2017).
    """

    warning_threshold: float = 1.773
    drift_threshold: float = 2.258
    warm_start: int = 129
    max_size_concept: int = 40_000
    min_size_stable_concept: int = 7_000
    warning_limit: int = 1_400

    def __post_init__(self) -> None:
        self.bind()

    def bind(self, seed: int = 0, window: Window | None = None) -> NativeDetector:
        """Create the detector. It observes the losses, or their mean in `window` if given."""
        return native(self, seed, window)
