"""Adaptive random forest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._ensembles import check_delta, check_ensemble
from streamgauge.learners._max_features import MaxFeatures, check_max_features, column_count
from streamgauge.learners._shape import native
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class AdaptiveRandomForest:
    """Adaptive random forest: Hoeffding trees on random columns, replaced when their error rises.

    Each leaf considers a random set of columns of its own. Each tree learns an item with k times
    its weight, k drawn from a Poisson distribution; if k is not 0, the tree first predicts the
    item, and two ADWINs observe its errors. At an alarm of the more sensitive one (a warning) a new
    tree starts to learn in the background; at an alarm of the other (a drift) the background tree,
    or else an untrained one, replaces the tree. A tree votes with its class shares, times its
    accuracy since it was put in place. All is as in MOA; the draws are not MOA's, but depend only
    on the seed and the number of items learned.

    Missing cells, undeclared values and weights are treated as in `HoeffdingTree`. Scores are the
    votes, divided by their sum.

    Parameters
    ----------
    n_models
        Number of trees. MOA and CapyMOA have 100, river 10.
    lambda_value
        Mean of the Poisson distribution of k.
    max_features
        Columns a leaf considers: a float is a share of them, above 0 and below 1 (0.6 in MOA and
        CapyMOA), an int their number, "sqrt" the root of their number plus 1, None all of them.
    warning_delta
        Delta of the ADWIN whose alarm starts a background tree.
    drift_delta
        Delta of the ADWIN whose alarm replaces a tree.
    weighted_vote
        False: votes are not multiplied by the accuracy of the tree.
    tree
        Parameters of the trees. Its `grace_period` is 50 and its `delta` 0.01 by default.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> features = Feature("x"), Feature("noise")
    >>> learner = AdaptiveRandomForest().bind(Schema(features, "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((2000, 2))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> predictions = learner.test_then_train(0, x, y)
    >>> float((predictions == y)[1000:].mean()) > 0.97
    True

    References
    ----------
    Gomes, Bifet, Read, Barddal, Enembreck, Pfahringer, Holmes, Abdessalem. Adaptive random
    forests for evolving data stream classification. Machine Learning 106 (2017).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("arf",)

    n_models: int = 10
    lambda_value: float = 6.0
    max_features: MaxFeatures = 0.6
    warning_delta: float = 0.01
    drift_delta: float = 0.001
    weighted_vote: bool = True
    tree: HoeffdingTree = field(default_factory=HoeffdingTree)

    def __post_init__(self) -> None:
        check_ensemble(self)
        check_delta(self, "warning_delta", self.warning_delta)
        check_max_features(self, self.max_features)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        forest = replace(self, tree=self.tree.completed(grace_period=50, delta=0.01))
        columns = column_count(self.max_features, len(schema.features))
        return native(forest, schema, seed, max_features=columns)
