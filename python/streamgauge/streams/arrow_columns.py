"""Conversion of Arrow columns to rows of float64, codes, ticks and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streamgauge._core import rows_of_columns
from streamgauge.arrow_times import ticks_of_column
from streamgauge.buffers import as_arrow, as_numpy, valid
from streamgauge.errors import DataError
from streamgauge.streams.batches import BLOCK, split_batches
from streamgauge.streams.columns import ColumnRoles, Columns, column_roles
from streamgauge.streams.item_checks import apply_clock
from streamgauge.streams.layout import (
    BOOLEANS,
    MAX_VALUES,
    ColumnProfile,
    Layout,
    QuotedCell,
    infer_layout,
    needs_scan,
    not_a_number,
    not_finite,
    refuse_decimal_commas,
)
from streamgauge.streams.nominal import inexact_value, unknown_value
from streamgauge.streams.pandas_index import drop_index, index_names
from streamgauge.types import F64, I64, NEVER, NONE, Batch, Codes, Drift, Value
from streamgauge.types.values import inexact, is_number, match_key, plain_value

PLAIN = (pa.float64(), pa.float32())
"""Float types that the core reads without conversion."""

UNKNOWN = -2
"""The code of a value that was not declared."""

Table: TypeAlias = Callable[[Sequence[str] | None], Iterable[Any]]
"""Function that opens a table, for some columns or all, as Arrow record batches."""


def table_layout(
    who: str,
    schema: Any,
    table: Table,
    options: Columns,
    length: int | None = None,
    drifts: tuple[Drift, ...] = (),
) -> Layout:
    """Scan the columns whose types leave their content open, then infer the layout."""
    index = index_names(who, schema)
    stored = tuple(schema.names)
    names = tuple(index.get(name, name) for name in stored)
    options, notes = drop_index(who, options, index, schema)
    roles = column_roles(who, names, options)
    profiles: list[ColumnProfile | None] = [
        profile_of_type(who, field.type, names[i]) if i in used(roles) else None
        for i, field in enumerate(schema)
    ]
    scan = [
        i
        for i in columns_to_scan(roles, options)
        if type_needs_scan(schema.field(i).type, i, roles, options)
    ]
    builders = {
        i: ProfileBuilder(profile_of_type(who, schema.field(i).type, names[i])) for i in scan
    }
    rows = 0
    if scan or length is None:
        for batch in table([stored[i] for i in scan] or [stored[0]]):
            for i, builder in builders.items():
                builder.add(batch.column(batch.schema.get_field_index(stored[i])), rows)
            rows += batch.num_rows
    for i in scan:
        profiles[i] = builders[i].profile()
    refuse_decimal_commas(who, roles, options, profiles, "convert the column to numbers")
    rows = rows if length is None else length
    return infer_layout(who, roles, options, profiles, rows, drifts, notes, stored)


def used(roles: ColumnRoles) -> list[int]:
    """Return the columns that have a role."""
    others = (roles.time, roles.label_time, roles.weight)
    return [*roles.features, roles.target, *(i for i in others if i is not None)]


def columns_to_scan(roles: ColumnRoles, options: Columns) -> list[int]:
    """Return the columns that the options do not declare completely."""
    features = [i for i in roles.features if needs_scan(roles.names[i], options)]
    declared = options.task == "regression" or (
        options.classes is not None and options.unseen_class == "refuse"
    )
    times = [i for i in (roles.time, roles.label_time) if i is not None]
    return features + ([] if declared else [roles.target]) + times


def type_needs_scan(kind: Any, column: int, roles: ColumnRoles, options: Columns) -> bool:
    """Return whether the Arrow type alone does not determine the profile of a column."""
    if pa.types.is_dictionary(kind) or is_text(kind):
        return True
    if pa.types.is_boolean(kind):
        return False
    if column in (roles.time, roles.label_time):
        return bool(pa.types.is_floating(kind))
    if not is_number_type(kind):
        return False
    name = roles.names[column]
    return column == roles.target or name in options.nominal or options.types.get(name) == "nominal"


def is_text(kind: Any) -> bool:
    """Return whether a type is one of Arrow's string types."""
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_kind(kind) for is_kind in kinds)


def is_number_type(kind: Any) -> bool:
    """Return whether a type is numeric or boolean."""
    types = pa.types
    kinds = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    return any(is_kind(kind) for is_kind in kinds)


