"""One table in many formats: the items are identical to the bit."""

from __future__ import annotations

import datetime as dt
import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracles import tables
from samples.examples import examples
from streamgauge.errors import DataError, ParameterError
from streamgauge.streams import from_arrays, open_stream
from streamgauge.testing import check_stream
from streamgauge.testing._check_stream import read_items, same_items

FAST = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
EPOCH = dt.datetime(1970, 1, 1)
ORDER = ["price", "count", "city", "when", "known", "y"]


@st.composite
def made_tables(draw):
    n = draw(st.integers(1, 40))

    def column(cells):
        return draw(st.lists(cells, min_size=n, max_size=n))

    times = sorted(column(st.integers(0, 2**52)))
    delays = column(st.none() | st.integers(0, 2**40))
    return {
        "price": column(st.none() | st.floats(allow_nan=False, allow_infinity=False)),
        "count": column(st.integers(-(2**53), 2**53)),
        "city": column(
            st.none() | st.sampled_from(["Berlin", "São Paulo", "it's", 'a "b"', "x, y"])
        ),
        "when": [EPOCH + dt.timedelta(microseconds=t) for t in times],
        "known": [
            None if delay is None else EPOCH + dt.timedelta(microseconds=t + delay)
            for t, delay in zip(times, delays, strict=True)
        ],
        "y": column(st.none() | st.sampled_from(["up", "down", "so-so"])),
    }


def arrow(columns):
    kinds = [
        pa.float64(),
        pa.int64(),
        pa.string(),
        pa.timestamp("us"),
        pa.timestamp("us"),
        pa.string(),
    ]
    return pa.table({n: pa.array(columns[n], k) for n, k in zip(ORDER, kinds, strict=True)})


def text(cell):
    return cell.isoformat(sep=" ") if isinstance(cell, dt.datetime) else cell


def every_format(columns, folder):
    table = arrow(columns)
    rows = [[text(cell) for cell in row] for row in zip(*(columns[n] for n in ORDER), strict=True)]
    (folder / "t.csv").write_text(tables.write_csv(ORDER, rows))
    cities = sorted({c for c in columns["city"] if c is not None})
    classes = sorted({c for c in columns["y"] if c is not None})
    header = [
        ("price", None),
        ("count", None),
        ("city", cities),
        ("when", "date"),
        ("known", "date"),
        ("y", classes),
    ]
    body = tables.write_arff([(n, None if v == "date" else v) for n, v in header], rows)
    for name in ("when", "known"):
        body = body.replace(
            f"@Attribute '{name}' Numeric", f'@attribute {name} DATE "yyyy-MM-dd HH:mm:ss"'
        )
    (folder / "t.arff").write_text(body)
    pq.write_table(table, folder / "t.parquet", row_group_size=7)
    pyarrow.feather.write_feather(table, folder / "t.feather")
    with pa.ipc.new_stream(folder / "t.arrows", table.schema) as out:
        for batch in table.to_batches(max_chunksize=5):
            out.write_batch(batch)
    frame = table.to_pandas()
    with duckdb.connect() as memory:
        yield "csv", folder / "t.csv"
        yield "arff", folder / "t.arff"
        yield "parquet", folder / "t.parquet"
        yield "feather", folder / "t.feather"
        yield "ipc stream", folder / "t.arrows"
        yield "pyarrow", table
        yield "pandas", frame
        yield "pandas categories", frame.astype({"city": "category", "y": "category"})
        yield "polars", pl.from_arrow(table)
        yield "duckdb", memory.from_arrow(table)


