"""An open log: in memory while small, in a folder if requested or when it grows."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from streamgauge.errors import ParameterError
from streamgauge.log._folder_writer import Beginning, FolderWriter, Written
from streamgauge.log._read_log import read_log, tables_of
from streamgauge.log.card import Card, Status, run_id
from streamgauge.log.machine import machine
from streamgauge.log.rows import Rows, TableRows
from streamgauge.log.side_tables import SideTable
from streamgauge.log.table import InMemory, Log
from streamgauge.types import Schema

SPILL_BYTES = 64 * 2**20
"""A log whose tables are larger than this is moved to disk, so that memory stays constant."""


class Book:
    """An open log: the engine writes rows, `close` returns the log."""

    def __init__(
        self,
        schema: Schema,
        about: Mapping[str, str],
        *,
        scores: bool = False,
        folder: Path | None = None,
        cell: str = "",
        spill_bytes: int = SPILL_BYTES,
        beginning: Beginning | None = None,
    ) -> None:
        identifier = run_id(schema, about, scores, cell)
        self._card = Card(
            schema, dict(about), scores=scores, run=identifier, cell=cell, machine=machine()
        )
        self._rows: list[Rows] = []
        self._side_tables: list[SideTable] = []
        self._bytes = 0
        self._spill_bytes = spill_bytes
        self.last_labelled = -1 if beginning is None else beginning.last_labelled
        """The largest item with a label."""
        self.in_order = beginning is None or beginning.in_order
        """Whether labels are in the order of items."""
        self._temporary = False
        self._writer = None if folder is None else FolderWriter(folder, self._card, beginning)

    def sync(self) -> dict[str, Written]:
        """Make the rows of a log in a folder durable; returns what it has of each table."""
        if self._writer is None:
            raise ParameterError("Book: sync needs a log in a folder, got one in memory")
        return self._writer.sync()

    def write(self, rows: Rows) -> None:
        """Add rows."""
        self._track_order(rows)
        if self._writer is not None:
            self._writer.put(rows)
            return
        self._rows.append(rows)
        self._bytes += rows.nbytes
        if self._bytes > self._spill_bytes:
            self._spill()

    def write_side_table(self, rows: SideTable) -> None:
        """Add rows of a side table: alarms, vitals or selections."""
        if self._writer is not None:
            self._writer.put(rows)
        else:
            self._side_tables.append(rows)

    def close(
        self,
        status: Status = "complete",
        reason: str = "",
        resources: dict[str, float] | None = None,
    ) -> Log:
        """Finish the log and return it, read-only."""
        card = self._card
        if self._writer is None:
            held = InMemory(tuple(self._rows), self.in_order, tuple(self._side_tables))
            return Log(card.schema, held, card.about, status == "complete", resources or {})
        self._writer.close(status, reason, self.in_order, resources, lasting=not self._temporary)
        folder = self._writer.folder
        if not self._temporary:
            return read_log(folder)
        tables = tables_of(folder, replace(card, labels_in_order=self.in_order))
        weakref.finalize(tables, shutil.rmtree, folder, ignore_errors=True)
        return Log(card.schema, tables, card.about, status == "complete", resources or {})

    def _spill(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="streamgauge-log-"))
        self._writer = FolderWriter(folder, self._card)
        self._temporary = True
        for rows in (*self._rows, *self._side_tables):
            self._writer.put(rows)
        self._rows, self._side_tables = [], []

    def _track_order(self, rows: Rows) -> None:
        if not isinstance(rows, TableRows):
            self.last_labelled = max(self.last_labelled, rows.first + len(rows.label) - 1)
            return
        item = rows.labels.item
        if not len(item):
            return
        if int(item[0]) <= self.last_labelled or bool((item[1:] <= item[:-1]).any()):
            self.in_order = False
        self.last_labelled = max(self.last_labelled, int(item.max()))
