"""Agrawal generator."""

from __future__ import annotations

from dataclasses import dataclass

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
class Agrawal(Generated):
    """Loan applicants with nine features, classified by one of ten rules.

    The features are salary, commission, age, level of education, make of car, zip code, value
    of the house, years of owning it, and the loan. A rule assigns `groupA` or `groupB`;
    then the numbers are perturbed. Defined as in MOA's AgrawalGenerator, with its
    defaults; as there, a perturbed house value is clipped at 135,000.

    Parameters
    ----------
    function
        The concept, 1 to 10, as numbered in the paper.
    perturbation
        The largest change of a number after the class is assigned, as a fraction of its range.
    balance
        Keep items so that the classes alternate: groupB, groupA, groupB, …
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

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

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.agrawal(self.function, self.perturbation, self.balance, seed)

    def _check(self) -> None:
        check_integer(self, "function", 1, 10)
        check_real(self, "perturbation", 0, 1)
