"""The parameters that all ensembles share, checked."""

from __future__ import annotations

from math import isfinite
from typing import Literal, Protocol

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least
from streamgauge.learners.hoeffding_tree import HoeffdingTree


class Ensemble(Protocol):
    """A description with the parameters of an ensemble."""

    @property
    def task(self) -> Literal["classification"]:
        """What it can be asked for."""

    @property
    def members(self) -> int:
        """How many trees."""

    @property
    def rate(self) -> float:
        """How often a tree is taught an item, on average."""

    @property
    def drift(self) -> float:
        """Confidence of the ADWIN that replaces a tree."""

    @property
    def tree(self) -> HoeffdingTree:
        """What its trees are like."""


def check_ensemble(ensemble: Ensemble) -> None:
    """Refuse parameters that no ensemble can have.

    Examples
    --------
    >>> from streamgauge.learners import LeveragingBagging
    >>> LeveragingBagging(rate=-1.0)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: LeveragingBagging: rate must be above 0 and at most 500, \
got -1.0
    """
    at_least(type(ensemble).__name__, "members", ensemble.members, 1)
    if not (isfinite(ensemble.rate) and 0 < ensemble.rate <= 500):
        raise ParameterError.of(ensemble, "rate", "above 0 and at most 500", ensemble.rate)
    confidence(ensemble, "drift", ensemble.drift)
    if not isinstance(ensemble.tree, HoeffdingTree):
        raise ParameterError.of(ensemble, "tree", "a HoeffdingTree", ensemble.tree)


def confidence(ensemble: Ensemble, what: str, got: float) -> None:
    """Refuse what is no confidence of a detector."""
    if not 0 < got < 1:
        raise ParameterError.of(ensemble, what, "above 0 and below 1", got)
