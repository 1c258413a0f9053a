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
    r"""FIMT-DD: a tree with a linear function in each leaf, that watches its own error.

    A leaf cuts each numeric column where the variance of the labels falls most,

    .. math:: VR = \frac{n_l n_r}{n^2} (\bar y_l - \bar y_r)^2,

    with at least 5 items on either side. Every `grace` items it splits on the best column if the
    second best has less than :math:`1 - \varepsilon` of its merit, with
    :math:`\varepsilon = \sqrt{\ln(1/\delta) / 2n}`, or if :math:`\varepsilon` is below `tie`. The
    new leaves take over its linear function. That is trained by the delta rule with steps of
    :math:`rate / (1 + decay \cdot n)`, on columns and labels less their mean, over three
    deviations, all so far.

    Each inner node tests its error (Page-Hinkley). At an alarm a new tree begins beside it, to
    take its place as soon as its faded squared error is the lower, looked at every `trial` items;
    after `patience` items it is given up. Meanwhile the old one does not grow.

    This is MOA's FIMTDD, and with the same seed the linear functions begin with the same weights.
    It differs where MOA goes astray: a column that promises nothing is never split on; a new leaf
    without items answers with the mean of the one before it (MOA: 0); the tree that takes a node's
    place is bound to its parent (MOA takes it for the root at its next split and loses the rest); a
    leaf's error is scaled without subtracting the mean label; sums of departures lose no digits
    to an offset. `as_moa` undoes these, and then all answers are MOA's but where two cuts are
    equally good and rounding decides. Linear functions hardly notice; trees of means lost 13 % of
    their accuracy on bike sharing by it.

    Nominal columns are left out, as in MOA. A missing number is the mean to the linear function,
    teaches no cut, and goes where more items went. A weight counts as so many equal items, for
    the linear function at most 100. It says nothing (NaN) before the first label. A stream of
    endless different values costs memory until its leaves split: 24 bytes a value and column.

    Parameters
    ----------
    grace
        Items (by weight) a leaf must see between two looks for a split.
    delta
        One minus the confidence in a split.
    tie
        Bound below which the best is taken whatever the second best is.
    leaf
        `"perceptron"`: leaves answer with linear functions; `"mean"`: with the mean of their labels
        (a regression tree).
    rate
        The first step of a linear function.
    decay
        By how much steps shorten with each item; 0 keeps them.
    tolerance
        Changes of the error that are allowed.
    threshold
        How much error, over three deviations of the label, must have added up for an alarm.
    fading
        What squared errors are multiplied by at each later item, when two trees are compared.
    trial
        Items between two comparisons.
    patience
        Items after which a tree beside another is given up.
    as_moa
        True: do as MOA does, where it goes astray.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = FIMTDD(leaf="mean").bind(Schema((Feature("x"), Feature("noise")), "price"))
    >>> x = np.random.default_rng(1).uniform(size=(2000, 2))
    >>> learner.learn(x, np.where(x[:, 0] > 0.5, 9.0, 1.0))
    >>> learner.answer(np.array([[0.2, 0.5], [0.8, 0.5]]))
    array([1., 9.])

    References
    ----------
    Ikonomovska, Gama, Džeroski. Learning model trees from evolving data streams.
    Data Mining and Knowledge Discovery 23 (2011).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("fimt_dd",)

    grace: int = 200
    delta: float = 1e-7
    tie: float = 0.05
    leaf: Literal["perceptron", "mean"] = "perceptron"
    rate: float = 0.02
    decay: float = 0.001
    tolerance: float = 0.005
    threshold: float = 50.0
    fading: float = 0.995
    trial: int = 150
    patience: int = 1500
    as_moa: bool = False

    def __post_init__(self) -> None:
        check_tree(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
