"""Year, month, hour, … of a column of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.preprocessing._native import NativeRows, check_kind, native
from streamgauge.types import Feature, Schema

PARTS = ("year", "month", "day", "day_of_year", "weekday", "hour", "minute", "second")
"""The parts of a time that can be columns."""

UNITS = ("us", "ms", "s")
"""Units of a column of times."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class DateParts:
    """Parts of the times in a numeric column, as new columns after the others.

    A time is a number of units since the beginning of 1970, without time zone and leap seconds (for
    the time of the items themselves as a column see `streams.time_feature`). A part `month` of a
    column `when` is the column `when.month`. Months and days count from 1, weekdays from 0 (Monday)
    to 6, hours, minutes and seconds from 0; the calendar is the proleptic Gregorian one. All parts
    of a missing time, and of one beyond 2**53 units, are missing. Nothing is learned.

    Parameters
    ----------
    column
        Name of the column of times.
    parts
        Which parts: `"year"`, `"month"`, `"day"`, `"day_of_year"`, `"weekday"`, `"hour"`,
        `"minute"`, `"second"`.
    unit
        `"us"`, `"ms"` or `"s"`.
    keep
        True: the column of times remains.

    Examples
    --------
    >>> import numpy as np
    >>> parts = DateParts("when", ("month", "weekday", "hour"), unit="s")
    >>> bound = parts.bind(Schema((Feature("when"), Feature("x"))))
    >>> bound.schema.names
    ('x', 'when.month', 'when.weekday', 'when.hour')
    >>> bound.transform(np.array([[1_000_000_000.0, 7.0]])).tolist()  # 2001-09-09 01:46:40
    [[7.0, 9.0, 6.0, 1.0]]
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    column: str = "time"
    parts: Sequence[str] = ("month", "weekday", "hour")
    unit: Literal["us", "ms", "s"] = "us"
    keep: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        wrong = [part for part in self.parts if part not in PARTS]
        if wrong or not self.parts or len(set(self.parts)) < len(self.parts):
            must = f"different ones of {', '.join(PARTS)}"
            raise ParameterError.of(self, "parts", must, wrong[0] if wrong else self.parts)
        if self.unit not in UNITS:
            raise ParameterError.of(self, "unit", f"one of {', '.join(UNITS)}", self.unit)

    def bind(self, schema: Schema) -> NativeRows:
        """Make the transformer for the columns of a stream."""
        columns = (self.column,)
        check_kind(self, schema, columns, nominal=False)
        kept = [f for f in schema.features if self.keep or f.name != self.column]
        more = [Feature(f"{self.column}.{part}") for part in self.parts]
        parameters = {"parts": " ".join(self.parts), "unit": self.unit, "keep": self.keep}
        return native(self, schema, columns, parameters, [*kept, *more])
