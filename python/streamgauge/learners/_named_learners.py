"""Learners by name, wherever a function takes several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamgauge.log.about import name_of
from streamgauge.names import resolve


def named_learners(given: Any) -> dict[str, Any]:
    """Name -> learner, of one learner, a list or tuple, or a mapping; names are made into learners.

    A model may be a sequence of its own, as river's ensembles are: it is one learner.

    Examples
    --------
    >>> named_learners("nb"), list(named_learners(["nb", "perceptron"]))
    ({'naive_bayes': NaiveBayes()}, ['naive_bayes', 'perceptron'])
    >>> named_learners({"mine": "nb"})
    {'mine': NaiveBayes()}
    """
    if isinstance(given, Mapping):
        return {str(name): resolve("learner", one) for name, one in given.items()}
    several = isinstance(given, list | tuple)
    made = [resolve("learner", one) for one in (given if several else [given])]
    return {name_of(one): one for one in made}
