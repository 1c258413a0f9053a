"""A mixture of two streams, item by item, along a sigmoid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, pi

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams._cursor import Cursor
from streamgauge.streams.schemas import common_schema, drifts_between, with_drifts
from streamgauge.streams.sigmoid import share_of_old, span_of_old, width_of_angle
from streamgauge.types import F64, I64, Batch, Drift, Schema, Stream


@plain_numbers
def mix(
    a: Stream,
    b: Stream,
    *,
    width: float | None = None,
    theta: float | None = None,
    t0: float | None = None,
) -> Stream:
    r"""Mix two streams along a sigmoid: item t is the t-th item of a or the t-th item of b.

    It is that of a with probability

    .. math:: \lambda(t) = 1 / (1 + \exp(4 (t - t_0) / w)), \quad t = 1, \dots, T

    independently for each t; the item of the other stream is dropped. T is the length of the
    shorter stream. (In `drift`, by contrast, a stream advances only when its item is taken.)

    Parameters
    ----------
    a, b
        The old stream and the new one, with equal features, classes and clock.
    width
        w above, in items; 0 is a step.
    theta
        Instead of `width`: the angle of the slope at t0 in a plot 100 units wide, so that
        w = T / (100 tan theta); pi/2 is a step, pi/75 slow.
    t0
        The centre; by default T / 2.

    Examples
    --------
    >>> from streamgauge.streams import Stagger, take
    >>> stream = mix(take(Stagger(1), 1000), take(Stagger(3), 1000), width=100)
    >>> stream.length, stream.schema.drifts
    (1000, (Drift(start=385, centre=499, end=614, kind='gradual'),))

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    return Mix(resolve("stream", a), resolve("stream", b), width, theta, t0)


@dataclass(frozen=True, slots=True)
class Mix:
    """See `mix`."""

    a: Stream
    b: Stream
    width: float | None = None
    theta: float | None = None
    t0: float | None = None

    def __post_init__(self) -> None:
        common_schema("mix", (self.a, self.b))
        if (self.width is None) == (self.theta is None):
            got = (self.width, self.theta)
            raise ParameterError.of("mix", "width, theta", "given one of the two", got)
        if self.width is not None and not 0 <= self.width < float("inf"):
            raise ParameterError.of("mix", "width", "a number of at least 0", self.width)
        if self.theta is not None and not 0 < self.theta <= pi / 2:
            raise ParameterError.of("mix", "theta", "above 0 and at most pi/2", self.theta)
        if self.length is None and (self.t0 is None or self.width is None):
            raise ParameterError(
                f"mix: a stream must end, or t0 and width be given, got {self.a.name} and "
                f"{self.b.name}; pass take({self.a.name}, n)"
            )

    @property
    def name(self) -> str:
        """Both names."""
        return f"mix({self.a.name}, {self.b.name})"

    @property
    def length(self) -> int | None:
        """Number of items of the shorter stream."""
        ends = [stream.length for stream in (self.a, self.b) if stream.length is not None]
        return min(ends) if ends else None

    @property
    def schema(self) -> Schema:
        """Schema of a, with this drift, those of a before it and those of b after it."""
        own = self._drift()
        old = drifts_between(self.a.schema.drifts, 0, max(own.end, 1))
        new = [drift for drift in self.b.schema.drifts if drift.end > own.start]
        new = list(drifts_between(new, 0, self.length))
        return with_drifts(self.a.schema, (*old, own, *new))

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        old = Cursor(self.a.name, self.a.batches(size, seed))
        new = Cursor(self.b.name, self.b.batches(size, child(seed, "mix", "b")))
        draws = child(seed, "mix", "draw")
        first = 0
        while count := min(old.available(size), new.available(size)):
            share = self.share(np.arange(first, first + count))
            of_old = uniforms(draws, first, count) < share
            yield Batch.choose(of_old, old.take(count), new.take(count))
            first += count

    def share(self, items: I64) -> F64:
        """Probability of stream a at items counted from 0."""
        return share_of_old(items + 1, self._centre(), self._width())

    def _centre(self) -> float:
        return (self.length or 0) / 2 if self.t0 is None else self.t0

    def _width(self) -> float:
        if self.width is not None:
            return self.width
        return width_of_angle(pi / 2 if self.theta is None else self.theta, self.length or 0)

    def _drift(self) -> Drift:
        """Return the drift from 1 % to 99 % of b, counted from 0."""
        centre = self._centre()
        start, end = span_of_old(centre, self._width())
        middle = max(0, ceil(centre) - 1)
        return Drift(start, middle, end, "abrupt" if end - start <= 1 else "gradual")
