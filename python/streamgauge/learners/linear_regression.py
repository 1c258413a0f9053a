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

    The answer is :math:`z = w x + b`; taught, w moves by :math:`-2 \cdot rate \cdot (z - y) x`.
    Equal to river's ``StandardScaler() | LinearRegression()``. The steps are too long for many
    columns (more than about 1 / rate): choose a smaller rate, or `RecursiveLeastSquares`, which
    needs none.

    Numbers are standardised by the mean and deviation so far (taken in before the step, as river
    does); a missing one is the mean so far. A nominal column is one indicator a declared value;
    missing or undeclared, all its indicators are 0. It says nothing (NaN) before the first label.

    Parameters
    ----------
    rate
        The length of a step.
    standardise
        False: numbers as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = LinearRegression(rate=0.1).bind(Schema((Feature("x"),), "price"))
    >>> x = np.arange(1000.0).reshape(-1, 1) % 7
    >>> learner.learn(x, 3 * x[:, 0] + 1)
    >>> learner.answer(np.array([[2.0], [np.nan]])).round(1)
    array([ 7., 10.])

    References
    ----------
    Widrow, Hoff. Adaptive switching circuits. IRE WESCON Convention Record 4 (1960).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("linear",)

    rate: float = 0.01
    standardise: bool = True

    def __post_init__(self) -> None:
        positive(self, "rate", self.rate)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
