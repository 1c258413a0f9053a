"""The nearest of the last items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import count, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class NearestNeighbours:
    r"""Vote of the classes of the k nearest among the last items.

    The search is exact. The distance is Euclidean,

    .. math:: d(a, b)^2 = \sum_j \delta_j(a_j, b_j)^2

    where :math:`\delta_j` is the difference of numbers scaled to the range of the column over the
    window, :math:`(a_j - b_j) / (\max_j - \min_j)`, and 0 or 1 for nominal values that are equal
    or not. A column that is constant in the window is ignored. All items as near as the k-th vote
    too, so there may be more than k. Of equal votes the first class is predicted. As in MOA, bit
    for bit.

    A missing nominal value differs from every other, even from a missing one. A missing number has
    the largest possible distance from another: :math:`\max(z, 1 - z)` where z is the other one,
    scaled; two missing numbers have distance 1. (Where a column of the whole window is missing,
    MOA's distances are not numbers; here such a column counts 1.) An undeclared nominal value is
    treated as any other value. An item votes with its weight (in MOA with 1). There is no
    prediction before the first label; scores are shares of the votes.

    Vitals: `items`, the number of items in the window.

    Parameters
    ----------
    k
        Number of neighbours.
    window_size
        Number of latest items kept.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("x"), Feature("y", ("a", "b"))), "z", ("low", "high"))
    >>> learner = NearestNeighbours(k=2, window_size=4).bind(schema)
    >>> x = np.array([[1.0, 0], [2.0, 0], [8.0, 1], [9.0, 1], [7.0, 1], [np.nan, 0]])
    >>> y = np.array([0, 0, 1, 1, 1, 1], dtype=np.int32)
    >>> learner.test_then_train(0, x, y).tolist()
    [-1, 0, 0, 0, 1, 0]
    >>> learner.vitals()
    {'items': 4.0}

    References
    ----------
    Cover, Hart. Nearest neighbor pattern classification. IEEE Transactions on Information
    Theory 13 (1967).
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("knn",)

    k: int = 10
    window_size: int = 1000

    def __post_init__(self) -> None:
        count(self, "k", self.k)
        count(self, "window_size", self.window_size)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
