"""The log: equal in memory and on disk, whole after a kill, honest about its end."""

from __future__ import annotations

import copy
import json
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.errors import DiskError, LogError
from streamgauge.log import Book, LabelledPredictions, from_columns, read_log
from streamgauge.log._folder_writer import FolderWriter
from streamgauge.log.arrow import schemas
from streamgauge.log.card import read_card, write_card
from streamgauge.log.rows import (
    FoldRows,
    Labels,
    Predictions,
    SimpleRows,
    TableRows,
    Training,
)
from streamgauge.types import Feature, Schema

SCHEMA = Schema((Feature("a"), Feature("b", ("x", 1, True))), "y", ("no", "yes", "maybe"))
REAL = Schema((Feature("a"),), "y", None)


def rows(first, n, task="classification", seed=0, known=None, time=None, scores=False):
    rng = np.random.default_rng(seed + first)
    if task == "regression":
        label, prediction = rng.normal(size=n), rng.normal(size=n)
        prediction[: n // 3] = np.nan
    else:
        label = rng.integers(0, 3, n).astype(np.int32)
        prediction = rng.integers(-1, 3, n).astype(np.int32)
    sheet = rng.random((n, 3)) if scores else None
    return SimpleRows(first, label, prediction, sheet, known, time)


NOTHING = LabelledPredictions(0, np.empty(0, np.int32), np.empty(0, np.int32))


def gathered(log):
    pairs = list(log.labelled_predictions()) or [NOTHING]
    return {
        key: np.concatenate([np.asarray(getattr(p, key)) for p in pairs])
        for key in ("label", "prediction")
    } | {
        "item": np.concatenate(
            [np.arange(p.first, p.first + len(p)) if p.item is None else p.item for p in pairs]
        ),
        "scores": None if pairs[0].scores is None else np.concatenate([p.scores for p in pairs]),
    }


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("how", ["memory", "folder", "spilt"])
def test_the_log_is_the_same_in_memory_and_on_disk(tmp_path, task, how):
    schema = SCHEMA if task == "classification" else REAL
    scores = task == "classification"
    book = Book(
        schema,
        {"learner": "x"},
        scores=scores,
        folder=tmp_path / "log" if how == "folder" else None,
        spill_bytes=200_000 if how == "spilt" else 2**30,
    )
    known = np.random.default_rng(0).random(1000) < 0.7
    parts = [
        rows(i * 1000, 1000, task, known=known if i % 2 else None, scores=scores) for i in range(20)
    ]
    for part in parts:
        book.write(part)
    log = book.close(resources={"seconds": 1.0})
    assert log.complete
    assert log.schema == schema
    assert log.about == {"learner": "x"}
    made = gathered(log)
    keep = [np.ones(1000, bool) if p.known is None else p.known for p in parts]
    np.testing.assert_array_equal(made["item"], np.flatnonzero(np.concatenate(keep)))
    for key in ("label", "prediction", "scores"):
        if made[key] is not None:
            expected = np.concatenate(
                [getattr(p, key)[k] for p, k in zip(parts, keep, strict=True)]
            )
            np.testing.assert_array_equal(made[key], expected)
    assert sum(len(t) for t in log.training()) == sum(k.sum() for k in keep)


def test_predictions_are_joined_with_late_labels_in_any_order(tmp_path):
    rng = np.random.default_rng(4)
    n = 500
    prediction = rng.integers(-1, 3, n).astype(np.int32)
    label = rng.integers(0, 3, n).astype(np.int32)
    order = np.argsort(np.arange(n) + rng.integers(0, 50, n), kind="stable")
    order = order[rng.random(n) < 0.8]
    empty = Training(np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0))
    for folder in (None, tmp_path / "log"):
        book = Book(SCHEMA, {}, folder=folder)
        for low in range(0, n, 100):
            item = np.arange(low, low + 100, dtype=np.uint64)
            zeros = np.zeros(100, np.int64)
            made = Predictions(
                item,
                zeros.astype(np.uint16),
                zeros.astype(np.uint32),
                zeros.astype(np.uint8),
                zeros,
                prediction[low : low + 100],
            )
            late = order[(order >= low - 100) & (order < low)].astype(np.uint64)
            book.write(
                TableRows(made, Labels(late, np.zeros(len(late), np.int64), label[late]), empty)
            )
        log = book.close()
        assert not log.tables.labels_in_order
        for pairs in log.labelled_predictions():
            np.testing.assert_array_equal(pairs.label, label[pairs.item])
            np.testing.assert_array_equal(pairs.prediction, prediction[pairs.item])
        labelled = np.sort(np.concatenate([p.item for p in log.labelled_predictions()]))
        before = {int(i): (label[labelled[k - 1]] if k else -1) for k, i in enumerate(labelled)}
        for pairs in log.labelled_predictions():
            assert [before[int(i)] for i in pairs.item] == pairs.previous.tolist()


