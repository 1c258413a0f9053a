"""The parameters that all ensembles of Hoeffding trees share, checked."""

from __future__ import annotations

from math import isfinite
from typing import Literal, Protocol

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, at_most
from streamgauge.learners.hoeffding_tree import HoeffdingTree

MOST_MODELS = 10_000
"""Largest number of trees."""


class Ensemble(Protocol):
    """A description with the parameters of an ensemble."""

    @property
    def task(self) -> Literal["classification"]:
        """The kind of target it predicts."""

    @property
    def n_models(self) -> int:
        """Number of trees."""

    @property
    def lambda_value(self) -> float:
        """Mean of the Poisson distribution that item weights are drawn from."""

    @property
    def drift_delta(self) -> float:
        """Delta of the ADWIN whose alarm replaces a tree."""

    @property
    def tree(self) -> HoeffdingTree:
        """Parameters of the trees."""


def check_ensemble(ensemble: Ensemble) -> None:
    """Refuse parameters out of their range.

    Examples
    --------
    >>> from streamgauge.learners import LeveragingBagging
    >>> LeveragingBagging(lambda_value=-1.0)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: LeveragingBagging: lambda_value must be above 0 and \
at most 500, got -1.0
    """
    at_least(type(ensemble).__name__, "n_models", ensemble.n_models, 1)
    at_most(ensemble, "n_models", ensemble.n_models, MOST_MODELS)
    mean = ensemble.lambda_value
    if not (isfinite(mean) and 0 < mean <= 500):
        raise ParameterError.of(ensemble, "lambda_value", "above 0 and at most 500", mean)
    check_delta(ensemble, "drift_delta", ensemble.drift_delta)
    if not isinstance(ensemble.tree, HoeffdingTree):
        raise ParameterError.of(ensemble, "tree", "a HoeffdingTree", ensemble.tree)


def check_delta(ensemble: Ensemble, what: str, got: float) -> None:
    """Refuse anything but a delta of ADWIN."""
    if not 0 < got < 1:
        raise ParameterError.of(ensemble, what, "above 0 and below 1", got)
