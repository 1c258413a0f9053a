"""LED."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, Goal, flag, real, whole
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LED(Generated):
    """Which digit does a faulty seven-segment display show?

    Seven bits say which segments are lit; each is inverted with probability `noise`.
    17 fair bits beside them do not matter. With `noise=0.1` the best possible accuracy is
    about 74 %. Defined as in MOA's LEDGenerator and LEDGeneratorDrift, with the defaults of
    the former.

    Parameters
    ----------
    noise
        Probability that a segment is inverted (MOA counts it in percent).
    irrelevant
        Include the 17 bits that do not matter.
    drifting
        So many segments, 0 to 7, change places with bits that do not matter. The change is
        there from the first item on: to have it come, mix two streams with `drift`.
    seed
        Seed of the items; None takes the one given to `batches`.
    items
        How many items; None is endless.

    Examples
    --------
    >>> [batch] = LED(noise=0.0, irrelevant=False, seed=1, items=3).batches()
    >>> batch.label.tolist()
    [7, 1, 5]
    >>> batch.x.astype(int).tolist()[1]
    [0, 0, 1, 0, 0, 1, 0]

    A display three of whose segments change their place at item 1,000:

    >>> from streamgauge.streams import drift
    >>> drift(LED(), LED(drifting=3), at=1000).schema.drifts
    (Drift(start=1000, centre=1000, end=1000, kind='abrupt'),)

    References
    ----------
    Breiman, Friedman, Olshen, Stone. Classification and regression trees.
    Wadsworth (1984), 43-49.
    """

    noise: float = 0.1
    irrelevant: bool = True
    drifting: int = 0

    @property
    def schema(self) -> Schema:
        """24 (or 7) bits, ten classes."""
        width = 24 if self.irrelevant else 7
        features = tuple(Feature(f"att{i + 1}", ("0", "1")) for i in range(width))
        return Schema(features, "class", tuple(str(digit) for digit in range(10)))

    def source(self, seed: int, goal: Goal | None = None) -> Generator:
        """The compiled source of its items."""
        return Generator.led(self.noise, self.irrelevant, self.drifting, seed)

    def _check(self) -> None:
        real(self, "noise", 0, 1)
        flag(self, "irrelevant")
        whole(self, "drifting", 0, 7)
        if self.drifting and not self.irrelevant:
            raise ParameterError.of(self, "drifting", "0 when irrelevant is false", self.drifting)
