"""The Hoeffding tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._growth import check_growth, check_whole
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class HoeffdingTree:
    r"""Hoeffding tree (VFDT): a decision tree that grows once it is sure of the next split.

    After every `grace` items of a leaf, the best split is made if its merit is above that of
    the second best by more than

    .. math:: \epsilon = \sqrt{R^2 \ln(1 / \delta) / (2 n)}

    or if :math:`\epsilon` is below `tie`; :math:`n` is the weight of the leaf, and :math:`R` the
    range of the merit (:math:`\log_2` of the classes for information gain). Numeric columns are
    Gaussian in each class, with `candidates` thresholds between the extremes; nominal columns are
    split by all values, or one value from the rest. All is as MOA does it: leaves inherit the
    estimated classes of their branch, of equal splits that of the last column is made, both sides
    of a split by information gain need more than 1 % of the weight, the classes of the range are
    counted up to the last one met.

    A missing cell is skipped by a leaf, in answering and in learning. At a split on its column,
    the item goes no further: the classes the split had seen as a leaf answer, and nothing learns.
    A nominal value that was not declared is treated as missing (where one value is split from the
    rest, it is of the rest). Two things differ from MOA, for the better: naive Bayes adds
    logarithms, so that many columns do not make every class impossible; and a leaf that has met no
    class at all is answered by the split above it, not by the first class. Of equals the first
    class wins. Weights count as repetitions do.

    Parameters
    ----------
    grace
        Weight a leaf takes in between two attempts to split.
    delta
        Allowed error of a split decision.
    tie
        Below this bound the best split is made anyway.
    criterion
        "info_gain", or "gini".
    leaf
        "majority": the most frequent class of the leaf; "nb": naive Bayes in the leaf;
        "nb_adaptive": the one that has been right more often in this leaf.
    candidates
        Thresholds tried for a numeric column.
    binary
        Only splits in two.
    prune
        Not to split competes as well.
    memory
        Bytes the tree may hold. Under pressure, the leaves that could gain the least (weight
        outside the most frequent class) keep counts of classes only.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = HoeffdingTree(grace=100).bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((1000, 1))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> said = learner.test_then_train(0, x, y)
    >>> float((said == y)[500:].mean()) > 0.95
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

    grace: int = 200
    delta: float = 1e-7
    tie: float = 0.05
    criterion: Literal["info_gain", "gini"] = "info_gain"
    leaf: Literal["majority", "nb", "nb_adaptive"] = "nb_adaptive"
    candidates: int = 10
    binary: bool = False
    prune: bool = True
    memory: int = 33_554_432

    def __post_init__(self) -> None:
        check_growth(self)
        check_whole(self, "memory", self.memory)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
