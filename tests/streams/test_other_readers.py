"""The same files read by pandas, pyarrow and SciPy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.io import arff

from conftest import DATA
from oracles import tables
from samples.examples import examples
from streamgauge import streams
from streamgauge.streams import Arff, Csv
from streamgauge.testing._check_stream import read_items

FAST = settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
words = st.text("abcxyz_ é", min_size=1, max_size=6).map(str.strip).filter(bool)
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False, width=64)


def rows_of(draw_columns):
    return st.integers(1, 25).flatmap(
        lambda n: st.tuples(*(st.lists(c, min_size=n, max_size=n) for c in draw_columns))
    )


@FAST
@given(rows_of([numbers, words, st.integers(-(10**15), 10**15), st.sampled_from(["n", "p"])]))
def test_csv_files_are_read_as_pandas_and_pyarrow_read_them(tmp_path, columns):
    path = tmp_path / "t.csv"
    path.write_text(tables.write_csv(["a", "b", "c", "y"], zip(*columns, strict=True)))
    stream = Csv(path, target="y", nominal=["b"], task="classification")
    items = read_items(stream, None, 8192, 0)
    frame = pd.read_csv(
        path,
        float_precision="round_trip",
        dtype={"b": str},
        keep_default_na=False,
        na_values={"a": [""]},
    )
    arrow = pyarrow.csv.read_csv(
        path,
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={"a": pa.float64(), "b": pa.string(), "c": pa.float64()}
        ),
    )
    for other in (frame["a"].to_numpy(np.float64), arrow["a"].to_numpy(zero_copy_only=False)):
        np.testing.assert_array_equal(items.x[:, 0], other)
    values = np.array(stream.schema.features[1].values)
    numeric = np.issubdtype(values.dtype, np.number)
    for other in (frame["b"].tolist(), arrow["b"].to_pylist()):
        got = values[items.x[:, 1].astype(int)].tolist()
        assert got == ([float(v) for v in other] if numeric else other)
    np.testing.assert_array_equal(items.x[:, 2], frame["c"].to_numpy(np.float64))
    classes = stream.schema.classes
    assert [classes[code] for code in items.label] == frame["y"].tolist()


@FAST
@given(rows_of([numbers, st.sampled_from(["red", "blue", "it"]), st.sampled_from(["n", "p"])]))
def test_arff_files_are_read_as_scipy_reads_them(tmp_path, columns):
    path = tmp_path / "t.arff"
    header = (
        "@relation t\n@attribute a real\n@attribute b {red,blue,it}\n@attribute y {n,p}\n@data\n"
    )
    body = "".join(
        f"{'?' if a is None else repr(a)},{b},{y}\n" for a, b, y in zip(*columns, strict=True)
    )
    path.write_text(header + body)
    items = read_items(Arff(path), None, 8192, 0)
    data, meta = arff.loadarff(path)
    np.testing.assert_array_equal(items.x[:, 0], data["a"])
    assert [("red", "blue", "it").index(b.decode()) for b in data["b"]] == items.x[:, 1].tolist()
    assert [("n", "p").index(y.decode()) for y in data["y"]] == items.label.tolist()
    assert meta.names() == ["a", "b", "y"]


@pytest.mark.data
@pytest.mark.parametrize("kind", [streams.Electricity, streams.Covtype, streams.Spambase])
def test_benchmarks_are_read_as_pandas_reads_them(kind):
    frame = pd.read_parquet(DATA / kind.entry.file)
    stream = kind()
    x = np.concatenate([batch.x for batch in stream.batches()])
    label = np.concatenate([batch.label for batch in stream.batches()])
    for column, feature in enumerate(stream.schema.features):
        cells = frame[feature.name]
        other = cells.cat.codes if cells.dtype == "category" else cells
        np.testing.assert_array_equal(x[:, column], other.to_numpy(np.float64))
    np.testing.assert_array_equal(label, frame[kind.entry.target].cat.codes)
