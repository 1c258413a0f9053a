"""The parameters that all Hoeffding trees share, checked."""

from __future__ import annotations

from typing import Literal, Protocol

from streamgauge.errors import ParameterError

LEAF_PREDICTIONS = ("majority", "nb", "nb_adaptive")
SPLIT_CRITERIA = ("info_gain", "gini")
MOST = 2**53
"""The largest count: above it a double does not hold every whole number."""


class Grows(Protocol):
    """A description with the parameters of a Hoeffding tree."""

    @property
    def task(self) -> Literal["classification"]:
        """The kind of target it predicts."""

    @property
    def grace_period(self) -> int | None:
        """Weight a leaf observes between two attempts to split."""

    @property
    def delta(self) -> float | None:
        """Probability that a split decision is wrong."""

    @property
    def tau(self) -> float:
        """Bound below which the best split is made in any case."""

    @property
    def split_criterion(self) -> str:
        """The merit of a split."""

    @property
    def leaf_prediction(self) -> str:
        """How a leaf predicts."""

    @property
    def n_splits(self) -> int:
        """Split points considered per numeric column."""


def check_growth(tree: Grows) -> None:
    """Refuse parameters out of their range.

    Examples
    --------
    >>> from streamgauge.learners import HoeffdingTree
    >>> HoeffdingTree(grace_period=0)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: HoeffdingTree: grace_period must be a whole number, \
at least 1, got 0
    """
    check_whole(tree, "grace_period", tree.grace_period)
    check_whole(tree, "n_splits", tree.n_splits, 10_000)
    if tree.delta is None or not 0 < tree.delta < 1:
        raise ParameterError.of(tree, "delta", "above 0 and below 1", tree.delta)
    if not 0 <= tree.tau <= 1:
        raise ParameterError.of(tree, "tau", "from 0 to 1", tree.tau)
    for what, word, known in (
        ("leaf_prediction", tree.leaf_prediction, LEAF_PREDICTIONS),
        ("split_criterion", tree.split_criterion, SPLIT_CRITERIA),
    ):
        if word not in known:
            raise ParameterError.of(tree, what, f"one of {', '.join(known)}", word)


def check_whole(tree: Grows, what: str, got: int | None, most: int = MOST) -> None:
    """Refuse anything but a whole number from 1 to `most`."""
    if not isinstance(got, int) or isinstance(got, bool) or not 1 <= got <= most:
        upto = "" if most == MOST else f" and at most {most}"
        raise ParameterError.of(tree, what, f"a whole number, at least 1{upto}", got)
