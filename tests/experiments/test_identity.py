"""What a cell depends on: files in the text of a stream, and the versions of code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.experiments import Spec, _fingerprints, cells, read_spec, run_experiment
from streamgauge.experiments import _experiment as experiment
from streamgauge.experiments import _versions as versions
from streamgauge.experiments._run_experiment import read_experiment

ROWS = "a,b,y\n1,2,u\n2,3,v\n3,4,u\n4,5,v\n"
TEXTS = [
    "csv('data/s.csv', target='y')",
    "take(csv('data/s.csv'), 3)",
    "csv(path='data/s.csv', target='y')",
    "open_stream('data/s.csv')",
    "concatenate(csv('data/s.csv'), take(csv('data/s.csv'), 2))",
]


def written(folder: Path, streams: list[str], learners: str = '["nb"]') -> Path:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "s.csv").write_text(ROWS)
    path = folder / "e.toml"
    path.write_text(f"streams = {streams!r}\nlearners = {learners}\n")
    return path


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_in_the_text_of_a_stream_is_part_of_the_cell(tmp_path, monkeypatch, text):
    path = written(tmp_path, [text])
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")  # paths are relative to the experiment file
    (log,) = run_experiment(read_spec(path), tmp_path / "out")
    assert log.label_count() > 0
    before = [cell.id for cell in cells(read_spec(path))]
    (tmp_path / "data" / "s.csv").write_text(ROWS + "9,9,u\n")
    assert [cell.id for cell in cells(read_spec(path))] != before
    run_experiment(read_spec(path), tmp_path / "out")
    assert len([*(tmp_path / "out" / "cells").iterdir()]) == 2  # the old one is not used
    (tmp_path / "data" / "s.csv").unlink()
    assert len(read_experiment(tmp_path / "out")[1]) == 1  # its data is not needed


def test_a_spec_from_python_has_fingerprints_too(tmp_path, monkeypatch):
    written(tmp_path, [TEXTS[0]])
    monkeypatch.chdir(tmp_path)
    spec = Spec(streams=[TEXTS[0], {"file": "data/s.csv"}], learners=["nb"])
    before = [cell.id for cell in cells(spec)]
    Path("data/s.csv").write_text(ROWS + "9,9,u\n")
    after = [cell.id for cell in cells(spec)]
    assert not set(before) & set(after)


def change(monkeypatch, package: str) -> None:
    """Let a package have another version."""
    if package == "streamgauge":
        monkeypatch.setattr(experiment, "VERSION", "99.0")
    else:
        monkeypatch.setattr(versions, "version", lambda name: "99.0")


@pytest.mark.parametrize("package", ["streamgauge", "river"])
def test_a_cell_of_another_version_is_run_again(tmp_path, monkeypatch, capsys, package):
    learners = '["nb", "river:tree.HoeffdingTreeClassifier()"]'
    path = written(tmp_path, ["sea(items=30)"], learners)
    run_experiment(read_spec(path), tmp_path / "e-run")
    folders = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "e-run" / "cells").iterdir()}
    main(["run", str(path), "-q"])
    assert "run again" not in capsys.readouterr().err
    change(monkeypatch, package)
    main(["run", str(path), "-q"])
    note = capsys.readouterr().err
    assert f"note: {package} " in note
    assert "-> 99.0: cells of another version are run again" in note
    after = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "e-run" / "cells").iterdir()}
    assert {name: after[name] for name in folders} == folders  # nothing is lost
    assert len(set(after) - set(folders)) == (2 if package == "streamgauge" else 1)
    assert len(read_experiment(tmp_path / "e-run")[1]) == 2
    main(["run", str(path), "-q"])
    assert "run again" not in capsys.readouterr().err


def test_versions_are_found_without_importing(tmp_path, monkeypatch):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "__init__.py").write_text("1 / 0\n")
    (tmp_path / "inside" / "own.py").write_text("class Model: pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = versions.versions_of(
        "learner", "resetting(inside.own:Model(), sklearn:linear_model.Lasso())"
    )
    assert set(found) == {"inside.own", "scikit-learn"}
    (tmp_path / "inside" / "own.py").write_text("class Model: a = 1\n")
    assert versions.versions_of("learner", "inside.own:Model")["inside.own"] != found["inside.own"]
    assert versions.versions_of("learner", "nowhere.at_all:Model") == {"nowhere.at_all": ""}


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file that counts as large, unchanged for a day; the hashes that were computed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(_fingerprints, "KEPT_FROM", 10)
    monkeypatch.setattr(_fingerprints, "SETTLED", 0.0)
    hashed: list[Path] = []
    inner = _fingerprints.fingerprint

    def counted(path: Path) -> str:
        hashed.append(path)
        return inner(path)

    monkeypatch.setattr(_fingerprints, "fingerprint", counted)
    path = tmp_path / "large.csv"
    path.write_text(ROWS)
    os.utime(path, ns=(10**18, 10**18))
    return path, hashed


def test_the_fingerprint_of_a_large_file_is_kept(large):
    path, hashed = large
    first = _fingerprints.file_fingerprint(path)
    assert _fingerprints.file_fingerprint(path) == first
    assert len(hashed) == 1


@pytest.mark.parametrize("how", ["content", "replaced", "recent", "damaged"])
def test_a_kept_fingerprint_is_never_wrong(large, how, monkeypatch):
    path, hashed = large
    if how == "recent":  # a file that changed just now may change again in the same tick
        monkeypatch.setattr(_fingerprints, "SETTLED", 10.0)
    first = _fingerprints.file_fingerprint(path)
    if how == "damaged":
        _fingerprints._file().write_text('{"a": 1}')
    elif how == "replaced":  # another inode with the same size and time
        path.with_name("new").write_text(ROWS.replace("1", "7"))
        path.with_name("new").replace(path)
        os.utime(path, ns=(10**18, 10**18))
    elif how == "content":  # in place; size and time of modification are the same
        with path.open("r+") as file:
            file.write(ROWS.replace("1", "7"))
        os.utime(path, ns=(10**18, 10**18))
    again = _fingerprints.file_fingerprint(path)
    assert len(hashed) == 2
    assert (again == first) == (how in ("recent", "damaged"))


PLAIN = {"streams": ["sea(items=3)"], "learners": ["nb"]}
BROKEN = {
    "not JSON": (b"{", "must be as the run wrote it, got another checksum"),
    "not UTF-8": b'{"streams": ["\xff"]}',
    "empty": b"",
    "a list": b"[1]",
    "a number for a list": sealed({"streams": 3, "learners": ["nb"]}).encode(),
    "a list of numbers": sealed({"streams": [3], "learners": ["nb"]}).encode(),
    "missing keys": (sealed({"title": "x"}).encode(), "streams: must be given"),
    "not an object": sealed({"streams": ["sea(items=3)"]}).encode()[1:],
    "an unknown key": sealed({**PLAIN, "colour": "red"}).encode(),
    "wrong versions": sealed({**PLAIN, "made_with": [1]}).encode(),
    "deeply nested": b'{"streams": ' + b"[" * 100_000,
    "a long key": sealed({**PLAIN, "k" * 9999: 1}).encode(),
    "a folder": None,
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("command", ["report", "compare", "rank", "bins", "plan", "run"])
def test_a_broken_experiment_is_one_sentence(tmp_path, capsys, case, command):
    content = BROKEN[case]
    words = ""
    if isinstance(content, tuple):
        content, words = content
    if content is None:
        (tmp_path / "experiment.json").mkdir()
    else:
        (tmp_path / "experiment.json").write_bytes(content)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SystemExit) as left:
        main([command, str(tmp_path)])
    error = capsys.readouterr().err
    assert left.value.code == 2, error
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert "experiment.json" in error
    assert len(error) < 1000
    assert words in error
    assert sorted(tmp_path.iterdir()) == before


def test_a_damaged_experiment_is_written_again_and_cells_of_another_one_stay(tmp_path):
    path = written(tmp_path, ["sea(items=30)"])
    (tmp_path / "out" / "cells" / "another").mkdir(parents=True)
    (tmp_path / "out" / "experiment.json").write_text("{")
    (log,) = run_experiment(read_spec(path), tmp_path / "out")
    assert log.label_count() == 30
    assert (tmp_path / "out" / "cells" / "another").is_dir()
