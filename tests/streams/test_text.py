"""CSV and ARFF readers against reference readers and Python's float."""

from __future__ import annotations

import gzip
import math
import struct

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracles import tables
from samples.examples import examples
from streamgauge.errors import DataError
from streamgauge.streams import Arff, Csv, open_stream
from streamgauge.testing import check_stream
from streamgauge.testing._check_stream import read_items, same_items

FAST = settings(
    max_examples=examples(120),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

floats = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        [0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1e23]
    ),
    st.integers(-(2**70), 2**70).map(float),
    st.decimals(allow_nan=False, allow_infinity=False, places=6).map(float),
)
nasty = st.text(
    st.one_of(
        st.sampled_from("\"'`,;\t\n\r%{}\\? \u00e9\u4e2d\U0001f600\u2028\x0b\x85a1.-"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\x00"),
    ),
    min_size=1,
    max_size=8,
)


def bits(value):
    return struct.pack("<d", value)


@st.composite
def written_numbers(draw):
    """Draw a number in a notation that Python's float accepts."""
    sign = draw(st.sampled_from(["", "-", "+"]))
    whole = draw(st.text("0123456789", max_size=25))
    fraction = draw(st.text("0123456789", max_size=25))
    point = "." if fraction or draw(st.booleans()) else ""
    if not whole and not fraction:
        whole = "0"
    exponent = draw(
        st.one_of(
            st.just(""),
            st.builds(
                lambda e, s, n: f"{e}{s}{n}",
                st.sampled_from("eE"),
                st.sampled_from(["", "+", "-"]),
                st.integers(0, 400).map(str),
            ),
        )
    )
    return sign + whole + point + fraction + exponent


@FAST
@given(st.lists(written_numbers(), min_size=1, max_size=20))
def test_numbers_equal_those_of_python_bit_by_bit(tmp_path, cells):
    cells = [cell for cell in cells if math.isfinite(float(cell))]
    path = tmp_path / "n.csv"
    path.write_text("x,y\n" + "".join(f"{cell},a\n" for cell in cells))
    read = [
        value for batch in Csv(path, types={"x": "numeric"}).batches() for value in batch.x[:, 0]
    ]
    assert list(map(bits, read)) == [bits(float(cell)) for cell in cells]


@st.composite
def named_tables(draw):
    """Draw names, columns of floats or text with missing cells, and a target of text."""
    n = draw(st.integers(0, 12))
    width = draw(st.integers(0, 4))
    names = draw(
        st.lists(
            nasty.filter(lambda t: t.strip(" \t") == t),
            min_size=width + 1,
            max_size=width + 1,
            unique=True,
        )
    )
    columns = []
    for _ in range(width):
        cells = floats if draw(st.booleans()) else nasty
        columns.append(draw(st.lists(st.none() | cells, min_size=n, max_size=n)))
    columns.append(draw(st.lists(st.none() | nasty, min_size=n, max_size=n)))
    return names, columns


def is_text(cells):
    return any(isinstance(cell, str) for cell in cells)


def expected(cells, values):
    """Return the expected cells of a column: floats, or codes of `values`."""
    if values is None:
        return [math.nan if cell is None else cell for cell in cells]
    known = {float(v) if isinstance(v, int | float) else v: i for i, v in enumerate(values)}
    numeric = all(isinstance(v, int | float) for v in values)
    return [
        math.nan if cell is None else float(known[float(cell) if numeric else cell])
        for cell in cells
    ]


@FAST
@given(
    named_tables(),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_a_csv_file_is_read_back(tmp_path, table, end, last_end, quote_all, bom, separator):
    names, columns = table
    path = tmp_path / "t.csv"
    text = tables.write_csv(
        names,
        zip(*columns, strict=True),
        end=end,
        last_end=last_end,
        quote_all=quote_all,
        bom=bom,
        separator=separator,
    )
    path.write_bytes(text.encode())
    nominal = [name for name, cells in zip(names, columns, strict=True) if is_text(cells)]
    stream = Csv(
        path,
        target=names[-1],
        nominal=nominal,
        separator=separator,
        header=True,
        task="classification",
    )
    assert stream.schema.names == tuple(names[:-1])
    assert stream.length == len(columns[-1])
    items = read_items(stream, None, 8192, 0)
    if items is None:
        assert not columns[-1]
        return
    for j, (feature, cells) in enumerate(zip(stream.schema.features, columns[:-1], strict=True)):
        assert feature.nominal == is_text(cells)
        want = expected(cells, feature.values)
        assert list(map(bits, items.x[:, j])) == list(map(bits, want)), feature.name
    codes = expected(columns[-1], stream.schema.classes)
    assert items.label.tolist() == [-1 if math.isnan(c) else int(c) for c in codes]


@FAST
@given(named_tables(), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_an_arff_file_is_read_back_dense_and_sparse_like_the_oracle(
    tmp_path, table, end, sparse, comments
):
    names, columns = table
    header = []
    for name, cells in zip(names, columns, strict=True):
        target = name == names[-1]
        values = sorted({c for c in cells if c is not None}) if is_text(cells) or target else None
        header.append((name, values))
    rows = list(zip(*columns, strict=True))
    if sparse and not all(header[i][1] != [] for i in range(len(header))):
        sparse = False  # a nominal column without values has no value for an omitted cell
    path = tmp_path / "t.arff"
    text = tables.write_arff(header, rows, end=end, sparse=sparse, comments=comments)
    path.write_bytes(text.encode())
    stream = Arff(path)
    assert stream.schema.target == names[-1]
    assert [(f.name, f.values) for f in stream.schema.features] == [
        (name, None if values is None else tuple(values)) for name, values in header[:-1]
    ]
    _, slow = tables.read_arff(tables.write_arff(header, rows, comments=comments))
    items = read_items(stream, None, 8192, 0)
    assert stream.length == len(rows)
    if items is None:
        assert not rows
        return
    for j in range(len(names) - 1):
        assert list(map(bits, items.x[:, j])) == list(map(bits, slow[j])), names[j]
    assert items.label.tolist() == [-1 if math.isnan(c) else int(c) for c in slow[-1]]


@pytest.mark.parametrize("cut", range(1, 60, 3))
def test_rows_may_be_split_between_chunks_anywhere(tmp_path, monkeypatch, cut):
    text = 'a,b,y\r\n1.25,"x\r\n""y""",no\r\n\r\n-3e-5,"?",yes\r\n"7",plain,no\r\n,"",'
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    whole = read_items(Csv(path), None, 8192, 0)
    monkeypatch.setattr("streamgauge.streams.text.PIECE", cut)
    monkeypatch.setattr("streamgauge.streams.csv.PIECE", cut)
    chunked = Csv(path, drifts=())
    assert same_items(read_items(chunked, None, 8192, 0), whole)
    assert chunked.schema.features[1].values == ("?", "plain", 'x\r\n"y"')
    assert whole.x[:, 0].tolist()[:3] == [1.25, -3e-5, 7.0]
    assert whole.label.tolist() == [0, 1, 0, -1]


def test_words_for_missing_cells_are_values_in_quotes(tmp_path):
    path = tmp_path / "t.csv"
    words = ["", "?", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL"]
    path.write_text(
        "n,c,y\n" + "".join(f"{w},{w},1\n" for w in words) + '2,"NA",0\n"?","?",1\n"",x,0\n'
    )
    stream = Csv(path, target="y", nominal=["c"])
    [batch] = stream.batches()
    assert np.isnan(batch.x[:9]).all()
    assert stream.schema.features[1].values == ("?", "NA", "x")
    assert batch.x[9:, 1].tolist() == [1.0, 0.0, 2.0]
    assert np.isnan(batch.x[10:, 0]).all()


def test_blanks_around_cells_are_removed_unless_quoted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a, b ,y\n 1 ,\tno , 0\n2 ," no" ,1\n')
    stream = Csv(path)
    assert stream.schema.names == ("a", "b")
    assert stream.schema.features[1].values == (" no", "no")


def test_a_blank_stands_for_any_run_of_blanks(tmp_path):
    path = tmp_path / "t.data"
    path.write_text("  1   2\t3 \n4 5   6\n")
    stream = Csv(path, separator=" ", task="regression")
    assert [batch.x.tolist() for batch in stream.batches()] == [[[1.0, 2.0], [4.0, 5.0]]]
    assert [batch.label.tolist() for batch in stream.batches()] == [[3.0, 6.0]]


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("kind", ["csv", "arff"])
def test_compressed_files_are_read(tmp_path, ending, kind):
    rows = [(float(i), "ab"[i % 2]) for i in range(5000)]
    if kind == "csv":
        raw = tables.write_csv(["x", "y"], rows).encode()
    else:
        raw = tables.write_arff([("x", None), ("y", ["a", "b"])], rows).encode()
    compressed = {
        "": lambda: raw,
        ".gz": lambda: gzip.compress(raw),
        ".zst": lambda: pa.compress(raw, codec="zstd", asbytes=True),
    }[ending]()
    if ending == ".zst":  # a frame as the zstd program writes it
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as out:
            out.write(raw)
        compressed = sink.getvalue().to_pybytes()
    path = tmp_path / f"t.{kind}{ending}"
    path.write_bytes(compressed)
    stream = open_stream(path, target="y")
    assert stream.name == "t"
    check_stream(stream, sizes=(999,))
    assert stream.length == 5000


def test_a_file_that_changed_is_scanned_again(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,0\n2,1\n")
    assert Csv(path).schema.classes == (0, 1)
    path.write_text("a,y\n1,0\n2,1\n3,2\n4,2\n5,2\n6,0\n")
    assert Csv(path).schema.classes == (0, 1, 2)


def test_declared_files_are_not_scanned(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,u,0\n2,v,1\n")

    def no_scan(*_):
        raise AssertionError("scanned")

    monkeypatch.setattr("streamgauge.streams.csv.scan_columns", no_scan)
    stream = Csv(path, target="y", types={"a": "numeric", "b": ["v", "u"]}, classes=[0, 1])
    [batch] = stream.batches()
    assert batch.x.tolist() == [[1.0, 1.0], [2.0, 0.0]]
    assert batch.label.tolist() == [0, 1]
    assert stream.length == 2


def test_weights_and_times_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "a,t,known,w,y\n"
        "1,2024-01-01,2024-01-02T12:00:00.5,2,0.5\n"
        "2,2024-01-01 06:30,,0.25,\n"
        "3,2024-01-01T08:00:00+02:00,2024-01-01 08:00Z,1,1.5\n"
    )
    stream = Csv(path, time="t", label_time="known", weight="w", target="y", clock="allow")
    assert stream.schema.clock == "us"
    assert stream.schema.task == "regression"
    [batch] = stream.batches()
    day = 86_400_000_000
    begin = 19723 * day
    assert batch.time.tolist() == [begin, begin + 65 * day // 240, begin + day // 4]
    assert batch.label_time.tolist() == [
        begin + day * 3 // 2 + 500_000,
        2**63 - 1,
        begin + day // 3,
    ]
    assert batch.weight.tolist() == [2.0, 0.25, 1.0]
    assert math.isnan(batch.label[1])


def test_whole_numbers_are_ticks_and_units_make_them_microseconds(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,t,y\n1,5,0\n2,7.0,1\n")
    plain = Csv(path, time="t")
    assert plain.schema.clock == "item"
    assert [batch.time.tolist() for batch in plain.batches()] == [[5, 7]]
    minutes = Csv(path, time="t", time_unit="min")
    assert minutes.schema.clock == "us"
    assert [batch.time.tolist() for batch in minutes.batches()] == [[300_000_000, 420_000_000]]


def test_decreasing_times_may_be_sorted_or_allowed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,t,y\n1,5,0\n2,3,1\n3,5,1\n4,3,0\n")
    sort = Csv(path, time="t", clock="sort")
    assert [batch.x[:, 0].tolist() for batch in sort.batches()] == [[2.0, 4.0, 1.0, 3.0]]
    check_stream(sort)
    allow = Csv(path, time="t", clock="allow")
    assert [batch.time.tolist() for batch in allow.batches()] == [[5, 3, 5, 3]]


def test_sparse_files_may_have_up_to_ten_thousand_columns(tmp_path):
    def sparse(width):
        path = tmp_path / f"{width}.arff"
        names = "".join(f"@attribute a{i} numeric\n" for i in range(width - 1))
        path.write_text(
            f"@relation r\n{names}@attribute y {{n,p}}\n@data\n{{0 1.5,{width - 1} p}}\n"
        )
        return Arff(path)

    [batch] = sparse(10_000).batches()
    assert batch.x.shape == (1, 9999)
    assert batch.x.sum() == 1.5
    with pytest.raises(ValueError, match=r"at most 10,000 columns, got 10,001"):
        list(sparse(10_001).batches())


def test_arff_headers_in_weka_notation_are_read(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text(
        "% comment\n@RELATION  weather-data \n\n"
        '@attribute\toutlook\t{sunny, \'very overcast\',"rai\\"ny"}\n'
        "@ATTRIBUTE 'wind speed' REAL\n"
        '@attribute "the %"  Integer  % not a comment sign inside quotes\n'.replace(
            "  % not a comment sign inside quotes", ""
        )
        + "@attribute when DATE 'yyyy-MM-dd HH:mm:ss'\n@attribute play{yes,no}\n@Data\n"
        "sunny, 1.5, 3, '2020-01-01 00:00:01', yes\n"
        "'very overcast',?,4,\"2020-01-01 00:00:02\",no\n"
        '"rai\\"ny" , 2e-1 , ? , \'2020-01-01 00:00:02\' , ?\n'
    )
    stream = Arff(path, time="when")
    assert stream.schema.names == ("outlook", "wind speed", "the %")
    assert stream.schema.features[0].values == ("sunny", "very overcast", 'rai"ny')
    assert stream.schema.classes == ("yes", "no")
    assert stream.schema.clock == "us"
    [batch] = stream.batches()
    assert batch.label.tolist() == [0, 1, -1]
    assert np.nan_to_num(batch.x, nan=-9).tolist() == [[0, 1.5, 3], [1, -9, 4], [2, 0.2, -9]]


def test_a_nominal_column_may_have_many_numbers(tmp_path):
    path = tmp_path / "t.csv"
    cells = [str(i % 700) if i % 3 else f"{i % 700}.0" for i in range(3000)]
    path.write_text(
        "a,y\n" + "".join(f"{cell},{i % 2}\n" for i, cell in enumerate(cells)) + "-0.0,1\n"
    )
    stream = Csv(path, target="y", nominal=["a"])
    assert stream.schema.features[0].values == tuple(range(700))
    codes = np.concatenate([batch.x[:, 0] for batch in stream.batches()])
    assert codes.tolist() == [*(i % 700 for i in range(3000)), 0]


SPARSE = (
    "@relation r\n@attribute a {b,c,d}\n@attribute y numeric\n@data\n{1 5}\n{0 c}\n{0 d, 1 7}\n"
)


@pytest.mark.parametrize(
    ("options", "classes", "labels", "cells"),
    [
        ({"task": "classification"}, (0, 5, 7), [1, 0, 2], [0, 1, 2]),
        ({"nominal": ["y"]}, (0, 5, 7), [1, 0, 2], [0, 1, 2]),
        ({"classes": [5, 0, 7]}, (5, 0, 7), [0, 1, 2], [0, 1, 2]),
        ({"task": "regression"}, None, [5.0, 0.0, 7.0], [0, 1, 2]),
        ({"task": "regression", "types": {"a": ["d", "c", "b"]}}, None, [5.0, 0.0, 7.0], [2, 1, 0]),
    ],
)
def test_a_sparse_row_leaves_out_the_zero_of_the_header_in_any_order_of_the_values(
    tmp_path, options, classes, labels, cells
):
    path = tmp_path / "t.arff"
    path.write_text(SPARSE)
    stream = open_stream(path, target="y", **options)
    [batch] = stream.batches()
    assert stream.schema.classes == classes
    assert batch.label.tolist() == labels
    assert batch.x[:, 0].tolist() == cells


def test_what_a_sparse_row_leaves_out_must_be_a_class(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text(SPARSE)
    with pytest.raises(DataError, match=r"line 6, class 'y' must be one of 5, 7, got '0'"):
        list(open_stream(path, target="y", classes=[5, 7]).batches())


def test_a_nominal_attribute_without_values_is_missing_in_a_sparse_row(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text("@relation r\n@attribute a numeric\n@attribute y {}\n@data\n{0 1}\n")
    [batch] = open_stream(path, target="y").batches()
    assert batch.label.tolist() == [-1]
