"""Writes a log to a folder: complete batches survive `kill -9`; compact when finished."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.checksums import file_checksum
from streamgauge.errors import DiskError, LogError
from streamgauge.files import check_no_links, disk_errors, make_folder, sync_file, sync_folder
from streamgauge.locks import lock_folder
from streamgauge.log import arrow
from streamgauge.log.card import NAME, Card, Status, TableFile, write_card
from streamgauge.log.rows import Rows, Weights
from streamgauge.log.side_tables import NAMES, SideTable
from streamgauge.log.table import Log

FLUSH_ROWS = 16_384
FLUSH_SECONDS = 2.0
GROUP_ROWS = 131_072
COPY_BYTES = 2**20

END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"
"""The last bytes of an Arrow IPC stream."""

ENDS = (".arrows", ".parquet")
"""How the files of a table end: while it is written, and finished."""

PACKED = ("item", "time")
"""Columns that as a rule increase, and often by the same number."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """Tells the writer thread to stop."""


@dataclass(frozen=True, slots=True)
class _Sync:
    """Tells the writer thread to make all rows durable, and then to say so."""

    done: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Written:
    """What a log has of a table: rows, in so many bytes at the beginning of its stream."""

    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a log that another one continues: the folder, and what it has of tables.

    `last_labelled` is its largest item with a label; `in_order`: labels are in the order of items.
    """

    folder: Path
    tables: Mapping[str, Written]
    last_labelled: int = -1
    in_order: bool = True


