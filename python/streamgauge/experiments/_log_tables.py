"""The tables of all logs of a run folder as Arrow datasets, read when they are scanned."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
from pyarrow import fs

from streamgauge.log import arrow
from streamgauge.log._read_log import tables_of
from streamgauge.log.card import Card, read_card
from streamgauge.types import Schema

LOG_TABLES = ("predictions", "labels", "training", "alarms", "vitals", "selections")
"""The tables of logs that can be queried."""


class LogTables(fs.FileSystemHandler):  # type: ignore[misc]  # pyarrow has no types
    """The tables of the complete logs of cells, as read-only files named `<cell>/<table>`.

    A file is compared with its checksum, run and columns when Arrow opens it. `error` is the first
    one about a damaged file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cards: dict[str, Card] = {}
        self.error: Exception | None = None

    def dataset(self, name: str, cells: Sequence[str]) -> Any:
        """A table of the complete logs of cells, with the column `cell` in front.

        Logs of different tasks have different types: codes of classes become reals if there are
        both, and scores are lists of any length.
        """
        ds, pc = import_module("pyarrow.dataset"), import_module("pyarrow.compute")
        for cell in cells:
            if cell not in self.cards:
                self.cards[cell] = read_card(self.folder / cell)
        cards = {cell: self.cards[cell] for cell in cells if name in self.cards[cell].tables}
        return ds.FileSystemDataset.from_paths(
            [f"{cell}/{name}" for cell in cards],
            schema=_columns(name, list(cards.values())),
            format=ds.ParquetFileFormat(),
            filesystem=fs.PyFileSystem(self),
            partitions=[pc.field("cell") == cell for cell in cards],
            root_partition=pc.scalar(True),
        )

    def open_input_file(self, path: str) -> pa.NativeFile:
        """Open a file, checked; an empty one, which Arrow refuses, if it is damaged.

        An error must not reach Arrow: a thread that holds a lock of the scan would need that of the
        interpreter to make its text, and the thread that starts the scan has them in reverse order.
        """
        cell, _, name = path.rpartition("/")
        try:
            return tables_of(self.folder / cell, self.cards[cell]).open_file(name)
        except Exception as error:  # noqa: BLE001 (raised when the query has ended)
            self.error = self.error or error
            return pa.BufferReader(b"")

    def get_file_info(self, paths: list[str]) -> list[fs.FileInfo]:
        """The sizes of files, as the cards state them."""
        names = [path.rpartition("/") for path in paths]
        sizes = [self.cards[cell].tables[name].bytes for cell, _, name in names]
        return [
            fs.FileInfo(path, fs.FileType.File, size=size)
            for path, size in zip(paths, sizes, strict=True)
        ]

    def get_type_name(self) -> str:
        """The name of this kind of files in errors of Arrow."""
        return "logs"

    def normalize_path(self, path: str) -> str:
        """The path as it is."""
        return path

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError("logs are only read")

    open_input_stream = get_file_info_selector = _refuse
    create_dir = delete_dir = delete_dir_contents = delete_root_dir_contents = _refuse
    delete_file = move = copy_file = open_output_stream = open_append_stream = _refuse


def _columns(name: str, cards: Sequence[Card]) -> pa.Schema:
    """The columns of a table of logs that may differ in task and scores."""
    kinds = {(card.schema.task, card.scores): (card.schema, card.scores) for card in cards}
    columns = {"cell": pa.string()}
    for schema, scores in kinds.values() or [(Schema((), classes=()), False)]:
        for column in arrow.schemas(schema, scores)[name]:
            kind = pa.list_(pa.float64()) if column.name == "scores" else column.type
            same = columns.get(column.name, kind) == kind
            columns[column.name] = kind if same else pa.float64()
    return pa.schema(list(columns.items()))
