"""RandomRBF generator."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
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
class RandomRBF(Generated):
    """Clusters around random centroids, which may move.

    Each centroid has a random centre in the unit cube, a class, a weight and a spread, drawn
    once. An item belongs to a centroid chosen by weight; its offset has a random direction
    and a normal length with the centroid's spread. Moving centroids move in a straight line
    and are reflected at the faces of the cube. Defined as in MOA's RandomRBFGenerator and
    RandomRBFGeneratorDrift, with their defaults.

    Parameters
    ----------
    classes
        Number of classes.
    attributes
        Number of features.
    centroids
        Number of centroids.
    moving
        Number of centroids that move; by default all.
    speed
        Distance that they move per item; 0 for a stationary concept.
    model_seed
        Seed of the centroids, that is of the concept; independent of `seed`.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> stream = RandomRBF(classes=3, speed=0.001)
    >>> stream.name
    'RandomRBF(classes=3, speed=0.001)'
    >>> stream.schema.notes
    ('the concept moves a little with every item',)

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby, Gavaldà. New ensemble methods for evolving data
    streams. KDD 2009, 139-148.
    """

    classes: int = 2
    attributes: int = 10
    centroids: int = 50
    moving: int | None = None
    speed: float = 0.0
    model_seed: int = 1

    @property
    def schema(self) -> Schema:
        """Numbers; a continuous drift if centroids move."""
        drifts, notes = continuous_drift(self.speed > 0 and self.moving != 0, self.items)
        features = tuple(Feature(f"att{i + 1}") for i in range(self.attributes))
        classes = tuple(f"class{i + 1}" for i in range(self.classes))
        return Schema(features, "class", classes, drifts, notes=notes)

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.random_rbf(
            self.classes,
            self.attributes,
            self.centroids,
            self.centroids if self.moving is None else self.moving,
            self.speed,
            self.model_seed,
            seed,
        )

    def _check(self) -> None:
        check_integer(self, "classes", 2, MAX_SIZE)
        check_integer(self, "attributes", 1, MAX_SIZE)
        check_integer(self, "centroids", 1, MAX_SIZE)
        if self.moving is not None:
            check_integer(self, "moving", 0, self.centroids)
        check_real(self, "speed")
        check_integer(self, "model_seed", 0, SEEDS - 1)
