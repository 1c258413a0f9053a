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
    r"""Hoeffding adaptive tree: a Hoeffding tree that gives up splits which have become wrong.

    Every split watches by ADWIN how often the answers below it were wrong. Where that rises, a
    new leaf starts to learn beside it, from the same items, and watches its own errors. It takes
    the place of the split, and of all below, as soon as it splits itself; or once both windows are
    longer than 300 items and its error is smaller by more than

    .. math:: \sqrt{2 e (1 - e) \ln(2 / 0.05) (1 / W + 1 / W')}

    where :math:`e` is the error of the split. It is given up when it is larger by as much. A leaf
    takes each item as often as a Poisson variable of mean 1 says, but once where that is 0.

    This is MOA's tree, which differs from the paper's: there, what grows beside a split may become
    a tree before it takes its place. Columns, missing cells and undeclared values, weights and the
    answers of leaves are those of `HoeffdingTree`.

    Parameters
    ----------
    grace
        Weight a leaf takes in between two attempts to split.
    delta
        Allowed error of a split decision.
    tie
        Below this bound the best split is made anyway.
    criterion
        "info_gain", or "gini".
    leaf
        "majority", "nb" or "nb_adaptive": how a leaf answers.
    candidates
        Thresholds tried for a numeric column.
    binary
        Only splits in two.
    prune
        Not to split competes as well.
    alarm
        The confidence parameter of ADWIN.
    memory
        Bytes the tree may hold, its windows included. Under pressure, the longest windows forget
        their older half while all of them take more than half of the memory, and the leaves that
        could gain the least keep counts of classes only, as those of `HoeffdingTree` do. A limit
        that leaves no room for windows leaves a tree that does not adapt. (MOA's adaptive tree
        has the parameter, and never looks at it.)

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = HoeffdingAdaptiveTree().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((20_000, 1))
    >>> y = ((x[:, 0] > 0.3) ^ (np.arange(20_000) >= 10_000)).astype(np.int32)
    >>> said = learner.test_then_train(0, x, y)
    >>> bool((said == y)[-2000:].mean() > 0.95)
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

    grace: int = 200
    delta: float = 1e-7
    tie: float = 0.05
    criterion: Literal["info_gain", "gini"] = "info_gain"
    leaf: Literal["majority", "nb", "nb_adaptive"] = "nb_adaptive"
    candidates: int = 10
    binary: bool = False
    prune: bool = True
    alarm: float = 0.002
    memory: int = 33_554_432

    def __post_init__(self) -> None:
        check_growth(self)
        check_whole(self, "memory", self.memory)
        if not 0 < self.alarm < 1:
            raise ParameterError.of(self, "alarm", "above 0 and below 1", self.alarm)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
