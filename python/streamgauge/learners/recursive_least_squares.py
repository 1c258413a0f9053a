"""Linear regression by recursive least squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import native, positive
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class RecursiveLeastSquares:
    r"""Linear regression, solved again after each item.

    The prediction is :math:`w x + b`, where w and b minimise

    .. math:: \sum_i \lambda^{n - i} (w x_i + b - y_i)^2 + \lambda^n \rho (|w|^2 + b^2)

    over the n items so far (λ is `forgetting_factor`, ρ is `ridge`): with λ = 1 the same as ridge
    regression in batch. The cost per item is quadratic in the columns. A missing number is the mean
    so far. A nominal column is one indicator per declared value; for a missing or undeclared value
    all indicators are 0.
    There is no prediction (NaN) before the first label.

    Parameters
    ----------
    ridge
        L2 penalty of the weights; above 0.
    forgetting_factor
        Factor of an item's weight per later item, in (0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = RecursiveLeastSquares(ridge=1e-9).bind(Schema((Feature("x"),), "price"))
    >>> learner.learn(np.array([[1.0], [2.0], [4.0]]), np.array([4.0, 7.0, 13.0]))
    >>> learner.predict(np.array([[10.0]])).round(3)
    array([31.])

    References
    ----------
    Gentleman. Least squares computations by Givens transformations without square roots.
    IMA Journal of Applied Mathematics 12 (1973).
    Plackett. Some theorems in least squares. Biometrika 37 (1950).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("rls",)

    ridge: float = 1.0
    forgetting_factor: float = 1.0

    def __post_init__(self) -> None:
        positive(self, "ridge", self.ridge)
        if not 0.0 < self.forgetting_factor <= 1.0:
            raise ParameterError.of(
                self, "forgetting_factor", "above 0 and at most 1", self.forgetting_factor
            )

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
