"""The streaming join against its twin: whatever the batches, folds, ties and orders."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import joins
from samples.examples import examples
from streamgauge import late
from streamgauge.comparisons._paired_logs import PairedLogs
from streamgauge.log import Log
from streamgauge.log._join import Pending
from streamgauge.log.rows import Labels, Predictions, TableRows, Training
from streamgauge.log.table import InMemory
from streamgauge.types import NONE, Kind, Schema

SETTINGS = settings(max_examples=examples(150), deadline=None)


@dataclass(frozen=True)
class Case:
    """In order: (time, item, fold, turn, kind, prediction), and (time, item, label)."""

    predictions: list[tuple[int, int, int, int, int, int]]
    labels: list[tuple[int, int, int]]

    def log(self, size: int) -> Log:
        """A log whose tables are cut into batches of `size` rows."""
        rows = []
        for low in range(0, max(len(self.predictions), len(self.labels)), size):
            predictions = np.array(self.predictions[low : low + size], np.int64).reshape(-1, 6).T
            labels = np.array(self.labels[low : low + size], np.int64).reshape(-1, 3).T
            learned = Training(np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0))
            rows.append(
                TableRows(
                    Predictions(
                        predictions[1].astype(np.uint64),
                        predictions[2].astype(np.uint16),
                        predictions[3].astype(np.uint32),
                        predictions[4].astype(np.uint8),
                        predictions[0],
                        predictions[5].astype(np.int32),
                    ),
                    Labels(labels[1].astype(np.uint64), labels[0], labels[2].astype(np.int32)),
                    learned,
                )
            )
        items = [item for _, item, _ in self.labels]
        about = {"predicts_last": "True", "predicts_again": "1"}
        return Log(Schema((), classes=(0, 1, 2)), InMemory(rows, items == sorted(items)), about)

    @property
    def plain(self) -> tuple[list[Any], list[Any]]:
        """Both tables as the twin takes them."""
        return [(i, f, t, a) for _, i, f, t, _, a in self.predictions], [
            (i, y) for _, i, y in self.labels
        ]


@st.composite
def cases(draw: Any, again: bool = False) -> Case:
    """Items of some copies each, or of none; labels late, out of order, tied, or never there."""
    folds, ordered, at_once = draw(st.integers(1, 3)), draw(st.booleans()), draw(st.integers(1, 3))
    predictions = st.integers(NONE, 2)
    events: list[tuple[tuple[int, ...], tuple[Any, ...]]] = []
    for item in range(draw(st.integers(0, 12))):
        arrival = item // at_once  # so many items come at one time, and copy by copy
        predicted = [f for f in range(folds) if folds == 1 or draw(st.booleans())]
        delay = 4 if ordered else draw(st.sampled_from([0, 1, 4, 9]))
        labelled = draw(st.integers(0, 3)) > 0
        events += [
            ((arrival, 1, f, item), (arrival, item, f, 0, Kind.FIRST, draw(predictions)))
            for f in predicted
        ]
        for f in predicted if again else []:
            times = sorted(
                draw(st.sets(st.integers(arrival + 1, arrival + delay), max_size=3))
                if delay
                else ()
            )
            for turn, t in enumerate(times, 1):
                row = (t, item, f, turn, Kind.PERIODIC, draw(predictions))
                events.append(((t, 2, item, f), row))
            if labelled and draw(st.booleans()):
                row = (arrival + delay, item, f, len(times) + 1, Kind.FINAL, draw(predictions))
                events.append(((arrival + delay, 3, item, f), row))
        if labelled:
            events.append(
                ((arrival + delay, 4, item, 0), (arrival + delay, item, draw(st.integers(0, 2))))
            )
    rows = [row for _, row in sorted(events, key=lambda e: e[0])]
    return Case([r for r in rows if len(r) == 6], [r for r in rows if len(r) == 3])


def found(log: Log, fold: int | None) -> list[tuple[int, int, int, int | None]]:
    rows = []
    last = None
    for batch in log.labelled_predictions(fold):
        previous = [last, *batch.label[:-1].tolist()]
        if batch.previous is not None:
            previous = [None if p == NONE else p for p in batch.previous.tolist()]
        columns = (batch.items.tolist(), batch.label.tolist(), batch.prediction.tolist(), previous)
        rows += list(zip(*columns, strict=True))
        last = batch.label[-1].item()
    return rows


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@given(case=cases(), fold=st.sampled_from([None, 0, 1, 2]))
@SETTINGS
def test_labels_are_joined_with_the_first_prediction_of_each_fold(
    size: int, case: Case, fold: int | None
):
    twin = [(i, y, a, before) for i, _, y, a, before in joins.pairs(*case.plain, fold)]
    assert found(case.log(size), fold) == twin


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@given(case=cases(again=True), fold=st.sampled_from([None, 0, 1, 2]), gathered=st.integers(1, 3))
@SETTINGS
def test_labels_are_joined_with_every_change_of_the_prediction_of_each_fold(
    size: int, case: Case, fold: int | None, gathered: int
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamgauge.late._prediction_history.ROWS", gathered)
        parts = list(late.prediction_history(case.log(size), fold))
    rows = []
    for part in parts:
        for n in range(len(part)):
            shown = part.prediction[part.starts[n] : part.starts[n + 1]].tolist()
            rows.append((part.item[n], part.fold[n], part.label[n], shown, part.last[n]))
    final = {(i, f): a for _, i, f, _, kind, a in case.predictions if kind == Kind.FINAL}
    twin = []
    for i, f, y, predictions in joins.predictions(*case.plain, fold):
        shown = predictions[:-1] if (i, f) in final else predictions
        changes = [a for n, a in enumerate(shown) if not n or a != shown[n - 1]]
        twin.append((i, f, y, changes, final.get((i, f), predictions[-1])))
    assert rows == twin


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@given(a=cases(), b=cases(), other=st.sampled_from([1, 2, 3, 100]))
@SETTINGS
def test_two_logs_are_joined_on_their_common_items(size: int, a: Case, b: Case, other: int):
    def alone(case: Case) -> tuple[Case, list[tuple[int, int]]]:
        """One copy's rows, and labels that depend on the item alone."""
        predictions = [row for row in case.predictions if row[2] == 0]
        log = Case(predictions, [(t, i, i % 3) for t, i, _ in case.labels])
        return log, [(i, p) for i, _, _, p, _ in joins.pairs(*log.plain)]

    (log_a, of_a), (log_b, of_b) = alone(a), alone(b)
    paired = PairedLogs(log_a.log(size), log_b.log(other))
    rows = [
        row
        for pair in paired
        for row in zip(
            pair.of_a.items.tolist(),
            pair.of_a.prediction.tolist(),
            pair.prediction_b.tolist(),
            strict=True,
        )
    ]
    both, only_a, only_b = joins.common(of_a, of_b)
    assert (rows, paired.only_a, paired.only_b) == (both, only_a, only_b)


