"""Naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    r"""Naive Bayes: each class's columns are taken for independent.

    .. math:: \arg\max_c \; \ln n_c + \sum_j \ln p(x_j \mid c)

    over the cells that are there. A numeric column has a Gaussian a class, with the sample
    variance (divisor weight - 1); where that is 0, the density is 1 at the mean and as good as 0
    elsewhere. A nominal column has :math:`(n_{cv} + 1) / (n_{cj} + s_{cj})`, where
    :math:`s_{cj}` is the largest code seen with the class, plus 1. So does MOA; but sums of
    logarithms do not vanish where its products do.

    A missing cell is skipped, in answering and in learning. A nominal value that was not declared
    counts as never seen until it is taught. Of equal scores the first class wins. Where the
    classes rule each other out (density 0 everywhere), the nearest one wins.

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
