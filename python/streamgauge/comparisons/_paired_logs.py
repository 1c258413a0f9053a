"""Predictions of two logs for the same items, joined as a stream; only unmatched rows are held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from streamgauge.errors import LogError
from streamgauge.log import LabelledPredictions, Log
from streamgauge.log._join import Pending, every_match, join, past_item, same_rows
from streamgauge.log.labelled_predictions import known_rows
from streamgauge.types import F64, U64, Codes, Schema


@dataclass(frozen=True, slots=True)
class PairedPredictions:
    """Labels with the predictions of A (in `of_a`) and of B for the same items."""

    of_a: LabelledPredictions
    prediction_b: Codes | F64

    def __len__(self) -> int:
        return len(self.of_a)


class PairedLogs:
    """Joins two logs by item, in the order the labels became known to A.

    If both have the same items in the same order, nothing is buffered. If both are in the order of
    the stream, an item that one log lacks is dropped immediately. After the iteration, `matched`
    counts the items in both logs, `only_a` and `only_b` those in one alone.
    """

    def __init__(self, a: Log, b: Log) -> None:
        self._a, self._b = a, b
        self._codes = _codes(a.schema, b.schema)
        self._in_order = a.tables.labels_in_order and b.tables.labels_in_order
        self.matched = 0
        self.only_a = 0
        self.only_b = 0

    def __iter__(self) -> Iterator[PairedPredictions]:
        # Items of a test set are predicted in every test; only those of one test are different
        # items, as a comparison requires.
        a = _Counted(known_rows(self._a.last_test()))
        b = _Counted(self._recoded(p) for p in known_rows(self._b.last_test()))
        read = past_item if self._in_order else every_match

        def read_and_check_unique(
            right: Pending[LabelledPredictions], batch: LabelledPredictions
        ) -> None:
            _check_unique_items(batch.items)
            read(right, batch)
            if right.rows is not None:
                _check_unique_items(right.rows.items)

        for own, place, other in join(
            a, Pending(b), read_and_check_unique, same_rows, self._in_order
        ):
            yield self._matched_rows(own if place is None else own.take(place), other)
        for _ in b:  # count the remaining rows
            pass
        self.only_a, self.only_b = a.rows - self.matched, b.rows - self.matched

    def _matched_rows(self, a: LabelledPredictions, b: LabelledPredictions) -> PairedPredictions:
        differ = a.label != b.label
        if differ.any():
            row = int(np.flatnonzero(differ)[0])
            raise LogError(
                "compare: logs must be of one stream, got different labels for item "
                f"{int(a.items[row]):,}: {self._shown(a.label[row])} and "
                f"{self._shown(b.label[row])}"
            )
        self.matched += len(a)
        return PairedPredictions(a, b.prediction)

    def _recoded(self, batch: LabelledPredictions) -> LabelledPredictions:
        if self._codes is None:
            return batch
        return replace(
            batch, label=self._codes[batch.label], prediction=self._codes[batch.prediction]
        )

    def _shown(self, label: object) -> str:
        classes = self._a.schema.classes
        if classes is None:
            return f"{label}"
        code = int(str(label))
        return repr(classes[code]) if 0 <= code < len(classes) else "another class"


class _Counted(Iterator[LabelledPredictions]):
    """Passes batches through and counts their rows."""

    def __init__(self, batches: Iterator[LabelledPredictions]) -> None:
        self._batches = batches
        self.rows = 0

    def __next__(self) -> LabelledPredictions:
        batch = next(self._batches)
        self.rows += len(batch)
        return batch


def _codes(a: Schema, b: Schema) -> Codes | None:
    """The code in A of each class code of B; classes unknown to A follow; None if equal."""
    if a.task != b.task:
        raise LogError(f"compare: logs must be of one task, got {a.task} and {b.task}")
    if a.classes is None or b.classes is None or a.classes == b.classes:
        return None
    known = {value: code for code, value in enumerate(a.classes)}
    for value in b.classes:
        known.setdefault(value, len(known))
    # the last entry maps -1, the code of no prediction
    return np.array([*(known[v] for v in b.classes), -1], np.int32)


def _check_unique_items(items: U64) -> None:
    ordered = items if bool((items[1:] > items[:-1]).all()) else np.sort(items)
    twice = ordered[1:] == ordered[:-1]
    if twice.any():
        item = int(ordered[1:][twice][0])
        raise LogError(
            "compare: logs with several folds must contain the same items in the same order, "
            f"got several predictions of item {item:,}"
        )
