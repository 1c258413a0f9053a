"""Times out of range, invalid weights and labels of other types are refused with the item."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.errors import DataError, ParameterError
from streamgauge.streams import Csv, from_arrays, from_events, open_stream, outliers, perturb
from streamgauge.types import NEVER, Batch, Feature, Schema

X, Y = np.zeros((3, 1)), np.array(["a", "b", "a"])
FAR = r"must be between -2\*\*62 and 2\*\*62 ticks, got"

COLUMNS = {
    "hours": ([1, 2, 2**60], {"time_unit": "h"}),
    "negative hours": ([1, 2, -(2**60)], {"time_unit": "h"}),
    "never": ([1, 2, NEVER], {}),
    "below": ([1, 2, -(2**63)], {}),
    "2^62": ([1, 2, 2**62], {}),
    "uint64": (pa.array([1, 2, 2**64 - 1], pa.uint64()), {}),
    "floats": ([1.0, 2.0, 1e300], {}),
    "seconds": (pa.array([1, 2, 2**60], pa.timestamp("s")), {}),
    "milliseconds": (pa.array([1, 2, -(2**62)], pa.timestamp("ms")), {}),
    "days": (pa.array([1, 2, 2**31 - 1], pa.date32()), {}),
}


@pytest.mark.parametrize("what", COLUMNS)
@pytest.mark.parametrize("role", ["time", "label_time"])
def test_a_time_out_of_range_in_a_table_is_refused(what, role):
    column, options = COLUMNS[what]
    made = pa.table({"t": column, "x": X[:, 0], "y": Y})
    if role == "label_time":
        made = made.append_column("first", made["t"].combine_chunks().slice(0, 1).take([0, 0, 0]))
        options = {**options, "time": "first", "label_time": "t"}
    else:
        options = {**options, "time": "t"}
    with pytest.raises(DataError, match=f"table: item 2, {role} {FAR}"):
        list(open_stream(made, target="y", clock="allow", **options).batches())


TEXTS = {
    "hours": (2**60, {"time_unit": "h"}),
    "negative days": (-(2**60), {"time_unit": "day"}),
    "never": (NEVER, {}),
    "beyond": (2**63, {}),
    "float": ("1e300", {}),
}


@pytest.mark.parametrize("what", TEXTS)
@pytest.mark.parametrize("role", ["time", "label_time"])
def test_a_time_out_of_range_in_a_text_is_refused(what, role, tmp_path):
    cell, options = TEXTS[what]
    path = tmp_path / "t.csv"
    path.write_text(f"t,l,y\n1,1,a\n2,2,b\n{cell if role == 'time' else 3},{cell},a\n")
    with pytest.raises(DataError, match=f"line 4, time .* {FAR}"):
        list(Csv(path, target="y", time="t", label_time="l", clock="allow", **options).batches())


ARRAYS = {
    "never": np.array([1, 2, NEVER]),
    "uint64": np.array([1, 2, 2**64 - 1], np.uint64),
    "floats": np.array([1, 2, -1e300]),
    "seconds": np.array([1, 2, 2**60], "M8[s]"),
    "days": np.array([1, 2, 2**60], "M8[D]"),
    "years": np.array([1, 2, 2**60], "M8[Y]"),
    "microseconds": np.array([1, 2, 2**62], "M8[us]"),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_a_time_out_of_range_in_an_array_is_refused(what):
    with pytest.raises(DataError, match=f"arrays: item 2, time {FAR}"):
        list(from_arrays(X, Y, time=ARRAYS[what]).batches())
    if what != "never":  # the label time of a label that never arrives
        first = np.zeros(3, ARRAYS[what].dtype)
        with pytest.raises(DataError, match=f"arrays: item 2, label_time {FAR}"):
            list(from_arrays(X, Y, time=first, label_time=ARRAYS[what]).batches())


class Own:
    """A stream of the user's own."""

    name, length, schema = "own", 3, Schema((Feature("x"),), classes=("a", "b"))

    def __init__(self, **columns):
        self.columns = columns

    def batches(self, size=8192, seed=0):
        yield Batch(0, X, np.array([0, 1, 0], np.int32), **self.columns)


