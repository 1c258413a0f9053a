"""Adaptive random forest."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor, sqrt
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._ensembles import check_ensemble, confidence
from streamgauge.learners._shape import native
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.types import Schema


def _tree() -> HoeffdingTree:
    return HoeffdingTree(grace=50, delta=0.01)


@plain_numbers
@dataclass(frozen=True, slots=True)
class AdaptiveRandomForest:
    """Adaptive random forest: Hoeffding trees of random columns, replaced when they go astray.

    Each leaf looks at a random set of columns of its own. Each tree is taught an item with k times
    its weight, k drawn from a Poisson distribution; if k is not 0, it is asked about the item
    again, and two ADWINs watch its errors. When the quicker one says that the error has risen, a
    new tree starts to learn in the background; when the slower one says so, the tree in the
    background takes the place of the first (or a tree that knows nothing does). A tree votes with
    the shares it gives the classes, times its accuracy since it took its place. All is as in MOA;
    draws are not MOA's, but depend on the seed and on how many items were taught alone.

    Missing cells, undeclared values and weights are as in `HoeffdingTree`. Scores are the votes,
    divided by their sum.

    Parameters
    ----------
    members
        How many trees. MOA and CapyMOA take 100, river 10.
    rate
        How often a tree is taught an item, on average.
    subspace
        Columns a leaf looks at: a share of them (0.6, as MOA and CapyMOA take), a whole number, or
        "sqrt" (the root of their number, plus 1).
    warning
        Confidence of the ADWIN that has a tree grow in the background.
    drift
        Confidence of the ADWIN that replaces a tree.
    weighted
        False: each vote counts the same.
    tree
        What its trees are like.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> features = Feature("x"), Feature("noise")
    >>> learner = AdaptiveRandomForest().bind(Schema(features, "y", ("low", "high")))
    >>> x = np.random.default_rng(0).random((2000, 2))
    >>> y = (x[:, 0] > 0.3).astype(np.int32)
    >>> said = learner.test_then_train(0, x, y)
    >>> float((said == y)[1000:].mean()) > 0.97
    True

    References
    ----------
    Gomes, Bifet, Read, Barddal, Enembreck, Pfahringer, Holmes, Abdessalem. Adaptive random
    forests for evolving data stream classification. Machine Learning 106 (2017).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("arf",)

    members: int = 10
    rate: float = 6.0
    subspace: float | Literal["sqrt"] = 0.6
    warning: float = 0.01
    drift: float = 0.001
    weighted: bool = True
    tree: HoeffdingTree = field(default_factory=_tree)

    def __post_init__(self) -> None:
        check_ensemble(self)
        confidence(self, "warning", self.warning)
        must = "a share above 0 and at most 1, a whole number, at least 1, or 'sqrt'"
        got = self.subspace
        legal = (
            got == "sqrt"
            if isinstance(got, str)
            else got >= 1
            if isinstance(got, int)
            else 0 < got <= 1
        )
        if not legal or isinstance(got, bool):
            raise ParameterError.of(self, "subspace", must, got)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed, subspace=self._columns(len(schema.features)))

    def _columns(self, all_of_them: int) -> int:
        """How many columns a leaf looks at; halves are rounded up, as in MOA."""
        if self.subspace == "sqrt":
            some = floor(sqrt(all_of_them) + 0.5) + 1
        elif isinstance(self.subspace, int):
            some = self.subspace
        else:
            some = floor(all_of_them * float(self.subspace) + 0.5)
        return max(1, min(some, all_of_them))
