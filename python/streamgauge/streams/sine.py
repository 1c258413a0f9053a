"""Sine generator."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Transition, check_integer
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Sine(Generated):
    r"""Points above or below a curve.

    Two features x, y in [0, 1) are relevant, two more are not. An item is `positive` if, by
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
        Include the two irrelevant features.
    balance
        Keep items so that the classes alternate: negative, positive, negative, …
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

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

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.sine(self.function, self.irrelevant, self.balance, seed)

    def _check(self) -> None:
        check_integer(self, "function", 1, 4)
