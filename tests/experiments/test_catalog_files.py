"""Data sets of the catalog in an experiment: their files follow the rules of other files."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.errors import ParameterError
from streamgauge.experiments import cells, read_spec, run_experiment
from streamgauge.names import files_of
from streamgauge.streams.catalog.electricity import Electricity

FILE = "electricity.parquet"


def write(path: Path, monkeypatch, first: float = 0.0) -> None:
    """A small file in place of the data set; the entry is that of the file."""
    path.parent.mkdir(exist_ok=True)
    table = pa.table({"a": [first, 1.0, 2.0, 3.0], "class": ["UP", "DOWN", "UP", "DOWN"]})
    pq.write_table(table, path)
    entry = replace(
        Electricity.entry,
        sha256=sha256(path.read_bytes()).hexdigest(),
        rows=4,
        features=1,
        drop=(),
        time=None,
    )
    monkeypatch.setattr(Electricity, "entry", entry)


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """The data folder; the working folder is another one than that of the spec."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STREAMGAUGE_DATA", str(tmp_path / "data"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    write(tmp_path / "data" / FILE, monkeypatch)
    return tmp_path / "data"


TEXTS = [
    "electricity",
    "electricity()",
    "elec2(clock='item')",
    "take(electricity, 3)",
    "electricity(folder=None)",
    "electricity(folder='data')",
    "electricity('item', 'data')",
    "take(elec2(folder='data'), 3)",
]


def spec_of(folder: Path, text: str) -> Path:
    path = folder / "e.toml"
    path.write_text(f'streams = ["{text}"]\nlearners = ["nb"]\n')
    return path


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        main([*words])
        code = 0
    except SystemExit as left:
        code = int(left.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def run_folder(data: Path, text: str) -> Path:
    folder = data.parent / "e-run"
    run_experiment(read_spec(spec_of(data.parent, text)), folder)
    return folder


@pytest.mark.parametrize("text", TEXTS)
def test_the_file_of_a_data_set_is_part_of_the_cell(data, monkeypatch, text):
    path = spec_of(data.parent, text)
    (log,) = run_experiment(read_spec(path), data.parent / "e-run")
    assert log.label_count() > 0
    before = [cell.id for cell in cells(read_spec(path))]
    write(data / FILE, monkeypatch, first=9.0)
    assert [cell.id for cell in cells(read_spec(path))] != before
    run_experiment(read_spec(path), data.parent / "e-run")
    assert len([*(data.parent / "e-run" / "cells").iterdir()]) == 2  # the old one is not used


def test_the_id_of_a_cell_does_not_depend_on_the_data_folder(data, monkeypatch):
    path = spec_of(data.parent, "electricity")
    before = [cell.id for cell in cells(read_spec(path))]
    data.rename(data.parent / "moved")
    monkeypatch.setenv("STREAMGAUGE_DATA", str(data.parent / "moved"))
    assert [cell.id for cell in cells(read_spec(path))] == before


@pytest.mark.parametrize("text", TEXTS)
def test_plan_does_not_open_the_data_sets_of_a_run_folder(data, capsys, monkeypatch, text):
    folder = run_folder(data, text)
    monkeypatch.setattr(Electricity, "__post_init__", lambda self: pytest.fail("opened"))
    code, out, error = call(capsys, "plan", str(folder))
    assert code == 0, error
    assert "experiment: 1 cell\n" in out
    assert "items" not in out


@pytest.mark.parametrize("text", ["electricity", "electricity(folder='data')"])
def test_a_run_folder_reads_only_the_file_of_the_experiment(data, capsys, monkeypatch, text):
    folder = run_folder(data, text)
    assert call(capsys, "run", str(folder), "--out", "again", "-q")[0] == 0
    write(data / FILE, monkeypatch, first=9.0)
    code, _, error = call(capsys, "run", str(folder), "--out", "third", "-q")
    assert code == 2
    assert "electricity.parquet must be the file of the experiment in " in error
    assert ("set STREAMGAUGE_DATA" if text == "electricity" else "with --data") in error
    assert not Path("third").exists()


@pytest.mark.parametrize("absolute", [True, False])
def test_a_run_folder_cannot_choose_another_folder(data, capsys, monkeypatch, absolute):
    folder = run_folder(data, "electricity")
    content = json.loads((folder / "experiment.json").read_text())
    del content["checksum"]
    where = str(data) if absolute else "data"
    chosen = f"electricity(folder='{where}')"
    (folder / "experiment.json").write_text(sealed({**content, "streams": [chosen]}))
    code, _, error = call(capsys, "run", str(folder), "--out", "again", "-q")
    assert code == 2
    assert f"{where}/{FILE} must be the file of the experiment in " in error


def test_a_missing_file_is_the_sentence_of_the_data_set(data, capsys):
    folder = run_folder(data, "electricity")
    (data / FILE).unlink()
    for source in (folder, folder.with_name("e.toml")):
        code, _, error = call(capsys, "run", str(source), "--out", "again", "-q")
        assert code == 2
        assert f"electricity: {FILE} must be in {data}, got no such file; download " in error


def test_files_in_quoted_texts_are_found_too():
    assert list(files_of("""take("csv('s.csv')", 3)""", Path())) == ["s.csv"]
    assert list(files_of("take('elec2', 3)", Path())) == [f"catalog:{FILE}"]


def test_one_name_for_two_files_is_refused():
    with pytest.raises(ParameterError, match="must name each file once"):
        files_of(f"mix(electricity, csv('catalog:{FILE}'))", Path())
