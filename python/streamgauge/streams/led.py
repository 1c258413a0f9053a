"""LED generator."""

from __future__ import annotations

from dataclasses import dataclass

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import (
    Generated,
    Transition,
    check_integer,
    check_real,
)
from streamgauge.types import Feature, Schema


@plain_numbers
@dataclass(frozen=True, slots=True)
class LED(Generated):
    """The digit on a faulty seven-segment display.

    Seven bits are the segments; each is inverted with probability `noise`.
    17 further random bits are irrelevant. With `noise=0.1` the best possible accuracy is
    about 74 %. Defined as in MOA's LEDGenerator and LEDGeneratorDrift, with the defaults of
    the former.

    Parameters
    ----------
    noise
        Probability that a segment is inverted (MOA: in percent).
    irrelevant
        Include the 17 irrelevant bits.
    drifting
        Number of segments, 0 to 7, that are swapped with irrelevant bits, from the first item
        on; for a change within the stream, combine two streams with `drift`.
    seed
        Seed of the items; by default the seed passed to `batches`.
    items
        Number of items; None for an endless stream.

    Examples
    --------
    >>> [batch] = LED(noise=0.0, irrelevant=False, seed=1, items=3).batches()
    >>> batch.label.tolist()
    [7, 1, 5]
    >>> batch.x.astype(int).tolist()[1]
    [0, 0, 1, 0, 0, 1, 0]

    Three segments change their position at item 1,000:

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

    def source(self, seed: int, transition: Transition | None = None) -> Generator:
        """Create the compiled generator."""
        return Generator.led(self.noise, self.irrelevant, self.drifting, seed)

    def _check(self) -> None:
        check_real(self, "noise", 0, 1)
        check_integer(self, "drifting", 0, 7)
        if self.drifting and not self.irrelevant:
            raise ParameterError.of(self, "drifting", "0 when irrelevant is false", self.drifting)
