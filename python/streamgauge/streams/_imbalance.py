"""A stream whose class proportions follow a schedule."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from streamgauge._core import uniforms
from streamgauge.errors import DataError, ParameterError
from streamgauge.kinds import as_list, at_least, check_number, plain_numbers
from streamgauge.names import resolve
from streamgauge.seeds import child
from streamgauge.streams.batches import with_original_delays
from streamgauge.streams.schemas import refuse_drifts, with_drifts
from streamgauge.types import F64, Batch, Drift, Schema, Stream

LONGEST_SKIP = 1_000_000
"""Largest number of items to read until one of a class is found."""


@plain_numbers
def imbalance(
    stream: Stream,
    shares: Sequence[Sequence[float]],
    at: Sequence[int] = (0,),
    how: Literal["steps", "linear"] = "steps",
) -> Stream:
    """Change the proportions of the classes along a stream, by sub-sampling.

    The class of each item is drawn from the proportions at its number, and the next item of that
    class is taken from the input; items before it are left out. So the order of the input is kept,
    its own proportions do not matter, and within a class nothing changes. Items without a label are
    left out. The stream ends when the input does.

    Each change of the proportions is a known drift. The input must not have known drifts, whose
    positions would not be known: use this on each concept.

    Parameters
    ----------
    stream
        The stream, with classes.
    shares
        Lists of proportions, one number per class in the order of the schema, which sum to 1.
    at
        The item, counted from 0, from which each list holds; the first is 0.
    how
        `"steps"`: each list holds until the next one (abrupt drifts). `"linear"`: proportions
        change linearly from one list to the next (incremental drifts).

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.streams import SEA, take
    >>> stream = imbalance(SEA(seed=1), [[0.5, 0.5], [0.95, 0.05]], at=[0, 1000])
    >>> (batch,) = take(stream, 2000).batches()
    >>> [float(half.mean().round(2)) for half in np.split(batch.label, 2)]
    [0.5, 0.05]
    >>> stream.schema.drifts
    (Drift(start=1000, centre=1000, end=1000, kind='abrupt'),)
    """
    must = "a list of lists of numbers"
    given = tuple(as_list("imbalance", "shares", shares, must))
    if not all(isinstance(row, list | tuple) for row in given):
        raise ParameterError.of("imbalance", "shares", must, shares)
    for row in given:
        for share in row:
            check_number("imbalance", "shares", share, must)
    items = tuple(as_list("imbalance", "at", at, "a list of items"))
    return Imbalance(resolve("stream", stream), tuple(map(tuple, given)), items, how)


@plain_numbers
@dataclass(frozen=True, slots=True)
class Imbalance:
    """See `imbalance`."""

    stream: Stream
    shares: tuple[tuple[float, ...], ...]
    at: tuple[int, ...] = (0,)
    how: Literal["steps", "linear"] = "steps"

    def __post_init__(self) -> None:
        classes = self.stream.schema.classes
        if classes is None:
            raise ParameterError.of(
                "imbalance", "stream", "one with classes", f"the real target of {self.stream.name}"
            )
        refuse_drifts("imbalance", self.stream)
        if self.how not in ("steps", "linear"):
            raise ParameterError.of("imbalance", "how", "'steps' or 'linear'", self.how)
        for row in self.shares:
            if (
                len(row) != len(classes)
                or min(row) < 0
                or not math.isclose(sum(row), 1, abs_tol=1e-9)
            ):
                must = f"lists of {len(classes)} numbers, one per class, which sum to 1"
                raise ParameterError.of("imbalance", "shares", must, row)
        for item in self.at:
            at_least("imbalance", "at", item, 0)
        ascending = all(earlier < later for earlier, later in pairwise(self.at))
        if len(self.at) != len(self.shares) or not ascending or self.at[0] != 0:
            must = f"{len(self.shares)} items in increasing order, one per list of shares, from 0"
            raise ParameterError.of("imbalance", "at", must, self.at)

    @property
    def name(self) -> str:
        """Name of the input stream, and its proportions."""
        parts = (f"{'/'.join(f'{s:g}' for s in row)} at {at}" for row, at in self._rows())
        how = "" if self.how == "steps" else ", linear"
        return f"imbalance({self.stream.name}, {', '.join(parts)}{how})"

    @property
    def schema(self) -> Schema:
        """Schema of the input stream, with the changes of the proportions as drifts."""
        drifts = []
        for (old, start), (new, end) in pairwise(self._rows()):
            if old == new:
                continue
            if self.how == "steps":
                drifts.append(Drift(end, end, end, "abrupt"))
            else:
                drifts.append(Drift(start + 1, (start + end) // 2 + 1, end, "incremental"))
        return with_drifts(self.stream.schema, drifts)

    @property
    def length(self) -> int | None:
        """Unknown: it depends on the draws."""
        return None

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        classes = self.stream.schema.classes or ()
        made, drawn, first = 0, self._draw(0, size, seed), 0
        skipped = 0
        for batch in self.stream.batches(size, seed):
            rows_of = [np.flatnonzero(batch.label == code).tolist() for code in range(len(classes))]
            rows: list[int] = []
            after = 0
            while True:
                if made - first == len(drawn):
                    first, drawn = made, self._draw(made, size, seed)
                own = rows_of[drawn[made - first]]
                place = bisect_left(own, after)
                if place == len(own):
                    break
                rows.append(own[place])
                after = own[place] + 1
                made += 1
            skipped = len(batch) - after if rows else skipped + len(batch)
            if skipped > LONGEST_SKIP:
                wanted = classes[drawn[made - first]]
                raise DataError(
                    f"imbalance: {self.stream.name} must have items of class {wanted!r}, got none "
                    f"in {LONGEST_SKIP:,} items; give it the share 0"
                )
            if rows:
                part = batch.take(np.array(rows), made - len(rows))
                yield with_original_delays(part, batch.times[rows])

    def _rows(self) -> list[tuple[tuple[float, ...], int]]:
        return list(zip(self.shares, self.at, strict=True))

    def _draw(self, first: int, count: int, seed: int) -> list[int]:
        """The classes of items, drawn from the proportions at their numbers."""
        bounds = np.cumsum(self.proportions(first, count), axis=1)
        u = uniforms(child(seed, "imbalance"), first, count)
        # The last class takes what rounding leaves; a class of share 0 is never drawn.
        last = np.array([np.flatnonzero(row)[-1] for row in np.diff(bounds, axis=1, prepend=0.0)])
        drawn = np.minimum((u[:, None] >= bounds).sum(axis=1), last)
        return [int(code) for code in drawn]

    def proportions(self, first: int, count: int) -> F64:
        """The proportions at items from `first` on: one row per item, one column per class."""
        t = np.arange(first, first + count)
        rows = np.array(self.shares, dtype=np.float64)
        if self.how == "steps":
            steps: F64 = rows[np.searchsorted(self.at, t, side="right") - 1]
            return steps
        return np.stack([np.interp(t, self.at, column) for column in rows.T], axis=1)
