"""RandomTree."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import MOST, Generated, Goal, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class RandomTree(Generated):
    """Labels from a random decision tree over uniform features.

    The tree is drawn once: at each node a feature is chosen, a nominal one at most once on a
    path, a numeric one with a threshold within what is left of its range; each leaf gets a
    random class. Defined as in MOA's RandomTreeGenerator, with its defaults.

    Parameters
    ----------
    classes
        Classes to choose from.
    nominals
        Nominal features; they come first.
    numerics
        Numeric features, in [0, 1).
    values
        Values of each nominal feature.
    max_depth
        No node is deeper.
    first_leaf_level
        No leaf is higher (unless the tree ends there).
    leaf_fraction
        Share of the nodes that are leaves, on each level from there on.
    model_seed
        Seed of the tree: the concept. It stays while the items change with `seed`.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> stream = RandomTree(nominals=1, numerics=2, values=3, max_depth=1, items=2)
    >>> stream.schema.features[0]
    Feature(name='nominal1', values=('value1', 'value2', 'value3'))
    >>> [batch] = stream.batches()
    >>> batch.x.shape
    (2, 3)

    References
    ----------
    Domingos, Hulten. Mining high-speed data streams. KDD 2000, 71-80.
    """

    classes: int = 2
    nominals: int = 5
    numerics: int = 5
    values: int = 5
    max_depth: int = 5
    first_leaf_level: int = 3
    leaf_fraction: float = 0.15
    model_seed: int = 1

    @property
    def schema(self) -> Schema:
        """Nominal features, then numeric ones."""
        values = tuple(f"value{i + 1}" for i in range(self.values))
        features = tuple(Feature(f"nominal{i + 1}", values) for i in range(self.nominals))
        features += tuple(Feature(f"numeric{i + 1}") for i in range(self.numerics))
        return Schema(features, "class", tuple(f"class{i + 1}" for i in range(self.classes)))

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.random_tree(
            self.classes,
            self.nominals,
            self.numerics,
            self.values,
            self.max_depth,
            self.first_leaf_level,
            self.leaf_fraction,
            self.model_seed,
            seed,
        )

    def _check(self) -> None:
        whole(self, "classes", 2, MOST)
        whole(self, "nominals", 0, MOST)
        whole(self, "numerics", 0, MOST)
        whole(self, "values", 2, MOST)
        whole(self, "max_depth", 0)
        whole(self, "first_leaf_level", 0)
        real(self, "leaf_fraction", 0, 1)
        whole(self, "model_seed", 0, 2**64 - 1)
        try:
            self.source(0)  # only growing the tree shows whether it fits
        except ValueError as error:
            raise ParameterError(str(error)) from None
