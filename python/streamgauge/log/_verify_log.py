"""Verification of a log on disk: card, files, rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from streamgauge.errors import LogError
from streamgauge.log._read_log import tables_of
from streamgauge.log.card import RUN_AGAIN, Card, newer_log, read_card

Verdict = Literal["whole", "incomplete", "damaged", "missing", "newer"]


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of verifying one log.

    `verdict` is `whole`, `incomplete` (interrupted, and as its run left it), `damaged`, `missing`
    or `newer` (written by a newer version, and not read); `rows` is the number of rows per table;
    `wrong` states what is wrong, and where.
    `used` is False for a cell of another version, which stays in a run folder.
    """

    name: str
    folder: Path
    verdict: Verdict
    rows: dict[str, int]
    wrong: tuple[str, ...] = ()
    used: bool = True


def verify_log(
    folder: Path, name: str, cell: str | None = None, advance: Callable[[int], None] | None = None
) -> Verified:
    """Check a log: the card, and size, checksum, run, columns and rows of every table.

    `cell` is the cell of an experiment that the log must belong to. `advance` is called with the
    number of bytes of each table that was checked.
    """
    rows: dict[str, int] = {}
    wrong: list[str] = []
    try:
        card = read_card(folder)
    except LogError as error:
        verdict: Verdict = "newer" if newer_log(folder) else "damaged"
        return Verified(name, folder, verdict, {}, (str(error),))
    if cell is not None and card.cell != cell:
        wrong.append(str(other_cell(folder, cell, card.cell)))
    tables = tables_of(folder, card)
    for table in tables.names():
        try:
            rows[table] = tables.check_rows(table)
        except LogError as error:
            wrong.append(str(error))
        if advance is not None and table in card.tables:
            advance(card.tables[table].bytes)
    wrong += _unlisted(folder, card)
    if wrong:
        return Verified(name, folder, "damaged", rows, tuple(wrong))
    if card.status == "complete":
        return Verified(name, folder, "whole", rows)
    why = f"its run was interrupted ({card.reason})" if card.reason else "its run has not finished"
    return Verified(name, folder, "incomplete", rows, (f"{folder}: {why}; {RUN_AGAIN}",))


def is_complete(folder: Path, cell: str) -> bool:
    """Whether a cell's log is complete; an error if it is damaged, by its checksums."""
    card = read_card(folder)
    if card.cell != cell:
        raise other_cell(folder, cell, card.cell)
    tables = tables_of(folder, card)
    for table in tables.names():
        tables.check_file(table)
    return card.status == "complete"


def other_cell(folder: Path, cell: str, found: str) -> LogError:
    """The error about a log that is in the folder of another cell."""
    got = f"that of {found}" if found else "one of no experiment"
    return LogError(f"{folder}: must be the log of the cell {cell}, got {got}; {RUN_AGAIN}")


def _unlisted(folder: Path, card: Card) -> list[str]:
    """Tables in the folder that the card does not list; a running log lists none yet.

    The stream of a finished table is no fault: a process killed at the very end leaves it, and it
    is not read.
    """
    if card.status == "running":
        return []
    listed = {table.file for table in card.tables.values()}
    listed |= {f"{name}.arrows" for name in card.tables}
    found = [p for end in ("parquet", "arrows") for p in sorted(folder.glob(f"*.{end}"))]
    return [
        f"{path}: must be a table that log.json lists, got another file; remove it"
        for path in found
        if path.name not in listed
    ]
