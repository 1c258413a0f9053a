"""ADWIN bagging."""

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
class AdwinBagging:
    """ADWIN bagging: Hoeffding trees that learn each item about once, and vote.

    Online bagging (each tree learns an item with k times its weight, k drawn from a Poisson
    distribution of mean 1), with an ADWIN for each tree's errors. At an alarm of one of the ADWINs
    for a risen error, the tree with the highest error in its window is replaced by one that has
    learned only the current item. As in MOA (`OzaBagAdwin`); the draws are not MOA's, but depend
    only on the seed and the number of items learned. `LeveragingBagging` differs in the mean, and
    in that a new tree starts with the next item.

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
    >>> learner = AdwinBagging().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((4000, 1))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> predictions = learner.test_then_train(0, x, y)
    >>> float((predictions == y)[2000:].mean()) > 0.97
    True

    References
    ----------
    Oza, Russell. Online bagging and boosting. AISTATS 2001.
    Bifet, Holmes, Pfahringer, Kirkby, Gavaldà. New ensemble methods for evolving data streams.
    KDD 2009.
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("oza_bag_adwin",)

    n_models: int = 10
    lambda_value: float = 1.0
    drift_delta: float = 0.002
    tree: HoeffdingTree = field(default_factory=HoeffdingTree)

    def __post_init__(self) -> None:
        check_ensemble(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(replace(self, tree=self.tree.completed()), schema, seed)
