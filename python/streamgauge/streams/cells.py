"""Arrow columns become rows of float64, codes, ticks and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streamgauge._core import rows_of_columns
from streamgauge.buffers import as_arrow, as_numpy, valid
from streamgauge.errors import DataError
from streamgauge.streams.batches import BLOCK, cut
from streamgauge.streams.clock import on_time
from streamgauge.streams.columns import Columns, Roles, roles
from streamgauge.streams.layout import (
    BOOLEANS,
    MOST_VALUES,
    Cell,
    Facts,
    Layout,
    by_number,
    key,
    layout,
    needs_facts,
    not_a_number,
    not_finite,
    refuse_decimal_commas,
    unknown_value,
)
from streamgauge.streams.pandas_index import left_out, levels
from streamgauge.types import F64, I64, NEVER, NONE, Batch, Codes, Drift, Value

PLAIN = (pa.float64(), pa.float32())
"""Floats that the core reads as they are."""

Table: TypeAlias = Callable[[Sequence[str] | None], Iterable[Any]]
"""Opens a table from its first row on, for some columns or all: Arrow record batches."""


def table_layout(
    who: str,
    schema: Any,
    table: Table,
    said: Columns,
    length: int | None = None,
    drifts: tuple[Drift, ...] = (),
) -> Layout:
    """Look at the columns whose types do not say everything, then decide."""
    index = levels(schema)
    stored = tuple(schema.names)
    names = tuple(index.get(name, name) for name in stored)
    said, notes = left_out(who, said, index, schema)
    which = roles(who, names, said)
    facts: list[Facts | None] = [
        type_facts(who, field.type, names[i]) if i in used(which) else None
        for i, field in enumerate(schema)
    ]
    look = [i for i in looked_at(which, said) if needs_look(schema.field(i).type, i, which, said)]
    seen = {i: Seen(type_facts(who, schema.field(i).type, names[i])) for i in look}
    rows = 0
    if look or length is None:
        for batch in table([stored[i] for i in look] or [stored[0]]):
            for i, column in seen.items():
                column.add(batch.column(batch.schema.get_field_index(stored[i])), rows)
            rows += batch.num_rows
    for i in look:
        facts[i] = seen[i].facts()
    refuse_decimal_commas(who, which, said, facts, "make the column numbers")
    rows = rows if length is None else length
    return layout(who, which, said, facts, rows, drifts, notes, stored)


def used(which: Roles) -> list[int]:
    """Columns that are read at all."""
    others = (which.time, which.label_time, which.weight)
    return [*which.features, which.target, *(i for i in others if i is not None)]


def looked_at(which: Roles, said: Columns) -> list[int]:
    """Columns whose cells may have to be looked at."""
    features = [i for i in which.features if needs_facts(which.names[i], said)]
    declared = said.task == "regression" or (
        said.classes is not None and said.unseen_class == "refuse"
    )
    times = [i for i in (which.time, which.label_time) if i is not None]
    return features + ([] if declared else [which.target]) + times


def needs_look(kind: Any, column: int, which: Roles, said: Columns) -> bool:
    """Does the type leave open what the column holds?"""
    if pa.types.is_dictionary(kind) or is_text(kind):
        return True
    if pa.types.is_boolean(kind):
        return False
    if column in (which.time, which.label_time):
        return bool(pa.types.is_floating(kind))
    if not is_number(kind):
        return False
    name = which.names[column]
    return column == which.target or name in said.nominal or said.types.get(name) == "nominal"


def is_text(kind: Any) -> bool:
    """Any of Arrow's string types."""
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_kind(kind) for is_kind in kinds)


def is_number(kind: Any) -> bool:
    """Anything that float64 can hold."""
    types = pa.types
    kinds = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    return any(is_kind(kind) for is_kind in kinds)