def test_each_fold_has_its_own_prediction():
    item = np.array([0, 0, 1, 1], np.uint64)
    fold = np.array([0, 1, 0, 1], np.uint16)
    zeros = np.zeros(4, np.int64)
    made = Predictions(
        item,
        fold,
        zeros.astype(np.uint32),
        zeros.astype(np.uint8),
        zeros,
        np.array([0, 1, 2, 0], np.int32),
    )
    true = Labels(np.array([0, 1], np.uint64), np.zeros(2, np.int64), np.array([0, 2], np.int32))
    book = Book(SCHEMA, {})
    book.write(TableRows(made, true, Training(item[:0], fold[:0], np.empty(0))))
    (pairs,) = book.close().labelled_predictions()
    assert pairs.prediction.tolist() == [0, 1, 2, 0]
    assert pairs.label.tolist() == [0, 0, 2, 2]


def test_the_finished_log_is_plain_parquet(tmp_path):
    book = Book(SCHEMA, {"learner": "x"}, folder=tmp_path)
    book.write(rows(0, 1000))
    book.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "labels.parquet",
        "log.json",
        "predictions.parquet",
        "training.parquet",
    ]
    made = pq.read_table(tmp_path / "predictions.parquet")
    assert made.schema.names == ["item", "fold", "turn", "kind", "time", "prediction"]
    assert made["prediction"].null_count == (rows(0, 1000).prediction < 0).sum()
    assert made.schema.metadata[b"streamgauge.log"] == b"4"
    card = json.loads((tmp_path / "log.json").read_text())
    assert card["status"] == "complete"
    assert card["schema"]["features"][1]["values"] == ["x", 1, True]


def test_a_folder_with_a_log_is_never_overwritten(tmp_path):
    Book(SCHEMA, {}, folder=tmp_path).close()
    with pytest.raises(LogError, match="must not contain a log"):
        Book(SCHEMA, {}, folder=tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "must be a folder with a log.json, got none"),
        ("{", "must be the card of a log, got a file that cannot be read"),
        ('{"format": "else"}', "must be the card of a log"),
        ('{"format": "streamgauge-log", "version": 99}', "log version must be 4, got 99"),
    ],
)
def test_a_broken_card_is_refused_in_one_sentence(tmp_path, text, words):
    if text is not None:
        (tmp_path / "log.json").write_text(text)
    with pytest.raises(LogError, match=words):
        read_log(tmp_path)


def test_an_incomplete_last_batch_loses_only_itself(tmp_path):
    book = Book(SCHEMA, {}, folder=tmp_path)
    for i in range(5):
        book.write(rows(i * 20_000, 20_000))
    book.close("incomplete", "cut off")
    card = read_card(tmp_path)  # a killed process has not listed its files
    write_card(tmp_path, replace(card, status="running", tables={}))
    whole = (tmp_path / "predictions.arrows").stat().st_size
    for cut in (7, 1000, 15_000):
        with (tmp_path / "predictions.arrows").open("rb+") as file:
            file.truncate(whole - cut)
        log = read_log(tmp_path)
        assert not log.complete
        assert sum(len(s) for s in log.predictions()) in (80_000, 100_000)
        made = gathered(log)
        np.testing.assert_array_equal(made["item"], np.arange(len(made["item"])))


WRITER = """
import sys, time
import numpy as np
from pathlib import Path
from streamgauge.log import Book
from streamgauge.log.rows import SimpleRows
from streamgauge.types import Feature, Schema
book = Book(Schema((Feature("a"),), "y", (0, 1)), {}, folder=Path(sys.argv[1]))
for first in range(0, 10**9, 5000):
    label = (np.arange(first, first + 5000) % 2).astype(np.int32)
    book.write(SimpleRows(first, label, label))
    print(first + 5000, flush=True)
    time.sleep(0.001)
"""


def kill_while_writing(folder, after):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline()
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    handed_over = int(process.stdout.read().split()[-1])
    process.stdout.close()
    process.wait()
    return handed_over


