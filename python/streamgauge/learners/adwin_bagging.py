"""ADWIN bagging."""

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
class AdwinBagging:
    """ADWIN bagging: Hoeffding trees that see each item about once, and vote.

    Online bagging (each tree is taught an item with k times its weight, k drawn from a Poisson
    distribution of mean 1), with an ADWIN for each tree's errors. When one of them says that the
    error has risen, the tree with the highest error in its window is replaced by one that knows
    only the item at hand. As in MOA (`OzaBagAdwin`); draws are not MOA's, but depend on the seed
    and on how many items were taught alone. `LeveragingBagging` differs in the mean, and in that a
    new tree waits for the next item.

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
    >>> learner = AdwinBagging().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((4000, 1))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> said = learner.test_then_train(0, x, y)
    >>> float((said == y)[2000:].mean()) > 0.97
    True

    References
    ----------
    Oza, Russell. Online bagging and boosting. AISTATS 2001.
    Bifet, Holmes, Pfahringer, Kirkby, Gavaldà. New ensemble methods for evolving data streams.
    KDD 2009.
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("oza_bag_adwin",)

    members: int = 10
    rate: float = 1.0
    drift: float = 0.002
    tree: HoeffdingTree = field(default_factory=HoeffdingTree)

    def __post_init__(self) -> None:
        check_ensemble(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
