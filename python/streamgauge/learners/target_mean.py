"""The learner that says the mean of the labels so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import check_first, native
from streamgauge.types import Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class TargetMean:
    """The mean of all labels so far.

    The baseline for a real target: a learner as good as this has R2 0. It does not read x.

    Parameters
    ----------
    first
        The prediction before any label is known; None: no prediction (NaN). It is no label: the
        mean does not include it.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = TargetMean().bind(Schema((Feature("x"),), "price"))
    >>> learner.test_then_train(0, None, np.array([2.0, 4.0, 9.0, 1.0])).tolist()
    [nan, 2.0, 3.0, 5.0]
    >>> learner = TargetMean(first=10.0).bind(Schema((Feature("x"),), "price"))
    >>> learner.test_then_train(0, None, np.array([2.0, 4.0])).tolist()
    [10.0, 2.0]

    References
    ----------
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["regression"]] = "regression"
    aliases: ClassVar[tuple[str, ...]] = ("mean",)

    first: float | None = None

    def __post_init__(self) -> None:
        check_first(self, self.first)

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns."""
        return native(self, schema, seed)