class FolderWriter:
    """Writes rows to Arrow IPC streams in a separate thread; to Parquet when finished.

    Every complete batch survives a killed process. A log whose card does not state `complete` is
    read as incomplete. The folder is locked until the log is closed.
    """

    def __init__(self, folder: Path, card: Card, beginning: Beginning | None = None) -> None:
        self.folder = folder
        self._card = card
        self._schemas = arrow.schemas(card.schema, card.scores, card.run)
        with disk_errors(folder):
            make_folder(folder)
            check_no_links(path for end in ENDS for path in table_paths(folder, end))
            self._lock = lock_folder(folder)
        try:
            if (folder / NAME).exists():
                raise LogError(f"{folder}: must not contain a log, got one; choose another folder")
            for path in (path for end in ENDS for path in table_paths(folder, end)):
                if path.exists():
                    raise LogError(
                        f"{folder}: must not contain tables, got {path.name}; choose another folder"
                    )
            write_card(folder, card)
            if beginning is not None:
                for name, table in beginning.tables.items():
                    source = beginning.folder / f"{name}.arrows"
                    _copy_start(source, self._stream(name), table.bytes)
        except BaseException:
            self._lock.release()
            raise
        self._rows = dict.fromkeys(self._schemas, 0)
        if beginning is not None:
            self._rows |= {name: table.rows for name, table in beginning.tables.items()}
        self._queue: queue.Queue[Rows | SideTable | _Stop | _Sync] = queue.Queue(maxsize=4)
        self._failure: BaseException | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="streamgauge-log", daemon=True)
        self._thread.start()

    def put(self, rows: Rows | SideTable) -> None:
        """Pass rows to the writer thread; raises its error, if it had one."""
        self._raise()
        self._queue.put(rows)

    def sync(self) -> dict[str, Written]:
        """Make all rows durable; returns what the log has of each table."""
        sync = _Sync()
        self._queue.put(sync)
        while not sync.done.wait(FLUSH_SECONDS):
            self._raise()
        self._raise()
        return {
            name: Written(self._rows[name], self._stream(name).stat().st_size)
            for name in self._written()
        }

    def close(
        self,
        status: Status,
        reason: str = "",
        labels_in_order: bool = True,
        resources: dict[str, float] | None = None,
        *,
        lasting: bool = True,
    ) -> None:
        """Write the remaining rows; a complete `lasting` log is converted to Parquet.

        The tables and their names are durable before the card lists them. If anything fails or is
        interrupted, the log is closed as incomplete, as far as the disk permits.
        """
        card = replace(
            self._card,
            status=status,
            reason=reason,
            labels_in_order=labels_in_order,
            resources=resources or {},
        )
        try:
            try:
                self._end_thread()
                self._raise()
                self._finish(card, lasting)
            except BaseException as error:
                if lasting:
                    self._give_up(card, error)
                raise
            if lasting and status == "complete":  # and stays so, whatever happens now
                remove_streams(self.folder)
        finally:
            self._lock.release()

    def _finish(self, card: Card, lasting: bool) -> None:
        """Write the card of a log whose rows are written, with the list of its tables."""
        if not lasting:  # the card of a log that is read once, by this process, lists no files
            write_card(self.folder, card)
        elif card.status == "complete":
            write_card(self.folder, replace(card, tables=self._compacted()))
        else:
            write_card(self.folder, replace(card, tables=self._streams()))

    def _give_up(self, card: Card, error: BaseException) -> None:
        """Close the log as incomplete, without the tables that were converted before the error."""
        reason = card.reason or f"{type(error).__name__}: {error}"
        try:
            with disk_errors(self.folder):
                for table in table_paths(self.folder, ".parquet"):
                    table.unlink(missing_ok=True)
            incomplete = replace(card, status="incomplete", reason=reason, resources={})
            write_card(self.folder, replace(incomplete, tables=self._streams()))
        except OSError as second:  # the card still states `running`, and the rows can be read
            raise error from second

    def _end_thread(self) -> None:
        """End the writer thread when it has written all rows; after an interrupt too.

        So no thread writes to a folder whose lock is released.
        """
        try:
            self._queue.put(_Stop())
            self._thread.join()
        except BaseException:
            if self._thread.is_alive():  # the queue of an ended thread is not emptied
                self._queue.put(_Stop())
                self._thread.join()
            raise

    def _compacted(self) -> dict[str, TableFile]:
        """Convert the streams to Parquet; all rows that were written must be in them."""
        tables = {}
        for name in self._written():
            target = self.folder / f"{name}.parquet"
            table = compact(self._stream(name), target, self._schemas[name])
            if table.rows != self._rows[name]:
                raise DiskError(
                    f"{target}: must have the {self._rows[name]:,} rows that were logged, got "
                    f"{table.rows:,}; another process has changed the log: run again"
                )
            tables[name] = table
        with disk_errors(self.folder):
            sync_folder(self.folder)
        return tables

    def _streams(self) -> dict[str, TableFile]:
        """The files of an interrupted log, durable before the card states their checksums."""
        tables = {}
        with disk_errors(self.folder):
            for name in self._written():
                path = self._stream(name)
                sync_file(path)
                size, sum_of = path.stat().st_size, file_checksum(path)
                tables[name] = TableFile(path.name, self._rows[name], size, sum_of)
            sync_folder(self.folder)
        return tables

    def _written(self) -> list[str]:
        return [*arrow.TABLES, *(n for n in arrow.SIDE_TABLES if self._stream(n).is_file())]

    def _stream(self, name: str) -> Path:
        return self.folder / f"{name}.arrows"

    def _raise(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        try:
            with disk_errors(self.folder):
                self._write()
        except BaseException as error:  # noqa: BLE001 (raised in the thread that calls `put`)
            self._failure = error
            while not self._stopping:  # empty the queue, so that `put` does not block
                self._stopping = isinstance(self._queue.get(), _Stop)

    def _write(self) -> None:
        files: dict[str, IO[bytes]] = {}
        try:
            self._open(files, self._written())
            unwritten: list[Rows | SideTable] = []
            since = time.monotonic()
            going = True
            while going:
                sync = None
                try:
                    rows = self._queue.get(timeout=FLUSH_SECONDS / 4)
                    if isinstance(rows, _Stop):
                        self._stopping, going = True, False
                    elif isinstance(rows, _Sync):
                        sync = rows
                    else:
                        since = since if unwritten else time.monotonic()
                        unwritten.append(rows)
                except queue.Empty:
                    pass
                full = sum(map(len, unwritten)) >= FLUSH_ROWS
                late = unwritten and time.monotonic() - since >= FLUSH_SECONDS
                if full or late or sync is not None or not going:
                    # side tables are created with their first rows
                    self._open(files, {side for rows in unwritten for side in _side_tables(rows)})
                    self._flush(files, unwritten)
                    unwritten = []
                if sync is not None:
                    for file in files.values():
                        os.fsync(file.fileno())
                    sync_folder(self.folder)
                    sync.done.set()
            for file in files.values():
                _write_all(file, END_OF_STREAM)
        finally:
            for file in files.values():
                file.close()

    def _open(self, files: dict[str, IO[bytes]], names: Iterable[str]) -> None:
        """Open the streams of tables that are not open; all exist before one has a header."""
        new = [name for name in names if name not in files]
        for name in new:
            files[name] = self._stream(name).open("ab", buffering=0)
        for name in new:
            if not files[name].tell():
                _write_all(files[name], self._schemas[name].serialize())

    def _flush(self, files: dict[str, IO[bytes]], unwritten: Iterable[Rows | SideTable]) -> None:
        def write(name: str, batch: pa.RecordBatch) -> None:
            _write_all(files[name], batch.serialize())
            self._rows[name] += len(batch)

        schemas = self._schemas
        for rows in unwritten:
            if isinstance(rows, SideTable):
                name = NAMES[type(rows)]
                write(name, arrow.side_batch(rows, schemas[name]))
                continue
            if arrived := rows.unpredicted:
                write("unpredicted", arrow.arrived_batch(arrived, schemas["unpredicted"]))
            if copies := rows.perturbed:
                write("perturbed", arrow.perturbed_batch(copies, schemas["perturbed"]))
            if predictions := rows.predictions:
                write("predictions", arrow.predictions_batch(predictions, schemas["predictions"]))
            if training := rows.training:
                write("training", arrow.training_batch(training, schemas["training"]))
            # Labels last: after a kill, the training rows of every written label are there.
            if labels := rows.labels:
                if labels.weight is not None:
                    first = self._rows["labels"]
                    row = np.arange(first, first + len(labels), dtype=np.uint64)
                    weighted = Weights(row, labels.weight)
                    write("weights", arrow.weights_batch(weighted, schemas["weights"]))
                write("labels", arrow.labels_batch(labels, schemas["labels"]))


def _side_tables(rows: Rows | SideTable) -> Iterator[str]:
    """The names of the side tables of these rows."""
    if isinstance(rows, SideTable):
        yield NAMES[type(rows)]
        return
    if rows.unpredicted:
        yield "unpredicted"
    if rows.perturbed:
        yield "perturbed"
    if rows.weight is not None:
        yield "weights"


def _write_all(file: IO[bytes], content: bytes | pa.Buffer) -> None:
    """Write to a file without a buffer; if the disk is almost full, it takes a part first."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _copy_start(source: Path, target: Path, count: int) -> None:
    """Copy the first bytes of a file."""
    with disk_errors(target), source.open("rb") as reader, target.open("xb") as writer:
        left = count
        while left:
            block = reader.read(min(left, COPY_BYTES))
            if not block:
                raise LogError(f"{source}: must have {count:,} bytes, got {count - left:,}")
            writer.write(block)
            left -= len(block)


def remove_streams(folder: Path) -> None:
    """Remove the streams of a complete log, which a process killed at the very end leaves."""
    for stream in table_paths(folder, ".arrows"):
        stream.unlink(missing_ok=True)


def table_paths(folder: Path, end: str) -> list[Path]:
    """The paths of all tables that a log may have; other files in its folder are not touched."""
    return [folder / f"{name}{end}" for name in (*arrow.TABLES, *arrow.SIDE_TABLES)]


def compact(stream: Path, target: Path, schema: pa.Schema) -> TableFile:
    """Rewrite an IPC stream as compact Parquet, in constant memory, and sync it.

    The bytes depend on the rows alone, not on the batches in which they were logged.
    """
    rows = 0
    with (
        disk_errors(target),
        pa.OSFile(str(stream)) as source,
        pa.ipc.open_stream(source) as reader,
        _parquet_writer(target, schema) as writer,
    ):
        for group in _groups(reader, schema):
            writer.write_table(group, row_group_size=GROUP_ROWS)
            rows += len(group)
    with disk_errors(target):
        sync_file(target)
    return TableFile(target.name, rows, target.stat().st_size, file_checksum(target))


def _parquet_writer(target: Path | pa.NativeFile, schema: pa.Schema) -> pq.ParquetWriter:
    """A writer of compact Parquet."""
    encodings = {
        f.name: "DELTA_BINARY_PACKED" if pa.types.is_integer(f.type) else "BYTE_STREAM_SPLIT"
        for f in schema
        if (pa.types.is_integer(f.type) and f.type.bit_width >= 32) or pa.types.is_floating(f.type)
    }
    return pq.ParquetWriter(
        target,
        schema,
        # Differences of consecutive numbers are packed to few bits: zstd would take time, and
        # hardly a byte.
        compression={f.name: "none" if f.name in PACKED else "zstd" for f in schema},
        use_dictionary=False,
        column_encoding=encodings,
        write_statistics=schema.names[:1],  # the number of the item, by which tools select
    )


def compact_bytes(log: Log, scores: bool) -> int:
    """The bytes that predictions, labels and training of a log would have in a folder."""
    schemas = arrow.schemas(log.schema, scores)
    tables: dict[str, Iterator[pa.RecordBatch]] = {
        "predictions": (
            arrow.predictions_batch(r, schemas["predictions"]) for r in log.predictions()
        ),
        "labels": (arrow.labels_batch(r, schemas["labels"]) for r in log.labels()),
        "training": (arrow.training_batch(r, schemas["training"]) for r in log.training()),
    }
    size = 0
    for name, batches in tables.items():
        target = pa.BufferOutputStream()
        with _parquet_writer(target, schemas[name]) as writer:
            for group in _groups(batches, schemas[name]):
                writer.write_table(group, row_group_size=GROUP_ROWS)
        size += target.getvalue().size
    return size


def _groups(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows of batches in tables of `GROUP_ROWS` rows; the last one may have fewer."""
    held: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += len(batch)
        if rows >= GROUP_ROWS:
            table = pa.Table.from_batches(held, schema)
            rest = rows % GROUP_ROWS
            for start in range(0, rows - rest, GROUP_ROWS):
                yield table.slice(start, GROUP_ROWS)
            held, rows = table.slice(rows - rest).to_batches(), rest
    if rows:
        yield pa.Table.from_batches(held, schema)
