"""Instance-based learning on streams, for regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._case_base import Adapt, Kernel, check_case_base
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class IBLStreamsRegression:
    r"""IBLStreams for a real target: the mean of the neighbours, weighted by a kernel.

    As `IBLStreams`, with these differences:

    **Predicting.** The weighted mean of the labels; or (`pred_type="linear"`) the value at the item
    of the linear function that fits them best by the same weights (locally weighted linear
    regression),

    .. math:: \min_{b_0, b} \sum_{i \le k} w_i (y_i - b_0 - b \cdot (x_i - x))^2
              + 0.001 \, |b|^2 \sum_{i \le k} w_i,

    where columns are scaled to the range of the cases, a nominal column differs by 0 or 1, and a
    missing cell by 0. The last term, not the article's, allows fewer neighbours than columns. With
    many columns more neighbours help: `k=40, k_max=80`.

    **Editing.** The labels of the youngest five of the 50 nearest cases give an interval,
    :math:`\bar y \pm 1.645 \, s / \sqrt 5`, with s their deviation (divisor 5). If the item's
    label lies in it, cases of the older half of the 50 whose labels do not are removed, if they are
    nearer than :math:`0.1414 \sqrt{columns / 2}`. Cases are redundant if at least 26 of the other
    45 cases have labels in the interval, at least three of the six labels of the youngest five
    and the item do, and the fifth nearest case is nearer than on average over the last 100 items.
    Then those of the five nearest cases that belong to the older half are removed.

    **Changes.** Errors are absolute, s is their deviation over the last 100. Where
    :math:`p + s > p_{min} + 4 s_{min}`, the share :math:`(p - p_{min}) / p_{min}` of the oldest
    cases is removed, at most half of them; 50 stay.

    There is no prediction (NaN) before the first label.

    Vitals: `cases`, `k`, `width`, `drifts` so far.

    Parameters
    ----------
    k
        Initial number of neighbours.
    k_min, k_max
        Range of k.
    kernel
        `"gaussian"`, `"exponential"`, `"linear"`, `"inverse"` or `"equal"`.
    width
        Initial width of the kernel (sigma).
    adapt
        What is adapted to the errors: `"width"`, `"k"` or `"nothing"`.
    pred_type
        `"mean"` of the neighbours, or `"linear"`: a linear function fitted to them.
    max_cases
        Maximum number of cases.
    warm_start
        Number of items before the first edit.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = IBLStreamsRegression(warm_start=50).bind(Schema((Feature("x"),), "price"))
    >>> x = np.random.default_rng(1).random((2000, 1))
    >>> predictions = learner.test_then_train(0, x, 3 * x[:, 0] + 1)
    >>> bool(np.abs(predictions - 3 * x[:, 0] - 1)[1000:].mean() < 0.1)
    True

    At the edge of what was seen a mean is drawn inwards, a plane is not:

    >>> learner.predict(np.array([[1.1]])) < 4.0
    array([ True])
    >>> plane = IBLStreamsRegression(pred_type="linear").bind(Schema((Feature("x"),), "price"))
    >>> plane.learn(x, 3 * x[:, 0] + 1)
    >>> plane.predict(np.array([[1.1]])) > 4.0
    array([ True])

    References
    ----------
    Shaker, Hüllermeier. IBLStreams: a system for instance-based classification and regression on
    data streams. Evolving Systems 3 (2012).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("ibl_regression",)

    k: int = 16
    k_min: int = 4
    k_max: int = 40
    kernel: Kernel = "gaussian"
    width: float = 0.5
    adapt: Adapt = "width"
    pred_type: Literal["mean", "linear"] = "mean"
    max_cases: int = 5000
    warm_start: int = 1000

    def __post_init__(self) -> None:
        check_case_base(self)
        if self.pred_type not in ("mean", "linear"):
            raise ParameterError.of(self, "pred_type", "'mean' or 'linear'", self.pred_type)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
