"""The perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import native, positive
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Perceptron:
    r"""The perceptron, one class against the rest.

    The class with the largest :math:`z_c = w_c x + b_c` is predicted. A label changes the weights
    of each class seen so far that is on the wrong side (:math:`\pm z_c \le 0`) by `learning_rate`
    times x. With two classes there is one linear function, and its sign decides. Equal to river's
    ``StandardScaler() | Perceptron()``, with more classes to its ``OneVsRestClassifier`` around
    that; MOA's Perceptron is different (squared error of a logistic unit).

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
    >>> learner = Perceptron().bind(Schema((Feature("x"),), "y", ("low", "high")))
    >>> x = np.array([[1.0], [9.0], [2.0], [8.0], [3.0], [7.0]])
    >>> y = np.array([0, 1, 0, 1, 0, 1], dtype=np.int32)
    >>> learner.test_then_train(0, x, y).tolist()
    [-1, 0, 0, 1, 0, 1]

    References
    ----------
    Rosenblatt. The perceptron: a probabilistic model for information storage and organization
    in the brain. Psychological Review 65 (1958).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ()

    learning_rate: float = 1.0
    standardise: bool = True

    def __post_init__(self) -> None:
        positive(self, "learning_rate", self.learning_rate)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
