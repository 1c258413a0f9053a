"""RandomRBF."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import MOST, Generated, Goal, always, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class RandomRBF(Generated):
    """Clouds around random centroids, which may move.

    Each centroid has a random centre in the unit cube, a class, a weight and a spread, drawn
    once. An item belongs to a centroid chosen by weight and lies from it in a random
    direction, at a distance that is normal with its spread. Moving centroids go straight on
    and turn round at the walls of the cube. Defined as in MOA's RandomRBFGenerator and
    RandomRBFGeneratorDrift, with their defaults.

    Parameters
    ----------
    classes
        Classes to choose from.
    attributes
        Features.
    centroids
        Centroids.
    moving
        The first so many of them move; None is all.
    speed
        How far they move with each item; 0 is a concept that stays.
    model_seed
        Seed of the centroids: the concept. It stays while the items change with `seed`.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

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
        """Numbers; a drift without end where centroids move."""
        drifts, notes = always(self.speed > 0 and self.moving != 0, self.items)
        features = tuple(Feature(f"att{i + 1}") for i in range(self.attributes))
        classes = tuple(f"class{i + 1}" for i in range(self.classes))
        return Schema(features, "class", classes, drifts, notes=notes)

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
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
        whole(self, "classes", 2, MOST)
        whole(self, "attributes", 1, MOST)
        whole(self, "centroids", 1, MOST)
        if self.moving is not None:
            whole(self, "moving", 0, self.centroids)
        real(self, "speed")
        whole(self, "model_seed", 0, 2**64 - 1)
