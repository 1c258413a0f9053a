"""Mixed generator."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Transition, check_integer
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Mixed(Generated):
    r"""Whether at least two of three conditions hold.

    Two random bits v, w and two numbers x, y in [0, 1). An item is `positive` if at least
    two hold of: v, w, :math:`y < 0.5 + 0.3 \sin 3 \pi x`. Function 2 is the inverse: every
    label flips. Defined as in MOA's MixedGenerator, with its defaults.

    Parameters
    ----------
    function
        The concept, 1 or 2.
    balance
        Keep items so that the classes alternate: negative, positive, negative, …
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> [one], [two] = (Mixed(function=f, seed=1, items=100).batches() for f in (1, 2))
    >>> bool((one.x == two.x).all()), bool((one.label != two.label).all())
    (True, True)

    References
    ----------
    Gama, Medas, Castillo, Rodrigues. Learning with drift detection. SBIA 2004, 286-295.
    """

    function: int = 1
    balance: bool = False

    @property
    def schema(self) -> Schema:
        """Two bits, two numbers, two classes."""
        bits = tuple(Feature(name, ("0", "1")) for name in "vw")
        features = (*bits, Feature("x"), Feature("y"))
        return Schema(features, "class", ("positive", "negative"))

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.mixed(self.function, self.balance, seed)

    def _check(self) -> None:
        check_integer(self, "function", 1, 2)
