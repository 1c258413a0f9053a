"""Differences between two logs: every changed value is found, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles.different_rows import different_rows
from samples.examples import examples
from streamgauge.checksums import file_checksum, sealed
from streamgauge.log import _log_differences as differences
from streamgauge.log._log_differences import log_differences, version_differences

STREAMS = {
    "classes": ("delay(sea(items=40), 5)", "nb", "reevaluating(every=3, folds=2)", True),
    "reals": ("friedman(items=40)", "linear_regression", "prequential", False),
    "alarms": (
        "drift(sine(function=1), sine(function=2), at=150, items=300)",
        "resetting(nb, ddm)",
        "prequential",
        False,
    ),
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("logs")
    for name, (stream, learner, protocol, scores) in STREAMS.items():
        sg.run(stream, learner, protocol, scores=scores, folder=folder / name)
    return {name: folder / name for name in STREAMS}


def write_table(log: Path, name: str, table: pa.Table, groups: int = 1 << 20) -> None:
    """Put a table in the place of one of a log, and its checksum into the card."""
    path = log / f"{name}.parquet"
    pq.write_table(table, path, row_group_size=groups)
    card = json.loads((log / "log.json").read_text())
    del card["checksum"]
    size, sum_of = path.stat().st_size, file_checksum(path)
    card["tables"][name] |= {"rows": len(table), "bytes": size, "checksum": sum_of}
    (log / "log.json").write_text(sealed(card))


def test_a_log_is_equal_to_its_repetition(logs, tmp_path):
    for name, (stream, learner, protocol, scores) in STREAMS.items():
        sg.run(stream, learner, protocol, scores=scores, folder=tmp_path / name)
        assert log_differences(logs[name], tmp_path / name) == []
        assert version_differences(logs[name], tmp_path / name) == []
    assert "alarms.parquet" in {path.name for path in logs["alarms"].iterdir()}


def changed(table: pa.Table, row: int, column: str) -> pa.Table:
    """A table with another value in one place."""
    values = table.column(column).to_pylist()
    old = values[row]
    if isinstance(old, list):
        values[row] = [*old[:-1], old[-1] / 2 + 0.001]
    elif isinstance(old, str):
        values[row] = f"{old}."
    elif isinstance(old, float):
        values[row] = float(np.nextafter(old, 9.0))  # one bit
    else:
        values[row] = 1 - old if old in (0, 1) else 0 if old is None else old + 1
    at = table.schema.get_field_index(column)
    return table.set_column(at, table.schema.field(at), pa.array(values, table.schema.types[at]))


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_changes_are_found_as_a_comparison_of_every_value_finds_them(logs, tmp_path_factory, data):
    log = logs[data.draw(st.sampled_from(sorted(logs)))]
    copy = tmp_path_factory.mktemp("copy") / "log"
    shutil.copytree(log, copy)
    name = data.draw(st.sampled_from(sorted(path.stem for path in log.glob("*.parquet"))))
    table = pq.read_table(log / f"{name}.parquet")
    for _ in range(data.draw(st.integers(0, 3))):
        row = data.draw(st.integers(0, len(table) - 1))
        table = changed(table, row, data.draw(st.sampled_from(table.schema.names)))
    table = table.slice(0, len(table) - data.draw(st.sampled_from((0, 0, 1, 2))))
    write_table(copy, name, table, data.draw(st.sampled_from((1, 7, 1 << 20))))
    expected = different_rows(log / f"{name}.parquet", copy / f"{name}.parquet")
    found = log_differences(log, copy)
    assert [one.table for one in found] == ([name] if expected else [])
    if expected:
        (one,) = found
        assert one.rows == len(expected)
        row, column = expected[0]
        assert (one.row, one.column) == ((row, column) if column else (None, "the number of rows"))
        assert one.stored != one.again
    shutil.rmtree(copy.parent)


def test_bits_decide_except_among_nans():
    odd = -np.array([np.nan])
    a = pa.array([0.0, np.nan, 1.0, None, None, np.nan])
    b = pa.array([-0.0, odd[0], 1.0, None, np.nan, 1.0])
    assert differences._unequal(a, b).tolist() == [True, False, False, False, True, True]
    codes = pa.array([0, None, 1], pa.int32()), pa.array([None, None, 1], pa.int32())
    assert differences._unequal(*codes).tolist() == [True, False, False]


def test_a_class_is_shown_and_not_its_code(logs, tmp_path):
    shutil.copytree(logs["classes"], tmp_path / "log")
    table = pq.read_table(tmp_path / "log" / "labels.parquet")
    write_table(tmp_path / "log", "labels", changed(table, 3, "label"))
    (one,) = log_differences(logs["classes"], tmp_path / "log")
    assert {one.stored, one.again} == {"'groupA'", "'groupB'"}
    assert str(one).startswith("labels: row 3 (item 3), label is ")


def test_cards_are_compared_except_for_what_differs_from_run_to_run(logs, tmp_path):
    shutil.copytree(logs["classes"], tmp_path / "log")
    path = tmp_path / "log" / "log.json"
    card = json.loads(path.read_text())
    del card["checksum"]
    card["resources"] = {"seconds": 1e9}
    card["about"] |= {"numpy": "1.0"}
    path.write_text(sealed(card))
    assert log_differences(logs["classes"], tmp_path / "log") == []
    assert version_differences(logs["classes"], tmp_path / "log") == [
        f"made with numpy {np.__version__}, here 1.0"
    ]
    card["about"]["learner"] = "another"
    card["schema"]["classes"] = ["u", "v"]
    path.write_text(sealed(card))
    found = log_differences(logs["classes"], tmp_path / "log")
    assert [one.column for one in found] == ["schema.classes", "about.learner"]
    assert found[1].again == "'another'"
