"""Instance-based learning on streams, of numbers."""

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

    `IBLStreams` in all but this:

    **Answering.** The weighted mean of the labels; or (`answer="linear"`) the value at the item of
    the plane that fits them best by the same weights (locally weighted linear regression),

    .. math:: \min_{b_0, b} \sum_{i \le k} w_i (y_i - b_0 - b \cdot (x_i - x))^2
              + 0.001 \, |b|^2 \sum_{i \le k} w_i,

    where columns are scaled to the range of the cases, a nominal column differs by 0 or 1, and a
    missing cell by 0. The last term, not the article's, lets fewer neighbours than columns have an
    answer. With many columns more neighbours help: `k=40, k_most=80`.

    **Editing.** The labels of the youngest five of the 50 nearest cases give an interval,
    :math:`\bar y \pm 1.645 \, s / \sqrt 5`, with s their deviation (divisor 5). If the item's
    label lies in it, cases of the older half of the 50 whose labels do not go, as far as they are
    nearer than :math:`0.1414 \sqrt{columns / 2}`. If half of the 51 (not counting the youngest)
    and three of the youngest and the item lie in it, and the fifth nearest is nearer than it was
    on the last 100 items on average, those of the five nearest in the older half are superfluous
    and go.

    **Changes.** Errors are absolute, s is their deviation over the last 100. Where
    :math:`p + s > p_{min} + 4 s_{min}`, the share :math:`(p - p_{min}) / p_{min}` of the oldest
    cases goes, half of them at most; 50 stay.

    It says nothing (NaN) before the first label.

    Vitals: `cases`, `k`, `width`, `drifts` so far.

    Parameters
    ----------
    k
        How many neighbours at first.
    k_least, k_most
        Between these k is adapted.
    kernel
        `"gaussian"`, `"exponential"`, `"linear"`, `"inverse"` or `"equal"`.
    width
        Of the kernel, at first (sigma).
    adapt
        `"width"`, `"k"` or `"nothing"`.
    answer
        `"mean"` of the neighbours, or `"linear"`: on a plane through them.
    cases
        How many are kept at most.
    warm_up
        How many items are kept before any is judged.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = IBLStreamsRegression(warm_up=50).bind(Schema((Feature("x"),), "price"))
    >>> x = np.random.default_rng(1).random((2000, 1))
    >>> said = learner.test_then_train(0, x, 3 * x[:, 0] + 1)
    >>> bool(np.abs(said - 3 * x[:, 0] - 1)[1000:].mean() < 0.1)
    True

    At the edge of what was seen a mean is drawn inwards, a plane is not:

    >>> learner.answer(np.array([[1.1]])) < 4.0
    array([ True])
    >>> plane = IBLStreamsRegression(answer="linear").bind(Schema((Feature("x"),), "price"))
    >>> plane.learn(x, 3 * x[:, 0] + 1)
    >>> plane.answer(np.array([[1.1]])) > 4.0
    array([ True])

    References
    ----------
    Shaker, Hüllermeier. IBLStreams: a system for instance-based classification and regression on
    data streams. Evolving Systems 3 (2012).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("ibl_regression",)

    k: int = 16
    k_least: int = 4
    k_most: int = 40
    kernel: Kernel = "gaussian"
    width: float = 0.5
    adapt: Adapt = "width"
    answer: Literal["mean", "linear"] = "mean"
    cases: int = 5000
    warm_up: int = 1000

    def __post_init__(self) -> None:
        check_case_base(self)
        if self.answer not in ("mean", "linear"):
            raise ParameterError.of(self, "answer", "'mean' or 'linear'", self.answer)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
