"""The parameters that all model trees share, checked."""

from __future__ import annotations

from math import isfinite
from typing import Literal, Protocol

from streamgauge.errors import ParameterError
from streamgauge.learners._shape import Spec, positive

MOST = 1 << 31
"""Largest count of items."""


class GrowthSpec(Spec, Protocol):
    """A description with the parameters of the growth of model trees."""

    @property
    def grace_period(self) -> int:
        """Weight between two attempts to split."""

    @property
    def delta(self) -> float:
        """Probability that a split decision is wrong."""

    @property
    def tau(self) -> float:
        """Bound below which the best split is made in any case."""

    @property
    def page_hinkley_delta(self) -> float:
        """Magnitude of change of the error that is ignored."""

    @property
    def page_hinkley_threshold(self) -> float:
        """Accumulated error that is an alarm."""

    @property
    def fading_factor(self) -> float:
        """Factor per item of the errors that trees are compared by."""

    @property
    def alternate_tree_t_min(self) -> int:
        """Items between two comparisons with the alternate tree."""

    @property
    def alternate_tree_time(self) -> int:
        """Items after which an alternate tree is dropped."""

    @property
    def as_moa(self) -> bool:
        """True: reproduce MOA, its errors included."""


class TreeSpec(GrowthSpec, Protocol):
    """A description with the parameters of linear functions too."""

    @property
    def leaf_prediction(self) -> Literal["perceptron", "mean"]:
        """How a leaf predicts."""

    @property
    def learning_rate(self) -> float:
        """Initial step length of a linear function."""

    @property
    def learning_rate_decay(self) -> float:
        """Decrease of the step length per item."""


def check_tree(learner: TreeSpec) -> None:
    """Refuse parameters out of their range; the error names the first."""
    check_growth(learner)
    one_of(learner, "leaf_prediction", learner.leaf_prediction, ("perceptron", "mean"))
    positive(learner, "learning_rate", learner.learning_rate)
    at_least_0(learner, "learning_rate_decay", learner.learning_rate_decay)


def check_growth(learner: GrowthSpec) -> None:
    """Refuse parameters of the growth out of their range; the error names the first."""
    whole(learner, "grace_period", learner.grace_period)
    share(learner, "delta", learner.delta)
    at_least_0(learner, "tau", learner.tau)
    at_least_0(learner, "page_hinkley_delta", learner.page_hinkley_delta)
    positive(learner, "page_hinkley_threshold", learner.page_hinkley_threshold)
    up_to_1(learner, "fading_factor", learner.fading_factor)
    whole(learner, "alternate_tree_t_min", learner.alternate_tree_t_min)
    whole(learner, "alternate_tree_time", learner.alternate_tree_time)


def whole(learner: Spec, what: str, got: int, least: int = 1) -> None:
    """Refuse anything but a whole number from `least` on."""
    if type(got) is not int or not least <= got < MOST:
        raise ParameterError.of(learner, what, f"a whole number, at least {least}", got)


def share(learner: Spec, what: str, got: float) -> None:
    """Refuse a value that is not above 0 and below 1."""
    if not 0.0 < got < 1.0:
        raise ParameterError.of(learner, what, "above 0 and below 1", got)


def up_to_1(learner: Spec, what: str, got: float) -> None:
    """Refuse a value that is not above 0 and at most 1."""
    if not 0.0 < got <= 1.0:
        raise ParameterError.of(learner, what, "above 0 and at most 1", got)


def at_least_0(learner: Spec, what: str, got: float) -> None:
    """Refuse anything but a number from 0 on."""
    if not (isfinite(got) and got >= 0):
        raise ParameterError.of(learner, what, "a number, at least 0", got)


def one_of(learner: Spec, what: str, got: str, words: tuple[str, ...]) -> None:
    """Refuse a word that is not among `words`."""
    if got not in words:
        raise ParameterError.of(learner, what, " or ".join(map(repr, words)), got)
