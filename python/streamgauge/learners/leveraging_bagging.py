"""Leveraging bagging."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    """Leveraging bagging: Hoeffding trees that learn each item about six times, and vote.

    Each tree learns an item with k times its weight, k drawn from a Poisson distribution. Then it
    predicts the item again, and an ADWIN observes its errors. At an alarm of one of the ADWINs for
    a risen error, the tree with the highest error in its window is replaced by an untrained one. A
    tree votes with its class shares; an untrained tree does not vote. All is as in MOA, without its
    output codes; the draws are not MOA's, but depend only on the seed and the number of items
    learned.

    Missing cells, undeclared values and weights are treated as in `HoeffdingTree`. Scores are the
    votes, divided by their sum.

    Parameters
    ----------
    n_models
        Number of trees.
    lambda_value
        Mean of the Poisson distribution of k.
    drift_delta
        Delta of the ADWINs.
    tree
        Parameters of the trees.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = LeveragingBagging().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((2000, 1))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> predictions = learner.test_then_train(0, x, y)
    >>> float((predictions == y)[1000:].mean()) > 0.97
    True

    References
    ----------
    Bifet, Holmes, Pfahringer. Leveraging bagging for evolving data streams. ECML PKDD 2010.
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("lb",)

    n_models: int = 10
    lambda_value: float = 6.0
    drift_delta: float = 0.002
    tree: HoeffdingTree = field(default_factory=HoeffdingTree)

    def __post_init__(self) -> None:
        check_ensemble(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(replace(self, tree=self.tree.completed()), schema, seed)
