"""Logistic regression by gradient descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import native, positive
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LogisticRegression:
    r"""Logistic regression by stochastic gradient descent, one class against the rest.

    The class with the largest :math:`z_c = w_c x + b_c` is predicted. A label changes the weights
    of each class seen so far by `learning_rate` times :math:`\pm x / (1 + e^{\pm z_c})`. With two
    classes there is one linear function, and its sign decides. Equal to river's ``StandardScaler()
    | LogisticRegression()``, with more classes to its ``OneVsRestClassifier`` around that.

    Numeric columns are standardised by the mean and deviation so far (updated before the step, as
    in river); a missing cell is the mean so far. A nominal column is one indicator per declared
    value; for a missing or undeclared value all indicators are 0. Scores are the logistic of each
    :math:`z_c`, divided by their sum.

    Parameters
    ----------
    learning_rate
        Length of a gradient step.
    standardise
        False: numeric columns are used as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> schema = Schema((Feature("x"),), "y", ("low", "high"))
    >>> learner = LogisticRegression(learning_rate=0.5).bind(schema)
    >>> x = np.array([[1.0], [9.0], [2.0], [8.0], [3.0], [7.0]])
    >>> learner.learn(x, np.array([0, 1, 0, 1, 0, 1], dtype=np.int32))
    >>> learner.scores(np.array([[1.0], [9.0]])).round(2)
    array([[0.74, 0.26],
           [0.24, 0.76]])

    References
    ----------
    Robbins, Monro. A stochastic approximation method.
    Annals of Mathematical Statistics 22 (1951).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("logistic",)

    learning_rate: float = 0.01
    standardise: bool = True

    def __post_init__(self) -> None:
        positive(self, "learning_rate", self.learning_rate)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
