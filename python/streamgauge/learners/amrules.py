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
    r"""AMRules: rules with a linear function each, that drop out when they stop being right.

    A rule is a list of conditions, a mean and a linear function. A default rule without conditions
    takes the items that no other covers. Every `grace` items a rule looks for one more condition:
    of each column the cut, or the nominal value against the others, that lowers the variance of
    the labels most,

    .. math:: VR = 1 - \frac{n_l s_l^2 + n_r s_r^2}{n s^2},

    with at least 5 % of the items on either side. It takes the best column if the second best
    promises less by :math:`\varepsilon = \sqrt{\ln(1/\delta) / 2n}`, or if :math:`\varepsilon` is
    below `tie`, and keeps the side where labels vary less. When the default rule does so it becomes
    a rule, last in the list, and a new default rule goes on with its function.

    A rule answers with its mean or with its linear function, whichever has had the lower faded
    absolute error. The function is trained by the delta rule with steps of
    :math:`rate / (1 + decay \cdot n)` on standardised columns and labels; weights whose sizes add
    up to more than the number of columns are divided by that sum. A rule with one more condition
    takes its function over. If rules are ordered, the first that covers an item speaks and learns;
    else all do, weighted by one over their relative errors.

    Before a rule learns, it looks at the item. Is it strange: is the mean log odds of its numeric
    cells by Cantelli's inequality, after 30 items, below `anomaly`? Then the rule passes it over.
    Has the error risen, by a Page-Hinkley test of errors in deviations of the label? Then the rule
    is dropped.

    This is MOA's AMRulesRegressor, and with the same seed functions begin with the same weights. It
    differs where MOA would go astray: a column that promises nothing makes no condition; a
    condition `is not` stays when another value of its column is left out too; a linear function of
    no columns learns its bias; sums of departures lose no digits to an offset.

    A missing cell is covered by no condition, is the mean to the linear function, and teaches
    nothing about its column (in MOA it counts as above any cut, and as the first nominal value). A
    nominal value that was not declared is only covered by conditions that leave out another, and
    teaches nothing about its column. Nominal columns are not part of the linear function. A weight
    counts as so many equal items, for the linear function at most 100; of what fades by the item it
    multiplies the error. It says nothing (NaN) before the first label.

    Parameters
    ----------
    grace
        Items (by weight) a rule must see between two looks for a condition.
    delta
        One minus the confidence in a condition.
    tie
        Bound below which the best is taken whatever the second best is.
    ordered
        Does the first rule that covers an item speak for it, or do all?
    consequent
        What rules answer with: `"adaptive"`, or always `"perceptron"`, the linear function, or
        `"mean"`.
    rate
        The first step of a linear function.
    decay
        By how much steps shorten with each item; 0 keeps them.
    fading
        What errors are multiplied by at each later item, when functions or rules are compared.
    tolerance
        Changes of the error that are allowed.
    threshold
        How much error, in deviations of the label, must have added up for a rule to be dropped.
    anomaly
        Mean log odds below which an item is strange; `None`: no item is.
    candidates
        At how many values a numeric column can be cut: the first different ones a rule sees. MOA's
        50 leave out the first.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = AMRules(consequent="mean").bind(Schema((Feature("x"), Feature("noise")), "price"))
    >>> x = np.random.default_rng(1).uniform(size=(20_000, 2)).round(1)
    >>> learner.learn(x, np.where(x[:, 0] > 0.5, 9.0, 1.0))
    >>> learner.answer(np.array([[0.2, 0.5], [0.8, 0.5]])).round()
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

    grace: int = 200
    delta: float = 1e-7
    tie: float = 0.05
    ordered: bool = True
    consequent: Literal["adaptive", "perceptron", "mean"] = "adaptive"
    rate: float = 0.025
    decay: float = 0.001
    fading: float = 0.99
    tolerance: float = 0.05
    threshold: float = 35.0
    anomaly: float | None = -0.75
    candidates: int = 51

    def __post_init__(self) -> None:
        whole(self, "grace", self.grace)
        share(self, "delta", self.delta)
        at_least_0(self, "tie", self.tie)
        if type(self.ordered) is not bool:
            raise ParameterError.of(self, "ordered", "True or False", self.ordered)
        one_of(self, "consequent", self.consequent, ("adaptive", "perceptron", "mean"))
        positive(self, "rate", self.rate)
        at_least_0(self, "decay", self.decay)
        up_to_1(self, "fading", self.fading)
        at_least_0(self, "tolerance", self.tolerance)
        positive(self, "threshold", self.threshold)
        if self.anomaly is not None and not (isfinite(self.anomaly) and self.anomaly <= 0):
            raise ParameterError.of(self, "anomaly", "a number, at most 0, or None", self.anomaly)
        whole(self, "candidates", self.candidates)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
