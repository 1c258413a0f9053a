"""Losses of 0 and 1 whose error rate changes."""

from __future__ import annotations

from dataclasses import dataclass

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
class Bernoulli:
    """Losses of 0 and 1, independent of each other, whose error rate changes at known items.

    The classical test of detectors: what a learner with this error rate would give them. Without a
    drift the sequence is stationary, and every alarm is false.

    Parameters
    ----------
    items
        Number of losses.
    at
        Centre of each drift, counted from 0: the first item with the new rate of an abrupt drift.
    levels
        Error rates of the concepts, in order; they are repeated if there are more drifts.
    width
        Width of each drift, as in `streams.drift`; 0 and 1 are abrupt.

    Examples
    --------
    >>> sequence = Bernoulli(items=2000, at=(1000,), levels=(0.1, 0.5))
    >>> losses = sequence.losses(seed=1)
    >>> float(losses[:1000].mean()), float(losses[1000:].mean())
    (0.107, 0.504)
    >>> sequence.drifts
    (Drift(start=1000, centre=1000, end=1000, kind='abrupt'),)
    """

    items: int = 10_000
    at: tuple[int, ...] = ()
    levels: tuple[float, ...] = (0.1, 0.3)
    width: int = 0

    def __post_init__(self) -> None:
        check_sequence(self)
        if not all(0 <= level <= 1 for level in self.levels):
            raise ParameterError.of(self, "levels", "from 0 to 1", self.levels)

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
        level = level_of_items(self.items, self.at, self.levels, self.width)
        return (uniforms(child(seed, "loss"), 0, self.items) < level).astype(float)
