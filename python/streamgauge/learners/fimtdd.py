"""FIMT-DD, a model tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._model_tree import check_tree
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class FIMTDD:
    r"""FIMT-DD: a regression tree with linear functions in its leaves and tests for drift.

    A leaf finds for each numeric column the cut that reduces the variance of the labels most,

    .. math:: VR = \frac{n_l n_r}{n^2} (\bar y_l - \bar y_r)^2,

    with at least 5 items on either side. Every `grace_period` items it splits on the best column if
    the second best has less than :math:`1 - \varepsilon` of its merit, with :math:`\varepsilon =
    \sqrt{\ln(1/\delta) / 2n}`, or if :math:`\varepsilon` is below `tau`. The new leaves start with
    its linear function, which is trained by the delta rule with steps of :math:`\eta / (1 + d \cdot
    n)` (`learning_rate` and `learning_rate_decay`), on columns and labels minus their mean, divided
    by three deviations, all so far.

    Each inner node tests its error (Page-Hinkley). At an alarm an alternate tree starts to grow. It
    replaces the node as soon as its faded squared error is lower, compared every
    `alternate_tree_t_min` items; after `alternate_tree_time` items it is dropped. Until then the
    old subtree does not grow.

    This is MOA's FIMTDD, and with the same seed the linear functions start with the same weights.
    It differs where MOA is wrong: a column without variance reduction is never split on; a new leaf
    without items predicts the mean of the leaf that was split (MOA: 0); an alternate tree that
    replaces a node is linked to its parent (MOA treats it as the root at its next split and loses
    the rest); a leaf's error is scaled without subtracting the mean label; sums of deviations lose
    no digits to an offset. `as_moa` undoes these, and then all predictions are MOA's except where
    two cuts are equally good and rounding decides. Linear functions hardly change; trees of means
    lost 13 % of their accuracy on bike sharing by it.

    Nominal columns are ignored, as in MOA. A missing number is the mean in the linear function, is
    not used for cuts, and follows the branch with more items. A weight counts as that many equal
    items, for the linear function at most 100. There is no prediction (NaN) before the first label.
    With ever new values the memory grows until leaves split: 24 bytes per value and column.

    Parameters
    ----------
    grace_period
        Weight a leaf observes between two attempts to split.
    delta
        Probability that a split decision is wrong.
    tau
        Bound below which the best is taken in any case.
    leaf_prediction
        `"perceptron"`: leaves predict with linear functions; `"mean"`: with the mean of their
        labels.
    learning_rate
        Initial step length of a linear function.
    learning_rate_decay
        Decrease of the step length per item; 0: constant steps.
    page_hinkley_delta
        Magnitude of change of the error that is ignored.
    page_hinkley_threshold
        Accumulated error, divided by three deviations of the label, that is an alarm.
    fading_factor
        Factor per item of the squared errors that two trees are compared by.
    alternate_tree_t_min
        Items between two comparisons of a tree with its alternate.
    alternate_tree_time
        Items after which an alternate tree is dropped.
    as_moa
        True: reproduce MOA, its errors included.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("x"), Feature("noise")), "price")
    >>> learner = FIMTDD(leaf_prediction="mean").bind(schema)
    >>> x = np.random.default_rng(1).uniform(size=(2000, 2))
    >>> learner.learn(x, np.where(x[:, 0] > 0.5, 9.0, 1.0))
    >>> learner.predict(np.array([[0.2, 0.5], [0.8, 0.5]]))
    array([1., 9.])

    References
    ----------
    Ikonomovska, Gama, Džeroski. Learning model trees from evolving data streams.
    Data Mining and Knowledge Discovery 23 (2011).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("fimt_dd",)

    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    leaf_prediction: Literal["perceptron", "mean"] = "perceptron"
    learning_rate: float = 0.02
    learning_rate_decay: float = 0.001
    page_hinkley_delta: float = 0.005
    page_hinkley_threshold: float = 50.0
    fading_factor: float = 0.995
    alternate_tree_t_min: int = 150
    alternate_tree_time: int = 1500
    as_moa: bool = False

    def __post_init__(self) -> None:
        check_tree(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
