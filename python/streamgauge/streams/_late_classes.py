"""A stream in which some classes appear late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.names import resolve
from streamgauge.streams.batches import with_original_delays
from streamgauge.streams.nominal import format_values
from streamgauge.streams.schemas import refuse_drifts, with_drifts
from streamgauge.types import I64, Batch, Drift, Flags, Schema, Stream, Value


@plain_numbers
def late_classes(stream: Stream, first: Mapping[Value, int]) -> Stream:
    """Leave out the items of some classes until late in the stream.

    Until `first[c]` items have been taken, items of class c are left out. From then on the stream
    is as its input. Items without a label are kept. The schema has all classes from the beginning.

    The appearance of each class is a known drift. The input must not have known drifts, whose
    positions would not be known: use this on each concept.

    Parameters
    ----------
    stream
        The stream, with classes.
    first
        Class -> number of the item, counted from 0, from which on it occurs.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = late_classes(from_arrays(np.zeros((6, 1)), np.array(list("abcabc"))), {"c": 3})
    >>> [batch.label.tolist() for batch in stream.batches()], stream.schema.drifts[0].start
    ([[0, 1, 0, 1, 2]], 3)
    """
    if not isinstance(first, Mapping):
        raise ParameterError.of(
            "late_classes", "first", "a mapping from classes to items, like {'c': 1000}", first
        )
    return LateClasses(resolve("stream", stream), dict(first))


@dataclass(frozen=True, slots=True)
class LateClasses:
    """See `late_classes`."""

    stream: Stream
    first: Mapping[Value, int]

    def __post_init__(self) -> None:
        classes = self.stream.schema.classes
        if classes is None:
            got = f"the real target of {self.stream.name}"
            raise ParameterError.of("late_classes", "stream", "one with classes", got)
        refuse_drifts("late_classes", self.stream)
        for value, item in self.first.items():
            if value not in classes:
                must = f"of classes among {format_values(classes)}"
                raise ParameterError.of("late_classes", "first", must, value)
            at_least("late_classes", "first", item, 0)
        if set(classes) <= {value for value, item in self.first.items() if item > 0}:
            raise ParameterError(
                "late_classes: first must leave out at least one class, got all of them; "
                "the stream could not begin"
            )

    @property
    def name(self) -> str:
        """Name of the input stream, and when its classes appear."""
        return f"late_classes({self.stream.name}, {dict(self.first)!r})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, with the appearances of classes as drifts."""
        places = sorted({item for item in self.first.values() if item > 0})
        return with_drifts(self.stream.schema, [Drift(at, at, at, "abrupt") for at in places])

    @property
    def length(self) -> int | None:
        """Unknown unless no class is late: it depends on the classes of the items."""
        late = any(item > 0 for item in self.first.values())
        return None if late else self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        classes = self.stream.schema.classes or ()
        # The last entry is for items without a label.
        first = np.array([*(self.first.get(value, 0) for value in classes), 0], dtype=np.int64)
        taken = 0
        for batch in self.stream.batches(size, seed):
            rows = _kept(first[batch.label], taken)
            part = batch.take(rows, taken)
            if len(part):
                yield with_original_delays(part, batch.times[rows])
            taken += len(part)


def _kept(first: I64, taken: int) -> Flags:
    """Which items are taken: those for whose class enough items have been taken before."""
    kept = np.zeros(len(first), np.bool_)
    row = 0
    while row < len(first):
        open_now = first[row:] <= taken
        later = np.unique(first[row:][~open_now])
        if not len(later):
            kept[row:] = True
            return kept
        count = int(later[0]) - taken  # items until the next class may occur
        order = np.flatnonzero(open_now)
        if len(order) < count:
            kept[row + order] = True
            return kept
        kept[row + order[:count]] = True
        row += int(order[count - 1]) + 1
        taken += count
    return kept