def profile_of_type(who: str, kind: Any, name: str) -> ColumnProfile:
    """Return the profile that follows from a column's type."""
    if pa.types.is_boolean(kind):
        return ColumnProfile(declared=True, values=BOOLEANS)
    if is_number_type(kind):
        return ColumnProfile(numbers=True)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return ColumnProfile(stamp=QuotedCell(str(kind), "every item"))
    values = kind.value_type if pa.types.is_dictionary(kind) else None
    if values is not None and (
        is_text(values) or is_number_type(values) or pa.types.is_null(values)
    ):
        return ColumnProfile(declared=True, values=())
    if is_text(kind) or pa.types.is_null(kind):
        return ColumnProfile(values=())
    raise DataError(
        f"{who}: column {name!r} must be numeric, nominal or a time, got {kind}; "
        f"pass drop=[{name!r}]"
    )


class ProfileBuilder:
    """Builds the profile of one column, batch by batch."""

    def __init__(self, by_type: ColumnProfile) -> None:
        self.declared = by_type.declared
        self.values: dict[Value, None] = {}
        self.many = self.numbers = self.fractions = False
        self.text: QuotedCell | None = None

    def add(self, column: Any, first: int) -> None:
        """Add a batch of cells."""
        if pa.types.is_dictionary(column.type):
            self.collect(column.dictionary.to_pylist())
            return
        if is_text(column.type):
            column = column.cast(pa.string())
            row = first_valid(column)
            if row is not None and self.text is None:
                self.text = QuotedCell(column[row].as_py(), f"item {first + row:,}")
        else:
            if pa.types.is_floating(column.type) or pa.types.is_decimal(column.type):
                cells = floats(column)
                cells = cells[~np.isnan(cells)]
                self.fractions = self.fractions or bool((cells != np.trunc(cells)).any())
                if pa.types.is_floating(column.type):
                    column = as_arrow(cells)
            self.numbers = self.numbers or len(column) > column.null_count
        if not self.many:
            self.collect(pc.unique(column.drop_null()).to_pylist())

    def collect(self, values: Iterable[object]) -> None:
        """Collect the distinct values, up to `MAX_VALUES`."""
        for value in map(plain_value, values):
            if value is not None and value == value:
                self.values.setdefault(cast(Value, value))
        self.many = len(self.values) > MAX_VALUES

    def profile(self) -> ColumnProfile:
        """Return the profile of all cells so far."""
        return ColumnProfile(
            numbers=self.numbers,
            fractions=self.fractions,
            text=self.text,
            values=None if self.many else tuple(self.values),
            declared=self.declared,
        )


def floats(column: Any) -> F64:
    """Convert numbers to float64, missing cells to NaN."""
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    cells: F64 = as_numpy(column.cast(pa.float64(), safe=False), np.nan)
    return cells


def first_valid(column: Any) -> int | None:
    """Return the first row that is not null, None if there is none."""
    if len(column) == column.null_count:
        return None
    return int(np.flatnonzero(valid(column))[0])


def without_nan(column: Any) -> Any:
    """Convert floats to float64, NaN to null."""
    cells = floats(column)
    return as_arrow(cells, np.isnan(cells))


def table_batches(who: str, layout: Layout, table: Table, size: int) -> Iterator[Batch]:
    """Yield the items of a table, with checked times, in batches of at most `size`."""
    return split_batches(
        apply_clock(who, layout.clock, blocks(who, layout, table), layout.schema.clock == "us"),
        size,
    )


def blocks(who: str, layout: Layout, table: Table) -> Iterator[Batch]:
    """Yield the items of a table, `BLOCK` rows at a time."""
    roles = layout.roles
    first = 0
    for batch in table([layout.stored[i] for i in sorted(used(roles))]):
        for start in range(0, batch.num_rows, BLOCK):
            yield block(who, layout, batch.slice(start, BLOCK), first)
            first += min(BLOCK, batch.num_rows - start)


def block(who: str, layout: Layout, cells: Any, first: int) -> Batch:
    """Convert one record batch to items."""
    roles, schema = layout.roles, layout.schema

    def column(number: int) -> Any:
        return cells.column(cells.schema.get_field_index(layout.stored[number]))

    parts = []
    for number, feature in zip(roles.features, schema.features, strict=True):
        if feature.values is None:
            parts.append(raw(who, feature.name, column(number), first))
        else:
            codes = coded(who, "column", feature.name, column(number), feature.values, first)
            gaps = codes == NONE
            parts.append(np.where(gaps, np.nan, codes) if gaps.any() else codes)
    x, infinite = rows_of_columns(parts, cells.num_rows)
    if infinite is not None:
        row, index = infinite
        name = schema.features[index].name
        raise DataError(not_finite(who, f"item {first + row:,}", name, x[row, index]))
    label: Codes | F64
    if schema.classes is None:
        label = numbers(who, schema.target, column(roles.target), first)
    else:
        label = coded(who, "class", schema.target, column(roles.target), schema.classes, first)
    return Batch(
        first=first,
        x=x,
        label=label,
        time=None if roles.time is None else times(who, layout, column(roles.time), first, None),
        label_time=None
        if roles.label_time is None
        else times(who, layout, column(roles.label_time), first, NEVER),
        weight=None
        if roles.weight is None
        else numbers(who, roles.names[roles.weight], column(roles.weight), first),
    )


