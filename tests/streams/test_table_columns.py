"""Special columns of tables: pandas indexes, booleans, decimal commas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.cli import main
from streamgauge.errors import DataError, ParameterError
from streamgauge.streams import from_arrays, open_stream
from streamgauge.types import Batch


def whole(stream):
    return Batch.concatenate(list(stream.batches()))


def frame():
    return pd.DataFrame({"a": [1.5, 2.5, 3.5], "y": ["no", "yes", "no"]})


DAYS = pd.date_range("2024-01-01", periods=3)

INDEXES = {
    "none": (None, ()),
    "unnamed": (pd.Index([7, 8, 9]), ("index",)),
    "named": (pd.Index([7.5, 8.5, 9.5], name="meter"), ("meter",)),
    "text": (pd.Index(["u", "v", "w"], name="street"), ("street",)),
    "several": (pd.MultiIndex.from_arrays([[1, 2, 3], [4, 5, 6]], names=["u", None]), None),
    "times": (DAYS, ("index",)),
    "named times": (DAYS.rename("when"), ("when",)),
    "filtered": (pd.RangeIndex(3)[[2, 0, 1]], ("index",)),
}


def given_as(table, folder):
    """Yield a pandas table, and the tables and files made from it."""
    yield table
    yield pa.Table.from_pandas(table)
    table.to_parquet(folder / "t.parquet")
    yield folder / "t.parquet"
    arrow = pa.Table.from_pandas(table)
    with pa.ipc.new_file(folder / "t.arrow", arrow.schema) as out:
        out.write_table(arrow)
    yield folder / "t.arrow"


@pytest.mark.parametrize("kind", INDEXES)
def test_an_index_is_not_a_feature(tmp_path, kind):
    index, names = INDEXES[kind]
    table = frame() if index is None else frame().set_index(index)
    for source in given_as(table, tmp_path):
        for options in ({"target": "y"}, {}):  # the index is not the last column either
            stream = open_stream(source, **options)
            assert stream.schema.names == ("a",)
            assert stream.schema.target == "y"
            assert whole(stream).x[:, 0].tolist() == [1.5, 2.5, 3.5]
            notes = [note for note in stream.schema.notes if note.startswith("index: ")]
            names = ("u", "level_1") if names is None else names
            assert len(notes) == len(names)
            for name, note in zip(names, notes, strict=True):
                way = (
                    f"time={name!r} uses it as time"
                    if "times" in kind
                    else "reset_index() makes it one"
                )
                assert note.startswith(f"index: {name!r} is not a feature; {way}")


@pytest.mark.parametrize(("kind", "name"), [("times", "index"), ("named times", "when")])
def test_an_index_of_times_can_be_the_time_column(tmp_path, kind, name):
    table = frame().set_index(INDEXES[kind][0])
    for source in given_as(table, tmp_path):
        stream = open_stream(source, target="y", time=name)
        assert stream.schema.clock == "us"
        assert whole(stream).time.tolist() == (DAYS.as_unit("us").asi8).tolist()
        assert stream.schema.names == ("a",)


def test_an_index_can_have_any_role_except_feature():
    table = frame().set_index(pd.Index([0.5, 1.0, 2.0], name="w"))
    assert whole(open_stream(table, target="y", weight="w")).weight.tolist() == [0.5, 1.0, 2.0]
    assert whole(open_stream(table.drop(columns="y"), target="w")).label.tolist() == [0.5, 1.0, 2.0]
    assert open_stream(table, target="y", drop=["w"]).schema.names == ("a",)
    for options in ({"nominal": ["w"]}, {"types": {"w": "numeric"}}):
        with pytest.raises(DataError, match=r"got 'w', which is the index; .* reset_index\(\)"):
            open_stream(table, target="y", **options)
    assert open_stream(table.reset_index(), target="y").schema.names == ("w", "a")


def test_a_column_called_index_is_a_column():
    table = frame().assign(index=[4.0, 5.0, 6.0]).set_index(DAYS)
    assert open_stream(table, target="y").schema.names == ("a", "index")
    assert open_stream(table, target="y", time="level_0").schema.clock == "us"


def test_an_unnamed_first_column_of_a_csv_is_noted(tmp_path):
    frame().to_csv(tmp_path / "t.csv")
    notes = open_stream(tmp_path / "t.csv", target="y").schema.notes
    assert "header: the first column has no name, it is called c0; is it an index?" in notes
    dropped = open_stream(tmp_path / "t.csv", target="y", drop=["c0"])
    assert not any("c0" in note for note in dropped.schema.notes)


def every_reader(cells, folder):
    """Yield a boolean column and a target, for every reader that has booleans."""
    table = pd.DataFrame({"b": pd.array(cells, "boolean"), "y": np.arange(len(cells)) / 2})
    yield "pandas", table
    yield "pandas objects", table.astype({"b": object})
    yield "polars", pl.DataFrame({"b": list(cells), "y": table.y.tolist()}, {"b": bool, "y": float})
    yield "pyarrow", pa.table({"b": pa.array(cells, pa.bool_()), "y": table.y.tolist()})
    table.to_parquet(folder / "t.parquet")
    yield "parquet", folder / "t.parquet"
    table.to_csv(folder / "t.csv", index=False)
    yield "csv", folder / "t.csv"
    if None not in cells:
        yield "numpy", (np.array(cells)[:, None], table.y.to_numpy())


@pytest.mark.parametrize("cells", [[True, False, True, True], [False, None, True], [True, True]])
def test_booleans_are_nominal_in_every_format(tmp_path, cells):
    for name, source in every_reader(cells, tmp_path):
        options = (
            {"task": "regression"} if name == "numpy" else {"task": "regression", "target": "y"}
        )
        stream = open_stream(source, **options)
        (feature,) = stream.schema.features
        assert feature.nominal, name
        values = [None if np.isnan(c) else feature.values[int(c)] for c in whole(stream).x[:, 0]]
        assert [None if v is None else str(v) for v in values] == [
            None if c is None else str(c) for c in cells
        ], name
        if name != "csv":
            assert feature.values == (False, True), name
            assert isinstance(feature.values[0], bool)


def test_booleans_are_numeric_if_declared_so():
    table = pa.table({"b": [True, None, False], "y": [0.5, 1.5, 2.5]})
    stream = open_stream(table, target="y", types={"b": "numeric"})
    assert not stream.schema.features[0].nominal
    np.testing.assert_array_equal(whole(stream).x[:, 0], [1.0, np.nan, 0.0])
    numbers = from_arrays(np.array([[True], [False]]).astype(float), np.array([0.5, 1.5]))
    assert not numbers.schema.features[0].nominal


def test_a_target_of_booleans_has_two_classes():
    for cells in ([True, False], [True, True]):
        table = pa.table({"a": [1.0, 2.0], "y": cells})
        stream = open_stream(table, target="y")
        assert stream.schema.classes == (False, True)
        assert whole(stream).label.tolist() == [int(cell) for cell in cells]


COMMAS = "a;b;y\n1,5;u;no\n-2,25;v;yes\n;u;no\n3;v;yes\n"


def test_decimal_commas_are_not_read_as_nominal_values(tmp_path):
    path = tmp_path / "t.csv"
    for text in (COMMAS, COMMAS.replace("3;v;yes\n", "")):
        path.write_text(text)
        with pytest.raises(DataError, match=r"line 2, column 'a' .* '1,5', .* decimal=','"):
            open_stream(path, target="y")
        assert open_stream(path, target="y", nominal=["a"]).schema.features[0].nominal
    path.write_text("a;y\n1;0,5\n2;1,5\n")
    with pytest.raises(DataError, match=r"column 'y' .* got '0,5', a number with a decimal comma"):
        open_stream(path, target="y")
    assert open_stream(path, target="y", task="classification").schema.classes == ("0,5", "1,5")
    path.write_text("a;y\nu,5;0\n2,5;1\n")
    assert open_stream(path, target="y").schema.features[0].values == ("2,5", "u,5")


def test_decimal_commas_in_a_table_raise_an_error():
    table = pa.table({"a": ["1,5", None, "2"], "y": [0, 1, 0]})
    with pytest.raises(
        DataError, match=r"item 0, column 'a' .* convert the column to numbers or pass nominal"
    ):
        open_stream(table, target="y")
    assert open_stream(table, target="y", nominal=["a"]).schema.features[0].values == ("1,5", "2")


def test_decimal_commas_are_read_as_numbers_on_request(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(COMMAS)
    stream = open_stream(path, target="y", decimal=",")
    np.testing.assert_array_equal(whole(stream).x[:, 0], [1.5, -2.25, np.nan, 3.0])
    assert stream.schema.features[1].values == ("u", "v")
    path.write_text('a,y\n"1,5",0\n"2,5",1\n')
    assert whole(open_stream(path, target="y", decimal=",")).x[:, 0].tolist() == [1.5, 2.5]
    path.write_text("1,5;0,5\n2,5;1,5\n")  # no header, and classes that are decimals
    stream = open_stream(path, decimal=",", task="classification")
    assert (stream.schema.classes, whole(stream).label.tolist()) == ((0.5, 1.5), [0, 1])
    path.write_text("a;y\n1.5;0\n")
    with pytest.raises(DataError, match=r"column 'a' must be a number, got '1.5'"):
        open_stream(path, target="y", decimal=",", types={"a": "numeric"})
    with pytest.raises(ParameterError, match=r"decimal must be one of '\.', ',', got ';'"):
        open_stream(path, target="y", decimal=";")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_every_float_is_read_back_with_a_comma(tmp_path_factory, cells):
    path = tmp_path_factory.mktemp("commas") / "t.csv"
    path.write_text("a;y\n" + "".join(f"{c!r};1\n".replace(".", ",") for c in cells))
    stream = open_stream(path, target="y", decimal=",", types={"a": "numeric"})
    assert whole(stream).x[:, 0].tolist() == cells


def code(*words):
    """Run a command and return its exit code."""
    try:
        main([str(word) for word in words])
    except SystemExit as done:
        return done.code or 0
    return 0


def test_the_decimal_mark_is_an_option_of_cli_and_toml(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("a;y\n" + "0,5;no\n2,5;yes\n" * 20)
    assert code("evaluate", path, "--target", "y", "--quiet") == 2
    error = capsys.readouterr().err
    assert "--decimal ," in error
    assert "--nominal a" in error
    assert "decimal='" not in error, "options only"
    assert code("evaluate", path, "--target", "y", "--decimal", ",", "--quiet") == 0
    spec = tmp_path / "e.toml"
    spec.write_text(
        'learners = ["naive_bayes"]\n[[streams]]\nfile = "t.csv"\ntarget = "y"\ndecimal = ","\n'
    )
    assert code("run", spec, "--out", tmp_path / "out", "--quiet") == 0


def test_times_finer_than_a_microsecond_are_refused():
    """Truncated, a label could arrive with its item, and be learned before the next one."""
    x, y = np.zeros((2, 1)), np.array(["u", "v"])
    time = np.datetime64("2020-01-01", "ns") + np.array([0, 500]).astype("timedelta64[ns]")
    with pytest.raises(DataError, match="item 1, time must be whole microseconds, got 2020"):
        list(from_arrays(x, y, time=time).batches())
    table = pa.table({"a": [0.0, 1.0], "t": pa.array(time), "y": y.tolist()})
    with pytest.raises(DataError, match="item 1, time must be whole microseconds, got 2020"):
        list(open_stream(table, target="y", time="t").batches())


def test_a_masked_array_is_refused():
    x = np.ma.masked_array(np.zeros((2, 1)), mask=[[True], [False]])
    with pytest.raises(ParameterError, match="x must be an array without a mask"):
        from_arrays(x, np.array([0, 1]))
