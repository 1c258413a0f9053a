"""`run` and `plan` with a run folder: what it would import, and where its files are."""

from __future__ import annotations

import json
import shutil

import pytest

from streamgauge.checksums import sealed
from streamgauge.cli import main

MODULE = """
class Last:
    label = None
    def predict(self, x):
        return self.label
    def learn(self, x, y):
        self.label = y
"""


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        main([*words])
        code = 0
    except SystemExit as left:
        code = int(left.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """A run folder beside its data, with a learner from a module in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text("a,y\n1,u\n2,v\n3,u\n4,v\n")
    (tmp_path / "own_model.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "e.toml").write_text(
        "streams = [\"csv('s.csv', target='y')\", {file = 's.csv', target = 'y'}]\n"
        'learners = ["nb", "own_model:Last()"]\n'
    )
    assert call(capsys, "run", "e.toml", "-q")[0] == 0
    return tmp_path / "e-run"


def test_code_is_imported_only_if_it_is_allowed(folder, capsys):
    code, _, error = call(capsys, "run", "e-run", "-q")
    assert code == 2
    assert error == (
        "error: e-run/experiment.json: would import own_model:Last, which is code that the folder "
        "chooses; add --allow-import if you trust its origin\n"
    )
    before = sorted(folder.rglob("*.parquet"))
    shutil.rmtree(next((folder / "cells").iterdir()))
    code, _, error = call(capsys, "run", "e-run", "--allow-import", "-q")
    assert code == 0, error
    assert error.startswith("note: imports own_model:Last\n")
    assert sorted(folder.rglob("*.parquet")) == before  # it was resumed


def test_a_folder_of_own_names_needs_no_permission(folder, capsys, tmp_path):
    (tmp_path / "plain.toml").write_text('streams = ["sea(items=30)"]\nlearners = ["nb"]\n')
    assert call(capsys, "run", "plain.toml", "-q")[0] == 0
    assert call(capsys, "run", "plain-run", "--out", "again", "-q")[0] == 0
    names = [
        sorted(p.name for p in (tmp_path / f / "cells").iterdir()) for f in ("plain-run", "again")
    ]
    assert names[0] == names[1]


def test_files_are_beside_the_folder_or_where_the_user_names_them(folder, capsys, tmp_path):
    (tmp_path / "far").mkdir()
    shutil.move(folder, tmp_path / "far" / "e-run")
    code, _, error = call(capsys, "run", "far/e-run", "--allow-import", "-q")
    assert code == 2
    assert "s.csv must be the file of the experiment in " in error
    assert "give its folder with --data" in error
    assert call(capsys, "run", "far/e-run", "--allow-import", "--data", ".", "-q")[0] == 0
    (tmp_path / "s.csv").write_text("a,y\n1,u\n2,v\n3,u\n4,u\n")
    code, _, error = call(capsys, "run", "far/e-run", "--allow-import", "--data", ".", "-q")
    assert code == 2
    assert "got none or another content" in error


def test_a_file_without_a_fingerprint_is_refused(folder, capsys):
    path = folder / "experiment.json"
    content = json.loads(path.read_text())
    del content["checksum"]
    path.write_text(sealed({**content, "files": {}}))
    code, _, error = call(capsys, "run", "e-run", "--allow-import", "-q")
    assert code == 2
    assert "s.csv must be the file of the experiment" in error


def test_data_is_for_run_folders(folder, capsys):
    code, _, error = call(capsys, "run", "e.toml", "--data", ".")
    assert (code, "--data is for run folders" in error) == (2, True)


def test_plan_lists_what_would_be_imported(folder, capsys):
    for source in ("e-run", "e.toml"):
        code, out, error = call(capsys, "plan", source)
        assert code == 0, error
        assert "imports: own_model:Last\n" in out
        code, out, _ = call(capsys, "plan", source, "--json")
        assert json.loads(out)["imports"] == ["own_model:Last"]


def test_plan_imports_nothing_unless_it_is_allowed(folder, capsys, tmp_path):
    (tmp_path / "fails.py").write_text("raise RuntimeError('imported')\n")
    (tmp_path / "f.toml").write_text('streams = ["fails:Stream()"]\nlearners = ["nb"]\n')
    code, out, _ = call(capsys, "plan", "f.toml")
    assert (code, "imports: fails:Stream" in out) == (0, True)
    code, _, error = call(capsys, "plan", "f.toml", "--allow-import")
    assert (code, "RuntimeError: imported" in error) == (2, True)


def test_a_report_takes_the_measures_that_the_user_names(folder, capsys):
    path = folder / "experiment.json"
    content = json.loads(path.read_text())
    del content["checksum"]
    path.write_text(sealed({**content, "measures": ["own_model:Share()"]}))
    code, _, error = call(capsys, "report", "e-run")
    assert code == 2
    assert error == (
        "error: e-run/experiment.json: measures must be streamgauge's own in a folder that is "
        "read, got 'own_model:Share', which would import code; name the measures yourself\n"
    )
    code, out, error = call(capsys, "report", "e-run", "-m", "f1", "--json")
    assert code == 0, error
    assert '"f1"' in out
