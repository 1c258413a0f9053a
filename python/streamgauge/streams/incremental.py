"""Incremental drift: the concept itself concept_parameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import (
    Generated,
    check_integer,
    effective_seed,
    generate_batches,
)
from streamgauge.streams.sigmoid import span_of
from streamgauge.types import Batch, Drift, Schema, Stream


@plain_numbers
@dataclass(frozen=True, slots=True)
class Incremental:
    """Incremental drift: the concept of one generator moves to that of another along a sigmoid.

    The concept of item t is an interpolation between the old and the new one, with weight
    `sigmoid(t, at, width)`. Defined for concepts that are numbers: the threshold of `SEA`
    (from one `function` to the other), the weights of `Hyperplane` and `HyperDistance` (from
    one `model_seed` to the other). All other parameters must be equal.

    Parameters
    ----------
    old, new
        The two generators.
    at
        The centre of the drift.
    width
        The steepest slope is 1/width per item; 0 and 1 are a step.
    items
        Number of items; by default that of the old generator.

    Examples
    --------
    >>> from streamgauge.streams import SEA
    >>> stream = Incremental(SEA(3, noise=0.0), SEA(4, noise=0.0), at=1000, width=500)
    >>> stream.schema.drifts
    (Drift(start=426, centre=1000, end=1575, kind='incremental'),)
    >>> batch = next(stream.batches(size=1001))
    >>> total = batch.x[:, 0] + batch.x[:, 1]  # the threshold goes from 7 to 9.5
    >>> int(batch.label[1000]) == int(total[1000] > 8.25)
    True
    """

    old: Generated
    new: Generated
    at: int
    width: int
    items: int | None = None

    def __post_init__(self) -> None:
        who = "Incremental"
        check_movable(self.old)
        if type(self.old) is not type(self.new):
            raise ParameterError.of(who, "new", f"another {type(self.old).__name__}", self.new.name)
        changed = str(self.old.concept_parameter)
        for f in fields(self.old):
            ours, theirs = getattr(self.old, f.name), getattr(self.new, f.name)
            if f.name != changed and ours != theirs:
                raise ParameterError.of(who, f"{f.name} of new", f"that of old, {ours!r}", theirs)
            if f.name == changed and (ours is None or theirs is None):
                raise ParameterError.of(who, changed, "given in both streams", None)
        if getattr(self.old, "magnitude", 0.0):
            raise ParameterError.of(who, "magnitude", "0 in an incremental drift", self.old.name)
        check_integer(self, "at", 0)
        check_integer(self, "width", 0)
        if self.items is not None:
            check_integer(self, "items", 0)

    @property
    def name(self) -> str:
        """Both generators, and where they change."""
        return f"{self.old.name} ⇝ {self.new.name} at {self.at} (width {self.width})"

    @property
    def length(self) -> int | None:
        """Number of items, None if endless."""
        return self.old.length if self.items is None else self.items

    @property
    def schema(self) -> Schema:
        """Schema of the old generator, with the drift."""
        start, end = span_of(self.at, self.width)
        return replace(self.old.schema, drifts=(Drift(start, self.at, end, "incremental"),))

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        return generate_batches(self._source(size, seed), size, self.length)

    def _source(self, size: int, seed: int) -> Generator:
        transition = (
            getattr(self.new, str(self.new.concept_parameter)),
            float(self.at),
            float(self.width),
        )
        return self.old.source(effective_seed(self.old, size, seed), transition)


def check_movable(stream: Stream) -> Generated:
    """Return the stream if its concept can move; otherwise raise."""
    if isinstance(stream, Generated) and stream.concept_parameter is not None:
        return stream
    must = "SEA, Hyperplane or HyperDistance (omit kind for a gradual drift)"
    raise ParameterError.of("incremental drift", "a stream", must, stream.name)
