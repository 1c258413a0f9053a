"""NumPy arrays, passed on without a copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from streamgauge.errors import DataError, ParameterError
from streamgauge.streams.batches import BLOCK, split_batches
from streamgauge.streams.columns import Columns, one_of
from streamgauge.streams.item_checks import apply_clock
from streamgauge.streams.labels import (
    UNUSABLE,
    codes_of,
    label_array,
    missing,
    profile_of_labels,
    real_labels,
)
from streamgauge.streams.layout import BOOLEANS, not_finite, target_classes
from streamgauge.streams.nominal import format_values
from streamgauge.types import (
    F64,
    I64,
    NEVER,
    Batch,
    Codes,
    Drift,
    Feature,
    Schema,
    Value,
)
from streamgauge.types.columns import any_missing
from streamgauge.types.times import MAX_TICKS, too_far
from streamgauge.types.values import is_number, plain_value


@dataclass(frozen=True)
class Arrays:
    """Features and labels in NumPy arrays; C-contiguous float64 rows are not copied.

    Parameters
    ----------
    x
        One row per item; NaN is a missing cell. Nominal features hold codes. Booleans are
        nominal, with the values False and True.
    y
        Labels: text, numbers, booleans. None and NaN are missing labels.
    names
        Names of the features; by default `x0`, `x1`, …
    nominal
        Feature (name or number) -> its values in code order.
    target
        Name of the target.
    classes
        The classes in code order; by default the sorted values of y.
    task
        `"classification"` or `"regression"`; by default inferred from y.
    time, label_time
        Times: whole numbers, or datetime64 (ticks are microseconds). NaT in
        `label_time` means never.
    weight
        Weights.
    clock
        How to treat a time earlier than the previous one: `"strict"` raises an error, `"sort"`
        sorts by time, `"allow"` keeps it.
    drifts
        Known drifts.
    name
        Name in tables and reports.

    Examples
    --------
    >>> stream = Arrays(np.array([[0.5, 1.0], [0.7, 2.0]]), np.array(["no", "yes"]))
    >>> stream.schema.classes, [batch.label.tolist() for batch in stream.batches()]
    (('no', 'yes'), [[0, 1]])
    """

    x: NDArray[Any] = field(repr=False, compare=False)
    y: NDArray[Any] = field(repr=False, compare=False)
    names: Sequence[str] | None = None
    nominal: Mapping[str | int, Sequence[Value]] = field(default_factory=dict)
    target: str = "label"
    classes: Sequence[Value] | None = None
    task: Literal["classification", "regression"] | None = None
    time: NDArray[Any] | None = field(default=None, repr=False, compare=False)
    label_time: NDArray[Any] | None = field(default=None, repr=False, compare=False)
    weight: NDArray[Any] | None = field(default=None, repr=False, compare=False)
    clock: Literal["strict", "sort", "allow"] = "strict"
    drifts: tuple[Drift, ...] = ()
    name: str = "arrays"
    schema: Schema = field(init=False, repr=False, compare=False)
    labels: Codes | F64 = field(init=False, repr=False, compare=False)
    all_labelled: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for what in ("x", "y", "time", "label_time", "weight"):
            if isinstance(getattr(self, what), np.ma.MaskedArray):
                must = "an array without a mask (fill it: x.filled(np.nan))"
                raise ParameterError.of(self, what, must, "a masked array")
            if getattr(self, what) is not None:
                as_array = label_array if what == "y" else np.asarray
                object.__setattr__(self, what, as_array(getattr(self, what)))
        one_of(self, "clock", self.clock, ("strict", "sort", "allow"))
        one_of(self, "task", self.task, (None, "classification", "regression"))
        if self.x.ndim != 2 or self.x.dtype.kind not in "fiub":
            got = f"{self.x.ndim} of {self.x.dtype}"
            raise ParameterError.of(self, "x", "numbers in two dimensions", got)
        for what in ("y", "time", "label_time", "weight"):
            column = getattr(self, what)
            if column is not None and column.shape != (len(self.x),):
                must = f"one column of {len(self.x):,} cells, one per row of x"
                raise ParameterError.of(self, what, must, column.shape)
        if self.y.dtype.kind in UNUSABLE:
            must = "text, numbers or booleans (convert them)"
            raise ParameterError.of(self, "y", must, str(self.y.dtype))
        if self.weight is not None:
            object.__setattr__(self, "weight", weights_of(self, self.weight))
        features = self._features()
        refuse_infinities(self.name, self.x, features)
        notes: list[str] = []
        options = Columns(task=self.task, classes=self.classes)
        profile = profile_of_labels(self.name, self.target, self.y)
        classes = target_classes(self.name, self.target, options, profile, len(self.x), notes)
        stamps = {c.dtype.kind for c in (self.time, self.label_time) if c is not None}
        if stamps - set("Miuf") or len({kind == "M" for kind in stamps}) > 1:
            must = "all datetime64 or all whole numbers"
            raise ParameterError.of(self, "time and label_time", must, sorted(stamps))
        clock: Literal["item", "us"] = "us" if "M" in stamps else "item"
        schema = Schema(features, self.target, classes, self.drifts, clock, tuple(notes))
        object.__setattr__(self, "schema", schema)
        label: Codes | F64 = (
            real_labels(self.y) if classes is None else codes_of(self.name, self.y, classes)
        )
        if classes is None and (infinite := np.flatnonzero(np.isinf(label))).size:
            where = f"item {infinite[0]:,}"
            got = self.y[infinite[0]]
            raise DataError(not_finite(self.name, where, self.target, f"{got!s:.40}", "target"))
        object.__setattr__(self, "labels", label)
        object.__setattr__(self, "all_labelled", not any_missing(label))

    @property
    def length(self) -> int | None:
        """Number of items."""
        return len(self.x)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        """Yield the items in batches of at most `size`."""
        blocks = self._blocks(max(size, 1))
        stamps = self.schema.clock == "us"
        timed = apply_clock(self.name, self.clock, blocks, stamps, self.all_labelled)
        return split_batches(timed, size)

    def _blocks(self, size: int) -> Iterator[Batch]:
        time = None if self.time is None else ticks_of(self.name, "time", self.time)
        known = (
            None if self.label_time is None else ticks_of(self.name, "label_time", self.label_time)
        )
        weight = self.weight
        for start in range(0, len(self.x), size):
            part = slice(start, start + size)
            yield Batch(
                first=start,
                x=np.ascontiguousarray(self.x[part], dtype=np.float64),
                label=self.labels[part],
                time=None if time is None else time[part],
                label_time=None if known is None else known[part],
                weight=None if weight is None else weight[part],
            )

    def _features(self) -> tuple[Feature, ...]:
        width = self.x.shape[1]
        names = [f"x{i}" for i in range(width)] if self.names is None else list(self.names)
        if len(names) != width or len(set(names)) != width:
            raise ParameterError.of(self, "names", f"{width} different names", names)
        values: dict[str, Sequence[Value]] = {}
        for which, codes in self.nominal.items():
            name = names[which] if isinstance(which, int) and -width <= which < width else which
            if name not in names:
                raise ParameterError.of(
                    self, "nominal", f"features among {format_values(names)}", which
                )
            values[str(name)] = codes
        other = BOOLEANS if self.x.dtype.kind == "b" else None
        return tuple(Feature(n, tuple(values[n]) if n in values else other) for n in names)


def from_arrays(x: NDArray[Any], y: NDArray[Any], **options: Any) -> Arrays:
    """Make a stream of the rows of x and the labels y; see `Arrays`.

    Examples
    --------
    >>> from_arrays(np.zeros((3, 2)), np.array([0.5, 0.25, 1.0])).schema.task
    'regression'
    """
    return Arrays(x, y, **options)


def refuse_infinities(who: str, x: NDArray[Any], features: tuple[Feature, ...]) -> None:
    """Raise for an infinite cell, and for a code without a nominal value."""
    for start in range(0, len(x), BLOCK):
        part = x[start : start + BLOCK]
        bad = np.flatnonzero(np.isinf(part)) if part.dtype.kind == "f" else np.empty(0, np.int64)
        if len(bad):
            row, column = divmod(int(bad[0]), len(features))
            where = f"item {start + row:,}"
            raise DataError(not_finite(who, where, features[column].name, part[row, column]))
        for column, feature in enumerate(features):
            if feature.values is None:
                continue
            codes = part[:, column]
            fits = (codes >= 0) & (codes < len(feature.values)) & (codes == np.trunc(codes))
            wrong = np.flatnonzero(~(fits | np.isnan(codes)))
            if len(wrong):
                raise DataError(
                    f"{who}: item {start + wrong[0]:,}, column {feature.name!r} must be a code "
                    f"from 0 to {len(feature.values) - 1}, got {codes[wrong[0]]}; correct it"
                )


def weights_of(who: object, weight: NDArray[Any]) -> F64:
    """Convert weights to float64; raise unless they are numbers."""
    if weight.dtype.kind in "fiub":
        return np.asarray(weight, dtype=np.float64)
    cells = weight.tolist()
    wrong = [cell for cell in cells if not missing(cell) and not is_number(plain_value(cell))]
    if wrong:
        raise ParameterError.of(who, "weight", "numbers", wrong[0])
    return real_labels(weight.astype(object))


def ticks_of(who: str, what: str, times: NDArray[Any]) -> I64:
    """Convert times to ticks, a missing label time to `NEVER`; raise for a missing time."""
    if times.dtype.kind == "M":
        gaps = np.isnat(times)
        rounded = times.astype("datetime64[us]")
        # Without a round trip, an overflow would not be seen: both sides overflow alike.
        changed = rounded.astype(times.dtype) != times
        finer = np.flatnonzero(~gaps & changed)
        if len(finer) and np.datetime_data(times.dtype)[0] in FINER:
            raise DataError(
                f"{who}: item {finer[0]:,}, {what} must be whole microseconds, got "
                f"{times[finer[0]]}; round them, or pass whole numbers"
            )
        ticks, far = rounded.astype(np.int64), ~gaps & (changed | np.isnat(rounded))
    else:
        gaps = np.isnan(times)
        if what == "label_time" and times.dtype.kind in "iu":
            gaps = times == NEVER
        whole = np.where(gaps, 0, times)
        if (whole != np.trunc(whole)).any():
            raise DataError(f"{who}: {what} must be whole numbers, got decimals; round them")
        far = (whole > MAX_TICKS) | (whole < -MAX_TICKS)
        ticks = np.where(far, 0, whole).astype(np.int64)
    far |= ~gaps & ((ticks > MAX_TICKS) | (ticks < -MAX_TICKS))
    if far.any():
        row = int(np.flatnonzero(far)[0])
        got = times.astype(np.int64) if times.dtype.kind == "M" else times
        raise DataError(too_far(who, f"item {row:,}", what, got[row]))
    if what == "time" and gaps.any():
        raise DataError(
            f"{who}: item {np.flatnonzero(gaps)[0]:,}, time must be known, got a missing cell; "
            "correct it"
        )
    return np.where(gaps, NEVER, ticks)


FINER = ("ns", "ps", "fs", "as")
"""Units of datetime64 below a microsecond."""
