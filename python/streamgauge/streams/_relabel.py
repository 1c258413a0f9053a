"""A stream with changed labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.names import resolve
from streamgauge.streams._is_endless import is_endless
from streamgauge.streams.nominal import format_values
from streamgauge.types import I32, NONE, Batch, Schema, Stream, Value, missing


@plain_numbers
def relabel(stream: Stream, how: Literal["invert", "cyclic"] | Mapping[Value, Value]) -> Stream:
    """Change the labels of a stream: another concept on the same features.

    Parameters
    ----------
    stream
        The stream.
    how
        `"cyclic"`: each class becomes the next one, the last becomes the first.
        `"invert"`: the order of the classes is reversed (two classes are swapped); a
        real label y becomes y_max + y_min - y, for which the stream is read once more.
        A mapping of classes: the other classes are unchanged.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.zeros((3, 1)), np.array(["a", "b", "c"]))
    >>> [batch.label.tolist() for batch in relabel(stream, "cyclic").batches()]
    [[1, 2, 0]]
    >>> [batch.label.tolist() for batch in relabel(stream, {"a": "c"}).batches()]
    [[2, 1, 2]]

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    return Relabel(resolve("stream", stream), how)


@dataclass(frozen=True, slots=True)
class Relabel:
    """See `relabel`."""

    stream: Stream
    how: Literal["invert", "cyclic"] | Mapping[Value, Value]

    def __post_init__(self) -> None:
        classes = self.stream.schema.classes
        if classes is None:
            if self.how != "invert":
                raise ParameterError.of("relabel", "how", "'invert' for a real target", self.how)
            if is_endless(self.stream):
                raise ParameterError(
                    f"relabel: a stream with a real target must end, got {self.stream.name}; "
                    f"pass take({self.stream.name}, n)"
                )
        elif isinstance(self.how, str):
            if self.how not in ("invert", "cyclic"):
                must = "'invert', 'cyclic' or a mapping of classes"
                raise ParameterError.of("relabel", "how", must, self.how)
        else:
            for value in (*self.how, *self.how.values()):
                if value not in classes:
                    must = f"of classes among {format_values(classes)}"
                    raise ParameterError.of("relabel", "how", must, value)

    @property
    def name(self) -> str:
        """Name of the input stream, and how it is relabelled."""
        return f"relabel({self.stream.name}, {self.how!r})"

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
        if self.schema.classes is None:
            total = min_plus_max(self.stream, seed)
            for batch in self.stream.batches(size, seed):
                yield replace(batch, label=np.asarray(total - batch.label, dtype=np.float64))
        else:
            codes = self._codes()
            for batch in self.stream.batches(size, seed):
                yield replace(batch, label=codes[batch.label])

    def _codes(self) -> I32:
        """Return the new code of each class; the last entry maps `NONE` to `NONE`."""
        classes = self.schema.classes or ()
        codes = list(range(len(classes)))
        if isinstance(self.how, Mapping):
            codes = [classes.index(self.how.get(value, value)) for value in classes]
        elif self.how == "cyclic":
            codes = codes[1:] + codes[:1]
        else:
            codes = codes[::-1]
        return np.array([*codes, NONE], dtype=np.int32)


def min_plus_max(stream: Stream, seed: int) -> float:
    """Return the sum of the smallest and the greatest label."""
    low, high = np.inf, -np.inf
    for batch in stream.batches(seed=seed):
        known = batch.label[~missing(batch.label)]
        if len(known):
            low, high = min(low, float(known.min())), max(high, float(known.max()))
    return low + high