def raw(who: str, name: str, column: Any, first: int) -> NDArray[Any]:
    """Return a numeric column without a copy if possible, otherwise as float64."""
    kind = column.type
    if not column.null_count and (pa.types.is_integer(kind) or kind in PLAIN):
        return as_numpy(column)
    return numbers(who, name, column, first, finite=False)


def numbers(who: str, name: str, column: Any, first: int, finite: bool = True) -> F64:
    """Convert a numeric column to float64; raise for text and, by default, infinities."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if is_text(column.type):
        column = parsed(who, name, column, first)
    if pa.types.is_null(column.type):
        return np.full(len(column), np.nan)
    if not is_number_type(column.type):
        row = first_valid(column)
        if row is None:
            return np.full(len(column), np.nan)
        raise DataError(not_a_number(who, f"item {first + row:,}", name, str(column[row].as_py())))
    cells = floats(column)
    if finite and np.isinf(cells).any():
        row = int(np.flatnonzero(np.isinf(cells))[0])
        raise DataError(not_finite(who, f"item {first + row:,}", name, cells[row]))
    return cells


def parsed(who: str, name: str, column: Any, first: int) -> Any:
    """Convert text to float64; raise at the first cell that is not a number."""
    try:
        return column.cast(pa.float64())
    except pa.ArrowInvalid:
        if len(column) == 1:
            cell = column[0].as_py()
            raise DataError(not_a_number(who, f"item {first:,}", name, cell)) from None
    half = len(column) // 2
    parsed(who, name, column.slice(0, half), first)
    return parsed(who, name, column.slice(half), first + half)


def coded(
    who: str, what: str, name: str, column: Any, values: Sequence[Value], first: int
) -> Codes:
    """Convert a nominal column to codes, `NONE` if missing; raise for an unknown value."""
    if not pa.types.is_dictionary(column.type):
        if pa.types.is_floating(column.type):
            column = without_nan(column)
        column = column.dictionary_encode()
    here = [plain_value(value) for value in column.dictionary.to_pylist()]
    codes_of = np.asarray(codes_of_values(here, values), dtype=np.int32)
    indices = as_numpy(column.indices.cast(pa.int64()), len(here))
    found: Codes = np.append(codes_of, np.int32(NONE))[indices]
    unknown = np.flatnonzero(found == UNKNOWN)
    if len(unknown):
        row = int(unknown[0])
        got: Any = here[indices[row]]
        where = f"item {first + row:,}"
        if inexact([got]) is not None:
            raise DataError(inexact_value(who, f"{where}, ", what, name, got))
        raise DataError(unknown_value(who, where, what, name, got, values))
    return found


def codes_of_values(here: Sequence[Any], values: Sequence[Value]) -> list[int]:
    """Return the code of each value found, `UNKNOWN` if it is not one of `values`.

    Numbers and texts are equal if the text is the number in canonical form. A missing value has
    the code `NONE`. A float from 2^53 on is not equal to a whole number, but to the same float.
    """
    by_number = any(map(is_number, here)) or any(map(is_number, values))
    codes: dict[Value, int] = {}
    for code, value in enumerate(values):
        codes.setdefault(match_key(value, by_number), code)

    def code_of(value: Any) -> int:
        if value is None or value != value:
            return NONE
        code = codes.get(match_key(value, by_number), UNKNOWN)
        whole = code != UNKNOWN and isinstance(values[code], int)
        return UNKNOWN if whole and inexact([value]) is not None else code

    return [code_of(value) for value in here]


def times(who: str, layout: Layout, column: Any, first: int, missing: int | None) -> I64:
    """Convert a time column to ticks; a missing cell is `missing`; if that is None, raise."""
    if pa.types.is_floating(column.type):
        column = without_nan(column)
    if missing is None and column.null_count:
        row = int(np.flatnonzero(~valid(column))[0])
        raise DataError(
            f"{who}: item {first + row:,}, time must be known, got a missing cell; "
            "correct it or remove the item"
        )
    what = "time" if missing is None else "label_time"
    return ticks_of_column(who, what, column, first, layout.ticks)
