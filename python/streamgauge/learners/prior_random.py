"""The learner that guesses by the classes' shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class PriorRandom:
    """A guess: each class with the probability of its share so far.

    The baseline of chance. It never looks at x. A draw depends on the seed and on the item's
    number alone, so that chunks, threads and a second asking change nothing. Its scores are the
    classes' shares. It says nothing before the first label.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = PriorRandom().bind(Schema((Feature("x"),), "y", ("no", "yes")), seed=1)
    >>> labels = np.arange(10_000, dtype=np.int32) % 4 // 3
    >>> answers = learner.test_then_train(0, None, labels)
    >>> float((answers == 1).mean())  # a quarter of the labels are "yes"
    0.25

    References
    ----------
    Cohen. A coefficient of agreement for nominal scales.
    Educational and Psychological Measurement 20 (1960).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("pr", "random")

    def bind(self, schema: Schema, seed: int = 0) -> NativeLearner:
        """Make the learner for a stream's columns and classes."""
        return native(self, schema, seed)
