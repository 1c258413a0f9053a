"""Write a stream to a file, in constant memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from streamgauge.errors import DataError, ParameterError
from streamgauge.files import whole
from streamgauge.kinds import plain_numbers
from streamgauge.progress import Bar, Progress, watcher
from streamgauge.streams._file_spec import FileSpec, file_spec, refuse_unwritable
from streamgauge.streams._is_endless import is_endless
from streamgauge.streams._named_stream import named_stream
from streamgauge.streams._open_stream import COMPRESSED, format_suffix
from streamgauge.streams._write_columns import arrow_writer, parquet_writer
from streamgauge.streams._write_text import arff_writer, csv_writer
from streamgauge.streams.layout import not_finite
from streamgauge.types import Batch, Stream, missing

Writer = Callable[[Path, FileSpec], AbstractContextManager[Callable[[Batch], None]]]
"""Function that opens a file for a spec and yields a function that writes a batch."""

WRITERS: dict[str, Writer] = {
    ".csv": csv_writer,
    ".arff": arff_writer,
    ".parquet": parquet_writer,
    ".pq": parquet_writer,
    ".arrow": arrow_writer,
    ".feather": arrow_writer,
    ".ipc": arrow_writer,
}
"""File suffix -> writer of the format."""

TEXT = (".csv", ".arff")


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A written file: path, number of items, and the options to read it.

    `open_stream(path, **options)` gives the same stream again.
    """

    path: Path
    items: int
    options: dict[str, Any]


@plain_numbers
def write_stream(
    stream: Stream,
    path: Path | str,
    *,
    plain: bool = False,
    seed: int = 0,
    progress: Progress | bool = False,
) -> WrittenFile:
    """Write a stream to a CSV, ARFF, Parquet or Arrow file, completely or not at all.

    The columns are event times, label times and weights, if the stream has any, then the
    features, then the target. ARFF, Parquet and Arrow files store the options to read
    them, so `open_stream(path)` gives the same stream: values, classes and their order, missing
    cells, times, weights, known drifts. A CSV file cannot store them; call
    `open_stream(path, **written.options)`. Updates of features cannot be written.

    Parameters
    ----------
    stream
        Any stream that ends.
    path
        `.csv` and `.arff`, each also `.gz` or `.zst`; `.parquet`, `.pq`; `.arrow`, `.feather`,
        `.ipc`. An existing file is replaced.
    plain
        Write features and target only, for MOA and river, which would read times and
        weights as features.
    seed
        Seed of the stream: the items of `stream.batches(seed=seed)` are written.
    progress
        True: a bar in a terminal, lines elsewhere, after two seconds. Or a function that is
        called with the number of written items and the total.

    Examples
    --------
    >>> import tempfile
    >>> from streamgauge.streams import LED, open_stream
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_stream(LED(items=100), f"{folder}/led.arff")
    ...     written.items, open_stream(written.path).schema == LED(items=100).schema
    (100, True)
    """
    stream = named_stream(stream)
    path = Path(path)
    writer = writer_of(path)
    if not isinstance(stream, Stream):
        raise ParameterError.of("write_stream", "stream", "a stream", type(stream).__name__)
    if is_endless(stream):
        raise ParameterError(
            f"{stream.name}: must end, got an endless stream; pass items=, or take(stream, n)"
        )
    refuse_unwritable(stream, format_suffix(path))
    if stream.schema.ties is not None and not plain:
        raise DataError(
            f"{stream.name}: the order of simultaneous events must not matter to be written, got "
            f"ties={stream.schema.ties!r}; pass distinct times, or plain=True"
        )
    report = watcher(f"writing {path.name}") if progress is True else progress or None
    needs = {"time"} if stream.schema.clock == "us" and not plain else set[str]()
    items: int | None = None
    try:
        with whole(path) as part:
            while items is None:  # starts again if a later batch needs another column
                spec = file_spec(stream, path, needs)
                with writer(part, spec) as write:
                    items = write_batches(stream, seed, plain, needs, write, report)
    finally:
        if isinstance(report, Bar):
            report.close()
    return WrittenFile(path, items, spec.options(items))


def writer_of(path: Path) -> Writer:
    """Return the writer for a path."""
    kind = format_suffix(path)
    compressed = path.suffix.lower() in COMPRESSED
    if kind not in WRITERS or (compressed and kind not in TEXT):
        raise ParameterError(
            f"write_stream: path must end in one of {', '.join(WRITERS)} (.csv and .arff also in "
            f"{' or '.join(COMPRESSED)}), got {path.name!r}"
        )
    if path.is_dir():
        raise ParameterError(f"write_stream: path must be a file, got the folder {str(path)!r}")
    return WRITERS[kind]


def write_batches(
    stream: Stream,
    seed: int,
    plain: bool,
    needs: set[str],
    write: Callable[[Batch], None],
    report: Progress | None,
) -> int | None:
    """Write and count all items; return None as soon as a batch adds to the file's `needs`."""
    done = 0
    last: int | None = None
    for batch in stream.batches(seed=seed):
        refuse_infinities(stream, batch)
        if not plain:
            refuse_updates(stream, batch)
            more = needed(batch, last) - needs
            if more:
                needs |= more
                return None
        write(batch)
        done, last = batch.stop, int(batch.times[-1])
        if report is not None:
            report(done, stream.length)
    return done


def needed(batch: Batch, last: int | None) -> set[str]:
    """Return the extra columns that a batch needs; `clock` if its times decrease."""
    found = set()
    time, due = batch.times, batch.label_times
    if (time != np.arange(batch.first, batch.stop)).any():
        found.add("time")
        before = time[:1] if last is None else np.array([last])
        if (np.diff(np.concatenate((before, time))) < 0).any():
            found.add("clock")
    if (due != time)[~missing(batch.label)].any():
        found.add("label_time")
    if (batch.weights != 1.0).any():
        found.add("weight")
    return found


def refuse_updates(stream: Stream, batch: Batch) -> None:
    """Raise if a batch has updates, which no format can hold."""
    if batch.updates is not None and len(batch.updates):
        item = int(batch.updates.item[0])
        raise DataError(
            f"{stream.name}: a stream must have no updates to be written, got an update of item "
            f"{item:,}; write the stream without updates, or pass plain=True"
        )


def refuse_infinities(stream: Stream, batch: Batch) -> None:
    """Raise for infinities, which no reader accepts."""
    bad = np.flatnonzero(np.isinf(batch.x))
    if len(bad):
        row, column = divmod(int(bad[0]), batch.x.shape[1])
        name, where = stream.schema.names[column], f"item {batch.first + row:,}"
        raise DataError(not_finite(stream.name, where, name, batch.x[row, column]))
    if batch.label.dtype.kind == "f" and np.isinf(batch.label).any():
        row = int(np.flatnonzero(np.isinf(batch.label))[0])
        where = f"item {batch.first + row:,}"
        raise DataError(
            not_finite(stream.name, where, stream.schema.target, batch.label[row], "target")
        )