def test_only_pending_rows_are_held():
    """Labels ten items late, one never: at no time are more than a batch and eleven rows held."""
    predictions = [(i, i, 0, 0, Kind.FIRST, 0) for i in range(400)]
    labels = [(i + 10, i, 0) for i in range(400) if i != 7]
    held = []

    class Watched(Pending):
        def take(self, items, in_order):
            found = super().take(items, in_order)
            held.append(len(self))
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamgauge.log.labelled_predictions.Pending", Watched)
        patch.setattr("streamgauge.log.labelled_predictions._one_row_each", None)
        assert sum(map(len, Case(predictions, labels).log(4).labelled_predictions())) == 399
    assert len(held) == 100
    assert max(held) <= 15


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("size", [1, 2, 6])
def test_rows_taken_are_no_longer_pending(in_order, size):
    """Nor is, where items come in order, what lies below them."""
    for held in permutations(range(4)):
        for wanted in ([0], [2], [1, 3], [3, 0], [7], [0, 1, 2, 3]):
            row = np.array(held)
            labels = Labels(row.astype(np.uint64), row * 10, row.astype(np.int32))
            batches = (labels.slice(low, low + size) for low in range(0, 4, size))
            pending = Pending(batches)
            while pending.read() is not None:
                pass
            place, found = pending.take(np.array(wanted, np.uint64), in_order)
            assert found.item.tolist() == [item for item in wanted if item in held]
            assert [wanted[at] for at in place] == found.item.tolist()
            left = [i for i in held if i not in wanted and not (in_order and i < max(wanted))]
            assert ([] if pending.rows is None else pending.rows.item.tolist()) == left
            assert len(pending) == len(left)
            if not left:
                again, nothing = pending.take(np.array(wanted, np.uint64), in_order)
                assert len(again) == 0
                assert nothing is None
