"""HyperDistance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import MOST, Generated, Goal, always, flag, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class HyperDistance(Generated):
    r"""How far from a plane? A regression made of Hyperplane.

    The features and weights are those of `Hyperplane`; the target is

    .. math:: f_1(x) = |w^\top x| \quad\text{or}\quad f_3(x) = (w^\top x)^3

    As the ranges reported in the paper show (one is the cube of the other, both positive),
    the plane goes through the origin there, so the absolute value changes nothing;
    `centred=True` measures from the plane that `Hyperplane` asks about, through the middle
    of the cube.

    Parameters
    ----------
    distance
        "absolute" or "cubic".
    attributes
        Features.
    centred
        Measure from the plane through the middle, w'(x - 1/2).
    drifting, magnitude, reversal
        How the weights move, as for `Hyperplane`.
    noise
        Standard deviation of a normal that is added to the target.
    model_seed
        Seed of the weights; None draws them by the seed of the items.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    The same plane, asked about in two ways:

    >>> plain, cubic = (
    ...     HyperDistance(d, model_seed=1, seed=1, items=100) for d in ("absolute", "cubic")
    ... )
    >>> [a], [b] = plain.batches(), cubic.batches()
    >>> bool(abs(a.label**3 - b.label).max() < 1e-12)
    True

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150, 250-264 (2015).
    """

    distance: Literal["absolute", "cubic"] = "absolute"
    attributes: int = 4
    centred: bool = False
    drifting: int = 2
    magnitude: float = 0.0
    reversal: float = 0.1
    noise: float = 0.0
    model_seed: int | None = None
    moves: ClassVar[str] = "model_seed"

    @property
    def schema(self) -> Schema:
        """Numbers, a real target; a drift without end where the weights move."""
        drifts, notes = always(self.magnitude > 0 and self.drifting > 0, self.items)
        features = tuple(Feature(f"att{i + 1}") for i in range(self.attributes))
        return Schema(features, "target", None, drifts, notes=notes)

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.hyper_distance(
            self.distance,
            self.attributes,
            self.centred,
            self.drifting,
            self.magnitude,
            self.reversal,
            self.noise,
            seed if self.model_seed is None else self.model_seed,
            seed,
            goal,
        )

    def _check(self) -> None:
        if self.distance not in ("absolute", "cubic"):
            raise ParameterError.of(self, "distance", "'absolute' or 'cubic'", self.distance)
        whole(self, "attributes", 1, MOST)
        flag(self, "centred")
        whole(self, "drifting", 0, self.attributes)
        real(self, "magnitude")
        real(self, "reversal", 0, 1)
        real(self, "noise")
        if self.model_seed is not None:
            whole(self, "model_seed", 0, 2**64 - 1)
