"""Reads a log from a folder: finished Parquet, or the batches of an interrupted run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.errors import LogError
from streamgauge.log import arrow
from streamgauge.log.alarms import Alarms, concatenate_alarms
from streamgauge.log.arrivals import arrivals_of
from streamgauge.log.card import read_card
from streamgauge.log.pairs import Pairs, pairs_of
from streamgauge.log.rows import Arrived, Labels, Predictions, Training, Weights, of_fold
from streamgauge.log.table import Log

BATCH_ROWS = 65_536


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Folder:
    """The tables of a log in a folder."""

    path: Path
    labels_in_order: bool = True

    def predictions(self) -> Iterator[Predictions]:
        """The predictions."""
        return map(arrow.predictions_rows, self._batches("predictions"))

    def labels(self) -> Iterator[Labels]:
        """The labels."""
        given = map(arrow.weights_rows, self._side("weights"))
        return _weighted(map(arrow.labels_rows, self._batches("labels")), given)

    def training(self) -> Iterator[Training]:
        """The training rows."""
        return map(arrow.training_rows, self._batches("training"))

    def arrivals(self) -> Iterator[Arrived]:
        """When each item arrived."""
        return arrivals_of(self.predictions(), map(arrow.arrived_rows, self._side("unpredicted")))

    def label_count(self) -> int:
        """The number of known labels."""
        finished = self.path / "labels.parquet"
        if finished.is_file():
            return int(pq.read_metadata(finished).num_rows)
        return sum(len(batch) for batch in self._batches("labels"))

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Labels with their predictions."""
        return pairs_of(of_fold(self.predictions(), fold), self.labels, self.labels_in_order)

    def alarms(self) -> Alarms:
        """The signals of detectors."""
        return concatenate_alarms(map(arrow.alarms_rows, self._side("alarms")))

    def _side(self, name: str) -> Iterator[pa.RecordBatch]:
        """The batches of a table that exists only if it has rows."""
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
            raise LogError(f"{self.path}: must contain {name}.parquet, got no such file")


def read_log(folder: Path | str) -> Log:
    """Open the log in a folder of a run.

    An interrupted log is read up to its last whole batch and has `complete=False`.
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


def _whole_batches(stream: Path) -> Iterator[pa.RecordBatch]:
    """The batches that were written completely; an incomplete one is the end."""
    if not stream.stat().st_size:  # killed before the header was written
        return
    # Read, not mapped: the pages of a mapped file stay resident until its end.
    with pa.OSFile(str(stream)) as source:
        try:
            reader = pa.ipc.open_stream(source)
        except pa.ArrowInvalid:  # killed before the header was complete: nothing was logged
            return
        while True:
            try:
                batch = reader.read_next_batch()
            except (StopIteration, OSError, pa.ArrowInvalid):
                return
            yield batch
