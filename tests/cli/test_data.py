"""`streamgauge data`."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from conftest import DATA
from streamgauge.cli import main
from streamgauge.streams import Keystroke, Sea60k


def run(*args):
    try:
        main(list(args))
    except SystemExit as done:
        return done.code
    return 0


def test_the_catalog_is_listed(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("STREAMGAUGE_DATA", str(tmp_path))
    (tmp_path / Keystroke.entry.file).touch()
    assert run("data", "list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["folder"] == str(tmp_path)
    rows = {row["name"]: row for row in listed["files"]}
    assert len(rows) == 37
    assert rows["tueyeq"]["items"] is None
    assert rows["keystroke"]["present"]
    assert not rows["electricity"]["present"]
    assert rows["electricity"]["items"] == 45312
    assert rows["covtype"]["licence"] == "CC BY 4.0"
    assert run("data", "list") == 0
    out = capsys.readouterr().out
    assert f"data folder: {tmp_path}" in out
    assert "missing  electricity            45,312 items  Electricity (Elec2): whether" in out
    assert "missing  tueyeq                      ? items  TuEyeQ: whether" in out


@pytest.mark.data
def test_a_raw_file_is_prepared_and_a_wrong_one_refused(capsys, monkeypatch, tmp_path):
    raw, folder = tmp_path / "sea.csv", tmp_path / "data"
    raw.write_text("1.5,2.5,3.5,0\n")
    monkeypatch.setenv("STREAMGAUGE_DATA", str(folder))
    assert run("data", "prepare", "sea60k", str(raw)) == 2
    err = capsys.readouterr().err
    assert "must be the raw file of sea60k, got another (rows must be 60000, got 1;" in err
    columns = pq.read_table(DATA / Sea60k.entry.file).to_pydict().values()
    raw.write_text("".join(",".join(map(str, row)) + "\n" for row in zip(*columns, strict=True)))
    assert run("data", "prepare", "sea60k", str(raw)) == 0
    assert f"wrote {folder / Sea60k.entry.file}" in capsys.readouterr().err
    assert Sea60k().length == 60_000