def type_facts(who: str, kind: Any, name: str) -> Facts:
    """What a column's type says about its cells."""
    if pa.types.is_boolean(kind):
        return Facts(declared=True, values=BOOLEANS)
    if is_number(kind):
        return Facts(numbers=True)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return Facts(stamp=Cell(str(kind), "every item"))
    values = kind.value_type if pa.types.is_dictionary(kind) else None
    if values is not None and (is_text(values) or is_number(values) or pa.types.is_null(values)):
        return Facts(declared=True, values=())
    if is_text(kind) or pa.types.is_null(kind):
        return Facts(values=())
    raise DataError(
        f"{who}: column {name!r} must be numeric, nominal or a time, got {kind}; "
        f"say drop=[{name!r}]"
    )


class Seen:
    """What is found in one column, batch by batch."""

    def __init__(self, by_type: Facts) -> None:
        self.declared = by_type.declared
        self.values: dict[Value, None] = {}
        self.many = self.numbers = self.fractions = False
        self.text: Cell | None = None

    def add(self, column: Any, first: int) -> None:
        """Take in one more batch of cells."""
        if pa.types.is_dictionary(column.type):
            self.collect(column.dictionary.to_pylist())
            return
        if is_text(column.type):
            column = column.cast(pa.string())
            row = first_valid(column)
            if row is not None and self.text is None:
                self.text = Cell(column[row].as_py(), f"item {first + row:,}")
        else:
            if pa.types.is_floating(column.type) or pa.types.is_decimal(column.type):
                cells = floats(column)
                cells = cells[~np.isnan(cells)]
                self.fractions = self.fractions or bool((cells != np.trunc(cells)).any())
                column = as_arrow(cells)
            self.numbers = self.numbers or len(column) > column.null_count
        if not self.many:
            self.collect(pc.unique(column.drop_null()).to_pylist())

    def collect(self, values: Iterable[Value | None]) -> None:
        """Remember the different values, unless they are too many."""
        for value in values:
            if value is not None:
                self.values.setdefault(value)
        self.many = len(self.values) > MOST_VALUES

    def facts(self) -> Facts:
        """All that was found."""
        return Facts(
            numbers=self.numbers,
            fractions=self.fractions,
            text=self.text,
            values=None if self.many else tuple(self.values),
            declared=self.declared,
        )


def floats(column: Any) -> F64:
    """Numbers as float64, missing cells as NaN."""
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    cells: F64 = as_numpy(column.cast(pa.float64(), safe=False), np.nan)
    return cells


def first_valid(column: Any) -> int | None:
    """The first row that is not null."""
    if len(column) == column.null_count:
        return None
    return int(np.flatnonzero(valid(column))[0])


def without_nan(column: Any) -> Any:
    """The same floats as float64, with null for NaN."""
    cells = floats(column)
    return as_arrow(cells, np.isnan(cells))


def table_batches(who: str, lay: Layout, table: Table, size: int) -> Iterator[Batch]:
    """The items of a table, timed and cut."""
    return cut(on_time(who, lay.clock, blocks(who, lay, table), lay.schema.clock == "us"), size)


def blocks(who: str, lay: Layout, table: Table) -> Iterator[Batch]:
    """The items of a table, `BLOCK` rows at a time."""
    which = lay.roles
    first = 0
    for batch in table([lay.stored[i] for i in sorted(used(which))]):
        for start in range(0, batch.num_rows, BLOCK):
            yield block(who, lay, batch.slice(start, BLOCK), first)
            first += min(BLOCK, batch.num_rows - start)


