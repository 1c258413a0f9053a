"""Naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    r"""Naive Bayes: columns are assumed independent within each class.

    .. math:: \arg\max_c \; \ln n_c + \sum_j \ln p(x_j \mid c)

    over the cells that are not missing. A numeric column has one Gaussian per class, with the
    sample variance (divisor weight - 1); where that is 0, the density is 1 at the mean and nearly 0
    elsewhere. A nominal column has :math:`(n_{cv} + 1) / (n_{cj} + s_{cj})`, where :math:`s_{cj}`
    is the largest code seen with the class, plus 1. As in MOA, except that sums of logarithms do
    not underflow where its products do.

    A missing cell is skipped, when predicting and when learning. A nominal value that is not
    declared counts as not seen until it is learned. Of equal scores the first class is predicted.
    Where the density of every class is 0, the nearest class is predicted.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = NaiveBayes().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.array([[1.0], [2.0], [8.0], [9.0], [7.0], [np.nan]])
    >>> y = np.array([0, 0, 1, 1, 1, 1], dtype=np.int32)
    >>> learner.test_then_train(0, x, y).tolist()
    [-1, 0, 0, 0, 1, 1]

    References
    ----------
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    Welford. Note on a method for calculating corrected sums of squares and products.
    Technometrics 4 (1962).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("nb",)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
