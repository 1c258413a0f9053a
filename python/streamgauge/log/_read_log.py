"""Reads a log from a folder: finished Parquet, or the batches of an interrupted run."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.checksums import as_text, checksum, file_checksum
from streamgauge.errors import LogError, error_line
from streamgauge.log import arrow
from streamgauge.log.alarms import Alarms, concatenate_alarms
from streamgauge.log.arrivals import arrivals_of
from streamgauge.log.card import NAME, RUN_AGAIN, Card, TableFile, read_card
from streamgauge.log.labelled_predictions import LabelledPredictions, join_labels
from streamgauge.log.rows import (
    Arrived,
    Labels,
    Perturbed,
    Predictions,
    Training,
    Weights,
    of_fold,
)
from streamgauge.log.selections import Selections, concatenate_selections
from streamgauge.log.table import Log
from streamgauge.log.vitals import Vitals, concatenate_vitals
from streamgauge.types import F64, NONE, U64, Codes
from streamgauge.types.times import MAX_TICKS

BATCH_ROWS = 65_536

INFINITE = 0x7FF0_0000_0000_0000
"""The bits of infinity."""

READ_BYTES = 2**24
"""A file up to this size is read at once, so that its checksum costs no second reading."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Folder:
    """The tables of a log in a folder.

    `files` are those that the card lists. Each is compared with its checksum when it is read for
    the first time. None: the log is being written, or was when its process ended; each table is
    its stream up to the last whole batch. `classes` is their number, None for a real target;
    `features` is that of the features.
    """

    path: Path
    schemas: Mapping[str, pa.Schema]
    labels_in_order: bool = True
    files: Mapping[str, TableFile] | None = None
    classes: int | None = None
    features: int = 0
    checked: set[str] = field(default_factory=set, repr=False, compare=False)

    def predictions(self) -> Iterator[Predictions]:
        """The predictions."""
        return map(self._predictions, self._batches("predictions"))

    def labels(self) -> Iterator[Labels]:
        """The labels."""
        given = map(arrow.weights_rows, self._side("weights"))
        return _weighted(map(self._labels, self._batches("labels")), given)

    def training(self) -> Iterator[Training]:
        """The training rows."""
        return map(self._training, self._batches("training"))

    def arrivals(self) -> Iterator[Arrived]:
        """When each item arrived."""
        return arrivals_of(self.predictions(), map(arrow.arrived_rows, self._side("unpredicted")))

    def label_count(self) -> int:
        """The number of known labels."""
        if self.files is not None:
            return self.files["labels"].rows
        return sum(len(batch) for batch in self._batches("labels"))

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        """Labels with their predictions."""
        return join_labels(of_fold(self.predictions(), fold), self.labels, self.labels_in_order)

    def alarms(self) -> Alarms:
        """The signals of detectors."""
        return concatenate_alarms(map(arrow.alarms_rows, self._side("alarms")))

    def perturbed(self) -> Iterator[Perturbed]:
        """The predictions of perturbed copies."""
        return map(self._perturbed, self._side("perturbed"))

    def vitals(self) -> Vitals:
        """The sampled facts about the learner."""
        return concatenate_vitals(map(arrow.vitals_rows, self._side("vitals")))

    def selections(self) -> Selections:
        """The features that the learner selected."""
        return concatenate_selections(map(self._selections, self._side("selections")))

    def names(self) -> list[str]:
        """The names of the tables."""
        return list(self.files if self.files is not None else arrow.TABLES)

    def batches(self, name: str) -> Iterator[pa.RecordBatch]:
        """The rows of a table as Arrow."""
        return self._batches(name)

    def check_rows(self, name: str) -> int:
        """Read a table to its end and return its number of rows; an error if it is damaged."""
        self.checked.discard(name)
        checks = {
            "predictions": self._predictions,
            "labels": self._labels,
            "training": self._training,
            "perturbed": self._perturbed,
            "selections": self._selections,
        }
        check = checks.get(name, len)
        rows = 0
        for batch in self._batches(name):
            check(batch)
            rows += len(batch)
        return rows

    def check_file(self, name: str) -> None:
        """Compare the file of a listed table with its checksum; an error if it differs."""
        if self.files is not None:
            table = self.files[name]
            self._checked_source(name, self.path / table.file, table).close()

    def open_file(self, name: str) -> pa.NativeFile:
        """The Parquet file of a listed table, after it was checked, for readers of Parquet."""
        table = (self.files or {})[name]
        if any(pa.types.is_string(column.type) for column in self.schemas[name]):
            self.check_rows(name)  # its texts must be valid
        else:
            next(iter(self._batches(name)), None)  # size, checksum, run, columns, number of rows
        return self._checked_source(name, self.path / table.file, table)

    def _predictions(self, batch: pa.RecordBatch) -> Predictions:
        rows = arrow.predictions_rows(batch)
        self._check_values("predictions", rows.item, rows.prediction)
        return rows

    def _perturbed(self, batch: pa.RecordBatch) -> Perturbed:
        rows = arrow.perturbed_rows(batch)
        self._check_values("perturbed", rows.item, rows.prediction)
        return rows

    def _labels(self, batch: pa.RecordBatch) -> Labels:
        rows = arrow.labels_rows(batch)
        self._check_values("labels", rows.item, rows.label)
        return rows

    def _training(self, batch: pa.RecordBatch) -> Training:
        rows = arrow.training_rows(batch)
        weight = rows.weight
        # As bits, finite numbers that are not negative are below all others: one reduction.
        right = not len(weight) or int(weight.view(np.uint64).max()) < INFINITE
        if not right and not (weight.min() >= 0 and weight.max() < np.inf):  # NaN: both are false
            raise self._impossible("training", "weights that are finite and at least 0")
        return rows

    def _selections(self, batch: pa.RecordBatch) -> Selections:
        rows = arrow.selections_rows(batch)
        if len(rows.chosen) and int(rows.chosen.max()) >= self.features:
            raise self._impossible("selections", f"numbers of the {self.features} features")
        return rows

    def _check_values(self, name: str, item: U64, value: Codes | F64) -> None:
        """Refuse what no run writes: a checksum fits any content."""
        if not len(item):
            return
        if int(item.max()) > MAX_TICKS:
            raise self._impossible(name, "items numbered below 2**62")
        # As unsigned numbers, all codes but that of a missing value are below the number: one
        # reduction.
        if self.classes is None or int(value.view(np.uint32).max()) < self.classes:
            return
        if int(value.min()) < NONE or int(value.max()) >= self.classes:
            raise self._impossible(name, f"codes of the {self.classes} classes")

    def _impossible(self, name: str, must: str) -> LogError:
        return LogError(
            f"{self.path}: table {name} must have {must}, got others; it was not written by a run; "
            f"{RUN_AGAIN}"
        )

    def _side(self, name: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table that exists only if it has rows."""
        if self.files is not None:
            exists = name in self.files
        else:
            exists = any((self.path / f"{name}{end}").is_file() for end in (".arrows", ".parquet"))
        if exists:
            yield from self._batches(name)

    def _batches(self, name: str) -> Iterator[pa.RecordBatch]:
        if self.files is None:
            stream, finished = self.path / f"{name}.arrows", self.path / f"{name}.parquet"
            if stream.is_file():
                return _whole_batches(stream, self.schemas[name])
            if not finished.is_file():  # else the log was finished while it was read
                if not any(self.path.glob("*.arrows")):  # ended before the first row
                    return iter(())
                raise LogError(
                    f"{self.path}: must contain {stream.name}, got no such file; {RUN_AGAIN}"
                )
            return _parquet_batches(finished, _opened(finished), self.schemas[name])
        table = self.files.get(name)
        if table is None:
            raise LogError(f"{self.path}: must have a table {name}, got none; {RUN_AGAIN}")
        path = self.path / table.file
        source = self._checked_source(name, path, table)
        if path.suffix == ".arrows":
            return _whole_batches(path, self.schemas[name], table.rows)
        return _parquet_batches(path, source, self.schemas[name], table.rows)

    def _checked_source(self, name: str, path: Path, table: TableFile) -> pa.NativeFile:
        """A file that has the listed size and checksum, opened."""
        try:
            found = path.stat()
            size = found.st_size
            if not stat.S_ISREG(found.st_mode):  # a pipe or device may have no end
                raise damaged(path, "a regular file", "a special file")
            if size != table.bytes:
                raise damaged(path, f"{table.bytes:,} bytes", f"{size:,}")
            content = path.read_bytes() if size <= READ_BYTES else None
            if name not in self.checked:
                actual = file_checksum(path) if content is None else as_text(checksum(content))
                if actual != table.checksum:
                    raise damaged(path, f"the checksum {table.checksum}", actual)
                self.checked.add(name)
            return pa.OSFile(str(path)) if content is None else pa.BufferReader(content)
        except FileNotFoundError:
            raise damaged(path, f"{table.bytes:,} bytes", "no such file") from None
        except OSError as error:
            got = f"a file that cannot be read ({error.strerror or error})"
            raise damaged(path, f"{table.bytes:,} bytes", got) from error


def damaged(path: Path, must: str, got: str) -> LogError:
    """The error about a table that is not as the card lists it."""
    return LogError(
        f"{path}: must have {must}, as {NAME} states, got {got}; the file is damaged or of another "
        f"run; {RUN_AGAIN}"
    )


def read_log(folder: Path | str) -> Log:
    """Open the log in a folder of a run.

    An interrupted log is read up to its last whole batch and has `complete=False`.
    """
    folder = Path(folder)
    card = read_card(folder)
    return Log(
        card.schema,
        tables_of(folder, card),
        card.about,
        card.status == "complete",
        card.resources,
    )


def tables_of(folder: Path, card: Card) -> Folder:
    """The tables that a card describes."""
    schemas = arrow.schemas(card.schema, card.scores, card.run)
    files = None if card.status == "running" else card.tables
    classes = card.schema.classes
    return Folder(
        folder,
        schemas,
        card.labels_in_order,
        files,
        None if classes is None else len(classes),
        len(card.schema.features),
    )


def _weighted(labels: Iterator[Labels], given: Iterator[Weights]) -> Iterator[Labels]:
    """Labels with weights; `given` holds those of some of the rows, in order."""
    held = Weights(np.empty(0, np.uint64), np.empty(0))
    start = 0
    for rows in labels:
        stop = start + len(rows)
        while not len(held) or held.row[-1] < stop - 1:
            more = next(given, None)
            if more is None:
                break
            held = Weights.concatenate([held, more])
        count = int(np.searchsorted(held.row, stop))
        if count:
            weight = np.ones(len(rows))
            weight[held.row[:count] - np.uint64(start)] = held.weight[:count]
            yield replace(rows, weight=weight)
        else:
            yield rows
        held, start = held.slice(count, len(held)), stop


def _parquet_batches(
    path: Path, source: pa.NativeFile, schema: pa.Schema, rows: int | None = None
) -> Iterator[pa.RecordBatch]:
    """The batches of a finished table, which must have this schema, run and number of rows."""
    try:
        with source, pq.ParquetFile(source, pre_buffer=False) as file:
            _check_schema(path, file.schema_arrow, schema)
            stated, found = file.metadata.num_rows, 0
            if rows is not None and stated != rows:
                raise damaged(path, f"{rows:,} rows", f"{stated:,}")
            texts = any(pa.types.is_string(column.type) for column in schema)
            for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
                if texts:  # numbers from Parquet have nothing that could be invalid
                    batch.validate(full=True)
                found += len(batch)
                yield batch
            if found != stated:  # a page that ends early is no error of pyarrow
                raise damaged(path, f"{stated:,} rows", f"{found:,}")
    except (pa.ArrowException, OSError) as error:
        raise LogError(
            f"{path}: must be a Parquet file of a log, got a damaged one ({error_line(error)}); "
            f"{RUN_AGAIN}"
        ) from error


def _whole_batches(
    stream: Path, schema: pa.Schema, rows: int | None = None
) -> Iterator[pa.RecordBatch]:
    """The batches that were written completely; an incomplete one is the end.

    If the number of rows is known, they must all be there.
    """
    found = 0
    for batch in _until_cut_off(stream, schema):
        found += len(batch)
        yield batch
    if rows is not None and found != rows:
        raise damaged(stream, f"{rows:,} rows", f"{found:,}")


def _until_cut_off(stream: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    with _opened(stream) as source:
        if not source.size():  # killed before the header was written
            return
        try:
            reader = pa.ipc.open_stream(source)
        except (OSError, pa.ArrowException) as error:  # an incomplete header: nothing was logged
            _check_disk(stream, error)
            return
        _check_schema(stream, reader.schema, schema)
        while True:
            try:
                batch = reader.read_next_batch()
                batch.validate(full=True)
            except (StopIteration, OSError, pa.ArrowException) as error:
                _check_disk(stream, error)
                return
            yield batch


def _opened(path: Path) -> pa.NativeFile:
    """A file, opened; read, not mapped: the pages of a mapped file stay resident until its end."""
    try:
        return pa.OSFile(str(path))
    except OSError as error:
        raise _unreadable(path, error) from error


def _check_disk(path: Path, error: Exception) -> None:
    """Raise an error of the operating system; Arrow's own, about the content, have no number."""
    if isinstance(error, OSError) and error.errno:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> LogError:
    return LogError(
        f"{path}: must be a table of a log, got a file that cannot be read ({error_line(error)}); "
        f"{RUN_AGAIN}"
    )


def _check_schema(path: Path, found: pa.Schema, expected: pa.Schema) -> None:
    """Check the columns of a table, and in its metadata the version and the run."""
    metadata = found.metadata or {}
    for key, value in expected.metadata.items():
        if metadata.get(key) != value:
            got = metadata.get(key, b"none").decode(errors="replace")
            raise damaged(path, f"{key.decode()} {value.decode()}", got)
    if not found.equals(expected):
        raise damaged(path, "the columns of its table", "others")
