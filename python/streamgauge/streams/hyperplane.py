"""Hyperplane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import MOST, Generated, Goal, always, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Hyperplane(Generated):
    r"""On which side of a plane, which may turn a little with every item?

    The features are uniform in [0, 1), the weights were drawn from there too. An item is of
    `class2` where

    .. math:: \sum w_i x_i \ge \tfrac12 \sum w_i

    After each item the first `drifting` weights move by `magnitude`, up at first; each turns
    round with probability `reversal`. Defined as in MOA's HyperplaneGenerator, with its
    defaults. (MOA lets one declare more than two classes, but only makes two.)

    Parameters
    ----------
    attributes
        Features.
    drifting
        The first so many weights move.
    magnitude
        How far they move with each item; 0 is a concept that stays.
    reversal
        Probability that a moving weight turns round (MOA: sigma, in percent).
    noise
        Share of labels that are flipped (MOA counts it in percent).
    model_seed
        Seed of the weights; None draws them by the seed of the items, as MOA does.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> Hyperplane(magnitude=0.001, items=10_000).schema.drifts
    (Drift(start=0, centre=5000, end=10000, kind='incremental'),)
    >>> [batch] = Hyperplane(attributes=2, items=4).batches()
    >>> batch.x.shape
    (4, 2)

    References
    ----------
    Hulten, Spencer, Domingos. Mining time-changing data streams. KDD 2001, 97-106.
    """

    attributes: int = 10
    drifting: int = 2
    magnitude: float = 0.0
    reversal: float = 0.1
    noise: float = 0.05
    model_seed: int | None = None
    moves: ClassVar[str] = "model_seed"

    @property
    def schema(self) -> Schema:
        """Numbers, two classes; a drift without end where the weights move."""
        drifts, notes = always(self.magnitude > 0 and self.drifting > 0, self.items)
        features = tuple(Feature(f"att{i + 1}") for i in range(self.attributes))
        return Schema(features, "class", ("class1", "class2"), drifts, notes=notes)

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.hyperplane(
            self.attributes,
            self.drifting,
            self.magnitude,
            self.reversal,
            self.noise,
            seed if self.model_seed is None else self.model_seed,
            seed,
            goal,
        )

    def _check(self) -> None:
        whole(self, "attributes", 1, MOST)
        whole(self, "drifting", 0, self.attributes)
        real(self, "magnitude")
        real(self, "reversal", 0, 1)
        real(self, "noise", 0, 1)
        if self.model_seed is not None:
            whole(self, "model_seed", 0, 2**64 - 1)
