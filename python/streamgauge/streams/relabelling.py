"""A stream whose labels are turned into others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.streams.layout import listed
from streamgauge.types import I32, NONE, Batch, Schema, Stream, Value, missing


@plain_numbers
def relabel(stream: Stream, how: Literal["invert", "cyclic"] | Mapping[Value, Value]) -> Stream:
    """The same items with other labels: another concept on the same data.

    Parameters
    ----------
    stream
        The stream.
    how
        `"cyclic"`: each class becomes the next one, the last becomes the first.
        `"invert"`: the order of the classes is turned round (two classes change places); a
        real label y becomes y_max + y_min - y, over all items, which are walked once more.
        A mapping of classes: those not named stay.

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
    Shaker, Huellermeier. Recovery analysis for adaptive learning from non-stationary data
    streams. Neurocomputing 150 (2015).
    """
    return Relabel(stream, how)


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
            if self.stream.length is None:
                raise ParameterError(
                    f"relabel: a stream with a real target must end, got {self.stream.name}; "
                    f"say take({self.stream.name}, n)"
                )
        elif isinstance(self.how, str):
            if self.how not in ("invert", "cyclic"):
                must = "'invert', 'cyclic' or a mapping of classes"
                raise ParameterError.of("relabel", "how", must, self.how)
        else:
            for value in (*self.how, *self.how.values()):
                if value not in classes:
                    must = f"of classes among {listed(classes)}"
                    raise ParameterError.of("relabel", "how", must, value)

    @property
    def name(self) -> str:
        """Its name, and how."""
        return f"relabel({self.stream.name}, {self.how!r})"

    @property
    def schema(self) -> Schema:
        """That of the stream."""
        return self.stream.schema

    @property
    def length(self) -> int | None:
        """How many items."""
        return self.stream.length

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Its items from the first on, at most `size` at a time."""
        if self.schema.classes is None:
            whole = turning_point(self.stream, seed)
            for batch in self.stream.batches(size, seed):
                yield replace(batch, label=np.asarray(whole - batch.label, dtype=np.float64))
        else:
            codes = self._codes()
            for batch in self.stream.batches(size, seed):
                yield replace(batch, label=codes[batch.label])

    def _codes(self) -> I32:
        """The new code of each class; that of `NONE`, the last, is `NONE`."""
        classes = self.schema.classes or ()
        codes = list(range(len(classes)))
        if isinstance(self.how, Mapping):
            codes = [classes.index(self.how.get(value, value)) for value in classes]
        elif self.how == "cyclic":
            codes = codes[1:] + codes[:1]
        else:
            codes = codes[::-1]
        return np.array([*codes, NONE], dtype=np.int32)


def turning_point(stream: Stream, seed: int) -> float:
    """The least and the greatest label, added."""
    least, most = np.inf, -np.inf
    for batch in stream.batches(seed=seed):
        known = batch.label[~missing(batch.label)]
        if len(known):
            least, most = min(least, float(known.min())), max(most, float(known.max()))
    return least + most
