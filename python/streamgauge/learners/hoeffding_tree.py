"""Hoeffding tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._growth import check_growth, check_whole
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class HoeffdingTree:
    r"""Hoeffding tree (VFDT): a decision tree that splits a leaf once the best split is certain.

    After every `grace_period` items of a leaf, the best split is made if its merit exceeds that of
    the second best by more than

    .. math:: \epsilon = \sqrt{R^2 \ln(1 / \delta) / (2 n)}

    or if :math:`\epsilon` is below `tau`; :math:`n` is the weight of the leaf, and :math:`R` the
    range of the merit (:math:`\log_2` of the number of classes for information gain). A numeric
    column is modelled by one Gaussian per class, with `n_splits` thresholds between its extremes; a
    nominal column is split by all values, or one value from the rest. All is as in MOA: new leaves
    start with the estimated class counts of their branch, of equal splits that of the last column
    is made, both sides of a split by information gain need more than 1 % of the weight, and the
    range counts classes up to the last one seen.

    A missing cell is skipped by a leaf, when it predicts and when it learns. At a split on its
    column the item goes no further: the prediction is that of the class counts the split had as a
    leaf, and nothing is learned. A nominal value that is not declared is treated as missing (where
    one value is split from the rest, it belongs to the rest). Two things differ from MOA: naive
    Bayes adds logarithms, so that probabilities of many columns do not underflow to 0 for every
    class; and a leaf without any item predicts by the split above it, not the first class. Of equal
    classes the first is predicted. A weight counts as that many repetitions.

    Parameters
    ----------
    grace_period
        Weight a leaf observes between two attempts to split. None: 200, and 50 in an
        `AdaptiveRandomForest`.
    delta
        Probability that a split decision is wrong. None: 1e-7, and 0.01 in an
        `AdaptiveRandomForest`.
    tau
        Bound below which the best split is made in any case.
    split_criterion
        "info_gain" or "gini".
    leaf_prediction
        "majority": the most frequent class of the leaf; "nb": naive Bayes in the leaf;
        "nb_adaptive": the one of the two that has been right more often in this leaf.
    n_splits
        Split points considered per numeric column.
    binary_split
        True: only splits into two branches.
    merit_preprune
        True: no split is a candidate too, with merit 0.
    max_bytes
        Bytes the tree may hold. Above it, the leaves with the least weight outside their most
        frequent class keep class counts only.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("x"),), "y", ("low", "high"))
    >>> learner = HoeffdingTree(grace_period=100).bind(schema)
    >>> x = np.random.default_rng(0).random((1000, 1))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> predictions = learner.test_then_train(0, x, y)
    >>> float((predictions == y)[500:].mean()) > 0.95
    True
    >>> learner.vitals()["leaves"]
    3.0

    References
    ----------
    Domingos, Hulten. Mining high-speed data streams. KDD 2000.
    Gama, Rocha, Medas. Accurate decision trees for mining high-speed data streams. KDD 2003.
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("ht",)

    grace_period: int | None = None
    delta: float | None = None
    tau: float = 0.05
    split_criterion: Literal["info_gain", "gini"] = "info_gain"
    leaf_prediction: Literal["majority", "nb", "nb_adaptive"] = "nb_adaptive"
    n_splits: int = 10
    binary_split: bool = False
    merit_preprune: bool = True
    max_bytes: int = 33_554_432

    def __post_init__(self) -> None:
        check_growth(self.completed())
        check_whole(self, "max_bytes", self.max_bytes)

    def completed(self, grace_period: int = 200, delta: float = 1e-7) -> HoeffdingTree:
        """The same tree, with these values where its own are None.

        Examples
        --------
        >>> tree = HoeffdingTree(delta=0.5).completed(grace_period=50, delta=0.01)
        >>> tree.grace_period, tree.delta
        (50, 0.5)
        """
        if self.grace_period is not None and self.delta is not None:
            return self
        return replace(
            self,
            grace_period=grace_period if self.grace_period is None else self.grace_period,
            delta=delta if self.delta is None else self.delta,
        )

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self.completed(), schema, seed)