def from_columns(columns):
    """Make the stream from NumPy arrays with explicit codes."""
    cities = sorted({c for c in columns["city"] if c is not None})
    classes = sorted({c for c in columns["y"] if c is not None})
    n = len(columns["y"])
    x = np.array(
        [
            [
                math.nan if columns["price"][i] is None else columns["price"][i],
                float(columns["count"][i]),
                math.nan if columns["city"][i] is None else cities.index(columns["city"][i]),
            ]
            for i in range(n)
        ]
    )
    known = [
        np.datetime64("NaT") if t is None else np.datetime64(t, "us") for t in columns["known"]
    ]
    return from_arrays(
        x,
        np.array(columns["y"], dtype=object),
        names=["price", "count", "city"],
        nominal={"city": cities},
        classes=classes,
        time=np.array(columns["when"], dtype="datetime64[us]"),
        label_time=np.array(known, dtype="datetime64[us]"),
    )


@FAST
@given(made_tables())
def test_the_same_table_gives_the_same_items_in_every_format(tmp_path, columns):
    want = from_columns(columns)
    items = read_items(want, None, 8192, 0)
    for name, source in every_format(columns, tmp_path):
        options = (
            {"types": {"city": "nominal"}} if name in ("parquet", "csv") else {"nominal": ["city"]}
        )
        if name in ("arff", "pandas categories"):
            options = {}
        stream = open_stream(
            source, target="y", time="when", label_time="known", task="classification", **options
        )
        assert same_items(read_items(stream, None, 8192, 0), items), name
        assert stream.schema.clock == "us", name
        assert stream.schema.names == want.schema.names, name
        assert stream.length == len(columns["y"]), name
        assert stream.schema.classes == want.schema.classes, name
        assert stream.schema.features[2].values == want.schema.features[2].values, name


def test_every_reader_passes_check_stream(tmp_path):
    rng = np.random.default_rng(5)
    n = 9000
    when = [EPOCH + dt.timedelta(seconds=int(s)) for s in np.sort(rng.integers(0, 10**9, n))]
    columns = {
        "price": [None if u < 0.1 else float(u) for u in rng.random(n)],
        "count": rng.integers(-5, 10**12, n).tolist(),
        "city": [None if i == 7 else ["a", "b", "c"][i] for i in rng.choice([0, 1, 2, 7], n)],
        "when": when,
        "known": [None if i % 50 == 3 else t + dt.timedelta(hours=1) for i, t in enumerate(when)],
        "y": [None if i == 7 else ["u", "v"][i] for i in rng.choice([0, 1, 7], n)],
    }
    for _, source in every_format(columns, tmp_path):
        stream = open_stream(source, target="y", time="when", label_time="known", clock="strict")
        check_stream(stream, sizes=(1000, 8191))


@pytest.mark.parametrize(
    "kind",
    [
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "float32",
        "double",
        "bool",
    ],
)
def test_numbers_of_any_width_are_read(kind):
    cells = [True, False, None] if kind == "bool" else [0, 100, None]
    if kind == "float16":
        cells = [np.float16(0), np.float16(100), None]
    table = pa.table({"a": pa.array(cells, kind), "y": ["n", "p", "n"]})
    [batch] = open_stream(table, target="y").batches()
    assert batch.x[:2, 0].tolist() == [float(cells[0]), float(cells[1])]
    assert math.isnan(batch.x[2, 0])


def test_text_of_any_arrow_type_is_nominal():
    cells = ["b", None, "a"]
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        table = pa.table({"a": pa.array(cells, kind), "y": [1.5, 2.5, 0.5]})
        stream = open_stream(table, target="y")
        assert stream.schema.features[0].values == ("a", "b")
        assert stream.schema.notes[0] == "nominal: a (text)"
        [batch] = stream.batches()
        assert np.nan_to_num(batch.x[:, 0], nan=-1).tolist() == [1, -1, 0]


def test_dictionaries_keep_their_order_and_may_differ_between_batches():
    a = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), pa.array(["z", "m"]))
    b = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), pa.array(["q", "z"]))
    table = pa.Table.from_batches(
        [pa.record_batch({"a": part, "y": pa.array([0.5, 1.5, 2.5])}) for part in (a, b)]
    )
    stream = open_stream(table, target="y")
    assert stream.schema.features[0].values == ("z", "m", "q")
    x = np.concatenate([batch.x[:, 0] for batch in stream.batches()])
    assert np.nan_to_num(x, nan=-1).tolist() == [0, 1, -1, 0, 2, 0]


