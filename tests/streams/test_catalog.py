"""Every catalog entry compared with the manifest and with the file itself."""

from __future__ import annotations

import json
import shutil
import tomllib
from datetime import UTC, datetime

import numpy as np
import pyarrow.parquet as pq
import pytest

from conftest import DATA
from streamgauge import streams
from streamgauge.errors import DataError, MissingDataError, ParameterError
from streamgauge.lazy import members
from streamgauge.names import make
from streamgauge.streams.catalog._verify import measured_properties, mismatches, verified_file
from streamgauge.streams.catalog.benchmark import Benchmark
from streamgauge.testing import check_stream
from streamgauge.types import NEVER, Drift, Feature

ENTRIES = {
    kind.entry.file: kind
    for kind in (getattr(streams, name) for name in members("streamgauge.streams"))
    if isinstance(kind, type) and issubclass(kind, Benchmark) and kind.entry.sha256
}
"""The data sets whose files are known; of others only published facts are stated."""

FILE = DATA / "MANIFEST.toml"
MANIFEST = (
    {row["file"]: row for row in tomllib.loads(FILE.read_text())["dataset"].values()}
    if FILE.is_file()
    else {}
)

pytestmark = pytest.mark.data


def test_the_catalog_has_every_data_set_of_the_manifest():
    assert MANIFEST.keys() == ENTRIES.keys()
    assert len(ENTRIES) == 28


@pytest.mark.parametrize("file", sorted(ENTRIES))
def test_measured_properties_are_those_of_the_manifest(file):
    expected, kind = MANIFEST[file], ENTRIES[file]
    stream = kind()
    found = measured_properties(stream)
    assert stream.schema.task == expected["task"]
    assert stream.schema.target == expected["target"]
    assert stream.length == found["rows"] == expected["rows"]
    assert found["features"] == expected["features"]
    assert len(expected["nominal_columns"]) == expected["features_nominal"]
    nominal = [f.name for f in stream.schema.features if f.nominal]
    assert nominal == [*expected["nominal_columns"], *kind.entry.indicators]
    assert not set(stream.schema.names) & set(expected["non_feature_columns"])
    assert found["missing cells"] == expected["missing_cells"]
    drifts = tuple(Drift(at, at, at, "abrupt") for at in expected["drift_positions"])
    assert stream.schema.drifts == drifts
    if expected["task"] == "classification":
        assert list(stream.schema.classes) == expected["classes"]
        assert list(found["class counts"]) == expected["class_counts"]
        assert found["P(M)"] == pytest.approx(expected["p_majority"], abs=5e-7)
        assert found["P(T)"] == pytest.approx(expected["p_same_label"], abs=5e-7)
        assert found["missing labels"] == expected["unlabelled_rows"]
    else:
        assert found["span"] == (expected["target_min"], expected["target_max"])
        assert found["mean"] == pytest.approx(expected["target_mean"], abs=5e-7)
        assert found["missing labels"] == expected["target_missing"]


@pytest.mark.parametrize("file", sorted(ENTRIES))
def test_entries_agree_with_the_manifest(file):
    expected, entry = MANIFEST[file], ENTRIES[file].entry
    assert entry.sha256 == expected["sha256"]
    assert entry.drop == tuple(expected["non_feature_columns"])
    assert entry.nominal == tuple(expected["nominal_columns"])
    assert entry.time == expected.get("time_column")
    sources = [(s.get("repo"), s["path"], s.get("commit")) for s in expected["source"]]
    ours = [(s.repository if s.commit else None, s.path, s.commit or None) for s in entry.sources]
    assert ours == sources
    assert entry.licence
    assert not mismatches(entry, ENTRIES[file]())


