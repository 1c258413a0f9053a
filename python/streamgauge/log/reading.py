"""A log in a folder, read back: finished Parquet, or what a cut-off run left behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.errors import LogError
from streamgauge.log import arrow
from streamgauge.log.alarms import Alarms, gathered
from streamgauge.log.arrivals import arrivals_of
from streamgauge.log.card import read_card
from streamgauge.log.pairs import Pairs, pairs_of
from streamgauge.log.rows import Came, Said, Taught, Truth, Weighted, of_fold
from streamgauge.log.table import Log

BATCH_ROWS = 65_536


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Folder:
    """A log's rows on disk."""

    path: Path
    labels_in_order: bool = True

    def said(self) -> Iterator[Said]:
        """What was said."""
        return map(arrow.said_rows, self._batches("said"))

    def true(self) -> Iterator[Truth]:
        """What was true."""
        given = map(arrow.weights_rows, self._side("weights"))
        return _weighted(map(arrow.true_rows, self._batches("true")), given)

    def taught(self) -> Iterator[Taught]:
        """What was taught."""
        return map(arrow.taught_rows, self._batches("taught"))

    def arrivals(self) -> Iterator[Came]:
        """When each item came."""
        return arrivals_of(self.said(), map(arrow.came_rows, self._side("unpredicted")))

    def labels(self) -> int:
        """How many labels are known."""
        finished = self.path / "true.parquet"
        if finished.is_file():
            return int(pq.read_metadata(finished).num_rows)
        return sum(len(batch) for batch in self._batches("true"))

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Labels beside answers."""
        return pairs_of(of_fold(self.said(), fold), self.true, self.labels_in_order)

    def alarms(self) -> Alarms:
        """What detectors said."""
        return gathered(map(arrow.alarms_rows, self._side("alarms")))

    def _side(self, name: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table that is there only if something was written to it."""
        ends = (".parquet", ".arrows")
        if any((self.path / f"{name}{end}").is_file() for end in ends):
            yield from self._batches(name)

    def _batches(self, name: str) -> Iterator[pa.RecordBatch]:
        finished, stream = self.path / f"{name}.parquet", self.path / f"{name}.arrows"
        if finished.is_file():
            with pq.ParquetFile(finished, pre_buffer=False) as file:
                yield from file.iter_batches(BATCH_ROWS, use_threads=False)
        elif stream.is_file():
            yield from _whole_batches(stream)
        else:
            raise LogError(f"{self.path}: must hold {name}.parquet, got no such file")


def read_log(folder: Path | str) -> Log:
    """Open the log in a run's folder.

    A log without its end is read up to its last whole batch and says `complete=False`.
    """
    folder = Path(folder)
    card = read_card(folder)
    return Log(
        card.schema,
        Folder(folder, card.labels_in_order),
        card.about,
        card.status == "complete",
        card.resources,
    )


def _weighted(true: Iterator[Truth], given: Iterator[Weighted]) -> Iterator[Truth]:
    """Labels with their weights, which are given for some of the rows, in order."""
    held = Weighted(np.empty(0, np.uint64), np.empty(0))
    start = 0
    for rows in true:
        stop = start + len(rows)
        while not len(held) or held.row[-1] < stop - 1:
            more = next(given, None)
            if more is None:
                break
            held = Weighted.concatenate([held, more])
        count = int(np.searchsorted(held.row, stop))
        if count:
            weight = np.ones(len(rows))
            weight[held.row[:count] - np.uint64(start)] = held.weight[:count]
            yield replace(rows, weight=weight)
        else:
            yield rows
        held, start = held.slice(count, len(held)), stop


def _whole_batches(stream: Path) -> Iterator[pa.RecordBatch]:
    """The batches that were written whole; a torn one is the end."""
    if not stream.stat().st_size:  # killed before the header was written
        return
    # Read, not mapped: the pages of a mapped file stay resident until its end.
    with pa.OSFile(str(stream)) as source:
        try:
            reader = pa.ipc.open_stream(source)
        except pa.ArrowInvalid:  # killed before the header was whole: nothing was logged
            return
        while True:
            try:
                batch = reader.read_next_batch()
            except (StopIteration, OSError, pa.ArrowInvalid):
                return
            yield batch