def test_a_time_out_of_range_in_a_stream_of_ones_own_is_refused():
    with pytest.raises(DataError, match=f"own: item 2, time {FAR}"):
        sg.run(Own(time=np.array([0, 1, 2**62])), "nb")
    with pytest.raises(DataError, match=f"own: item 0, label_time {FAR}"):
        sg.run(Own(time=np.arange(3), label_time=np.array([NEVER - 1, 2, 3])), "nb")


def test_a_delay_beyond_the_range_of_times_is_refused():
    stream = from_arrays(X, Y, time=2**62 - 4 + np.arange(3))
    with pytest.raises(DataError, match=f"item 0, label_time {FAR}"):
        sg.run(sg.streams.delay(stream, 2**50), "nb", "delayed")


WEIGHTS = [-1.0, np.nan, np.inf, -np.inf, 1e101, 1e300]


@pytest.mark.parametrize("weight", WEIGHTS)
def test_an_invalid_weight_is_refused_with_its_item(weight, tmp_path):
    weights = np.array([1.0, weight, 1.0])
    path = tmp_path / "t.csv"
    path.write_text("w,x,y\n" + "".join(f"{w},0,{y}\n" for w, y in zip(weights, Y, strict=True)))
    made = pa.table({"w": weights, "x": X[:, 0], "y": Y})
    for read in (
        lambda: Csv(path, weight="w"),
        lambda: open_stream(made, weight="w"),
        lambda: from_arrays(X, Y, weight=weights),
    ):
        with pytest.raises(DataError, match=r"item 1, weight must be|(line 3|item 1), column 'w'"):
            list(read().batches())
    with pytest.raises(DataError, match=r"own: item 1, weight must be from 0 to 1e\+100, got"):
        sg.run(Own(weight=weights), "nb")


@pytest.mark.parametrize("weight", [["1", "b", "c"], [1, 2j, 3], [b"1", b"2", b"3"], [1, {}, 3]])
def test_weights_that_are_no_numbers_are_refused(weight):
    with pytest.raises(ParameterError, match="weight must be numbers"):
        from_arrays(X, Y, weight=np.array(weight))


def test_the_largest_weights_give_finite_measures():
    stream = from_arrays(np.arange(9.0)[:, None], np.arange(9) % 2, weight=np.full(9, 1e100))
    for learner in ("nb", "hoeffding_tree", "logistic_regression", "knn"):
        log = sg.run(stream, learner, scores=True)
        for measure in ("accuracy", "kappa", "brier"):
            assert np.isfinite(sg.measure(log, measure, weighted=True).final)


MISSING = [None, np.nan, pd.NA, pd.NaT, np.float64("nan")]


@pytest.mark.parametrize("gap", MISSING, ids=str)
@pytest.mark.parametrize("value", ["a", 1, True, 2**53 + 1])
def test_missing_labels_of_every_library_are_missing(gap, value):
    y = np.array([value, gap, value, gap], object)
    stream = from_arrays(np.zeros((4, 1)), y, task="classification")
    assert stream.schema.classes == (value,)
    assert [batch.label.tolist() for batch in stream.batches()] == [[0, -1, 0, -1]]


def test_missing_labels_of_a_series_are_missing():
    series = pd.Series([2**53 + 1, pd.NA, 2**53], dtype="Int64")
    assert from_arrays(X, series).schema.classes == (2**53, 2**53 + 1)
    assert from_arrays(X, pd.Series(["a", pd.NA, "b"], dtype="string")).schema.classes == ("a", "b")
    events = from_events([1, 2, 1], X, np.array([pd.NA, pd.NA, "b"], object))
    assert events.length == 2


OTHERS = {
    "dates": [dt.date(2024, 1, 1), dt.date(2024, 1, 2)],
    "times": [dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2)],
    "bytes": [b"a", b"b"],
    "complex": [1j, 2j],
    "lists": [[1], [2, 3]],
    "dicts": [{}, {}],
}


@pytest.mark.parametrize("what", OTHERS)
def test_labels_of_other_types_are_refused(what):
    y = np.empty(4, object)
    y[:] = OTHERS[what] * 2
    advice = "decode them" if what == "bytes" else "convert them to text or numbers"
    words = f"item 0, target 'label' must be text, a number or a boolean, got .*; {advice}$"
    with pytest.raises(DataError, match=words):
        from_arrays(np.zeros((4, 1)), y)
    with pytest.raises(DataError):
        open_stream(pd.DataFrame({"x": np.zeros(4), "y": y}), target="y")
    with pytest.raises(ParameterError, match="classes must be texts, numbers or booleans"):
        from_arrays(X, Y, classes=OTHERS[what])


