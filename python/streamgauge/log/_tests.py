"""Predictions of a test set, test by test, with their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from streamgauge.log._previous import Known, known
from streamgauge.log.labelled_predictions import LabelledPredictions
from streamgauge.log.rows import Labels, Predictions
from streamgauge.types import I64


def labelled_predictions_of_tests(
    predictions: Iterator[Predictions],
    read_labels: Callable[[], Iterator[Labels]],
    about: Mapping[str, str],
) -> Iterator[LabelledPredictions]:
    """Each prediction of a test with the label of its item, in the order of the tests.

    `about` states the number of items in the test set and between two tests. Memory is
    proportional to the test set.
    """
    size, every = int(about["test_set"]), int(about["tests_every"])
    labels = _LabelsOfTests(read_labels)
    done: dict[int, int] = {}
    for rows in predictions:
        if not len(rows):
            continue
        test = np.zeros(len(rows), np.int64)
        for fold in np.unique(rows.fold).tolist():
            own = np.flatnonzero(rows.fold == fold)
            before = done.get(fold, 0)
            test[own] = (before + np.arange(len(own))) // size
            done[fold] = before + len(own)
        found, place = labels.of(rows)
        yield LabelledPredictions(
            int(rows.item[0]),
            found.label[place],
            rows.prediction,
            rows.scores,
            item=rows.item,
            time=rows.time,
            previous=found.written_out[place],
            weight=None if found.weight is None else found.weight[place],
            position=size + (test + 1) * every,
        )


def last_test_of(tests: Iterator[LabelledPredictions]) -> Iterator[LabelledPredictions]:
    """The rows of the last test."""
    held: list[LabelledPredictions] = []
    for rows in tests:
        assert rows.position is not None  # those of a test have one
        last = rows.position[-1]
        part = rows.take(rows.position == last)
        if held and held[-1].position is not None and held[-1].position[-1] == last:
            held.append(part)
        else:
            held = [part]
    yield from held


class _LabelsOfTests:
    """Labels of the items that are, or will be, in the test set.

    Items enter and leave it in the order of their numbers.
    """

    def __init__(self, read: Callable[[], Iterator[Labels]]) -> None:
        self._batches = known(read, labels_in_order=True)
        self._held: Known | None = None

    def of(self, rows: Predictions) -> tuple[Known, I64]:
        """Labels, and the place of that of each row among them."""
        first, last = rows.item.min(), rows.item.max()
        held = [] if self._held is None else [self._held]
        while not held or held[-1].item[-1] < last:
            held.append(next(self._batches))
        whole = Known.concatenate(held)
        start = int(np.searchsorted(whole.item, first))
        self._held = whole.slice(start, len(whole))
        return self._held, np.searchsorted(self._held.item, rows.item)
