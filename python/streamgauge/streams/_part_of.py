"""One part of a stream that is split by an attribute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import plain_numbers
from streamgauge.streams._split_on import split_on
from streamgauge.types import Stream, Value


@plain_numbers
@reported_by("part_of", "split_on")
def part_of(
    stream: Stream,
    attribute: str,
    part: Literal["first", "second"] = "first",
    value: Value | Sequence[Value] | None = None,
    at: float | None = None,
) -> Stream:
    """One of the two parts of `split_on`, so that text can name it.

    Parameters
    ----------
    stream
        The stream; it must end.
    attribute
        Name of a feature. It is removed.
    part
        `"first"`: the items of `value`, or of at most `at`. `"second"`: the others.
    value, at
        The rule, as in `split_on`.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.array([[0, 5], [1, 6], [2, 7]]), np.array([0.1, 0.2, 0.3]))
    >>> [batch.x.tolist() for batch in part_of(stream, "x0", "second", value=[0, 2]).batches()]
    [[[6.0]]]

    References
    ----------
    Shaker, Hüllermeier. Recovery analysis for adaptive learning from non-stationary data
    streams: experimental design and case study. Neurocomputing 150 (2015).
    """
    if part not in ("first", "second"):
        raise ParameterError.of("part_of", "part", "'first' or 'second'", part)
    return split_on(stream, attribute, value, at)[part == "second"]