@pytest.mark.parametrize("kind", ["S1", "M8[D]", "m8[s]", "c16", "V4"])
def test_arrays_of_other_types_are_refused_as_labels(kind):
    with pytest.raises(ParameterError, match="y must be text, numbers or booleans"):
        from_arrays(X, np.zeros(3, kind))


def test_duplicate_columns_of_a_table_are_refused():
    frame = pd.DataFrame(np.zeros((4, 3)), columns=["a", "a", "y"])
    with pytest.raises(
        DataError, match=r"must be a table that pandas can export.*Duplicate column"
    ):
        open_stream(frame, target="y")


def test_a_header_that_is_not_utf8_is_refused(tmp_path):
    text = "größe,p\n1,1\n".encode("latin-1")
    for name, words in (("t.csv", "line 1, column 1 must be UTF-8"), ("t.arff", "must be UTF-8")):
        (tmp_path / name).write_bytes(text if name == "t.csv" else b"@relation " + text)
        with pytest.raises(DataError, match=words):
            open_stream(tmp_path / name)
    with pytest.raises(DataError, match=r"t\.csv: must be UTF-8, got a header"):
        sg.read_predictions(tmp_path / "t.csv", "y", "p")


def test_a_decimal_time_keeps_its_last_digits():
    times = pa.array([Decimal("1." + "0" * 24 + "1"), Decimal(2)], pa.decimal128(38, 25))
    table = pa.table({"t": times, "a": [1, 2], "y": ["u", "v"]})
    with pytest.raises(DataError, match=r"item 0, time must be a whole number .*0001; round it"):
        list(open_stream(table, target="y", time="t").batches())


@pytest.mark.parametrize("task", [None, "regression"])
@pytest.mark.parametrize(
    "y",
    [
        np.array([1.5, np.inf, 2.5], object),
        np.array([1, 10**400, 2], object),
        np.array([1.5, -(10**400), 2], object),
        np.array([1, np.longdouble("1e4000"), 2.5]),
    ],
    ids=["object", "huge", "huge below 0", "long double"],
)
def test_a_target_beyond_floats_is_refused(y, task):
    if task is None and y[1] == 10**400:
        task = "regression"  # whole numbers alone are classes
    with pytest.raises(DataError, match="item 1, target 'label' must be finite"):
        from_arrays(np.zeros((3, 1)), y, task=task)


def test_decimals_beside_a_large_number_are_a_real_target():
    y = np.array([1.5, 1e17, 2.5] * 20)
    for labels in (y, y.astype(object)):
        assert from_arrays(np.zeros((60, 1)), labels).schema.task == "regression"


def test_booleans_beside_numbers_are_refused_in_an_array():
    for cells in (["a", True, 1], [True, 0, 1], [1.0, 2, False]):
        with pytest.raises(DataError, match="must hold booleans or numbers, got both"):
            from_arrays(np.zeros((3, 1)), np.array(cells, object))


def test_a_class_beside_a_fraction_must_be_exact(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"a,y\n1,1.5\n2,{2**60}\n3,{2**60 + 1}\n")
    with pytest.raises(DataError, match=r"class 'y' must be below 2\*\*53 where values are floats"):
        Csv(path, target="y", task="classification")
    labels = np.array([1.5, 2**60, 1.5], object)
    with pytest.raises(DataError, match="class 'label' must be below"):
        from_arrays(np.zeros((3, 1)), labels, task="classification")


@pytest.mark.parametrize("relative", [False, True])
def test_noise_and_outliers_keep_finite_values_finite(relative):
    x = np.array([[1.7e308], [-1.7e308], [1.0], [np.nan]] * 20)
    stream = from_arrays(x, np.tile([0, 1], 40))
    noisy = perturb(stream, scale=1e308, relative=relative)
    small = from_arrays(np.arange(80.0)[:, None], np.tile([0, 1], 40))
    far = outliers(small, share=1.0, size=1e308)
    for one in (noisy, far):
        (batch,) = one.batches()
        assert not np.isinf(batch.x).any()
    assert np.isnan(next(iter(noisy.batches())).x[3::4]).all()
