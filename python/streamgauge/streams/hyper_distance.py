"""HyperDistance generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import (
    MAX_SIZE,
    SEEDS,
    Generated,
    Transition,
    check_integer,
    check_real,
    continuous_drift,
)
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class HyperDistance(Generated):
    r"""Regression on the distance from a hyperplane.

    The features and weights are those of `Hyperplane`; the target is

    .. math:: f_1(x) = |w^\top x| \quad\text{or}\quad f_3(x) = (w^\top x)^3

    As the ranges reported in the paper show (one is the cube of the other, both positive),
    the plane goes through the origin there, so the absolute value has no effect;
    `centred=True` uses the plane of `Hyperplane`, through the centre of the cube.

    Parameters
    ----------
    distance
        "absolute" or "cubic".
    attributes
        Number of features.
    centred
        Measure from the plane through the centre, w'(x - 1/2).
    drifting, magnitude, reversal
        Motion of the weights, as for `Hyperplane`.
    noise
        Standard deviation of normal noise added to the target.
    model_seed
        Seed of the weights; by default the seed of the items.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    Two targets of the same plane:

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
    concept_parameter: ClassVar[str] = "model_seed"

    @property
    def schema(self) -> Schema:
        """Numbers, a real target; a continuous drift if the weights move."""
        drifts, notes = continuous_drift(self.magnitude > 0 and self.drifting > 0, self.items)
        features = tuple(Feature(f"att{i + 1}") for i in range(self.attributes))
        return Schema(features, "target", None, drifts, notes=notes)

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
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
            transition,
        )

    def _check(self) -> None:
        if self.distance not in ("absolute", "cubic"):
            raise ParameterError.of(self, "distance", "'absolute' or 'cubic'", self.distance)
        check_integer(self, "attributes", 1, MAX_SIZE)
        check_integer(self, "drifting", 0, self.attributes)
        check_real(self, "magnitude")
        check_real(self, "reversal", 0, 1)
        check_real(self, "noise")
        if self.model_seed is not None:
            check_integer(self, "model_seed", 0, SEEDS - 1)
