"""The parameters that all Hoeffding trees share, checked."""

from __future__ import annotations

from typing import Literal, Protocol

from streamgauge.errors import ParameterError

LEAVES = ("majority", "nb", "nb_adaptive")
CRITERIA = ("info_gain", "gini")
MOST = 2**53
"""Beyond it, whole numbers are not numbers any more."""


class Grows(Protocol):
    """A description with the parameters of a Hoeffding tree."""

    @property
    def task(self) -> Literal["classification"]:
        """What it can be asked for."""

    @property
    def grace(self) -> int:
        """Weight between two attempts to split."""

    @property
    def delta(self) -> float:
        """Allowed error of a split decision."""

    @property
    def tie(self) -> float:
        """Bound below which the best split is made anyway."""

    @property
    def criterion(self) -> str:
        """What a split is judged by."""

    @property
    def leaf(self) -> str:
        """How a leaf answers."""

    @property
    def candidates(self) -> int:
        """Thresholds tried for a numeric column."""


def check_growth(tree: Grows) -> None:
    """Refuse parameters that no Hoeffding tree can have.

    Examples
    --------
    >>> from streamgauge.learners import HoeffdingTree
    >>> HoeffdingTree(grace=0)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: HoeffdingTree: grace must be a whole number, at least 1, \
got 0
    """
    check_whole(tree, "grace", tree.grace)
    check_whole(tree, "candidates", tree.candidates, 10_000)
    if not 0 < tree.delta < 1:
        raise ParameterError.of(tree, "delta", "above 0 and below 1", tree.delta)
    if not 0 <= tree.tie <= 1:
        raise ParameterError.of(tree, "tie", "from 0 to 1", tree.tie)
    for what, word, known in (
        ("leaf", tree.leaf, LEAVES),
        ("criterion", tree.criterion, CRITERIA),
    ):
        if word not in known:
            raise ParameterError.of(tree, what, f"one of {', '.join(known)}", word)


def check_whole(tree: Grows, what: str, got: int, most: int = MOST) -> None:
    """Refuse what is not a whole number from 1 on."""
    if not isinstance(got, int) or isinstance(got, bool) or not 1 <= got <= most:
        upto = "" if most == MOST else f" and at most {most}"
        raise ParameterError.of(tree, what, f"a whole number, at least 1{upto}", got)
