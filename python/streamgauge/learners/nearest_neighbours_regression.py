"""The mean of the nearest of the last items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import count, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class NearestNeighboursRegression:
    """The mean of the labels of the k nearest of the last items.

    `NearestNeighbours` for a real target: the same window, the same distance, the same rules for
    missing cells; the labels of the k nearest items, and of all as near as the k-th, are
    averaged with the items' weights. As in MOA, except for weights; river's default is the mean
    too, of exactly k items, by a distance that is not scaled to the range. There is no prediction
    (NaN) before the first label.

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
    >>> learner = NearestNeighboursRegression(k=2).bind(Schema((Feature("x"),), "price"))
    >>> x, y = np.array([[1.0], [2.0], [4.0], [3.0]]), np.array([10.0, 20.0, 40.0, 30.0])
    >>> learner.test_then_train(0, x, y).tolist()
    [nan, 10.0, 15.0, 30.0]

    References
    ----------
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("knn_regression",)

    k: int = 10
    window_size: int = 1000

    def __post_init__(self) -> None:
        count(self, "k", self.k)
        count(self, "window_size", self.window_size)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
