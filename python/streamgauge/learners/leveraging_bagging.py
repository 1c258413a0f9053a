"""Leveraging bagging."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._ensembles import check_ensemble
from streamgauge.learners._shape import native
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LeveragingBagging:
    """Leveraging bagging: Hoeffding trees that see each item about six times, and vote.

    Each tree is taught an item with k times its weight, k drawn from a Poisson distribution.
    Then it is asked about the item again, and an ADWIN of its own watches its errors. When one of
    them says that the error has risen, the tree with the highest error in its window is replaced
    by one that knows nothing. A tree votes with the shares it gives the classes; one that knows
    nothing does not vote. All is as in MOA, without its output codes; draws are not MOA's, but
    depend on the seed and on how many items were taught alone.

    Missing cells, undeclared values and weights are as in `HoeffdingTree`. Scores are the votes,
    divided by their sum.

    Parameters
    ----------
    members
        How many trees.
    rate
        How often a tree is taught an item, on average.
    drift
        Confidence of the ADWINs.
    tree
        What its trees are like.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = LeveragingBagging().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((2000, 1))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> said = learner.test_then_train(0, x, y)
    >>> float((said == y)[1000:].mean()) > 0.97
    True

    References
    ----------
    Bifet, Holmes, Pfahringer. Leveraging bagging for evolving data streams. ECML PKDD 2010.
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("lb",)

    members: int = 10
    rate: float = 6.0
    drift: float = 0.002
    tree: HoeffdingTree = field(default_factory=HoeffdingTree)

    def __post_init__(self) -> None:
        check_ensemble(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
