"""Sine."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, flag, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Sine(Generated):
    r"""Above or below a curve?

    Two features x, y in [0, 1) matter, two more do not. An item is `positive` where, by
    function,

    1. :math:`y < \sin x`, 2. :math:`y \ge \sin x`,
    3. :math:`y < 0.5 + 0.3 \sin 3 \pi x`, 4. :math:`y \ge 0.5 + 0.3 \sin 3 \pi x`.

    So from 1 to 2, and from 3 to 4, every label flips. Defined as in MOA's SineGenerator,
    with its defaults.

    Parameters
    ----------
    function
        The concept, 1 to 4.
    irrelevant
        Include the two features that do not matter.
    balance
        Keep only items of the class whose turn it is: negative, positive, negative, …
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> import numpy as np
    >>> [batch] = Sine(function=1, items=100).batches()
    >>> below = batch.x[:, 1] < np.sin(batch.x[:, 0])
    >>> bool((below == (batch.label == 0)).all())
    True

    References
    ----------
    Gama, Medas, Castillo, Rodrigues. Learning with drift detection. SBIA 2004, 286-295.
    """

    function: int = 1
    irrelevant: bool = True
    balance: bool = False

    @property
    def schema(self) -> Schema:
        """Four (or two) numbers, two classes."""
        features = tuple(Feature(f"att{i + 1}") for i in range(4 if self.irrelevant else 2))
        return Schema(features, "class", ("positive", "negative"))

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.sine(self.function, self.irrelevant, self.balance, seed)

    def _check(self) -> None:
        whole(self, "function", 1, 4)
        flag(self, "irrelevant")
        flag(self, "balance")
