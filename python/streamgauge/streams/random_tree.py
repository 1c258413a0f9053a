"""RandomTree generator."""

from __future__ import annotations

from dataclasses import dataclass

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
)
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class RandomTree(Generated):
    """Labels from a random decision tree over uniform features.

    The tree is drawn once: at each node a feature is chosen, a nominal one at most once on a
    path, a numeric one with a threshold within the remaining range; each leaf gets a
    random class. Defined as in MOA's RandomTreeGenerator, with its defaults.

    Parameters
    ----------
    classes
        Number of classes.
    nominals
        Number of nominal features; they are the first ones.
    numerics
        Number of numeric features, in [0, 1).
    values
        Number of values of each nominal feature.
    max_depth
        Maximum depth of the tree.
    first_leaf_level
        Minimum depth of a leaf (at most `max_depth`).
    leaf_fraction
        Fraction of leaves on each level from there on.
    model_seed
        Seed of the tree, that is of the concept; independent of `seed`.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

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

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
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
        check_integer(self, "classes", 2, MAX_SIZE)
        check_integer(self, "nominals", 0, MAX_SIZE)
        check_integer(self, "numerics", 0, MAX_SIZE)
        check_integer(self, "values", 2, MAX_SIZE)
        check_integer(self, "max_depth", 0, MAX_SIZE)
        check_integer(self, "first_leaf_level", 0, MAX_SIZE)
        check_real(self, "leaf_fraction", 0, 1)
        check_integer(self, "model_seed", 0, SEEDS - 1)
        try:
            self.source(0)  # the size of the tree is known only after growing it
        except ValueError as error:
            raise ParameterError(str(error)) from None
