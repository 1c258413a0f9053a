"""Logs made elsewhere: what the columns of a stranger's file are taken for."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.errors import DataError, LogError, MissingDataError
from streamgauge.types.values import MISSING


@pytest.fixture
def written(tmp_path):
    def write(text, name="made.csv"):
        path = tmp_path / name
        if name.endswith(".gz"):
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text)
        return path

    return write


def pair(log):
    [pairs] = log.labelled_predictions()
    return pairs.label.tolist(), pairs.prediction.tolist()


def test_text_is_classes_and_an_empty_prediction_is_missing(written):
    log = sg.read_predictions(written("y,p\nb,a\na,\nb,b\n"), "y", "p")
    assert log.schema.classes == ("a", "b")
    assert pair(log) == ([1, 0, 1], [0, -1, 1])


def test_an_empty_label_is_unknown_and_not_counted(written):
    log = sg.read_predictions(written("y,p\nb,a\n,a\na,a\n"), "y", "p")
    assert log.schema.classes == ("a", "b")
    assert pair(log) == ([1, 0], [0, 0])
    assert log.label_count() == 2


def test_a_class_may_have_the_name_of_a_missing_value(written):
    log = sg.read_predictions(written('y,p\n"NA","NA"\nNone,"NA"\n'), "y", "p")
    assert log.schema.classes == ("NA", "None")


@pytest.mark.parametrize("word", ["", *sorted(MISSING), " NA", "nan "])
@pytest.mark.parametrize("classes", ["01", ("ham", "spam")])
def test_a_word_for_a_missing_cell_means_the_same_among_texts_and_numbers(written, word, classes):
    a, b = classes
    path = written(f"y,p\n{b},{b}\n{a},{a}\n{word},{a}\n{b},{word}\n")
    log = sg.read_predictions(path, "y", "p")
    assert [str(c) for c in log.schema.classes] == [a, b]
    assert sg.measure(log, "accuracy").final == pytest.approx(2 / 3)
    assert sum(map(len, log.labelled_predictions())) == 3
    assert len(sg.streams.open_stream(path, target="y", drop="p").schema.classes) == 2


@pytest.mark.parametrize("rows", ["x,x\nz,x", "1,1\n0,1", "true,true\nfalse,true"])
def test_blanks_around_the_cells_of_csv_do_not_count(written, rows):
    plain = sg.log.read_predictions(written(f"y,p\n{rows}\n"), "y", "p")
    blanks = written(f"y, p \n{rows}\n".replace(",", " , "), "blanks.csv")
    log = sg.log.read_predictions(blanks, "y", "p")
    assert (log.schema.classes, pair(log)) == (plain.schema.classes, pair(plain))
    read = sg.streams.open_stream(blanks, target="y").schema.classes
    assert [str(c).lower() for c in read] == [str(c).lower() for c in log.schema.classes]
    assert sg.measure(log, "accuracy").final == 0.5


def test_an_infinite_label_is_refused_and_an_infinite_prediction_is_not(written):
    path = written("y,p\n1.5,1\n-inf,2.5\n")
    with pytest.raises(DataError, match=r"made.csv: y must be finite, got -inf in row 2"):
        sg.log.read_predictions(path, "y", "p")
    assert sg.measure(sg.log.read_predictions(path, "p", "y"), "mae").final == float("inf")
    schema = sg.types.Schema((), "y", None)
    with pytest.raises(LogError, match=r"from_columns: row 1, label must be finite, got inf"):
        sg.log.from_columns(schema, np.array([1.0, np.inf]), np.array([1.0, 2.0]))


def test_whole_numbers_are_classes_in_their_order(written):
    log = sg.read_predictions(written("y,p\n10,9\n9,9\n10,\n"), "y", "p")
    assert log.schema.classes == (9, 10)
    assert pair(log) == ([1, 0, 1], [0, 0, -1])


def test_whole_numbers_and_floats_with_gaps_are_the_same_classes(written):
    log = sg.read_predictions(written("y,p\n1,1.0\n0,0.0\n1,\n"), "y", "p")
    assert log.schema.classes == (0, 1)


def test_reals_are_a_real_target(written):
    log = sg.read_predictions(written("y,p\n1.5,1\n2.5,2\n0.5,\n"), "y", "p")
    assert log.schema.classes is None
    assert sg.measure(log, "mae").final == 0.5


def test_whole_numbers_are_a_real_target_on_request(written):
    log = sg.read_predictions(written("y,p\n1,1\n3,2\n"), "y", "p", task="regression")
    assert sg.measure(log, "mae").final == 0.5


def test_scores_have_one_column_per_class_and_gaps_without_a_prediction(written):
    path = written("y,p,no,yes\nyes,,,\nyes,yes,0.25,0.75\nno,no,0.5,0.5\n")
    log = sg.read_predictions(path, "y", "p", scores=["no", "yes"])
    [pairs] = log.labelled_predictions()
    assert np.isnan(pairs.scores[0]).all()
    assert pairs.scores[1:].tolist() == [[0.25, 0.75], [0.5, 0.5]]
    with pytest.raises(LogError, match=r"each of the 2 classes \(no, yes\), got 1"):
        sg.read_predictions(path, "y", "p", scores=["no"])


def test_times_are_ticks_and_must_not_decrease(written):
    path = written("t,y,p\n2025-01-01T00:00:00,a,a\n2025-01-01T00:00:01,b,a\n")
    log = sg.read_predictions(path, "y", "p", time="t")
    assert log.schema.clock == "us"
    [pairs] = log.labelled_predictions()
    assert np.diff(pairs.time).tolist() == [1_000_000]
    with pytest.raises(DataError, match="must not decrease, got a smaller value in row 3; sort it"):
        sg.read_predictions(written("t,y,p\n1,a,a\n3,b,a\n2,b,a\n"), "y", "p", time="t")


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "arrow"])
def test_every_format_gives_the_same_log(written, tmp_path, kind):
    table = pa.table({"y": ["b", "a", "b"], "p": ["a", None, "b"]})
    path = tmp_path / f"made.{kind}"
    if kind == "parquet":
        pq.write_table(table, path)
    elif kind == "arrow":
        pyarrow.feather.write_feather(table, path, compression="uncompressed")
    else:
        path = written("y,p\nb,a\na,\nb,b\n", path.name)
    assert pair(sg.read_predictions(path, "y", "p")) == ([1, 0, 1], [0, -1, 1])


def test_declared_classes_keep_their_order_and_other_values_are_refused(written):
    path = written("y,p\nlow,high\nhigh,high\n")
    log = sg.read_predictions(path, "y", "p", classes=["low", "high"])
    assert pair(log) == ([0, 1], [1, 1])
    with pytest.raises(DataError, match="y must be one of low, middle, got 'high' in row 2"):
        sg.read_predictions(path, "y", "p", classes=["low", "middle"])


def test_a_wrong_column_and_a_missing_file_are_one_sentence(written):
    with pytest.raises(DataError, match=r"must have a column 'yhat', got y, y_hat; did you mean"):
        sg.read_predictions(written("y,y_hat\na,a\n"), "y", "yhat")
    with pytest.raises(MissingDataError, match="no such file"):
        sg.read_predictions("gone.csv", "y", "p")


def test_times_in_nanoseconds_as_pandas_writes_them_are_read(tmp_path):
    time = pd.to_datetime(["2024-01-01 00:00:00.000000123", "2024-01-01 00:00:01.000001999"])
    frame = pd.DataFrame({"t": time, "zone": time.tz_localize("UTC"), "y": [1, 0], "p": [1, 1]})
    assert frame.t.dtype == "datetime64[ns]"
    want = [1_704_067_200_000_000, 1_704_067_201_000_001]
    frame.to_parquet(tmp_path / "made.parquet")
    frame.to_feather(tmp_path / "made.feather")
    frame.to_csv(tmp_path / "made.csv", index=False)
    for name in ("made.parquet", "made.feather", "made.csv"):
        for column in ("t", "zone"):
            log = sg.read_predictions(tmp_path / name, "y", "p", time=column)
            assert log.schema.clock == "us"
            assert [t for made in log.predictions() for t in made.time.tolist()] == want


def test_a_column_of_invalid_times_is_refused(tmp_path):
    took = pa.array([1, 2], pa.duration("ns"))
    pq.write_table(pa.table({"t": took, "y": [1, 0], "p": [1, 1]}), tmp_path / "made.parquet")
    with pytest.raises(DataError, match="t must be whole numbers or times, got duration"):
        sg.read_predictions(tmp_path / "made.parquet", "y", "p", time="t")


def test_classes_given_as_text_are_those_of_numbers_and_booleans(written):
    log = sg.read_predictions(written("y,p\n1,0\n0,0\n"), "y", "p", classes=["1", "0"])
    assert pair(log) == ([0, 1], [1, 1])
    path = written("y,p\ntrue,false\nfalse,false\n")
    assert sg.read_predictions(path, "y", "p").schema.classes == (False, True)
    for classes in (["true", "false"], ["True", "False"], [True, False]):
        assert pair(sg.read_predictions(path, "y", "p", classes=classes)) == ([0, 1], [1, 1])
    with pytest.raises(DataError, match="y must be one of 0, got 1 in row 1"):
        sg.read_predictions(written("y,p\n1,0\n0,0\n"), "y", "p", classes=[0])


REFUSED = {
    "empty": ("", {}, "must have a header and rows, got an empty file"),
    "torn": ("y,p\n1,2\n3\n", {}, "must be a table of predictions; "),
    "twice": ("y,p,y\n1,2,1\n", {}, "must have one column 'y', got several; rename them"),
    "fraction": ("y,p\n0.5,1\n1,1\n", {"task": "classification"}, r"y must be classes .* got 0\.5"),
    "words": ("y,p\na,1\nb,1\n", {"task": "regression"}, "y must be numbers; "),
    "gap": ("y,p,t\n1,1,\n1,0,2\n", {"time": "t"}, "t must not have gaps, got 1"),
    "no time": (
        "y,p,t\n1,1,x\n1,0,y\n",
        {"time": "t"},
        "t must be whole numbers or times, got",
    ),
    "back": ("y,p,t\n1,1,5\n1,0,4\n", {"time": "t"}, "t must not decrease, .* in row 2; sort it"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_without_a_table_of_predictions_is_refused(what, written):
    text, how, words = REFUSED[what]
    with pytest.raises(DataError, match=words):
        sg.read_predictions(written(text), "y", "p", **how)


def test_a_column_of_lists_is_refused_as_classes(tmp_path):
    table = pa.table({"y": pa.array([[1], [2]]), "p": pa.array(["a", "b"])})
    pq.write_table(table, tmp_path / "made.parquet")
    with pytest.raises(DataError, match=r"y must be classes \(text or whole numbers\); "):
        sg.read_predictions(tmp_path / "made.parquet", "y", "p")


def test_dictionary_columns_are_values_and_mixed_types_become_text(tmp_path):
    codes = pa.array(["b", "a", None]).dictionary_encode()
    pq.write_table(pa.table({"y": codes, "p": pa.array(["a", "a", "b"])}), tmp_path / "a.parquet")
    log = sg.read_predictions(tmp_path / "a.parquet", "y", "p")
    assert log.schema.classes == ("a", "b")
    assert pair(log) == ([1, 0], [0, 0])  # a label that is not known is not counted
    table = pa.table({"y": pa.array(["1", "x"]), "p": pa.array([1, 1])})
    pq.write_table(table, tmp_path / "b.parquet")
    log = sg.read_predictions(tmp_path / "b.parquet", "y", "p")
    assert log.schema.classes == ("1", "x")
    assert pair(log) == ([0, 1], [0, 0])


def test_the_times_of_real_predictions_are_dates_too(written):
    path = written("t,y,p\n2026-01-01 10:00:00,1.5,1\n2026-01-01 11:00:00,2.5,1\n")
    assert sg.log.read_predictions(path, "y", "p", time="t").schema.clock == "us"
    assert sg.log.read_predictions(path, "y", "p").schema.clock == "item"
