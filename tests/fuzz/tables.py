"""Random tables: columns of cells with roles, and the options to read them."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass, field
from typing import Any

EPOCH = dt.datetime(2020, 1, 1)
TEXTS = ("up", "down", "so so", "x, y", 'a "b"', "it's", "São", "-", "=1", "tab\there", "#")
"""Values that no reader takes for a number, a time or a missing cell."""


@dataclass(slots=True)
class Column:
    """Name, kind (`number`, `whole`, `text`, `stamp`) and cells, None where missing."""

    name: str
    kind: str
    cells: list[Any]


@dataclass(slots=True)
class Table:
    """Columns, and the options to open a file with them.

    `listed`: a format with a header lists the classes in it, even if they are whole numbers.
    """

    columns: list[Column]
    options: dict[str, Any] = field(default_factory=dict)
    listed: bool = True

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells)


def drawn_table(draw: random.Random) -> Table:
    """A valid table with a few features, a target, and sometimes times and weights."""
    rows = draw.choice((1, 2, 3, 5, 8, 13, 21))
    columns = [
        _column(draw, f"f{nth}", draw.choice(("number", "number", "whole", "text")), rows)
        for nth in range(draw.randint(1, 3))
    ]
    target = _column(draw, "y", draw.choice(("text", "class", "number")), rows)
    options: dict[str, Any] = {"target": "y"}
    if draw.random() < 0.4:
        steps = sorted(draw.randrange(10**6) for _ in range(rows))
        delays = [draw.choice((None, 0, 5, 1000)) for _ in range(rows)]
        known = [None if d is None else t + d for t, d in zip(steps, delays, strict=True)]
        stamps = draw.random() < 0.5
        kind = "stamp" if stamps else "whole"
        columns.append(Column("t", kind, [_stamp(t) if stamps else t for t in steps]))
        options["time"] = "t"
        if draw.random() < 0.5:
            later = [None if t is None else _stamp(t) if stamps else t for t in known]
            columns.append(Column("known", kind, later))
            options["label_time"] = "known"
    if draw.random() < 0.2:
        columns.append(Column("w", "number", [draw.choice((1.0, 0.5, 2.0)) for _ in range(rows)]))
        options["weight"] = "w"
    draw.shuffle(columns)
    columns.insert(draw.choice((len(columns), 0)), target)
    return Table(columns, options, listed=draw.random() < 0.5)


def _stamp(micros: int) -> dt.datetime:
    return EPOCH + dt.timedelta(microseconds=micros)


def _column(draw: random.Random, name: str, kind: str, rows: int) -> Column:
    pool: list[Any]
    match kind:
        case "number":
            pool = [draw.uniform(-100, 100) for _ in range(6)] + [0.0, -0.0, 1e300, 5e-324, 3.0]
        case "whole":
            pool = [*range(-3, 6), 2**40, -(2**53)]
        case "class":
            pool = [0, 1, 7]
        case _:
            pool = list(draw.sample(TEXTS, draw.randint(1, 4)))
    gaps = draw.choice((0.0, 0.0, 0.2))
    cells = [None if draw.random() < gaps else draw.choice(pool) for _ in range(rows)]
    return Column(name, "whole" if kind == "class" else kind, cells)


ODD_CELLS: dict[str, tuple[Any, ...]] = {
    "number": (None, float("nan"), 1e308, -1e308, 1e-320, float("inf"), -0.0, 0.1 + 0.2),
    "whole": (None, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 0),
    "text": (None, "new", "é" * 40, "ß", "a\nb", "Ǆ", "\u200b", "long " * 30),
    "stamp": (None, dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999)),
}


def change_table(draw: random.Random, table: Table) -> None:
    """Change one cell, row, column or option."""
    column = draw.choice(table.columns)
    row = draw.randrange(table.rows) if table.rows else 0
    match draw.randrange(10):
        case 0 | 1 | 2 | 3 if table.rows:
            column.cells[row] = draw.choice(ODD_CELLS[column.kind])
        case 4 if table.rows:
            other = draw.randrange(table.rows)
            for each in table.columns:
                each.cells.insert(row, each.cells[other])
        case 5:
            column.cells[:] = [None] * table.rows
        case 6:
            column.name = draw.choice(("y", "t", "é", "a b", "f0", "x,y", '"', "c0", "label"))
        case 7:
            draw.shuffle(table.columns)
        case 8:
            key = draw.choice(("target", "time", "label_time", "weight"))
            table.options[key] = draw.choice([c.name for c in table.columns] + ["none"])
        case _:
            change_options(draw, [c.name for c in table.columns], table.options)


def change_options(draw: random.Random, names: list[str], options: dict[str, Any]) -> None:
    """Change one of the options that every reader takes."""
    name = draw.choice(names)
    choices: dict[str, tuple[Any, ...]] = {
        "drop": ([name], [name, name], "t"),
        "nominal": ([name], ["y"]),
        "types": ({name: "numeric"}, {name: "nominal"}, {name: ["up", "down"]}, {"y": [0, 1, 7]}),
        "classes": (["up", "down"], [0, 1, 7], list(TEXTS), [0], []),
        "task": ("classification", "regression"),
        "unseen_class": ("grow", "refuse"),
        "clock": ("sort", "allow", "strict"),
        "time_unit": ("us", "s", "h", "day", "tick"),
        "target": (None, name),
    }
    key = draw.choice(sorted(choices))
    options[key] = draw.choice(choices[key])
