"""The learner that says the last label again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.kinds import plain_numbers
from streamgauge.learners._shape import code_of, native
from streamgauge.types import Schema, Value


@plain_numbers
@dataclass(frozen=True, slots=True)
class Persistent:
    """The last label (no-change).

    The baseline for autocorrelated labels: a learner below it has learned less from x than the
    previous label tells. It does not read x.

    Parameters
    ----------
    first
        The prediction before any label is known; None: no prediction.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = Persistent().bind(Schema((Feature("x"),), "y", ("no", "yes")))
    >>> learner.test_then_train(0, None, np.array([1, 1, 0, 1], dtype=np.int32)).tolist()
    [-1, 1, 1, 0]

    References
    ----------
    Bifet, Read, Žliobaitė, Pfahringer, Holmes. Pitfalls in benchmarking data stream
    classification and how to avoid them. ECML PKDD (2013).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("nc", "no_change")

    first: Value | None = None

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed, first=code_of(self, self.first, schema))
