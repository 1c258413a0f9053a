"""Streams written to files and read back, in every format, column by column."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from river import stream as river
from scipy.io import arff

from samples.examples import examples
from streamgauge import streams
from streamgauge.errors import DataError, DiskError, MissingDataError, ParameterError
from streamgauge.streams import _write_columns, from_arrays, open_stream, write_stream
from streamgauge.testing._check_stream import read_items, same_items
from streamgauge.types import Batch, Drift, Feature, Schema

ENDINGS = (".csv", ".csv.gz", ".arff", ".arff.zst", ".parquet", ".arrow")
STORES_OPTIONS = tuple(ending for ending in ENDINGS if not ending.startswith(".csv"))
"""The formats that store their options."""

NUMBERS = [0.1, 1 / 3, 1e300, -1e300, 5e-324, -0.0, 2**53 + 2.0, 123456.789012345678, np.nan, 7.0]
ODD = [
    "a,b",
    'say "x"',
    "it's",
    "two\nlines",
    "cr\r\nlf",
    " blanks ",
    "café 漢字 🙂",
    "NA",
    "?",
    "%",
]
ODD += [
    "",
    "{a}",
    "@data",
    "back\\slash",
    "\\n",
    "tab\t",
    "1.0",
    "nan",
    "2020-01-01",
    "a;b",
    "\ufeff",
]


def rng():
    return np.random.default_rng(3)


def many(n=50, **options):
    x = rng().normal(size=(n, 2))
    return from_arrays(x, np.array(["b", "a"])[rng().integers(0, 2, n)], **options)


def nominal(values, n=60):
    """Make a feature and a target with these values, some missing, the last value unused."""
    codes = rng().integers(0, max(len(values) - 1, 1), n).astype(float)
    codes[::7] = np.nan
    y = np.array([None if np.isnan(c) else values[int(c)] for c in codes[::-1]], dtype=object)
    return from_arrays(codes[:, None], y, nominal={0: values}, classes=values)


def steps(n=50):
    return np.cumsum(rng().integers(0, 3, n))


def stamps(n=50):
    return np.datetime64("1969-12-31T23:59:59.999990") + steps(n).astype("timedelta64[us]")


def late(time, never="NaT"):
    due = (time + 5).astype(object)
    due[::4] = None
    unit = "datetime64[us]" if time.dtype.kind == "M" else float
    return np.array([never if d is None else d for d in due], dtype=unit)


def unlabelled(y, every=5):
    y = y.astype(object)
    y[::every] = None
    return y


STREAMS = {
    "plain": many,
    "numbers": lambda: from_arrays(
        np.array([NUMBERS, NUMBERS[::-1]]).T, np.arange(10) % 3, classes=(0, 1, 2)
    ),
    "a real target": lambda: from_arrays(np.arange(10.0)[:, None], np.array(NUMBERS)),
    "whole real targets": lambda: from_arrays(
        np.zeros((9, 1)), np.arange(9) % 2, task="regression"
    ),
    "texts out of order": lambda: nominal(["z", "a", "m", "unused"]),
    "odd texts": lambda: nominal(ODD),
    "whole numbers": lambda: nominal([3, -1, 2, 2**63, 10]),
    "decimals": lambda: nominal([0.5, -1e300, 0.1, 7.0, 2]),
    "whole numbers beyond 2^53": lambda: nominal([2**53 + 1, 2**53, -(2**53) - 1, -7]),
    "whole numbers beyond 2^63": lambda: nominal([2**64 - 1, 2**64 - 2, 0]),
    "whole numbers of no one type": lambda: nominal([2**64 - 1, 2**64 - 2, -1]),
    "booleans": lambda: nominal([True, False]),
    "texts that are numbers": lambda: nominal(["1", "01", "1.0", "2"]),
    "odd names": lambda: from_arrays(
        rng().normal(size=(9, len(ODD) - 1)),
        np.arange(9) % 2,
        names=[name for name in ODD if name],
        target="the 'target', \"quoted\"\n",
    ),
    "names of extras": lambda: many(
        names=["time", "weight"], target="label_time", time=steps(), weight=np.arange(50.0) + 0.1
    ),
    "names that are numbers": lambda: many(names=["1", "2"], target="3"),
    "ticks": lambda: many(time=steps(), label_time=late(steps(), np.nan)),
    "great ticks": lambda: many(time=2**61 + steps(), label_time=2**61 + steps() + 1),
    "label times alone": lambda: many(label_time=np.arange(50) + 3),
    "timestamps": lambda: many(time=stamps(), label_time=late(stamps())),
    "times that step back": lambda: many(time=steps()[::-1], clock="allow"),
    "a step back between batches": lambda: many(
        8193, time=np.append(np.full(8192, 9000), 8999), clock="allow"
    ),
    "weights": lambda: many(weight=np.array([0.1, 1 / 3, 1e100, 5e-324, 0.0] * 10)),
    "missing labels": lambda: from_arrays(
        np.zeros((20, 1)), unlabelled(np.array(["u", "v"] * 10)), time=steps(20)
    ),
    "drifts": lambda: many(drifts=(Drift(3, 4, 9, "gradual"), Drift(20, 20, 20))),
    "one item": lambda: many(1),
    "empty": lambda: many(0, classes=("b", "a"), nominal={1: ["q", "p"]}),
    "empty, real": lambda: from_arrays(np.zeros((0, 1)), np.zeros(0), task="regression"),
    "empty, timed": lambda: many(0, classes=("b", "a"), time=stamps(0)),
    "no classes": lambda: from_arrays(np.zeros((3, 1)), np.array([None] * 3), classes=()),
    "no features": lambda: from_arrays(
        np.zeros((20, 0)), unlabelled(np.array(["?", "NA"] * 10)), classes=("?", "NA")
    ),
    "nothing known": lambda: from_arrays(
        np.full((4, 2), np.nan), np.array([None] * 4), classes=[1]
    ),
    "generated": lambda: streams.Agrawal(items=300),
    "drifting": lambda: streams.drift(streams.SEA(1), streams.SEA(3), at=100, items=200),
    "later batches need more": lambda: streams.concatenate(
        many(9000), many(3, weight=np.array([1, 2, 3])), many(50, label_time=np.arange(50) + 7)
    ),
}


def described(schema):
    """Describe a schema without its notes; 1, 1.0 and True are different."""
    values = [repr(feature) for feature in schema.features]
    return values, schema.target, repr(schema.classes), schema.drifts, schema.clock


def assert_same(stream, again):
    assert described(again.schema) == described(stream.schema)
    assert again.length == stream.length
    assert same_items(read_items(again, None, 8192, 0), read_items(stream, None, 8192, 0))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", STREAMS)
def test_every_stream_is_read_back_unchanged_in_every_format(tmp_path, name, ending):
    stream = STREAMS[name]()
    written = write_stream(stream, tmp_path / f"s{ending}")
    assert written.items == stream.length
    assert_same(stream, open_stream(written.path, **written.options))
    if ending in STORES_OPTIONS:
        assert_same(stream, open_stream(written.path))
    assert [path.name for path in tmp_path.iterdir()] == [f"s{ending}"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
VALUES = st.one_of(
    st.lists(TEXTS, min_size=1, max_size=5, unique=True),
    st.lists(st.integers(-9, 9), min_size=1, max_size=5, unique=True),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5, unique=True),
    st.sampled_from([[False, True], [True, False]]),
)
CELLS = st.just(np.nan) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def made_streams(draw):
    n = draw(st.integers(0, 12))
    names = draw(st.lists(TEXTS.filter(bool), min_size=1, max_size=4, unique=True))
    kinds = [draw(st.none() | VALUES) for _ in names]

    def column(cells):
        return np.array(draw(st.lists(cells, min_size=n, max_size=n)), dtype=float)

    def of(values):
        return CELLS if values is None else st.just(np.nan) | st.integers(0, len(values) - 1)

    columns = np.array([column(of(values)) for values in kinds]).T
    label = column(of(kinds[-1]))
    time = np.cumsum(column(st.integers(0, 2**40))).astype(np.int64)
    if draw(st.booleans()):
        time = time.astype("datetime64[us]")
    due = time + column(st.integers(0, 2**40)).astype(np.int64)
    options = {"time": time, "label_time": due, "weight": column(st.floats(0, 1e6))}
    for extra in draw(st.sets(st.sampled_from(sorted(options)))):
        del options[extra]
    if "time" not in options and "label_time" in options:
        options["label_time"] = np.arange(n) + column(st.integers(0, 9)).astype(np.int64)
    classes = kinds[-1]
    if classes is not None:
        label = np.array([None if np.isnan(c) else classes[int(c)] for c in label], dtype=object)
    return from_arrays(
        columns[:, :-1] if n else np.zeros((0, len(names) - 1)),
        label,
        names=names[:-1],
        target=names[-1],
        nominal={name: k for name, k in zip(names[:-1], kinds, strict=False) if k is not None},
        classes=classes,
        task="regression" if classes is None else "classification",
        **options,
    )


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stream=made_streams())
def test_a_random_stream_is_read_back_unchanged(tmp_path, stream):
    for ending in (".csv", ".arff", ".parquet", ".arrow"):
        written = write_stream(stream, tmp_path / f"s{ending}")
        assert_same(stream, open_stream(written.path, **written.options))
        if ending in STORES_OPTIONS:
            assert_same(stream, open_stream(written.path))


@pytest.mark.parametrize("cells", [1, 2, 100])
def test_row_groups_of_any_size_hold_the_same_items(tmp_path, monkeypatch, cells):
    monkeypatch.setattr(_write_columns, "ROW_GROUP_CELLS", cells)
    stream = streams.concatenate(many(20), many(30))
    written = write_stream(stream, tmp_path / "s.parquet")
    assert pq.ParquetFile(written.path).num_row_groups == (2 if cells < 100 else 1)
    assert_same(stream, open_stream(written.path))


def test_plain_files_hold_features_and_target_only(tmp_path):
    stream = many(time=steps(), label_time=late(steps(), np.nan), weight=np.arange(50.0))
    for ending in (".csv", ".arff", ".parquet", ".arrow"):
        written = write_stream(stream, tmp_path / f"s{ending}", plain=True)
        again = open_stream(written.path)
        assert again.schema.names == stream.schema.names
        assert_same(many(), open_stream(written.path, **written.options))


def test_a_csv_file_follows_the_csv_standard(tmp_path):
    x = np.array([[1.5, 0], [np.nan, 1], [2, np.nan]])
    stream = from_arrays(
        x, np.array(["no", "yes", None], object), names=["load", "zone, city"],
        nominal={1: ["b", 'a"']}, target="rain", time=np.array(["2025-01-01"] * 3, "M8[us]"),
    )  # fmt: skip
    text = write_stream(stream, tmp_path / "s.csv").path.read_text()
    assert list(csv.reader(io.StringIO(text))) == [
        ["time", "load", "zone, city", "rain"],
        ["2025-01-01 00:00:00.000000", "1.5", "b", "no"],
        ["2025-01-01 00:00:00.000000", "", 'a"', "yes"],
        ["2025-01-01 00:00:00.000000", "2", "", ""],
    ]


def test_river_reads_a_plain_csv_file(tmp_path):
    stream = streams.Agrawal(items=50)
    path = write_stream(stream, tmp_path / "s.csv", plain=True).path
    items = read_items(stream, None, 99, 0)
    numeric = {f.name: float for f in stream.schema.features if not f.nominal}
    rows = list(river.iter_csv(path, target="class", converters=numeric))
    assert len(rows) == 50
    for (x, y), cells, code in zip(rows, items.x.tolist(), items.label, strict=True):
        named = zip(stream.schema.features, cells, strict=True)
        assert x == {f.name: f.values[int(c)] if f.nominal else c for f, c in named}
        assert y == stream.schema.classes[code]


def test_scipy_reads_an_arff_file(tmp_path):
    x = np.array([[1.5, 0], [np.nan, 1], [2e300, 1]])
    stream = from_arrays(
        x, np.array(["no", "yes", "no"]), names=["load", "zone"], nominal={1: ["b", "a"]}
    )
    data, meta = arff.loadarff(write_stream(stream, tmp_path / "s.arff").path)
    assert meta.names() == ["load", "zone", "label"]
    assert meta["zone"] == ("nominal", ("b", "a"))
    np.testing.assert_array_equal(data["load"], x[:, 0])
    assert data["zone"].tolist() == [b"b", b"a", b"a"]
    assert data["label"].tolist() == [b"no", b"yes", b"no"]


def test_pyarrow_reads_a_parquet_file(tmp_path):
    stream = from_arrays(
        np.array([[1.5, 1], [np.nan, np.nan]]), np.array([True, False]), nominal={1: ["b", "a"]},
        label_time=np.array([5, np.nan]),
    )  # fmt: skip
    table = pq.read_table(write_stream(stream, tmp_path / "s.parquet").path)
    assert table.to_pydict() == {
        "label_time": [5, None], "x0": [1.5, None], "x1": ["a", None], "label": [True, False],
    }  # fmt: skip
    assert table.schema.field("x1").type == pa.dictionary(pa.int32(), pa.string())


@pytest.mark.parametrize("ending", STORES_OPTIONS)
def test_user_options_override_stored_options(tmp_path, ending):
    stream = from_arrays(
        np.array([[0, 1.0], [1, 2.0], [0, 3.0]]), np.array([5, 6, 5]), nominal={0: [7, 8]},
        time=np.array([1, 2, 2]), drifts=(Drift(1, 1, 1),),
    )  # fmt: skip
    path = write_stream(stream, tmp_path / f"s{ending}").path
    assert described(open_stream(path, target="label").schema) == described(stream.schema)
    numeric = open_stream(path, types={"x0": "numeric"})
    assert numeric.schema.features[0] == Feature("x0")
    assert next(numeric.batches()).x[:, 0].tolist() == [7, 8, 7]
    assert open_stream(path, task="regression").schema.classes is None
    assert open_stream(path, classes=(6, 5)).schema.classes == (6, 5)
    other = open_stream(path, target="x0")
    assert other.schema.names == ("x1", "label")
    assert [str(value) for value in other.schema.classes] == ["7", "8"]
    assert open_stream(path, task="classification").schema.classes == (5, 6)
    assert open_stream(path, types={"label": "numeric"}).schema.classes is None
    assert open_stream(path, drop="label", task="regression").schema.target == "x1"
    dropped = open_stream(path, drop=["time", "x1"])
    assert dropped.schema.names == ("x0",)
    assert next(dropped.batches()).time is None
    assert open_stream(path, drifts=(Drift(2, 2, 2),)).schema.drifts == (Drift(2, 2, 2),)


@pytest.mark.parametrize("ending", STORES_OPTIONS)
def test_dropping_times_drops_label_times(tmp_path, ending):
    stream = many(time=stamps(), label_time=late(stamps()))
    path = write_stream(stream, tmp_path / f"s{ending}").path
    assert_same(many(), open_stream(path, drop=["time"]))


def test_stored_options_are_ignored_after_columns_change(tmp_path):
    path = write_stream(nominal([3, 1, 2]), tmp_path / "s.parquet").path
    table = pq.read_table(path).rename_columns(["x9", "label"])
    pq.write_table(table, path)
    assert open_stream(path, target="label").schema.classes == (1, 3)


def test_invalid_stored_options_are_refused(tmp_path):
    path = tmp_path / "s.arff"
    for options in ("{", "[]", '{"target": 3}', '{"target": "y", "drifts": [7]}', '{"colour": 1}'):
        path.write_text(
            f"% streamgauge.options {options}\n@relation r\n@attribute y {{a,b}}\n@data\n"
        )
        with pytest.raises(DataError, match="must be as written by write_stream, got others"):
            open_stream(path)


class Given:
    """A stream with a given schema and batch."""

    name = "given"
    length = 1

    def __init__(self, schema, batch=None):
        self.schema, self.batch = schema, batch

    def batches(self, size=8192, seed=0):
        return iter(() if self.batch is None else (self.batch,))


def of(values):
    return Given(Schema((Feature("a", values),)))


BAD = {
    "no format": (many, "s.xlsx", "path must end in one of .csv, .arff, .parquet"),
    "packed columns": (many, "s.parquet.gz", "got 's.parquet.gz'"),
    "a folder": (many, "s.csv", "path must be a file, got the folder"),
    "no stream": (lambda: [1], "s.arff", "stream must be a stream, got 'list'"),
    "endless": (streams.SEA, "s.arff", "must end, got an endless stream; pass items="),
    "one name twice": (
        lambda: many(names=["a", "label"]),
        "s.arff",
        "column names must differ to be written, got 'label' twice; rename one",
    ),
    "no name": (
        lambda: many(names=["", "b"]),
        "t.csv",
        "columns must have names to be written as CSV, got an empty one",
    ),
    "mixed values": (
        lambda: of((1, "b")),
        "s.arff",
        "values of 'a' must be all text, all booleans",
    ),
    "one value twice": (
        lambda: of(("b", "b")),
        "s.arff",
        "and differ, to be written, got 'b', 'b'",
    ),
    "equal numbers": (lambda: of((1, 1.0)), "s.arff", "must be all text"),
    "an infinite cell": (
        lambda: Given(Schema((Feature("a"),)), Batch(0, np.array([[np.inf]]), np.zeros(1))),
        "s.arff",
        "given: item 0, column 'a' must be finite, got inf",
    ),
    "an infinite target": (
        lambda: Given(Schema((Feature("a"),)), Batch(4, np.zeros((1, 1)), np.array([-np.inf]))),
        "s.arff",
        "given: item 4, target 'label' must be finite, got -inf",
    ),
    "the year 10000": (
        lambda: many(1, time=np.array(["10000-01-01"], "M8[us]")),
        "t.csv",
        "time must be from year 0 to 9999 to be written as CSV",
    ),
    "updates": (
        lambda: streams.update(streams.delay(many(), 9), [1], [4], [[7.0, 8.0]]),
        "s.arff",
        "got an update of item 1; write the stream without updates, or pass plain=True",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_an_unwritable_stream_raises_an_error_and_leaves_no_file(tmp_path, case):
    make, name, words = BAD[case]
    (tmp_path / "s.csv").mkdir()
    with pytest.raises((DataError, ParameterError)) as caught:
        write_stream(make(), tmp_path / name)
    assert words in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]


def test_plain_files_omit_updates(tmp_path):
    stream = streams.update(streams.delay(many(), 9), [1], [4], [[7.0, 8.0]])
    written = write_stream(stream, tmp_path / "s.arff", plain=True)
    assert_same(many(), open_stream(written.path))


def test_a_failed_write_keeps_the_existing_file(tmp_path):
    path = tmp_path / "s.csv"
    write_stream(many(), path)
    before = path.read_bytes()

    class Vanishing(Given):
        def batches(self, size=8192, seed=0):
            yield Batch(0, np.zeros((1, 1)), np.zeros(1))
            raise MissingDataError("source.csv: no such file")

    with pytest.raises(MissingDataError, match=r"^source.csv: no such file"):
        write_stream(Vanishing(Schema((Feature("a"),))), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["s.csv"]
    with pytest.raises(DiskError, match="cannot be written"):
        write_stream(many(), tmp_path / "gone" / "s.csv")


def test_progress_is_reported_and_the_seed_is_passed_to_the_stream(tmp_path):
    calls = []
    write_stream(
        streams.SEA(items=20_000), tmp_path / "s.arrow", progress=lambda *a: calls.append(a)
    )
    assert calls[-1] == (20_000, 20_000)
    assert len(calls) > 1
    written = write_stream(streams.SEA(items=9), tmp_path / "s.arrow", seed=5)
    assert same_items(
        read_items(open_stream(written.path), None, 99, 0),
        read_items(streams.SEA(items=9), None, 99, 5),
    )


def test_a_gz_file_is_compressed(tmp_path):
    path = write_stream(many(), tmp_path / "s.csv.gz").path
    assert gzip.decompress(path.read_bytes()).startswith(b"x0,x1,label\n")


def test_writing_does_not_load_pandas(tmp_path):
    code = (
        "import sys\nfrom streamgauge.streams import Agrawal, write_stream\n"
        "for ending in ('csv', 'arff', 'parquet', 'arrow'):\n"
        "    write_stream(Agrawal(items=10), f'{sys.argv[1]}/s.{ending}')\n"
        "print('pandas' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
