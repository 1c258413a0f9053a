"""A stream with noise in its features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._core import noisy_rows
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.noise import NoiseArguments, NoiseScales, check_noise
from streamgauge.seeds import child
from streamgauge.types import F64, Batch, Noise, NoiseForm, Schema, Stream, Updates


@plain_numbers
def perturb(
    stream: Stream,
    scale: float = 0.1,
    relative: bool = False,
    nominal: float = 0.0,
    form: NoiseForm = "normal",
) -> Stream:
    """Add noise to the features of a stream; labels stay.

    Noise depends on the seed and the number of the item. Missing values stay missing, and finite
    ones finite. Later features of an item (updates) get the noise of the item.

    Parameters
    ----------
    stream
        The stream.
    scale
        Standard deviation of the noise in numeric features.
    relative
        Whether `scale` is a factor of the standard deviation of each feature over the items up to
        and including this one; no noise while fewer than two have a value.
    nominal
        Probability that a nominal value is replaced by one of its declared values, drawn uniformly.
    form
        Distribution of the noise: `"normal"`, or `"uniform"` with the same standard deviation.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> (batch,) = perturb(SEA(items=1000, seed=1), scale=0.5).batches()
    >>> (plain,) = SEA(items=1000, seed=1).batches()
    >>> float((batch.x - plain.x).std().round(1)), bool((batch.label == plain.label).all())
    (0.5, True)
    """
    return Perturb(resolve("stream", stream), scale, relative, nominal, form)


@plain_numbers
@dataclass(frozen=True, slots=True)
class Perturb:
    """See `perturb`."""

    stream: Stream
    scale: float = 0.1
    relative: bool = False
    nominal: float = 0.0
    form: NoiseForm = "normal"

    def __post_init__(self) -> None:
        check_noise("perturb", self.scale, self.nominal, self.form)

    @property
    def name(self) -> str:
        """Name of the input stream, and its noise."""
        more = ", relative" if self.relative else ""
        more += f", nominal {self.nominal:g}" if self.nominal else ""
        more += f", {self.form}" if self.form != "normal" else ""
        return f"perturb({self.stream.name}, {self.scale:g}{more})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """Number of items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        noise = Noise(
            child(seed, "perturb"), float(self.scale), self.relative, self.nominal, self.form
        )
        of_items = NoiseScales(self.stream.schema.features)
        arguments = of_items.arguments(noise)
        for batch in self.stream.batches(size, seed):
            scales = of_items.scales(noise, batch.x)
            scales = scales[1:] if noise.relative else scales
            x = noisy_rows(np.ascontiguousarray(batch.x), batch.first, scales, arguments)
            updates = batch.updates
            if updates is not None:
                updates = _noisy_updates(batch, updates, scales, arguments)
            yield replace(batch, x=x, updates=updates)


def _noisy_updates(
    batch: Batch, updates: Updates, scales: F64, arguments: NoiseArguments
) -> Updates:
    """Later features with the noise of their items."""
    rows = updates.item.astype(np.int64) - batch.first
    x = updates.x.copy()
    for nth, (item, row) in enumerate(zip(updates.item.tolist(), rows.tolist(), strict=True)):
        at = row if len(scales) > 1 else 0
        own = np.ascontiguousarray(x[nth : nth + 1])
        x[nth] = noisy_rows(own, item, scales[at : at + 1], arguments)[0]
    return replace(updates, x=x)
