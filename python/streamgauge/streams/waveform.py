"""Waveform generator."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import SEEDS, Generated, Transition, check_integer
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Waveform(Generated):
    """Mixtures of two of three triangular waves; the class is the pair.

    21 numbers: two waves in random proportion, plus standard normal noise. The best possible
    accuracy is about 86 %. Defined as in MOA's WaveformGenerator and WaveformGeneratorDrift,
    with the defaults of the former.

    Parameters
    ----------
    irrelevant
        Add 19 irrelevant standard normal features, for 40 features in total.
    drifting
        Number of features from a random one on that are swapped with as many from another random
        one on, from the first item on; if both are the same (for about 1 of 21 seeds, with
        irrelevant features 1 of 40), nothing changes, as in MOA. For a change within the stream,
        combine two streams with `drift`.
    model_seed
        Seed of the choice of swapped features; by default the seed of the items, as in
        MOA.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> [batch] = Waveform(irrelevant=True, items=10).batches()
    >>> batch.x.shape, len(Waveform().schema.features)
    ((10, 40), 21)

    References
    ----------
    Breiman, Friedman, Olshen, Stone. Classification and regression trees.
    Wadsworth (1984), 49-55.
    """

    irrelevant: bool = False
    drifting: int = 0
    model_seed: int | None = None

    @property
    def schema(self) -> Schema:
        """21 (or 40) numbers, three classes."""
        features = tuple(Feature(f"att{i + 1}") for i in range(40 if self.irrelevant else 21))
        return Schema(features, "class", ("class1", "class2", "class3"))

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        model_seed = seed if self.model_seed is None else self.model_seed
        return Generator.waveform(self.irrelevant, self.drifting, model_seed, seed)

    def _check(self) -> None:
        check_integer(self, "drifting", 0, 40 if self.irrelevant else 21)
        if self.model_seed is not None:
            check_integer(self, "model_seed", 0, SEEDS - 1)
