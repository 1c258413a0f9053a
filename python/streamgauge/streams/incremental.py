"""Incremental drift: the concept itself moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from streamgauge._core import Generator
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams._generated import Generated, drawn_by, walk, whole
from streamgauge.streams.sigmoid import span_of
from streamgauge.types import Batch, Drift, Schema, Stream


@plain_numbers
@dataclass(frozen=True, slots=True)
class Incremental:
    """A concept that moves from that of one generator to that of another, along the sigmoid.

    No item is of the old or of the new concept; item t is of one in between, `sigmoid(t, at,
    width)` of the way. Possible where a concept is made of numbers: the threshold of `SEA`
    (from one `function` to the other), the weights of `Hyperplane` and `HyperDistance` (from
    one `model_seed` to the other). All other parameters must be equal.

    Parameters
    ----------
    old, new
        The two generators.
    at
        The item that is half way.
    width
        The steepest slope is 1/width an item; 0 and 1 are a step.
    items
        How many items; None takes the number of the old generator's.

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
        movable(self.old)
        if type(self.old) is not type(self.new):
            raise ParameterError.of(who, "new", f"another {type(self.old).__name__}", self.new.name)
        along = str(self.old.moves)
        for f in fields(self.old):
            ours, theirs = getattr(self.old, f.name), getattr(self.new, f.name)
            if f.name != along and ours != theirs:
                raise ParameterError.of(who, f"{f.name} of new", f"that of old, {ours!r}", theirs)
            if f.name == along and (ours is None or theirs is None):
                raise ParameterError.of(who, along, "given in both streams", None)
        if getattr(self.old, "magnitude", 0.0):
            raise ParameterError.of(who, "magnitude", "0: the weights have a goal", self.old.name)
        whole(self, "at", 0)
        whole(self, "width", 0)
        if self.items is not None:
            whole(self, "items", 0)

    @property
    def name(self) -> str:
        """Both ends, and where they change."""
        return f"{self.old.name} ⇝ {self.new.name} at {self.at} (width {self.width})"

    @property
    def length(self) -> int | None:
        """How many items, None if endless."""
        return self.old.length if self.items is None else self.items

    @property
    def schema(self) -> Schema:
        """That of the old concept, with the drift."""
        start, end = span_of(self.at, self.width)
        return replace(self.old.schema, drifts=(Drift(start, self.at, end, "incremental"),))

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        return walk(self._source(size, seed), size, self.length)

    def _source(self, size: int, seed: int) -> Generator:
        goal = (getattr(self.new, str(self.new.moves)), float(self.at), float(self.width))
        return self.old.source(drawn_by(self.old, size, seed), goal)


def movable(stream: Stream) -> Generated:
    """The stream, if its concept is made of numbers; else an error that says which are."""
    if isinstance(stream, Generated) and stream.moves is not None:
        return stream
    must = "SEA, Hyperplane or HyperDistance (or gradual: leave kind out)"
    raise ParameterError.of("incremental drift", "a stream", must, stream.name)
