"""SEA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, flag, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class SEA(Generated):
    r"""Three numbers; two of them decide, by their sum.

    The features are uniform in [0, 10). An item is of `groupA` where

    .. math:: x_1 + x_2 \le \theta

    with the threshold 8, 9, 7 or 9.5 for function 1 to 4, else of `groupB`; the third
    feature does not matter. Defined as in MOA's SEAGenerator, with its defaults.

    Parameters
    ----------
    function
        The concept, 1 to 4.
    noise
        Share of labels that are flipped (MOA counts it in percent).
    balance
        Keep only items of the class whose turn it is: groupB, groupA, groupB, …
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

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
    moves: ClassVar[str] = "function"

    @property
    def schema(self) -> Schema:
        """Three numbers, two classes."""
        features = tuple(Feature(f"attrib{i}") for i in (1, 2, 3))
        return Schema(features, "class", ("groupA", "groupB"))

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.sea(self.function, self.noise, self.balance, seed, goal)

    def _check(self) -> None:
        whole(self, "function", 1, 4)
        real(self, "noise", 0, 1)
        flag(self, "balance")