def block(who: str, lay: Layout, cells: Any, first: int) -> Batch:
    """One record batch as items."""
    which, schema = lay.roles, lay.schema

    def column(number: int) -> Any:
        return cells.column(cells.schema.get_field_index(lay.stored[number]))

    parts = []
    for number, feature in zip(which.features, schema.features, strict=True):
        if feature.values is None:
            parts.append(raw(who, feature.name, column(number), first))
        else:
            codes = coded(who, "column", feature.name, column(number), feature.values, first)
            gaps = codes == NONE
            parts.append(np.where(gaps, np.nan, codes) if gaps.any() else codes)
    x, infinite = rows_of_columns(parts, cells.num_rows)
    if infinite is not None:
        row, slot = infinite
        name = schema.features[slot].name
        raise DataError(not_finite(who, f"item {first + row:,}", name, x[row, slot]))
    label: Codes | F64
    if schema.classes is None:
        label = numbers(who, schema.target, column(which.target), first)
    else:
        label = coded(who, "class", schema.target, column(which.target), schema.classes, first)
    return Batch(
        first=first,
        x=x,
        label=label,
        time=None if which.time is None else times(who, lay, column(which.time), first, None),
        label_time=None
        if which.label_time is None
        else times(who, lay, column(which.label_time), first, NEVER),
        weight=None
        if which.weight is None
        else numbers(who, which.names[which.weight], column(which.weight), first),
    )


def raw(who: str, name: str, column: Any, first: int) -> NDArray[Any]:
    """A numeric column as it lies in memory if it can be, otherwise as float64."""
    kind = column.type
    if not column.null_count and (pa.types.is_integer(kind) or kind in PLAIN):
        return as_numpy(column)
    return numbers(who, name, column, first, finite=False)


def numbers(who: str, name: str, column: Any, first: int, finite: bool = True) -> F64:
    """A numeric column; text and, unless told otherwise, infinities are refused."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if is_text(column.type):
        column = parsed(who, name, column, first)
    if pa.types.is_null(column.type):
        return np.full(len(column), np.nan)
    if not is_number(column.type):
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
    """Text as float64; the first cell that is no number is refused."""
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
    """A nominal column as codes, `NONE` where it is missing; a strange value is refused."""
    if not pa.types.is_dictionary(column.type):
        if pa.types.is_floating(column.type):
            column = without_nan(column)
        column = column.dictionary_encode()
    here = column.dictionary.to_pylist()
    codes = lookup(values, here)
    codes_of = np.array([codes.get(known(value, codes), -2) for value in here], dtype=np.int32)
    indices = as_numpy(column.indices.cast(pa.int64()), len(here))
    found: Codes = np.append(codes_of, np.int32(NONE))[indices]
    strange = np.flatnonzero(found == -2)
    if len(strange):
        row = int(strange[0])
        raise DataError(
            unknown_value(who, f"item {first + row:,}", what, name, here[indices[row]], values)
        )
    return found


def lookup(values: Sequence[Value], here: Sequence[Value]) -> dict[Value, int]:
    """Value -> code; by number if the cells are numbers and the values can be."""
    if by_number(here) and not by_number(values):
        try:
            return {float(value): code for code, value in enumerate(values)}
        except ValueError:
            pass
    return {key(value): code for code, value in enumerate(values)}


def known(value: Value, codes: dict[Value, int]) -> Value:
    """A cell as it is looked up in `codes`."""
    return key(value) if key(value) in codes else str(value)


def times(who: str, lay: Layout, column: Any, first: int, missing: int | None) -> I64:
    """A time column as ticks; a missing cell is `missing`, or refused."""
    if pa.types.is_floating(column.type):
        column = without_nan(column)
    if missing is None and column.null_count:
        row = int(np.flatnonzero(~valid(column))[0])
        raise DataError(
            f"{who}: item {first + row:,}, time must be known, got a missing cell; "
            "correct it or remove the item"
        )
    if lay.stamps:
        if getattr(column.type, "unit", "us") == "ns":
            finer = np.flatnonzero(as_numpy(column.cast(pa.int64()), 0) % 1000)
            if len(finer):
                raise DataError(
                    f"{who}: item {first + int(finer[0]):,}, time must be whole microseconds, got "
                    f"{column[int(finer[0])]}; round it, or make it a whole number"
                )
        column = column.cast(pa.timestamp("us", tz=getattr(column.type, "tz", None)), safe=False)
    ticks: I64 = as_numpy(column.cast(pa.int64()), NEVER)
    if lay.ticks == 1:
        return ticks
    return np.where(ticks == NEVER, NEVER, ticks * lay.ticks)
