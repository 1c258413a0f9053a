"""Agrawal."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, flag, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Agrawal(Generated):
    """People who ask for a loan: nine features, ten rules.

    Salary, commission, age, level of education, make of car, zip code, value of the house,
    years it has been owned, and the loan. A rule puts a person into `groupA` or `groupB`;
    afterwards the numbers are perturbed. Defined as in MOA's AgrawalGenerator, with its
    defaults; like there, a perturbed house value is cut at 135,000.

    Parameters
    ----------
    function
        The concept, 1 to 10, as numbered in the paper.
    perturbation
        The largest change of a number after its class is set, as a share of its range.
    balance
        Keep only items of the class whose turn it is: groupB, groupA, groupB, …
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> stream = Agrawal(function=1, perturbation=0.0, items=1000)
    >>> [batch] = stream.batches()
    >>> age = batch.x[:, stream.schema.names.index("age")]
    >>> bool(((batch.label == 1) == ((age >= 40) & (age < 60))).all())
    True

    References
    ----------
    Agrawal, Imielinski, Swami. Database mining: a performance perspective.
    IEEE Transactions on Knowledge and Data Engineering 5(6), 914-925 (1993).
    """

    function: int = 1
    perturbation: float = 0.05
    balance: bool = False

    @property
    def schema(self) -> Schema:
        """Six numbers, three nominal features, two classes."""
        features = (
            Feature("salary"),
            Feature("commission"),
            Feature("age"),
            Feature("elevel", tuple(f"level{i}" for i in range(5))),
            Feature("car", tuple(f"car{i}" for i in range(1, 21))),
            Feature("zipcode", tuple(f"zipcode{i}" for i in range(1, 10))),
            Feature("hvalue"),
            Feature("hyears"),
            Feature("loan"),
        )
        return Schema(features, "class", ("groupA", "groupB"))

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.agrawal(self.function, self.perturbation, self.balance, seed)

    def _check(self) -> None:
        whole(self, "function", 1, 10)
        real(self, "perturbation", 0, 1)
        flag(self, "balance")
