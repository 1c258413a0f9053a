"""Hyperplane generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import (
    MAX_SIZE,
    SEEDS,
    Generated,
    Transition,
    check_integer,
    check_real,
    continuous_drift,
)
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Hyperplane(Generated):
    r"""Side of a hyperplane, which may rotate with every item.

    Features and weights are uniform in [0, 1). An item is of
    `class2` if

    .. math:: \sum w_i x_i \ge \tfrac12 \sum w_i

    After each item the first `drifting` weights move by `magnitude`, at first upwards; each
    reverses with probability `reversal`. Defined as in MOA's HyperplaneGenerator, with its
    defaults. (MOA accepts more than two classes, but generates only two.)

    Parameters
    ----------
    attributes
        Number of features.
    drifting
        Number of weights that move.
    magnitude
        Change of a weight per item; 0 for a stationary concept.
    reversal
        Probability that a weight reverses its direction (MOA: sigma, in percent).
    noise
        Fraction of flipped labels (MOA: in percent).
    model_seed
        Seed of the weights; by default the seed of the items, as in MOA.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> Hyperplane(magnitude=0.001, items=10_000).schema.drifts
    (Drift(start=0, centre=5000, end=10000, kind='incremental'),)
    >>> [batch] = Hyperplane(attributes=2, items=4).batches()
    >>> batch.x.shape
    (4, 2)

    References
    ----------
    Hulten, Spencer, Domingos. Mining time-changing data streams. KDD 2001, 97-106.
    """

    attributes: int = 10
    drifting: int = 2
    magnitude: float = 0.0
    reversal: float = 0.1
    noise: float = 0.05
    model_seed: int | None = None
    concept_parameter: ClassVar[str] = "model_seed"

    @property
    def schema(self) -> Schema:
        """Numbers, two classes; a continuous drift if the weights move."""
        drifts, notes = continuous_drift(self.magnitude > 0 and self.drifting > 0, self.items)
        features = tuple(Feature(f"att{i + 1}") for i in range(self.attributes))
        return Schema(features, "class", ("class1", "class2"), drifts, notes=notes)

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.hyperplane(
            self.attributes,
            self.drifting,
            self.magnitude,
            self.reversal,
            self.noise,
            seed if self.model_seed is None else self.model_seed,
            seed,
            transition,
        )

    def _check(self) -> None:
        check_integer(self, "attributes", 1, MAX_SIZE)
        check_integer(self, "drifting", 0, self.attributes)
        check_real(self, "magnitude")
        check_real(self, "reversal", 0, 1)
        check_real(self, "noise", 0, 1)
        if self.model_seed is not None:
            check_integer(self, "model_seed", 0, SEEDS - 1)
