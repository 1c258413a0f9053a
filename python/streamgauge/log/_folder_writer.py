"""Writes a log to a folder: complete batches survive `kill -9`; compact when finished."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.errors import LogError
from streamgauge.files import disk_errors, whole
from streamgauge.log import arrow
from streamgauge.log.alarms import Alarms
from streamgauge.log.card import NAME, Card, Status, write_card
from streamgauge.log.rows import Rows, Weights

FLUSH_ROWS = 16_384
FLUSH_SECONDS = 2.0
GROUP_ROWS = 131_072


@dataclass(frozen=True, slots=True)
class _Stop:
    """Tells the writer thread to stop."""


class FolderWriter:
    """Writes rows to Arrow IPC streams in a separate thread; to Parquet when finished.

    Every complete batch survives a killed process. A log whose card does not state `complete` is
    read as incomplete.
    """

    def __init__(self, folder: Path, card: Card) -> None:
        self.folder = folder
        self._card = card
        self._schemas = arrow.schemas(card.schema, card.scores)
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if (folder / NAME).exists():
            raise LogError(f"{folder}: must not contain a log, got one; choose another folder")
        write_card(folder, card)
        self._queue: queue.Queue[Rows | Alarms | _Stop] = queue.Queue(maxsize=4)
        self._failure: BaseException | None = None
        self._labels = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="streamgauge-log", daemon=True)
        self._thread.start()

    def put(self, rows: Rows | Alarms) -> None:
        """Pass rows to the writer thread; raises its error, if it had one."""
        self._raise()
        self._queue.put(rows)

    def close(
        self,
        status: Status,
        reason: str = "",
        labels_in_order: bool = True,
        resources: dict[str, float] | None = None,
        *,
        lasting: bool = True,
    ) -> None:
        """Write the remaining rows; a complete `lasting` log is converted to Parquet."""
        self._queue.put(_Stop())
        self._thread.join()
        self._raise()
        finished = lasting and status == "complete"
        written = [*arrow.TABLES, *(n for n in arrow.SIDE_TABLES if self._stream(n).is_file())]
        if finished:
            for name in written:
                compact(self._stream(name), self.folder / f"{name}.parquet", self._schemas[name])
        card = replace(
            self._card,
            status=status,
            reason=reason,
            labels_in_order=labels_in_order,
            resources=resources or {},
        )
        write_card(self.folder, card)
        if finished:
            remove_streams(self.folder)

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
        files = {n: self._stream(n).open("wb", buffering=0) for n in arrow.TABLES}
        try:
            writers = {n: pa.ipc.new_stream(files[n], self._schemas[n]) for n in arrow.TABLES}
            unwritten: list[Rows | Alarms] = []
            since = time.monotonic()
            going = True
            while going:
                try:
                    rows = self._queue.get(timeout=FLUSH_SECONDS / 4)
                    if isinstance(rows, _Stop):
                        self._stopping, going = True, False
                    else:
                        since = since if unwritten else time.monotonic()
                        unwritten.append(rows)
                except queue.Empty:
                    pass
                full = sum(map(len, unwritten)) >= FLUSH_ROWS
                late = unwritten and time.monotonic() - since >= FLUSH_SECONDS
                if full or late or not going:
                    # side tables are created with their first rows
                    for name in {
                        side for rows in unwritten for side in _sides(rows)
                    } - files.keys():
                        files[name] = self._stream(name).open("wb", buffering=0)
                        writers[name] = pa.ipc.new_stream(files[name], self._schemas[name])
                    self._flush(writers, unwritten)
                    unwritten = []
            for writer in writers.values():
                writer.close()
        finally:
            for file in files.values():
                file.close()

    def _flush(
        self, writers: dict[str, pa.RecordBatchWriter], unwritten: Iterable[Rows | Alarms]
    ) -> None:
        for rows in unwritten:
            if isinstance(rows, Alarms):
                writers["alarms"].write_batch(arrow.alarms_batch(rows, self._schemas["alarms"]))
                continue
            if arrived := rows.unpredicted:
                schema = self._schemas["unpredicted"]
                writers["unpredicted"].write_batch(arrow.arrived_batch(arrived, schema))
            if predictions := rows.predictions:
                writers["predictions"].write_batch(
                    arrow.predictions_batch(predictions, self._schemas["predictions"])
                )
            if training := rows.training:
                writers["training"].write_batch(
                    arrow.training_batch(training, self._schemas["training"])
                )
            # Labels last: after a kill, the training rows of every written label are there.
            if labels := rows.labels:
                if labels.weight is not None:
                    row = np.arange(self._labels, self._labels + len(labels), dtype=np.uint64)
                    weighted = Weights(row, labels.weight)
                    schema = self._schemas["weights"]
                    writers["weights"].write_batch(arrow.weights_batch(weighted, schema))
                self._labels += len(labels)
                writers["labels"].write_batch(arrow.labels_batch(labels, self._schemas["labels"]))


def _sides(rows: Rows | Alarms) -> Iterator[str]:
    """The names of the side tables of these rows."""
    if isinstance(rows, Alarms):
        yield "alarms"
        return
    if rows.unpredicted:
        yield "unpredicted"
    if rows.weight is not None:
        yield "weights"


def remove_streams(folder: Path) -> None:
    """Remove the streams of a complete log, which a process killed at the very end leaves."""
    for stream in folder.glob("*.arrows"):
        stream.unlink()


def compact(stream: Path, target: Path, schema: pa.Schema) -> None:
    """Rewrite an IPC stream as compact Parquet, in constant memory, atomically."""
    encodings = {
        f.name: "DELTA_BINARY_PACKED" if pa.types.is_integer(f.type) else "BYTE_STREAM_SPLIT"
        for f in schema
        if (pa.types.is_integer(f.type) and f.type.bit_width >= 32) or pa.types.is_floating(f.type)
    }
    with (
        whole(target) as part,
        pa.OSFile(str(stream)) as source,
        pa.ipc.open_stream(source) as reader,
        pq.ParquetWriter(
            part, schema, compression="zstd", use_dictionary=False, column_encoding=encodings
        ) as writer,
    ):
        group: list[pa.RecordBatch] = []
        rows = 0
        for batch in reader:
            group.append(batch)
            rows += len(batch)
            if rows >= GROUP_ROWS:
                writer.write_table(pa.Table.from_batches(group, schema))
                group, rows = [], 0
        if group:
            writer.write_table(pa.Table.from_batches(group, schema))
