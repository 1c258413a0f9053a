"""AMRules, adaptive model rules."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._model_tree import at_least_0, one_of, share, up_to_1, whole
from streamgauge.learners._shape import native, positive
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class AMRules:
    r"""AMRules: regression rules, each with a linear function, dropped when their error rises.

    A rule is a list of conditions, a mean and a linear function. A default rule without conditions
    covers the items that no other rule covers. Every `grace_period` items a rule searches one more
    condition: of each column the cut, or the nominal value against the others, that reduces the
    variance of the labels most,

    .. math:: VR = 1 - \frac{n_l s_l^2 + n_r s_r^2}{n s^2},

    with at least 5 % of the items on either side. It adds the condition of the best column if the
    second best is lower by :math:`\varepsilon = \sqrt{\ln(1/\delta) / 2n}`, or if
    :math:`\varepsilon` is below `tau`, and keeps the side where labels vary less. When the default
    rule is expanded it becomes the last rule of the list, and a new default rule starts with its
    function.

    A rule predicts with its mean or its linear function, whichever has the lower faded absolute
    error. The function is trained by the delta rule with steps of :math:`\eta / (1 + d \cdot n)`
    (`learning_rate` and `learning_rate_decay`) on standardised columns and labels; weights whose
    absolute values sum to more than the number of columns are divided by that sum. A rule keeps its
    function when a condition is added. If rules are ordered, the first that covers an item predicts
    and learns; otherwise all of them do, weighted by the inverse of their relative errors.

    Before a rule learns an item, two tests are made. The item is an anomaly, and skipped, if after
    30 items the mean log odds of its numeric cells by Cantelli's inequality is below
    `anomaly_threshold`. The rule is dropped if its error has risen, by a Page-Hinkley test of
    errors in deviations of the label.

    This is MOA's AMRulesRegressor, and with the same seed functions start with the same weights. It
    differs where MOA is wrong: a column without variance reduction makes no condition; a condition
    `is not` is kept when another value of its column is excluded too; a linear function of no
    columns learns its bias; sums of deviations lose no digits to an offset.

    A missing cell is covered by no condition, is the mean in the linear function, and adds nothing
    to the statistics of its column (in MOA it counts as above any cut, and as the first nominal
    value). An undeclared nominal value is covered only by conditions that exclude another value,
    and adds nothing to the statistics of its column. Nominal columns are not part of the linear
    function. A weight counts as that many equal items, for the linear function at most 100; in
    faded errors it multiplies the error. There is no prediction (NaN) before the first label.

    Parameters
    ----------
    grace_period
        Weight a rule observes between two searches for a condition.
    delta
        Probability that a decision is wrong.
    tau
        Bound below which the best is taken in any case.
    ordered_rule_set
        True: the first rule that covers an item predicts; False: all of them.
    pred_type
        How rules predict: `"adaptive"`, or always `"perceptron"`, the linear function, or `"mean"`.
    learning_rate
        Initial step length of a linear function.
    learning_rate_decay
        Decrease of the step length per item; 0: constant steps.
    fading_factor
        Factor per item of the errors that functions and rules are compared by.
    page_hinkley_delta
        Magnitude of change of the error that is ignored.
    page_hinkley_threshold
        Accumulated error, in deviations of the label, at which a rule is dropped.
    anomaly_threshold
        Mean log odds below which an item is an anomaly; `None`: no item is.
    n_splits
        Split points considered per numeric column: the first distinct values of a rule. MOA's 50
        omit the first.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = AMRules(pred_type="mean").bind(Schema((Feature("x"), Feature("noise")), "price"))
    >>> x = np.random.default_rng(1).uniform(size=(20_000, 2)).round(1)
    >>> learner.learn(x, np.where(x[:, 0] > 0.5, 9.0, 1.0))
    >>> learner.predict(np.array([[0.2, 0.5], [0.8, 0.5]])).round()
    array([1., 9.])
    >>> learner.vitals()["rules"]
    1.0

    References
    ----------
    Almeida, Ferreira, Gama. Adaptive model rules from data streams. ECML PKDD (2013).
    Duarte, Gama, Bifet. Adaptive model rules from high-speed data streams.
    ACM Transactions on Knowledge Discovery from Data 10 (2016).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("amr",)

    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    ordered_rule_set: bool = True
    pred_type: Literal["adaptive", "perceptron", "mean"] = "adaptive"
    learning_rate: float = 0.025
    learning_rate_decay: float = 0.001
    fading_factor: float = 0.99
    page_hinkley_delta: float = 0.05
    page_hinkley_threshold: float = 35.0
    anomaly_threshold: float | None = -0.75
    n_splits: int = 51

    def __post_init__(self) -> None:
        whole(self, "grace_period", self.grace_period)
        share(self, "delta", self.delta)
        at_least_0(self, "tau", self.tau)
        one_of(self, "pred_type", self.pred_type, ("adaptive", "perceptron", "mean"))
        positive(self, "learning_rate", self.learning_rate)
        at_least_0(self, "learning_rate_decay", self.learning_rate_decay)
        up_to_1(self, "fading_factor", self.fading_factor)
        at_least_0(self, "page_hinkley_delta", self.page_hinkley_delta)
        positive(self, "page_hinkley_threshold", self.page_hinkley_threshold)
        if self.anomaly_threshold is not None and not (
            isfinite(self.anomaly_threshold) and self.anomaly_threshold <= 0
        ):
            raise ParameterError.of(
                self, "anomaly_threshold", "a number, at most 0, or None", self.anomaly_threshold
            )
        whole(self, "n_splits", self.n_splits)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
