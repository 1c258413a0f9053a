"""Mixed."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, flag, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Mixed(Generated):
    r"""Do two of three conditions hold?

    Two fair bits v, w and two numbers x, y in [0, 1). An item is `positive` where at least
    two hold of: v, w, :math:`y < 0.5 + 0.3 \sin 3 \pi x`. Function 2 is the reverse: every
    label flips. Defined as in MOA's MixedGenerator, with its defaults.

    Parameters
    ----------
    function
        The concept, 1 or 2.
    balance
        Keep only items of the class whose turn it is: negative, positive, negative, …
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

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

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.mixed(self.function, self.balance, seed)

    def _check(self) -> None:
        whole(self, "function", 1, 2)
        flag(self, "balance")
