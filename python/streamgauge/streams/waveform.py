"""Waveform."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, flag, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class Waveform(Generated):
    """Which two of three triangular waves are mixed?

    21 numbers: two waves in random shares, plus a standard normal each. The best possible
    accuracy is about 86 %. Defined as in MOA's WaveformGenerator and WaveformGeneratorDrift,
    with the defaults of the former.

    Parameters
    ----------
    noise
        Add 19 standard normals that do not matter, for 40 features in all.
    drifting
        So many features change places with others. The change is there from the first item
        on: to have it come, mix two streams with `drift`.
    model_seed
        Seed of which features change places; None draws it by the seed of the items, as
        MOA does.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> [batch] = Waveform(noise=True, items=10).batches()
    >>> batch.x.shape, len(Waveform().schema.features)
    ((10, 40), 21)

    References
    ----------
    Breiman, Friedman, Olshen, Stone. Classification and regression trees.
    Wadsworth (1984), 49-55.
    """

    noise: bool = False
    drifting: int = 0
    model_seed: int | None = None

    @property
    def schema(self) -> Schema:
        """21 (or 40) numbers, three classes."""
        features = tuple(Feature(f"att{i + 1}") for i in range(40 if self.noise else 21))
        return Schema(features, "class", ("class1", "class2", "class3"))

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        model_seed = seed if self.model_seed is None else self.model_seed
        return Generator.waveform(self.noise, self.drifting, model_seed, seed)

    def _check(self) -> None:
        flag(self, "noise")
        whole(self, "drifting", 0, 40 if self.noise else 21)
        if self.model_seed is not None:
            whole(self, "model_seed", 0, 2**64 - 1)