def test_declared_values_are_read_as_numbers_on_request(tmp_path):
    (tmp_path / "t.arff").write_text(
        "@relation t\n@attribute day {3,1,2.5}\n@attribute y {a,b}\n@data\n1,a\n?,b\n2.5,a\n"
    )
    days = pa.array(["1", None, "2.5"]).dictionary_encode()
    table = pa.table({"day": days, "y": ["a", "b", "a"]})
    for source in (tmp_path / "t.arff", table):
        stream = open_stream(source, target="y", types={"day": "numeric"})
        assert not stream.schema.features[0].nominal
        np.testing.assert_array_equal(next(stream.batches()).x, [[1.0], [np.nan], [2.5]])
        assert open_stream(source, target="y").schema.features[0].nominal
    for odd in (["1", "two", "3"], pa.array(["1", "two", "3"]).dictionary_encode()):
        stream = open_stream(pa.table({"day": odd, "y": table["y"]}), types={"day": "numeric"})
        with pytest.raises(DataError, match=r"item 1, column 'day' must be a number, got 'two'"):
            list(stream.batches())


def test_times_of_any_arrow_type_are_microseconds():
    at = dt.datetime(2020, 1, 2, 3, 4, 5)
    want = int((at - EPOCH) / dt.timedelta(microseconds=1))
    for unit in ("s", "ms", "us", "ns"):
        table = pa.table({"t": pa.array([at], pa.timestamp(unit)), "a": [1.0], "y": ["n"]})
        [batch] = open_stream(table, target="y", time="t").batches()
        assert batch.time.tolist() == [want]
    for kind in (pa.date32(), pa.date64()):
        table = pa.table({"t": pa.array([at.date()], kind), "a": [1.0], "y": ["n"]})
        [batch] = open_stream(table, target="y", time="t").batches()
        assert batch.time.tolist() == [18263 * 86_400_000_000]
    berlin = pa.array(
        [at.replace(tzinfo=dt.timezone(dt.timedelta(hours=1)))], pa.timestamp("us", "Europe/Berlin")
    )
    [batch] = open_stream(pa.table({"t": berlin, "y": ["n"]}), target="y", time="t").batches()
    assert batch.time.tolist() == [want - 3_600_000_000]


def test_label_times_of_pandas_integers_with_gaps_are_read():
    frame = pd.DataFrame({"t": [1, 2], "due": [5, None], "a": [0.0, 1.0], "y": ["n", "p"]})
    [batch] = open_stream(frame, target="y", time="t", label_time="due").batches()
    assert batch.label_time.tolist() == [5, 2**63 - 1]


def test_a_source_that_can_be_read_only_once_is_refused():
    reader = pa.table({"a": [1.0], "y": ["n"]}).to_reader()
    with pytest.raises(DataError, match=r"more than once.*reader.read_all\(\)"):
        open_stream(reader, target="y")


def test_other_objects_are_refused_and_streams_returned():
    with pytest.raises(DataError, match=r"__arrow_c_stream__, got builtins.dict"):
        open_stream({"a": [1]})
    stream = from_arrays(np.zeros((2, 1)), np.zeros(2))
    assert open_stream(stream) is stream
    with pytest.raises(ParameterError, match="given alone"):
        open_stream(stream, target="y")
    assert open_stream((np.zeros((2, 1)), np.array(["a", "b"]))).schema.classes == ("a", "b")


