"""Real losses whose mean changes."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from math import isfinite

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import check_seed, plain_numbers
from streamgauge.loss_sequences._loss_sequence import check_sequence, level_of_items
from streamgauge.names import description
from streamgauge.seeds import child
from streamgauge.streams.sigmoid import known_drifts
from streamgauge.types import F64, Drift


@plain_numbers
@dataclass(frozen=True, slots=True)
class Normal:
    """Normally distributed losses, independent of each other, whose mean changes at known items.

    For detectors of any losses (`page_hinkley`, `adwin`, `kswin`); others need losses from 0 to 1.

    Parameters
    ----------
    items
        Number of losses.
    at
        Centre of each drift, counted from 0: the first item with the new mean of an abrupt drift.
    levels
        Means of the concepts, in order; they are repeated if there are more drifts.
    sd
        Standard deviation.
    width
        Width of each drift, as in `streams.drift`; 0 and 1 are abrupt.

    Examples
    --------
    >>> losses = Normal(items=2000, at=(1000,), levels=(0, 3)).losses(seed=1)
    >>> round(float(losses[:1000].mean()), 1), round(float(losses[1000:].mean()), 1)
    (-0.0, 3.0)
    """

    items: int = 10_000
    at: tuple[int, ...] = ()
    levels: tuple[float, ...] = (0.0, 1.0)
    sd: float = 1.0
    width: int = 0

    def __post_init__(self) -> None:
        check_sequence(self)
        number = isinstance(self.sd, int | float) and not isinstance(self.sd, bool)
        if not (number and self.sd >= 0 and isfinite(self.sd)):
            raise ParameterError.of(self, "sd", "a number, at least 0", self.sd)

    @property
    def name(self) -> str:
        """Its name, with the non-default parameters."""
        return description("loss_sequence", self)

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """The known drifts."""
        return known_drifts(self.at, self.width)

    def losses(self, seed: int = 0) -> F64:
        """The losses, one per item."""
        check_seed(self, seed)
        drawn = uniforms(child(seed, "loss"), 0, self.items)
        quantile = import_module("scipy.special").ndtri
        # The smallest draw is 0, whose quantile is infinite.
        noise = quantile(np.maximum(drawn, 2.0**-54))
        level = level_of_items(self.items, self.at, self.levels, self.width)
        return np.asarray(level + self.sd * noise, np.float64)
