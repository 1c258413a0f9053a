"""The learner that says the last label again, for reals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import check_first, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LastValue:
    """The last label, for a real target.

    The counterpart of `Persistent`: a baseline for labels that change little from item to item. It
    does not read x.

    Parameters
    ----------
    first
        The prediction before any label is known; None: no prediction (NaN).

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = LastValue().bind(Schema((Feature("x"),), "price"))
    >>> learner.test_then_train(0, None, np.array([2.0, 4.0, 9.0])).tolist()
    [nan, 2.0, 4.0]

    References
    ----------
    Hyndman, Koehler. Another look at measures of forecast accuracy.
    International Journal of Forecasting 22 (2006).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("last",)

    first: float | None = None

    def __post_init__(self) -> None:
        check_first(self, self.first)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
