"""Whole numbers keep their identity as classes and nominal values, in every reader."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import streamgauge as sg
from samples.examples import examples
from streamgauge.errors import DataError
from streamgauge.streams import Arff, Csv, from_arrays, from_events, open_stream
from streamgauge.types.values import is_whole_text

IDS = {
    "int64": [2**53, 2**53 + 1, -(2**53) - 1, -(2**53), 2**63 - 1, 2**63 - 2],
    "uint64": [2**64 - 1, 2**64 - 2, 2**53 + 1, 2**53],
    "object": [2**64 - 1, 2**64 - 2, -1, -2],
}


def labels(stream):
    """The label of each item as its value, None if missing."""
    codes = np.concatenate([batch.label for batch in stream.batches()]).tolist()
    return [None if code < 0 else stream.schema.classes[code] for code in codes]


def sources(ids, folder):
    """The same labels in every kind of source."""
    y = ids * 3
    x = np.arange(float(len(y)))
    kind = "int64" if max(ids) < 2**63 else "uint64" if min(ids) >= 0 else "object"
    yield "list", from_arrays(x[:, None], y)
    yield "array", from_arrays(x[:, None], np.array(y, kind))
    yield "objects", from_arrays(x[:, None], np.array(y, object))
    path = folder / "t.csv"
    path.write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(x, y, strict=True)))
    yield "csv", Csv(path)
    path = folder / "t.arff"
    rows = "".join(f"{a},{b}\n" for a, b in zip(x, y, strict=True))
    path.write_text(f"@relation t\n@attribute x real\n@attribute y integer\n@data\n{rows}")
    yield "arff", Arff(path, task="classification")
    if kind == "object":
        column = pa.array([Decimal(label) for label in y])
    else:
        column = pa.array(y, kind)
        frame = pd.DataFrame({"x": x, "y": np.array(y, kind)})
        yield "pandas", open_stream(frame)
        yield (
            "nullable",
            open_stream(frame.astype({"y": kind.replace("i", "I").replace("uI", "UI")})),
        )
        yield "series", from_arrays(x[:, None], pd.array(y, kind.title().replace("Ui", "UI")))
        yield "polars", open_stream(pl.DataFrame({"x": x, "y": np.array(y, kind)}))
    made = pa.table({"x": x, "y": column})
    yield "arrow", open_stream(made)
    pq.write_table(made, folder / "t.parquet")
    yield "parquet", open_stream(folder / "t.parquet")
    yield "dictionary", open_stream(pa.table({"x": x, "y": column.dictionary_encode()}))


@pytest.mark.parametrize("kind", IDS)
def test_large_labels_stay_distinct_in_every_reader(kind, tmp_path):
    ids = IDS[kind]
    for name, stream in sources(ids, tmp_path):
        assert sorted(stream.schema.classes) == sorted(ids), name
        assert labels(stream) == ids * 3, name


@pytest.mark.parametrize("kind", IDS)
def test_large_declared_classes_keep_their_codes(kind, tmp_path):
    ids, x = IDS[kind], np.zeros((len(IDS[kind]), 1))
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"0,{label}\n" for label in ids))
    backwards = ids[::-1]
    for stream in (
        from_arrays(x, np.array(ids, kind), classes=backwards),
        Csv(path, classes=backwards),
    ):
        assert stream.schema.classes == tuple(backwards)
        assert labels(stream) == ids
    near = [label + 1 if label % 2 == 0 else label - 1 for label in ids]
    for read in (
        lambda: from_arrays(x, np.array(ids, kind), classes=near[:1]),
        lambda: Csv(path, classes=near[:1]),
    ):
        with pytest.raises(DataError, match="must be one of"):
            list(read().batches())


def test_large_nominal_values_stay_distinct(tmp_path):
    ids = IDS["int64"]
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{a},{i % 2}\n" for i, a in enumerate(ids * 2)))
    made = pa.table({"a": ids * 2, "y": [i % 2 for i in range(2 * len(ids))]})
    for stream in (Csv(path, nominal=["a"]), open_stream(made, nominal=["a"])):
        assert stream.schema.features[0].values == tuple(sorted(ids))
        codes = np.concatenate([batch.x[:, 0] for batch in stream.batches()]).astype(int)
        assert [sorted(ids)[code] for code in codes] == ids * 2


def test_large_items_of_events_stay_distinct():
    item = [-1, 2**64 - 1, 2**64 - 2, -1, 2**64 - 2]
    y = np.array([None, None, None, "a", "b"], object)
    stream = from_events(item, np.zeros((5, 1)), y)
    assert (stream.length, labels(stream)) == (3, ["a", None, "b"])


def test_large_labels_reach_models_and_logs_unchanged(tmp_path):
    ids = IDS["uint64"]

    class Model:
        def predict(self, x):
            return int(x[0]) % len(ids)

        def learn(self, x, y):
            pass

    x = np.arange(40.0)[:, None]
    stream = from_arrays(x, np.array([sorted(ids)[i % 4] for i in range(40)], np.uint64))
    log = sg.run(stream, Model(), folder=tmp_path / "log")
    assert sg.measure(log, "accuracy").final == 1.0
    assert sg.read_log(tmp_path / "log").schema.classes == tuple(sorted(ids))


@pytest.mark.parametrize("label", [2.0**53, -(2.0**53), 1e300])
def test_floats_that_may_stand_for_several_whole_numbers_are_refused(label, tmp_path):
    y = np.array([label, 1.0] * 4)
    made = pa.table({"x": np.zeros(8), "y": y})
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"0,{cell!r}\n" for cell in y.tolist()))
    for read in (
        lambda: from_arrays(np.zeros((8, 1)), y),
        lambda: open_stream(made),
        lambda: Csv(path),
    ):
        with pytest.raises(DataError, match=r"must be below 2\*\*53 where values are floats"):
            read()
    with pytest.raises(DataError, match=r"item 0, class 'y' must be below 2\*\*53"):
        list(open_stream(made, classes=[int(label), 1]).batches())
    assert open_stream(made, task="regression").schema.classes is None


SPELLINGS = {
    "padded": ["007", "07", "7"],
    "plus": ["+7", "7"],
    "minus zero": ["-0", "0"],
    "underscore": ["1_000", "1000"],
    "blank": ['" 7"', "7"],
    "beyond 64 bits": ["18446744073709551616", "18446744073709551615"],
    "padded beside decimals": ["07", "7", "7.0"],
}


@pytest.mark.parametrize("what", SPELLINGS)
def test_whole_numbers_that_are_not_canonical_are_texts(what, tmp_path):
    cells = SPELLINGS[what]
    texts = sorted(cell.strip('"') for cell in cells)
    path = tmp_path / "t.csv"
    path.write_text("x,y,p\n" + "".join(f"0,{cell},{cell}\n" for cell in cells * 3))
    stream = Csv(path, target="y", drop="p")
    assert stream.schema.classes == tuple(texts)
    assert labels(stream) == [cell.strip('"') for cell in cells * 3]
    assert Csv(path, target="x", drop="p", nominal="y").schema.features[0].values == tuple(texts)
    if what != "padded beside decimals":
        assert sg.read_predictions(path, "y", "p").schema.classes == tuple(texts)


def test_padded_cells_are_not_a_declared_number(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n0,7\n0,007\n")
    with pytest.raises(DataError, match="line 3, class 'y' must be one of 7, got '007'"):
        Csv(path, classes=[7])
    assert labels(Csv(path, classes=["7", "007"])) == ["7", "007"]
    assert Csv(path, classes=[7], unseen_class="grow").schema.classes == (7, "007")
    made = pa.table({"x": [0, 0], "y": ["7", "007"]})
    with pytest.raises(DataError, match="item 1, class 'y' must be one of 7, got '007'"):
        list(open_stream(made, classes=[7]).batches())
    assert labels(open_stream(pa.table({"x": [0], "y": ["7"]}), classes=[7])) == [7]
    assert labels(open_stream(pa.table({"x": [0], "y": [7]}), classes=["7"])) == ["7"]


def test_padded_numbers_stay_numbers_where_no_class_is_meant(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n007,+1\n07,-0\n7,00.5\n")
    stream = Csv(path)
    assert stream.schema.classes is None
    assert [batch.x[:, 0].tolist() for batch in stream.batches()] == [[7, 7, 7]]
    path.write_text("a,y\n1,07\n2,7\n")
    assert Csv(path, task="regression").schema.classes is None


@pytest.mark.parametrize("cell", ["inf", "-inf", "Infinity"])
def test_an_infinite_prediction_is_no_class(cell, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"y,p\n1,1\n0,{cell}\n")
    with pytest.raises(DataError, match="p must be classes"):
        sg.read_predictions(path, "y", "p")


TEXT_CELLS = st.from_regex(r"[+-]?[0-9]{1,20}(\.0)?", fullmatch=True)


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cells=st.lists(TEXT_CELLS | st.integers(-(2**63), 2**64 - 1).map(str), min_size=1, max_size=6)
)
def test_csv_and_predictions_agree_on_what_a_whole_number_is(tmp_path, cells):
    path = tmp_path / "t.csv"
    path.write_text("x,y,p\n" + "".join(f"0,{cell},{cell}\n" for cell in cells * 2))
    try:
        classes = Csv(path, target="y", drop="p", task="classification").schema.classes
    except DataError:
        with pytest.raises(DataError, match="several whole numbers"):
            sg.read_predictions(path, "y", "p", task="classification")
        return
    assert sg.read_predictions(path, "y", "p", task="classification").schema.classes == classes
    if all(map(is_whole_text, cells)):
        assert classes == tuple(sorted({int(cell) for cell in cells}))
