"""What the parameters of model trees must be."""

from __future__ import annotations

from math import isfinite
from typing import Literal, Protocol

from streamgauge.errors import ParameterError
from streamgauge.learners._shape import Spec, positive

MOST = 1 << 31
"""Counts of items beyond this are a slip."""


class GrowthSpec(Spec, Protocol):
    """The parameters of how model trees grow and change."""

    @property
    def grace(self) -> int:
        """Items between two looks for a split."""

    @property
    def delta(self) -> float:
        """One minus the confidence in a split."""

    @property
    def tie(self) -> float:
        """Bound below which the best is taken."""

    @property
    def tolerance(self) -> float:
        """Changes of the error that are allowed."""

    @property
    def threshold(self) -> float:
        """How much error must have added up."""

    @property
    def fading(self) -> float:
        """How errors fade when trees are compared."""

    @property
    def trial(self) -> int:
        """Items between two comparisons."""

    @property
    def patience(self) -> int:
        """Items after which a tree is given up."""

    @property
    def as_moa(self) -> bool:
        """Do as MOA does, where it goes astray?"""


class TreeSpec(GrowthSpec, Protocol):
    """The parameters of model trees with linear functions."""

    @property
    def leaf(self) -> Literal["perceptron", "mean"]:
        """What leaves answer with."""

    @property
    def rate(self) -> float:
        """The first step of a linear function."""

    @property
    def decay(self) -> float:
        """By how much steps shorten."""


def check_tree(learner: TreeSpec) -> None:
    """Refuse parameters that make no tree, naming the first."""
    check_growth(learner)
    one_of(learner, "leaf", learner.leaf, ("perceptron", "mean"))
    positive(learner, "rate", learner.rate)
    at_least_0(learner, "decay", learner.decay)


def check_growth(learner: GrowthSpec) -> None:
    """Refuse parameters no tree can grow by, naming the first."""
    whole(learner, "grace", learner.grace)
    share(learner, "delta", learner.delta)
    at_least_0(learner, "tie", learner.tie)
    at_least_0(learner, "tolerance", learner.tolerance)
    positive(learner, "threshold", learner.threshold)
    up_to_1(learner, "fading", learner.fading)
    whole(learner, "trial", learner.trial)
    whole(learner, "patience", learner.patience)
    if not isinstance(learner.as_moa, bool):
        raise ParameterError.of(learner, "as_moa", "True or False", learner.as_moa)


def whole(learner: Spec, what: str, got: int, least: int = 1) -> None:
    """Refuse what is not a whole number from `least` on."""
    if type(got) is not int or not least <= got < MOST:
        raise ParameterError.of(learner, what, f"a whole number, at least {least}", got)


def share(learner: Spec, what: str, got: float) -> None:
    """Refuse what is not above 0 and below 1."""
    if not 0.0 < got < 1.0:
        raise ParameterError.of(learner, what, "above 0 and below 1", got)


def up_to_1(learner: Spec, what: str, got: float) -> None:
    """Refuse what is not above 0 and at most 1."""
    if not 0.0 < got <= 1.0:
        raise ParameterError.of(learner, what, "above 0 and at most 1", got)


def at_least_0(learner: Spec, what: str, got: float) -> None:
    """Refuse what is not a number from 0 on."""
    if not (isfinite(got) and got >= 0):
        raise ParameterError.of(learner, what, "a number, at least 0", got)


def one_of(learner: Spec, what: str, got: str, words: tuple[str, ...]) -> None:
    """Refuse what is none of the words."""
    if got not in words:
        raise ParameterError.of(learner, what, " or ".join(map(repr, words)), got)
