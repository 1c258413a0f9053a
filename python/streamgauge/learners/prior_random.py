"""The learner that guesses by the classes' shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge._core import NativeLearner
from streamgauge.learners._shape import native
from streamgauge.types import Schema


@dataclass(frozen=True, slots=True)
class PriorRandom:
    """A random class, with the probabilities of the class shares so far.

    The baseline of chance. It does not read x. A draw depends only on the seed and the item number,
    not on chunks, threads or repeated predictions. Its scores are the class shares. There is no
    prediction before the first label.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature
    >>> learner = PriorRandom().bind(Schema((Feature("x"),), "y", ("no", "yes")), seed=1)
    >>> labels = np.arange(10_000, dtype=np.int32) % 4 // 3
    >>> predictions = learner.test_then_train(0, None, labels)
    >>> float((predictions == 1).mean())  # a quarter of the labels are "yes"
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
