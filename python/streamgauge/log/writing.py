"""A log being written to a folder: safe against `kill -9`, compact when done."""

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
from streamgauge.log.rows import Rows, Weighted

FLUSH_ROWS = 16_384
FLUSH_SECONDS = 2.0
GROUP_ROWS = 131_072


@dataclass(frozen=True, slots=True)
class _Stop:
    """The last thing the writer is told."""


class FolderWriter:
    """Writes rows to Arrow IPC streams from a thread of its own; Parquet when finished.

    Every complete batch survives a killed process. A log without its end (no `complete` in the
    card) reads as incomplete.
    """

    def __init__(self, folder: Path, card: Card) -> None:
        self.folder = folder
        self._card = card
        self._schemas = arrow.schemas(card.schema, card.scores)
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if (folder / NAME).exists():
            raise LogError(f"{folder}: must not hold a log yet, got one; choose another folder")
        write_card(folder, card)
        self._queue: queue.Queue[Rows | Alarms | _Stop] = queue.Queue(maxsize=4)
        self._failure: BaseException | None = None
        self._labels = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="streamgauge-log", daemon=True)
        self._thread.start()

    def put(self, rows: Rows | Alarms) -> None:
        """Hand rows over; raises what the writer met, if it met something."""
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
        """Write what is left; a complete log that is to last is compacted to Parquet."""
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
            for name in written:
                self._stream(name).unlink()

    def _stream(self, name: str) -> Path:
        return self.folder / f"{name}.arrows"

    def _raise(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        try:
            with disk_errors(self.folder):
                self._write()
        except BaseException as error:  # noqa: BLE001 (handed to the thread that waits for it)
            self._failure = error
            while not self._stopping:  # whoever still writes must not wait for room
                self._stopping = isinstance(self._queue.get(), _Stop)

    def _write(self) -> None:
        files = {n: self._stream(n).open("wb", buffering=0) for n in arrow.TABLES}
        try:
            writers = {n: pa.ipc.new_stream(files[n], self._schemas[n]) for n in arrow.TABLES}
            waiting: list[Rows | Alarms] = []
            since = time.monotonic()
            going = True
            while going:
                try:
                    rows = self._queue.get(timeout=FLUSH_SECONDS / 4)
                    if isinstance(rows, _Stop):
                        self._stopping, going = True, False
                    else:
                        since = since if waiting else time.monotonic()
                        waiting.append(rows)
                except queue.Empty:
                    pass
                full = sum(map(len, waiting)) >= FLUSH_ROWS
                late = waiting and time.monotonic() - since >= FLUSH_SECONDS
                if full or late or not going:
                    # side tables are opened by what is written first
                    for name in {side for w in waiting for side in _sides(w)} - files.keys():
                        files[name] = self._stream(name).open("wb", buffering=0)
                        writers[name] = pa.ipc.new_stream(files[name], self._schemas[name])
                    self._flush(writers, waiting)
                    waiting = []
            for writer in writers.values():
                writer.close()
        finally:
            for file in files.values():
                file.close()

    def _flush(
        self, writers: dict[str, pa.RecordBatchWriter], waiting: Iterable[Rows | Alarms]
    ) -> None:
        for rows in waiting:
            if isinstance(rows, Alarms):
                writers["alarms"].write_batch(arrow.alarms_batch(rows, self._schemas["alarms"]))
                continue
            if came := rows.unpredicted:
                schema = self._schemas["unpredicted"]
                writers["unpredicted"].write_batch(arrow.came_batch(came, schema))
            if said := rows.said:
                writers["said"].write_batch(arrow.said_batch(said, self._schemas["said"]))
            if taught := rows.taught:
                writers["taught"].write_batch(arrow.taught_batch(taught, self._schemas["taught"]))
            # Labels last: whatever a killed process left, who learned a label in it is there.
            if true := rows.true:
                if true.weight is not None:
                    row = np.arange(self._labels, self._labels + len(true), dtype=np.uint64)
                    weighted = Weighted(row, true.weight)
                    schema = self._schemas["weights"]
                    writers["weights"].write_batch(arrow.weights_batch(weighted, schema))
                self._labels += len(true)
                writers["true"].write_batch(arrow.true_batch(true, self._schemas["true"]))


def _sides(rows: Rows | Alarms) -> Iterator[str]:
    """The side tables that rows are written to."""
    if isinstance(rows, Alarms):
        yield "alarms"
        return
    if rows.unpredicted:
        yield "unpredicted"
    if rows.weight is not None:
        yield "weights"


def compact(stream: Path, target: Path, schema: pa.Schema) -> None:
    """Rewrite an IPC stream as compact Parquet, in constant memory, whole or not at all."""
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
        waiting: list[pa.RecordBatch] = []
        rows = 0
        for batch in reader:
            waiting.append(batch)
            rows += len(batch)
            if rows >= GROUP_ROWS:
                writer.write_table(pa.Table.from_batches(waiting, schema))
                waiting, rows = [], 0
        if waiting:
            writer.write_table(pa.Table.from_batches(waiting, schema))
