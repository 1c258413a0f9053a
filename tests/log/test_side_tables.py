"""Side tables that learners fill: selected features and vitals, written, read and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import LogError
from streamgauge.log import Selections, Vitals, one_fold
from streamgauge.log._log_differences import log_differences
from streamgauge.log.rows import SimpleRows


@dataclass
class Chooser:
    """A learner that selects other features at every fiftieth item that it learns."""

    schema: Any = None
    learned: int = 0
    changes: list[Any] = field(default_factory=list)
    takes_missing: ClassVar[bool] = False
    has_scores: ClassVar[bool] = False
    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = True
    has_alarms: ClassVar[bool] = False
    has_selections: ClassVar[bool] = True
    measured: ClassVar[bool] = False
    one_by_one: ClassVar[None] = None
    about: ClassVar[dict[str, str]] = {}

    def bind(self, schema: Any, seed: int = 0) -> Chooser:
        return Chooser(schema)

    def fresh(self, seed: int) -> Chooser:
        return Chooser(self.schema)

    def predict(self, rows: Any, first: int = 0) -> Any:
        return np.zeros(len(rows), np.int32)

    def predicted(self, first: int, predictions: Any) -> None:
        return None

    def forget(self, keep_from: int) -> None:
        return None

    def learn(self, rows: Any, labels: Any, weights: Any = None, items: Any = None) -> None:
        for nth in range(len(labels)):
            item = self.learned if items is None else int(items[nth])
            if self.learned % 50 == 0:
                self.changes.append((item, [2, self.learned // 50 % 2]))
            self.learned += 1

    def test_then_train(
        self, first: int, rows: Any, labels: Any, weights: Any = None, scores: Any = None
    ) -> Any:
        self.learn(rows, labels, weights, np.arange(first, first + len(labels)))
        return np.zeros(len(rows), np.int32)

    def selections(self) -> list[Any]:
        changes, self.changes = self.changes, []
        return changes


def listed(selected: Selections) -> list[tuple[int, int, list[int]]]:
    rows = zip(selected.item.tolist(), selected.fold.tolist(), selected.features, strict=True)
    return [(item, fold, features.tolist()) for item, fold, features in rows]


EXPECTED = [(0, 0, [0, 2]), (50, 0, [1, 2]), (100, 0, [0, 2])]


@pytest.mark.parametrize("protocol", ["prequential", "chunks(size=40)", "delayed"])
@pytest.mark.parametrize("kept", [False, True])
def test_selections_are_in_the_log(tmp_path, protocol, kept):
    log = sg.run("sea(items=120)", Chooser(), protocol, folder=tmp_path / "log" if kept else None)
    assert listed(log.selections()) == EXPECTED
    assert (tmp_path / "log" / "selections.parquet").is_file() == kept


def test_a_log_that_grows_keeps_its_side_tables(tmp_path):
    log = sg.run("sea(items=20)", "nb")
    book = sg.log.Book(log.schema, {}, spill_bytes=100)
    rows = SimpleRows(0, np.zeros(9, np.int32), np.zeros(9, np.int32))
    for nth in range(3):
        book.write_side_table(Selections.of([(nth, [nth])]))
        book.write_side_table(Vitals.of(nth, {"nodes": nth, "unknown": np.nan}))
        book.write(rows)
    grown = book.close()
    assert listed(grown.selections()) == [(0, 0, [0]), (1, 0, [1]), (2, 0, [2])]
    assert grown.vitals().series("nodes")[1].tolist() == [0, 1, 2]
    assert np.isnan(grown.vitals().series("unknown")[1]).all()


def test_selections_of_folds_are_in_the_order_of_learning():
    log = sg.run("delay(sea(items=300), 3)", Chooser(), "delayed(folds=3)")
    learned = [(i, f) for t in log.training() for i, f in zip(t.item, t.fold, strict=True)]
    place = {one: row for row, one in enumerate(learned)}
    rows = listed(log.selections())
    order = [place[item, fold] for item, fold, _ in rows]
    assert order == sorted(order)
    assert {fold for _, fold, _ in rows} == {0, 1, 2}
    alone = listed(one_fold(log, 1).selections())
    assert alone == [row for row in rows if row[1] == 1]
    assert len(alone) > 1


def test_logs_that_differ_in_a_selection_are_different(tmp_path):
    for name, features in (("a", [0, 1]), ("b", [0, 2])):
        book = sg.log.Book(sg.run("sea(items=5)", "nb").schema, {}, folder=tmp_path / name)
        book.write(SimpleRows(0, np.zeros(5, np.int32), np.zeros(5, np.int32)))
        book.write_side_table(Selections.of([(0, [1]), (3, features)]))
        book.close()
    (found,) = log_differences(tmp_path / "a", tmp_path / "b")
    assert (found.table, found.row, found.item, found.column) == ("selections", 1, 3, "features")


def test_features_that_the_stream_does_not_have_are_refused(tmp_path):
    book = sg.log.Book(sg.run("sea(items=5)", "nb").schema, {}, folder=tmp_path / "log")
    book.write_side_table(Selections.of([(0, [3])]))
    log = book.close()
    with pytest.raises(LogError, match="selections must have numbers of the 3 features"):
        log.selections()
    assert sg.verify(tmp_path / "log")[0].verdict == "damaged"


def test_a_resetting_learner_passes_selections_on():
    wrong = np.random.default_rng(1).random(600) < np.where(np.arange(600) < 300, 0.1, 0.9)
    stream = sg.streams.open_stream((np.zeros((600, 3)), wrong.astype(int)))
    log = sg.run(stream, sg.learners.Resetting(Chooser(), sg.detectors.DDM()))
    items = log.selections().item.tolist()
    assert len(log.alarms().alarms) >= 1
    restarted = [item for item in log.alarms().alarms.tolist() if item in items]
    assert restarted == log.alarms().alarms.tolist()  # a fresh copy selects at its first item


def test_rows_of_selections_can_be_cut_and_joined():
    part = Selections.of([(4, [1, 0]), (5, []), (6, [2])], fold=1)
    joined = sg.log.selections.concatenate_selections([part, Selections(), part])
    assert [f.tolist() for f in joined.features] == [[0, 1], [], [2]] * 2
    assert listed(joined.take(np.array([2, 1]))) == [(6, 1, [2]), (5, 1, [])]
    assert len(joined.of_fold(0)) == 0
