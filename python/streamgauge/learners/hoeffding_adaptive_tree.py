"""The Hoeffding adaptive tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._growth import check_growth, check_whole
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class HoeffdingAdaptiveTree:
    r"""Hoeffding adaptive tree: a Hoeffding tree that replaces splits whose error rises.

    An ADWIN at every split observes the errors of the predictions below it. Where the error rises,
    an alternate leaf starts to learn from the same items, with an ADWIN of its own. It replaces the
    split, and everything below, as soon as it splits itself; or once both windows are longer than
    300 items and its error is smaller by more than

    .. math:: \sqrt{2 e (1 - e) \ln(2 / 0.05) (1 / W + 1 / W')}

    where :math:`e` is the error of the split. It is dropped when its error is larger by as much. A
    leaf learns each item k times, k drawn from a Poisson distribution of mean 1, at least once.

    This is MOA's tree. In the paper's, the alternate may grow to a tree before it replaces the
    split. Columns, missing cells and undeclared values, weights and the
    predictions of leaves are those of `HoeffdingTree`.

    Parameters
    ----------
    grace_period
        Weight a leaf observes between two attempts to split.
    delta
        Probability that a split decision is wrong.
    tau
        Bound below which the best split is made in any case.
    split_criterion
        "info_gain" or "gini".
    leaf_prediction
        "majority", "nb" or "nb_adaptive": how a leaf predicts.
    n_splits
        Split points considered per numeric column.
    binary_split
        True: only splits into two branches.
    merit_preprune
        True: no split is a candidate too, with merit 0.
    drift_delta
        Delta of the ADWINs.
    max_bytes
        Bytes the tree may hold, its windows included. Above it, the longest windows drop their
        oldest part (a sixth to five ninths) while all windows take more than half of the memory,
        and leaves keep class counts only, as in `HoeffdingTree`. With a limit too small for windows
        the tree does not adapt. (MOA's adaptive tree has the parameter, and ignores it.)

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = HoeffdingAdaptiveTree().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((20_000, 1))
    >>> y = ((x[:, 0] > 0.3) ^ (np.arange(20_000) >= 10_000)).astype(np.int32)
    >>> predictions = learner.test_then_train(0, x, y)
    >>> bool((predictions == y)[-2000:].mean() > 0.95)
    True
    >>> learner.vitals()["switches"] > 0
    True

    References
    ----------
    Bifet, Gavaldà. Adaptive learning from evolving data streams. IDA 2009.
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("hat",)

    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    split_criterion: Literal["info_gain", "gini"] = "info_gain"
    leaf_prediction: Literal["majority", "nb", "nb_adaptive"] = "nb_adaptive"
    n_splits: int = 10
    binary_split: bool = False
    merit_preprune: bool = True
    drift_delta: float = 0.002
    max_bytes: int = 33_554_432

    def __post_init__(self) -> None:
        check_growth(self)
        check_whole(self, "max_bytes", self.max_bytes)
        if not 0 < self.drift_delta < 1:
            raise ParameterError.of(self, "drift_delta", "above 0 and below 1", self.drift_delta)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
