"""Streams written to files, in constant memory."""

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
from streamgauge.streams._sheet import Sheet, refuse_unwritable, sheet_of
from streamgauge.streams._write_columns import arrow_writer, parquet_writer
from streamgauge.streams._write_text import arff_writer, csv_writer
from streamgauge.streams.endless import endless
from streamgauge.streams.layout import not_finite
from streamgauge.streams.open import PACKED, ending
from streamgauge.types import Batch, Stream, missing

Writer = Callable[[Path, Sheet], AbstractContextManager[Callable[[Batch], None]]]
"""Opens a file for a sheet; what it gives takes the batches one after the other."""

WRITERS: dict[str, Writer] = {
    ".csv": csv_writer,
    ".arff": arff_writer,
    ".parquet": parquet_writer,
    ".pq": parquet_writer,
    ".arrow": arrow_writer,
    ".feather": arrow_writer,
    ".ipc": arrow_writer,
}
"""The ending of a file's name -> the writer of that format."""

TEXT = (".csv", ".arff")


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written: where, how many items, and how to read it.

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
) -> Written:
    """Write a stream to a CSV, ARFF, Parquet or Arrow file, whole or not at all.

    The columns are event times, label times and weights, if the stream has any, then the
    features, then the target. ARFF, Parquet and Arrow files keep the options by which they are
    read, so `open_stream(path)` gives the same stream: values, classes and their order, missing
    cells, times, weights, known drifts. A CSV file cannot keep them; give
    `open_stream(path, **written.options)`. Updates of features cannot be written.

    Parameters
    ----------
    stream
        Any stream that ends.
    path
        `.csv` and `.arff`, each also `.gz` or `.zst`; `.parquet`, `.pq`; `.arrow`, `.feather`,
        `.ipc`. A file that is there is replaced.
    plain
        Write features and target alone, as MOA and river take them: they would take times and
        weights for features.
    seed
        Of the walk: the items of `stream.batches(seed=seed)` are written.
    progress
        True: a bar in a terminal, lines elsewhere, once it has taken two seconds. Or a function
        that is told how many items are done, and of how many.

    Examples
    --------
    >>> import tempfile
    >>> from streamgauge.streams import LED, open_stream
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_stream(LED(items=100), f"{folder}/led.arff")
    ...     written.items, open_stream(written.path).schema == LED(items=100).schema
    (100, True)
    """
    path = Path(path)
    writer = writer_of(path)
    if not isinstance(stream, Stream):
        raise ParameterError.of("write_stream", "stream", "a stream", type(stream).__name__)
    if endless(stream):
        raise ParameterError(
            f"{stream.name}: must end, got an endless stream; give items=, or take(stream, n)"
        )
    refuse_unwritable(stream, ending(path))
    if stream.schema.ties is not None and not plain:
        raise DataError(
            f"{stream.name}: events of one time must be in no particular order to be written, got "
            f"{stream.schema.ties!r}; give times that tell them apart, or write it plain"
        )
    told = watcher(f"writing {path.name}") if progress is True else progress or None
    needs = {"time"} if stream.schema.clock == "us" and not plain else set[str]()
    items: int | None = None
    try:
        with whole(path) as part:
            while items is None:  # a column that only later batches need: from the start again
                sheet = sheet_of(stream, path, needs)
                with writer(part, sheet) as write:
                    items = poured(stream, seed, plain, needs, write, told)
    finally:
        if isinstance(told, Bar):
            told.close()
    return Written(path, items, sheet.options(items))


def writer_of(path: Path) -> Writer:
    """The writer for a file of this name."""
    kind = ending(path)
    is_packed = path.suffix.lower() in PACKED
    if kind not in WRITERS or (is_packed and kind not in TEXT):
        raise ParameterError(
            f"write_stream: path must end in one of {', '.join(WRITERS)} (.csv and .arff also in "
            f"{' or '.join(PACKED)}), got {path.name!r}"
        )
    if path.is_dir():
        raise ParameterError(f"write_stream: path must be a file, got the folder {str(path)!r}")
    return WRITERS[kind]


def poured(
    stream: Stream,
    seed: int,
    plain: bool,
    needs: set[str],
    write: Callable[[Batch], None],
    told: Progress | None,
) -> int | None:
    """Write all items and count them; None as soon as a batch adds to what the file `needs`."""
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
        if told is not None:
            told(done, stream.length)
    return done


def needed(batch: Batch, last: int | None) -> set[str]:
    """The columns without which a batch would be read otherwise; `clock` if time steps back."""
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
    """No format has a place for features that change."""
    if batch.updates is not None and len(batch.updates):
        item = int(batch.updates.item[0])
        raise DataError(
            f"{stream.name}: features must stay as they are to be written, got an update of item "
            f"{item:,}; write the stream that is updated, or write it plain"
        )


def refuse_infinities(stream: Stream, batch: Batch) -> None:
    """What no reader takes is not written."""
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