def check_after_kill(folder, handed_over):
    log = read_log(folder)
    assert not log.complete
    made = gathered(log)
    np.testing.assert_array_equal(made["item"], np.arange(len(made["item"])))
    np.testing.assert_array_equal(made["label"], made["item"] % 2)
    # lost: at most the batch being gathered (16,384 rows and what arrives with them) and the queue
    assert len(made["item"]) >= handed_over - (16_384 + 5000) - 5 * 5000


@pytest.mark.parametrize("nth", range(3))
def test_after_kill_9_only_the_last_batch_is_missing(tmp_path, nth):
    after = random.Random(nth).uniform(0.15, 0.4)
    check_after_kill(tmp_path / "log", kill_while_writing(tmp_path / "log", after))


@pytest.mark.slow
@pytest.mark.parametrize("nth", range(20))
def test_twenty_real_kills_at_random_times(tmp_path, nth):
    after = random.Random(100 + nth).uniform(0.0, 1.0)
    check_after_kill(tmp_path / "log", kill_while_writing(tmp_path / "log", after))


FULL = """
import resource, sys
import numpy as np
from pathlib import Path
from streamgauge.errors import DiskError
from streamgauge.log import Book, read_log
from streamgauge.log.rows import SimpleRows
from streamgauge.types import Feature, Schema
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
book = Book(Schema((Feature("a"),), "y", (0, 1)), {}, folder=Path(sys.argv[1]))
try:
    for first in range(0, 10**6, 5000):
        label = (np.arange(first, first + 5000) % 2).astype(np.int32)
        book.write(SimpleRows(first, label, label))
    book.close()
except DiskError as error:
    print(error)
    log = read_log(sys.argv[1])
    print(log.complete, sum(len(s) for s in log.predictions()))
"""


def test_a_full_disk_is_one_sentence_and_written_rows_stay(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "log")],
        capture_output=True,
        text=True,
        check=True,
    )
    sentence, state = done.stdout.splitlines()
    assert "cannot be written" in sentence
    assert "free some space" in sentence
    complete, kept = state.split()
    assert complete == "False"
    assert int(kept) >= 40_000


def test_arrow_readers_need_no_end_marker(tmp_path):
    book = Book(SCHEMA, {}, folder=tmp_path)
    book.write(rows(0, 20_000))
    book.close("incomplete")
    with pa.OSFile(str(tmp_path / "labels.arrows")) as source:
        assert pa.ipc.open_stream(source).read_all().num_rows == 20_000


def test_disk_errors_are_errors_of_the_package():
    assert issubclass(DiskError, OSError)


def test_a_disk_full_at_the_last_flush_raises_and_does_not_hang(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FolderWriter, "_flush", full)
    book = Book(SCHEMA, {}, folder=tmp_path / "log")
    book.write(rows(0, 10))
    errors = []

    def close():
        try:
            book.close()
        except DiskError as error:
            errors.append(str(error))

    thread = threading.Thread(target=close, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    assert "cannot be written" in errors[0]


@given(st.lists(st.lists(st.integers(0, 6), max_size=3), max_size=4))
def test_labels_are_in_order_exactly_if_their_numbers_ascend(parts):
    book = Book(SCHEMA, {})
    kinds = (np.uint64, np.uint16, np.uint32, np.uint8, np.int64, np.int32)
    made = Predictions(*(np.empty(0, kind) for kind in kinds))
    empty = Training(np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0))
    for part in parts:
        item = np.array(part, np.uint64)
        zeros = np.zeros(len(part), np.int64)
        book.write(TableRows(made, Labels(item, zeros, zeros.astype(np.int32)), empty))
    items = [item for part in parts for item in part]
    rises = all(a < b for a, b in pairwise(items))
    assert book.close().tables.labels_in_order == rises


def test_a_log_of_columns_keeps_a_copy_of_them():
    label, prediction = np.array([0, 1, 1], np.int32), np.array([0, 1, 0], np.int32)
    scores = np.full((3, 3), 1 / 3)
    log = from_columns(SCHEMA, label, prediction, scores)
    before = [
        copy.deepcopy(rows)
        for rows in (*log.labelled_predictions(), *log.predictions(), *log.labels())
    ]
    for column in (label, prediction, scores):
        column[:] = 2
    for rows_now, rows_then in zip(
        (*log.labelled_predictions(), *log.predictions(), *log.labels()), before, strict=True
    ):
        for field in fields(rows_now):
            one, other = getattr(rows_now, field.name), getattr(rows_then, field.name)
            np.testing.assert_array_equal(one, other)


