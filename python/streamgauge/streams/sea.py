"""SEA generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import (
    Generated,
    Transition,
    check_integer,
    check_real,
)
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class SEA(Generated):
    r"""Three numbers; the class depends on the sum of two of them.

    The features are uniform in [0, 10). An item is of `groupA` if

    .. math:: x_1 + x_2 \le \theta

    with threshold 8, 9, 7 or 9.5 for functions 1 to 4, otherwise of `groupB`; the third
    feature is irrelevant. Defined as in MOA's SEAGenerator, with its defaults.

    Parameters
    ----------
    function
        The concept, 1 to 4.
    noise
        Fraction of flipped labels (MOA: in percent).
    balance
        Keep items so that the classes alternate: groupB, groupA, groupB, …
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> stream = SEA(function=2, noise=0.0, seed=1, items=5)
    >>> [batch] = stream.batches()
    >>> (batch.x[:, 0] + batch.x[:, 1] > 9).tolist() == (batch.label == 1).tolist()
    True
    >>> stream.name, stream.length, stream.schema.classes
    ('SEA(function=2, noise=0.0)', 5, ('groupA', 'groupB'))

    References
    ----------
    Street, Kim. A streaming ensemble algorithm (SEA) for large-scale classification.
    KDD 2001, 377-382.
    """

    function: int = 1
    noise: float = 0.1
    balance: bool = False
    concept_parameter: ClassVar[str] = "function"

    @property
    def schema(self) -> Schema:
        """Three numbers, two classes."""
        features = tuple(Feature(f"attrib{i}") for i in (1, 2, 3))
        return Schema(features, "class", ("groupA", "groupB"))

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.sea(self.function, self.noise, self.balance, seed, transition)

    def _check(self) -> None:
        check_integer(self, "function", 1, 4)
        check_real(self, "noise", 0, 1)