@pytest.mark.parametrize("file", ["electricity.parquet", "ozone_onehr.parquet", "mushroom.parquet"])
def test_values_equal_those_read_by_pyarrow(file):
    stream = ENTRIES[file]()
    table = pq.read_table(DATA / file)
    items = list(stream.batches())
    x = np.concatenate([batch.x for batch in items])
    for column, feature in enumerate(stream.schema.features):
        cells = table[feature.name].to_pylist()
        if feature.values is None:
            want = np.array([np.nan if cell is None else cell for cell in cells])
        else:
            want = [np.nan if cell is None else feature.values.index(cell) for cell in cells]
        np.testing.assert_array_equal(x[:, column], want)


def test_class_fractions_are_those_of_the_papers():
    elec = measured_properties(streams.Electricity())
    assert round(elec["P(M)"], 4) == 0.5755
    assert round(elec["P(T)"], 4) == 0.8533
    assert round(measured_properties(streams.Covtype())["P(T)"], 4) == 0.9506


INDICATORS = ["Wilderness_Area*", "Soil_Type*"]


def kinds(stream):
    return [feature.nominal for feature in stream.schema.features]


def test_the_indicators_of_covtype_are_nominal_by_default_and_numeric_on_request():
    stream = streams.Covtype()
    assert kinds(stream) == [False] * 10 + [True] * MANIFEST["covtype.parquet"]["features_binary"]
    assert {f.values for f in stream.schema.features[10:]} == {(0, 1)}
    numeric = streams.Covtype(numeric=INDICATORS)
    assert numeric.schema.names == stream.schema.names
    assert kinds(numeric) == [False] * 54
    assert (
        kinds(streams.Covtype(numeric="Soil_Type?"))
        == [False] * 10 + [True] * 4 + [False] * 9 + [True] * 31
    )
    one, other = next(stream.batches()), next(numeric.batches())
    np.testing.assert_array_equal(one.x, other.x)
    np.testing.assert_array_equal(one.label, other.label)


def test_columns_can_be_selected_and_their_types_overridden():
    whole = streams.Electricity()
    names = whole.schema.names
    x = next(whole.batches()).x
    for options, kept in (
        ({"drop": ["*price"]}, [n for n in names if not n.endswith("price")]),
        ({"drop": "day"}, [n for n in names if n != "day"]),
        ({"features": ["vic*", "day"]}, [n for n in names if n.startswith("vic") or n == "day"]),
        ({"features": ["*price", "day"], "drop": "vic*"}, ["day", "nswprice"]),
    ):
        stream = streams.Electricity(**options)
        assert list(stream.schema.names) == kept
        columns = [names.index(name) for name in kept]
        np.testing.assert_array_equal(next(stream.batches()).x, x[:, columns])
    days = [f for f in streams.Electricity(numeric=["day"]).schema.features if f.name == "day"]
    assert days == [Feature("day")]
    assert next(streams.Electricity(numeric=["day"]).batches()).x[0, names.index("day")] == 2.0
    period = streams.Electricity(nominal=["period"]).schema.features[names.index("period")]
    assert len(period.values) == 48


def test_other_columns_are_selected_only_by_their_full_name():
    assert "casual" not in streams.Bikes().schema.names
    assert streams.Bikes(features=["casual", "temp"]).schema.names == ("temp", "casual")
    assert streams.Bikes(features=["*"]).schema.names == streams.Bikes().schema.names


def test_columns_can_be_selected_in_a_stream_name():
    stream = make("stream", "covtype(numeric=['Soil*', 'Wild*'], drop='Slope')")
    assert kinds(stream) == [False] * 53


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"drop": "dya"}, "electricity: drop must be one of its columns, got 'dya'; did you mean"),
        ({"features": ["x*"]}, "electricity: features must be one of its columns, got 'x*'"),
        ({"numeric": "class"}, "electricity: numeric must be one of its columns, got 'class'"),
        (
            {"numeric": "day", "nominal": "d*"},
            "electricity: a column must be nominal or numeric, got 'day' as both",
        ),
    ],
)
def test_wrong_columns_raise_an_error(options, words):
    with pytest.raises((DataError, ParameterError)) as caught:
        streams.Electricity(**options)
    assert words in str(caught.value)


