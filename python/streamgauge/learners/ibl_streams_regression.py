"""Instance-based learning on streams, of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.learners._case_base import Adapt, Kernel, check_case_base
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class IBLStreamsRegression:
    r"""IBLStreams for a real target: the mean of the neighbours, weighted by a kernel.

    `IBLStreams` in all but this:

    **Answering.** The weighted mean of the labels.

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

    It says nothing (NaN) before the first label. Left out: locally weighted linear regression,
    the article's other way to answer.

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
    cases: int = 5000
    warm_up: int = 1000

    def __post_init__(self) -> None:
        check_case_base(self)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
