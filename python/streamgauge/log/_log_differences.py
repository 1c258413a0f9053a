"""Differences between two complete logs: their cards, and every row of their tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge.buffers import as_numpy
from streamgauge.log._read_log import tables_of
from streamgauge.log.about import versions
from streamgauge.log.arrow import SIDE_TABLES, TABLES
from streamgauge.log.card import NAME, Card, read_card
from streamgauge.names import LIBRARIES
from streamgauge.types import Flags

CODED = ("prediction", "label")
"""Columns that hold the code of a class."""


@dataclass(frozen=True, slots=True)
class TableDifference:
    """The first difference between a table of a log and that of its repetition.

    `table` is `log.json` for the card, whose keys are columns. `row` counts from 0; `item` is the
    item in it, if the table has items. `rows` is the number of rows that differ.
    """

    table: str
    row: int | None
    item: int | None
    column: str
    stored: str
    again: str
    rows: int

    def __str__(self) -> str:
        if self.row is None:
            where = self.column
        else:
            item = "" if self.item is None else f" (item {self.item:,})"
            where = f"row {self.row:,}{item}, {self.column}"
        count = f"; {self.rows:,} rows differ" if self.rows > 1 else ""
        return f"{self.table}: {where} is {self.stored}, and {self.again} when run again{count}"


def log_differences(stored: Path, again: Path) -> list[TableDifference]:
    """The differences between two complete logs; none if they are equal bit for bit.

    Compared are schema, origin, scores and the order of labels in the cards, and every value of
    every table; two NaN are equal. Not compared are what differs from run to run (seconds, memory,
    also that in *vitals*, the run's identifier), versions, and how the tables are compressed.
    """
    cards = read_card(stored), read_card(again)
    found = [
        TableDifference(NAME, None, None, key, _shown(a), _shown(b), 0)
        for key, a, b in _facts(*cards)
        if a != b
    ]
    if cards[0].schema != cards[1].schema or cards[0].scores != cards[1].scores:
        return found  # the tables have other columns, or codes of other classes
    tables = [tables_of(place, card) for place, card in zip((stored, again), cards, strict=True)]
    for name in (*TABLES, *SIDE_TABLES):
        rows = [card.tables[name].rows if name in card.tables else 0 for card in cards]
        batches = [
            t.batches(name) if name in c.tables else iter(())
            for t, c in zip(tables, cards, strict=True)
        ]
        first = _of_table(name, batches[0], batches[1], rows[0], rows[1], cards[0].schema.classes)
        if first is not None:
            found.append(first)
    return found


def version_differences(stored: Path, again: Path) -> list[str]:
    """Versions, and kinds of machine, that differ between two logs, in words."""
    a, b = (versions_in(read_card(place).about) for place in (stored, again))
    return [
        f"made with {key} {a.get(key, 'unknown')}, here {b.get(key, 'unknown')}"
        for key in dict.fromkeys((*a, *b))
        if a.get(key) != b.get(key)
    ]


def _version_keys() -> set[str]:
    return {*versions(), *(library.package for library in LIBRARIES.values())}


def versions_in(about: Mapping[str, str]) -> dict[str, str]:
    """The versions in the origin of a log, and its kind of machine."""
    known = _version_keys()
    return {key: value for key, value in about.items() if key in known}


def _facts(a: Card, b: Card) -> Iterator[tuple[str, object, object]]:
    """Keys of two cards that must be equal, with both values."""
    yield "scores", a.scores, b.scores
    yield "labels_in_order", a.labels_in_order, b.labels_in_order
    one, other = asdict(a.schema), asdict(b.schema)
    for key in one:
        yield f"schema.{key}", one[key], other[key]
    known = _version_keys()
    for key in dict.fromkeys((*a.about, *b.about)):
        if key not in known:
            yield f"about.{key}", a.about.get(key), b.about.get(key)


def _of_table(
    name: str,
    stored: Iterator[pa.RecordBatch],
    again: Iterator[pa.RecordBatch],
    rows_stored: int,
    rows_again: int,
    classes: tuple[Any, ...] | None,
) -> TableDifference | None:
    """The first difference of a table, and how many rows differ; None if there is none."""
    first: TableDifference | None = None
    start = count = 0
    for a, b in _aligned(stored, again):
        masks = {c: _unequal(a.column(c), b.column(c)) for c in a.schema.names}
        if name == "vitals":
            masks["value"] &= ~_sizes(a)
        wrong = np.logical_or.reduce([*masks.values()])
        if first is None and wrong.any():
            row = int(np.argmax(wrong))
            column = next(c for c, mask in masks.items() if mask[row])
            known = classes if column in CODED else None
            first = TableDifference(
                name,
                start + row,
                a.column("item")[row].as_py() if "item" in masks else None,
                column,
                _value(a.column(column)[row].as_py(), known),
                _value(b.column(column)[row].as_py(), known),
                0,
            )
        count += int(wrong.sum())
        start += len(a)
    surplus = abs(rows_stored - rows_again)
    if first is None and surplus:
        numbers = (f"{rows_stored:,}", f"{rows_again:,}")
        first = TableDifference(name, None, None, "the number of rows", *numbers, 0)
    if first is None:
        return None
    return replace(first, rows=count + surplus)


def _sizes(vitals: pa.RecordBatch) -> Flags:
    """Rows with the memory that a process held, which depends on what it did before."""
    names = vitals.column("name").to_pylist()
    return np.fromiter((fact == "bytes" for fact in names), np.bool_, len(names))


def _aligned(
    a: Iterator[pa.RecordBatch], b: Iterator[pa.RecordBatch]
) -> Iterator[tuple[pa.RecordBatch, pa.RecordBatch]]:
    """Batches of two tables, cut so that both have the same rows; up to the end of the shorter."""
    left = right = None
    while True:
        left = left if left is not None and len(left) else next(a, None)
        right = right if right is not None and len(right) else next(b, None)
        if left is None or right is None:
            for _ in a:  # a table is checked to its end
                pass
            for _ in b:
                pass
            return
        size = min(len(left), len(right))
        if size:
            yield left.slice(0, size), right.slice(0, size)
        left, right = left.slice(size), right.slice(size)


def _unequal(a: pa.Array, b: pa.Array) -> Flags:
    """Rows in which two columns of one type differ in any bit; two NaN are equal."""
    if pa.types.is_string(a.type) or pa.types.is_list(a.type):
        pairs = zip(a.to_pylist(), b.to_pylist(), strict=True)
        return np.fromiter((x != y for x, y in pairs), np.bool_, len(a))
    if pa.types.is_fixed_size_list(a.type):
        flat = _unequal(a.flatten(), b.flatten())
        found: Flags = np.logical_or.reduce(flat.reshape(len(a), -1), axis=1)
        return found
    found = _unequal_values(as_numpy(a, 0), as_numpy(b, 0))
    if a.null_count or b.null_count:
        found |= _null(a) != _null(b)
    return found


def _unequal_values(a: Any, b: Any) -> Flags:
    if a.dtype.kind != "f":
        unequal: Flags = a != b
        return unequal
    bits = f"u{a.dtype.itemsize}"
    different: Flags = (a.view(bits) != b.view(bits)) & ~(np.isnan(a) & np.isnan(b))
    return different


def _null(column: pa.Array) -> Flags:
    found: Flags = as_numpy(column, 0) != as_numpy(column, 1)
    return found


def _value(value: object, classes: tuple[Any, ...] | None) -> str:
    """A value as text; a code as its class."""
    if value is None:
        return "none"
    if classes is not None and isinstance(value, int) and 0 <= value < len(classes):
        value = classes[value]
    return _shown(value)


LONGEST = 80
"""Characters of a value that are shown."""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