def test_the_size_of_rows_is_that_of_their_columns() -> None:
    """A log in memory is moved to disk by it, so every table counts, and scores."""
    numbers = np.arange(5, dtype=np.uint64)
    fold, turn, kind = (np.zeros(5, t) for t in (np.uint16, np.uint32, np.uint8))
    time, code, weight = np.zeros(5, np.int64), np.zeros(5, np.int32), np.ones(5)
    made = Predictions(numbers, fold, turn, kind, time, code, np.zeros((5, 3)))
    shown, learned = Labels(numbers, time, code), Training(numbers, fold, weight)
    for counts in ((5, 0, 0), (0, 5, 0), (0, 0, 5), (1, 2, 3)):
        parts = [t.slice(0, n) for t, n in zip((made, shown, learned), counts, strict=True)]
        columns = [
            getattr(part, name)
            for part in parts
            for name in type(part).__dataclass_fields__
            if getattr(part, name) is not None
        ]
        # labels and predictions are counted with eight bytes, as real ones have
        real = 4 * (counts[0] + counts[1])
        assert TableRows(*parts).nbytes == sum(c.nbytes for c in columns) + real


def test_short_rows_of_folds_follow_from_the_assignment() -> None:
    times_learned = np.array([[1, 0, 2], [0, 1, 1]], np.uint8)
    label, weight = np.array([1, 0, 1], np.int32), np.array([1.0, 3.0, 0.5])
    rows = FoldRows(7, label, np.array([4, 5], np.int32), times_learned, weight=weight)
    made, learned, alone = rows.predictions, rows.training, rows.unpredicted
    assert [made.item.tolist(), made.fold.tolist()] == [[7, 8], [1, 0]]
    assert [learned.item.tolist(), learned.fold.tolist()] == [[7, 8, 9, 9], [0, 1, 0, 1]]
    assert learned.weight.tolist() == [1.0, 3.0, 1.0, 0.5]
    assert alone is not None
    assert [alone.item.tolist(), alone.time.tolist()] == [[9], [9]]
    everyone = replace(rows, prediction=np.arange(6), predicts=np.ones((2, 3), np.bool_))
    assert everyone.predictions.item.tolist() == [7, 7, 8, 8, 9, 9]
    assert everyone.predictions.fold.tolist() == [0, 1, 0, 1, 0, 1]
    assert everyone.unpredicted is None
    for one in (rows, everyone):
        written = TableRows(one.predictions, one.labels, one.training)
        assert (len(one), one.nbytes) == (max(3, len(one.prediction)), written.nbytes)


def test_rows_that_were_only_learned_have_no_predictions_and_no_labels() -> None:
    rows = SimpleRows(5, np.array([1, 0, 1], np.int32), None)
    for table in (rows.predictions, rows.labels):
        columns = [getattr(table, name) for name in type(table).__dataclass_fields__]
        assert not any(len(column) for column in columns if column is not None)
    assert rows.training.item.tolist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (np.array([0, 2**32 + 1]), "row 1, label must be the code of one of the 2 classes or -1"),
        (np.array([0, -7]), "row 1, label must be the code"),
        (np.array([0.0, 1.7]), "label must be class codes, which are integers, got float64"),
    ],
    ids=["64 bits", "negative", "float"],
)
def test_columns_of_codes_are_those_of_classes(label, words) -> None:
    schema = Schema((Feature("x"),), "y", ("a", "b"))
    with pytest.raises(LogError, match=words):
        from_columns(schema, label, np.array([0, 1]))
    with pytest.raises(LogError, match=words.replace("label", "prediction")):
        from_columns(schema, np.array([0, 1]), label)


def test_a_folder_with_tables_and_without_a_card_is_not_written(tmp_path) -> None:
    own = tmp_path / "labels.parquet"
    own.write_text("mine")
    with pytest.raises(LogError, match=r"must not contain tables, got labels\.parquet; choose"):
        Book(Schema((Feature("x"),), "y", ("a", "b")), {}, folder=tmp_path)
    assert own.read_text() == "mine"


def test_only_a_prediction_may_be_null():
    """NaN or null has one place: a prediction that is missing."""
    tables = schemas(Schema((), classes=("a", "b")), scores=True)
    null = [(name, f.name) for name, table in tables.items() for f in table if f.nullable]
    assert null == [("predictions", "prediction"), ("perturbed", "prediction")]


def test_the_size_of_simple_rows_is_that_of_their_tables() -> None:
    label = np.zeros(7, np.int32)
    for scores in (None, np.zeros((7, 2))):
        rows = SimpleRows(0, label, label, scores)
        assert rows.nbytes == TableRows(rows.predictions, rows.labels, rows.training).nbytes