def test_text_values_cannot_be_read_as_numeric():
    with pytest.raises(DataError, match=r"'Airline' must be a number, got 'CO'"):
        next(streams.Airlines(numeric="Airline").batches())


def test_small_benchmarks_pass_check_stream():
    for kind in (streams.Electricity, streams.Mushroom, streams.WineQuality, streams.Keystroke):
        check_stream(kind(), sizes=(1000,))


def day(ticks):
    return datetime.fromtimestamp(ticks / 1e6, UTC).date().isoformat()


def test_delayed_labels_are_later_than_their_items():
    for kind, delays, first_day in (
        (streams.ElectricityDelayed, (1410, 2940), "1996-05-07"),
        (streams.AirlinesDelayed, (19, 1537), "2007-12-31"),
        (streams.NycFlights, (18, 1962), "2013-01-01"),
    ):
        stream = kind()
        assert stream.schema.clock == "us"
        batches = list(stream.batches())
        time = np.concatenate([batch.time for batch in batches])
        due = np.concatenate([batch.label_time for batch in batches])
        assert (np.diff(time) >= 0).all()
        known = due != NEVER
        minutes = (due[known] - time[known]) // 60_000_000
        assert (minutes.min(), minutes.max()) == delays
        assert day(time[0]) == first_day
        assert (~known).sum() == kind.entry.unlabelled


def test_the_clock_can_be_chosen():
    assert streams.Electricity().schema.clock == "item"
    with pytest.raises(DataError, match=r"time must not decrease.*item 17,424; pass clock='sort'"):
        list(streams.Electricity(clock="strict").batches())
    timed = streams.Electricity(clock="allow")
    assert timed.schema.clock == "us"
    assert day(next(timed.batches()).time[0]) == "1996-05-07"
    item = streams.NycFlights(clock="item")
    first = next(item.batches())
    assert first.time is None


def test_a_missing_file_error_names_source_and_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("STREAMGAUGE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError) as caught:
        streams.Electricity()
    message = str(caught.value)
    assert f"electricity.parquet must be in {tmp_path}" in message
    assert "w4k2/benchmark_streams" in message
    assert "real/elecNormNew.arff" in message
    assert "streamgauge data prepare electricity FILE" in message


def test_the_default_folder_is_in_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(MissingDataError, match="streamgauge/data"):
        streams.Electricity()
    assert streams.Keystroke(folder=DATA).length == 1600


def test_a_file_with_other_content_is_refused(tmp_path):
    table = pq.read_table(DATA / "keystroke.parquet")
    pq.write_table(table, tmp_path / "keystroke.parquet", compression="gzip")
    assert streams.Keystroke(folder=tmp_path).length == 1600
    pq.write_table(table.slice(1), tmp_path / "keystroke.parquet")
    with pytest.raises(DataError, match=r"rows must be 1600, got 1599"):
        streams.Keystroke(folder=tmp_path)


def test_a_file_is_verified_once_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "keystroke.parquet"
    shutil.copy(DATA / "keystroke.parquet", path)
    path.chmod(0o444)
    streams.Keystroke(folder=tmp_path)
    assert list(json.loads(verified_file().read_text())) == [str(path)]

    def hashed(*_):
        raise AssertionError("hashed again")

    with monkeypatch.context() as patch:
        patch.setattr("streamgauge.streams.catalog._verify.sha256", hashed)
        streams.Keystroke(folder=tmp_path)
    path.chmod(0o644)
    path.touch()
    streams.Keystroke(folder=tmp_path)
    verified_file().write_text("not json")
    assert streams.Keystroke(folder=tmp_path).length == 1600


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    blocked = tmp_path / "cache"
    blocked.write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert streams.Keystroke().length == 1600


@pytest.mark.parametrize("name", sorted(members("streamgauge.streams.catalog")))
def test_the_class_counts_of_an_entry_are_all_its_labelled_items(name):
    entry = getattr(streams.catalog, name).entry
    assert len(entry.counts) == len(entry.classes or ())
    if entry.classes:
        assert sum(entry.counts) == entry.rows - entry.unlabelled
