"""The learner that says the most frequent label so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import code_of, native
from streamgauge.types import Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class MajorityClass:
    """The most frequent label so far; of equals the first in the order of the schema.

    The baseline for imbalanced classes. It does not read x. Its scores are the classes' shares.

    Parameters
    ----------
    first
        The prediction before any label is known; None: no prediction.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = MajorityClass(first="no").bind(Schema((Feature("x"),), "y", ("no", "yes")))
    >>> learner.test_then_train(0, None, np.array([1, 0, 1, 1], dtype=np.int32)).tolist()
    [0, 1, 0, 1]

    References
    ----------
    Bifet, Holmes, Kirkby, Pfahringer. MOA: Massive Online Analysis. JMLR 11 (2010).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("mc", "majority")

    first: Value | None = None

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed, first=code_of(self, self.first, schema))
