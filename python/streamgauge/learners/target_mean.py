"""The learner that says the mean of the labels so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class TargetMean:
    """The mean of all labels so far.

    The baseline for a real target: a learner as good as this has R2 0. It does not read x. There
    is no prediction (NaN) before the first label.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = TargetMean().bind(Schema((Feature("x"),), "price"))
    >>> learner.test_then_train(0, None, np.array([2.0, 4.0, 9.0, 1.0])).tolist()
    [nan, 2.0, 3.0, 5.0]

    References
    ----------
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("mean",)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
