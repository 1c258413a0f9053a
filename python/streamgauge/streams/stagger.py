"""Stagger generator."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Transition, check_integer
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Stagger(Generated):
    """Size, colour and shape of an object, classified by one of three rules.

    An item is `true` if, by function, it is (1) small and red, (2) green or a circle,
    (3) medium or large. Defined as in MOA's STAGGERGenerator, with its defaults.

    Parameters
    ----------
    function
        The concept, 1 to 3.
    balance
        Keep items so that the classes alternate: true, false, true, …
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> stream = Stagger(function=3, items=100)
    >>> [batch] = stream.batches()
    >>> stream.schema.features[0]
    Feature(name='size', values=('small', 'medium', 'large'))
    >>> bool(((batch.x[:, 0] > 0) == (batch.label == 1)).all())
    True

    References
    ----------
    Schlimmer, Granger. Incremental learning from noisy data.
    Machine Learning 1, 317-354 (1986).
    """

    function: int = 1
    balance: bool = False

    @property
    def schema(self) -> Schema:
        """Three nominal features, two classes."""
        features = (
            Feature("size", ("small", "medium", "large")),
            Feature("color", ("red", "blue", "green")),
            Feature("shape", ("circle", "square", "triangle")),
        )
        return Schema(features, "class", ("false", "true"))

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.stagger(self.function, self.balance, seed)

    def _check(self) -> None:
        check_integer(self, "function", 1, 3)