def test_c_contiguous_rows_are_not_copied():
    x = np.random.default_rng(0).random((20_000, 3))
    for batch in from_arrays(x, np.arange(20_000) % 2).batches():
        assert np.shares_memory(batch.x, x)
    columns = np.asfortranarray(x)
    got = np.concatenate([batch.x for batch in from_arrays(columns, np.arange(20_000.0)).batches()])
    np.testing.assert_array_equal(got, x)


def test_arrays_of_labels_are_coded():
    x = np.zeros((4, 1))
    for y, classes, codes in (
        (np.array([3, 1, 3, 1]), (1, 3), [1, 0, 1, 0]),
        (np.array([0.0, 1.0, np.nan, 1.0]), (0, 1), [0, 1, -1, 1]),
        (np.array([True, False, True, True]), (False, True), [1, 0, 1, 1]),
        (np.array(["b", "a", "b", "a"]), ("a", "b"), [1, 0, 1, 0]),
        (np.array(["b", None, "a", "a"], dtype=object), ("a", "b"), [1, -1, 0, 0]),
        (np.array([2, None, 1, 1], dtype=object), (1, 2), [1, -1, 0, 0]),
        (np.array([127, -128, 127, 127], np.int8), (-128, 127), [1, 0, 1, 1]),
        (np.array([2**63, 7, 7, 7], np.uint64), (7, 2**63), [1, 0, 0, 0]),
    ):
        stream = from_arrays(x, y)
        assert stream.schema.classes == classes
        [batch] = stream.batches()
        assert batch.label.tolist() == codes
        check_stream(stream)
    [batch] = from_arrays(x, np.array([3, 1, 3, 1]), classes=(3, 2, 1)).batches()
    assert batch.label.tolist() == [0, 2, 0, 2]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"x": np.zeros(3)}, "Arrays: x must be numbers in two dimensions, got '1 of float64'"),
        ({"x": np.array([["a"]] * 3)}, "Arrays: x must be numbers in two dimensions"),
        ({"y": np.zeros(2)}, "Arrays: y must be one column of 3 cells, one per row of x, got (2,)"),
        ({"names": ["a"]}, "Arrays: names must be 2 different names, got ['a']"),
        ({"nominal": {"q": ["a"]}}, "Arrays: nominal must be features among 'x0', 'x1', got 'q'"),
        (
            {"nominal": {0: ["a"]}, "x": np.ones((3, 2))},
            "arrays: item 0, column 'x0' must be a code from 0 to 0, got 1.0; correct it",
        ),
        (
            {"x": np.array([[1, 2], [3, np.inf], [5, 6]])},
            "arrays: item 1, column 'x1' must be finite, got inf; correct it, or pass drop=['x1']",
        ),
        (
            {"y": np.array([1.5, np.inf, 2])},
            "arrays: item 1, target 'label' must be finite, got inf",
        ),
        (
            {"classes": (0, 1), "y": np.array([0, 1, 2])},
            "arrays: item 2, class must be one of 0, 1, got",
        ),
        ({"time": np.array([3, 2, 1])}, "arrays: time must not decrease, got 2 after 3 at item 1"),
        ({"time": np.array([1.5, 2, 3])}, "arrays: time must be whole numbers, got decimals"),
        ({"time": np.array(["a", "b", "c"])}, "Arrays: time and label_time must be all datetime64"),
        (
            {"time": np.array(["NaT"] * 3, "datetime64[us]")},
            "time must be known, got a missing cell",
        ),
        (
            {"label_time": np.array([0, 0, 5])},
            "arrays: label_time must not be before time, got 0 for an item of 1 at item 1",
        ),
        ({"clock": "sorted"}, "Arrays: clock must be one of 'strict', 'sort', 'allow'"),
    ],
)
def test_invalid_arrays_raise_an_error(options, words):
    given = {"x": np.zeros((3, 2)), "y": np.arange(3) % 2} | options
    with pytest.raises((DataError, ParameterError)) as caught:
        list(from_arrays(given.pop("x"), given.pop("y"), **given).batches())
    assert words in str(caught.value)
