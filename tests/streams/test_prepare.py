"""Raw files, written in the format of their sources, are converted back to the catalog's files."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from conftest import DATA
from oracles import tables
from streamgauge import streams
from streamgauge.errors import DataError, MissingDataError, ParameterError, UnknownNameError
from streamgauge.lazy import members
from streamgauge.streams.catalog.prepare import prepare
from streamgauge.streams.catalog.raw_formats import RAW_FORMATS
from streamgauge.testing._check_stream import read_items, same_items

pytestmark = pytest.mark.data

KINDS = {
    module.rpartition(".")[2]: getattr(streams, name)
    for name, module in members("streamgauge.streams").items()
    if ".catalog." in module
}
ARFF = ("electricity", "bank32nh", "house8l", "weather", "power_supply")
LONG = ("covtype", "kdd99")


def plain(column):
    """Convert nominal cells to text; return other columns unchanged."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    return column


def values_of(column):
    """Return the values of a nominal column, None for a numeric one."""
    nominal = pa.types.is_dictionary(column.type)
    return column.chunk(0).dictionary.to_pylist() if nominal else None


def raw_files(name, folder):
    """Write the raw files of a benchmark from its prepared file."""
    entry, raw_format = KINDS[name].entry, RAW_FORMATS[name]
    table = pq.read_table(DATA / entry.file)
    columns = {n: plain(table[n]) for n in table.column_names}
    if name in ("electricity", "bikes"):
        columns.pop(entry.time)
    if name == "kdd99":
        columns["class"] = pc.binary_join_element_wise(columns["class"], ".", "")
    if "Date" in columns:
        days = columns["Date"].to_pylist()
        columns["Date"] = pa.array([f"{d.month}/{d.day}/{d.year}" for d in days])
    if "dteday" in columns:
        columns["dteday"] = pc.strftime(columns["dteday"], "%Y-%m-%d")
    if name in ARFF:
        header = [(n, values_of(table[n])) for n in columns]
        rows = zip(*(c.to_pylist() for c in columns.values()), strict=True)
        (folder / "raw.arff").write_text(tables.write_arff(header, rows))
        return [folder / "raw.arff"]
    order = [n for n in raw_format.names or columns if n in columns]
    frame = pa.table({n: columns[n] for n in order})
    paths, parts = [folder / "raw.data"], [frame]
    if name == "wine_quality":
        red = pc.equal(frame["color"], "red")
        parts = [frame.filter(red), frame.filter(pc.invert(red))]
        parts = [part.drop_columns(["color"]) for part in parts]
        paths = [folder / "red.csv", folder / "white.csv"]
    for path, part in zip(paths, parts, strict=True):
        options = pyarrow.csv.WriteOptions(
            include_header=not raw_format.names or name == "mushroom",
            delimiter=raw_format.separator or ",",
            quoting_style="none",
        )
        pyarrow.csv.write_csv(part, path, options)
        text = path.read_text()
        if name not in LONG and frame[frame.column_names[-1]].null_count == 0:
            text = text.replace(",,", ",?,").replace(",,", ",?,")
        path.write_text(text)
    return paths


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.slow) if n in LONG else n
        for n in sorted(RAW_FORMATS)
        if KINDS[n].entry.sha256
    ],
)
def test_a_raw_file_is_converted_to_the_catalog_file(tmp_path, name):
    target = prepare(name, *raw_files(name, tmp_path), folder=tmp_path / "data")
    kind = KINDS[name]
    assert target == tmp_path / "data" / kind.entry.file
    ours, theirs = kind(folder=tmp_path / "data"), kind()
    assert ours.schema == theirs.schema
    assert same_items(read_items(ours, None, 8192, 0), read_items(theirs, None, 8192, 0))
    if kind.entry.time is not None and name != "electricity":
        timed = [kind(folder=f, clock="allow") for f in (tmp_path / "data", None)]
        assert same_items(*(read_items(stream, None, 8192, 0) for stream in timed))


def test_a_wrong_raw_file_is_refused_and_nothing_is_written(tmp_path):
    [path] = raw_files("letter", tmp_path)
    path.write_text(path.read_text().partition("\n")[2])
    with pytest.raises(DataError, match=r"the raw file of letter, got another \(rows must be"):
        prepare("letter", path, folder=tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []


def test_wrong_arguments_raise_an_error(tmp_path):
    with pytest.raises(UnknownNameError, match="no benchmark is called 'leter'; did you mean"):
        prepare("leter", tmp_path)
    with pytest.raises(ParameterError, match=r"files must be 2 \(RED WHITE\), got 1"):
        prepare("wine_quality", tmp_path)
    with pytest.raises(DataError, match=r"airlines.parquet itself is needed; put it into"):
        prepare("airlines", tmp_path)
    with pytest.raises(MissingDataError, match="no such file"):
        prepare("letter", tmp_path / "letter.data")
    (tmp_path / "short.data").write_text("A,1,2\n")
    with pytest.raises(DataError, match="must have 17 columns, got 3"):
        prepare("letter", tmp_path / "short.data")


def test_a_missing_file_error_names_sources_and_command(tmp_path):
    for name, kind in KINDS.items():
        with pytest.raises(MissingDataError) as caught:
            kind(folder=tmp_path)
        message = str(caught.value)
        assert kind.entry.file in message
        assert all(str(source) in message for source in kind.entry.sources)
        assert (f"data prepare {name}" in message) == (name in RAW_FORMATS)
