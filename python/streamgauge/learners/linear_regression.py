"""Linear regression by gradient descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import native, positive
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LinearRegression:
    r"""Linear regression by stochastic gradient descent.

    The prediction is :math:`z = w x + b`; a label changes w by :math:`-2 \eta (z - y) x`, where η
    is `learning_rate`. Equal to river's ``StandardScaler() | LinearRegression()``. The steps are
    too long for many columns (more than about 1 / η): use a smaller rate, or
    `RecursiveLeastSquares`, which has none.

    Numeric columns are standardised by the mean and deviation so far (updated before the step, as
    in river); a missing cell is the mean so far. A nominal column is one indicator per declared
    value; for a missing or undeclared value all indicators are 0. There is no prediction (NaN)
    before the first label.

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
    >>> learner = LinearRegression(learning_rate=0.1).bind(Schema((Feature("x"),), "price"))
    >>> x = np.arange(1000.0).reshape(-1, 1) % 7
    >>> learner.learn(x, 3 * x[:, 0] + 1)
    >>> learner.predict(np.array([[2.0], [np.nan]])).round(1)
    array([ 7., 10.])

    References
    ----------
    Widrow, Hoff. Adaptive switching circuits. IRE WESCON Convention Record 4 (1960).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("linear",)

    learning_rate: float = 0.01
    standardise: bool = True

    def __post_init__(self) -> None:
        positive(self, "learning_rate", self.learning_rate)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
