"""Cells of other versions: run again by default, kept and named if that is what one says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._core import VERSION
from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.experiments import Spec, cells, diff, prune, read_events, run_experiment
from streamgauge.experiments import _experiment as experiment
from streamgauge.experiments import _versions as versions
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._kept_cells import kept_note
from streamgauge.experiments._run_experiment import missing_cells, read_experiment, unused_cells

SPEC = Spec(
    streams=["sea(items=60)", "sine(items=60)"],
    learners=["nb", "river:tree.HoeffdingTreeClassifier()"],
)


def started(folder) -> int:
    """The number of cells that the last run has run."""
    events = list(read_events(folder))
    last = max(n for n, event in enumerate(events) if event["event"] == "run")
    return sum(event["event"] == "start" for event in events[last:])


@pytest.fixture
def old(tmp_path, monkeypatch) -> Path:
    """A run of another version of streamgauge; river has another version now, too."""
    run_experiment(SPEC, tmp_path / "run")
    monkeypatch.setattr(experiment, "VERSION", "99.0")
    monkeypatch.setattr(versions, "version", lambda name: "88.0")
    return tmp_path / "run"


def test_kept_cells_stand_for_those_of_this_version_until_a_run_without(old):
    before = {p.name for p in (old / "cells").iterdir()}
    logs = run_experiment(SPEC, old, keep_versions=True)
    assert started(old) == 0
    assert len(logs) == 4
    assert {p.name for p in (old / "cells").iterdir()} == before
    stored = read_stored(old)
    assert stored.streamgauge == "99.0"
    assert {cell.id for cell in cells(stored)} == before
    assert all(cell.kept for cell in cells(stored))
    assert len(read_experiment(old)[1]) == 4
    assert missing_cells(stored, old) == ""
    assert unused_cells(stored, old) == []
    assert prune(old) == []
    assert kept_note(stored).startswith("4 of 4 cells of other versions were kept: ")
    assert f"2 made with streamgauge {VERSION}," in kept_note(stored)
    assert f"2 made with streamgauge {VERSION} and river " in kept_note(stored)
    run_experiment(SPEC, old)
    assert started(old) == 4
    assert kept_note(read_stored(old)) == ""
    assert len(prune(old)) == 4


def test_only_what_is_missing_is_kept_and_only_what_has_no_cell_is_run(old):
    run_experiment(SPEC.model_copy(update={"streams": ["sea(items=60)"]}), old)
    more = SPEC.model_copy(update={"learners": [*SPEC.learners, "perceptron"]})
    run_experiment(more, old, keep_versions=True)
    assert started(old) == 2  # the new learner on both streams
    assert [cell.kept for cell in cells(read_stored(old))] == [False] * 3 + [True] * 2 + [False]
    run_experiment(more, old, keep_versions=True)
    assert started(old) == 0


def test_verify_names_kept_cells_and_does_not_run_them_again(old, capsys):
    run_experiment(SPEC, old, keep_versions=True)
    found = sg.verify(old)
    assert {one.verdict for one in found} == {"whole"}
    assert len(found) == 4
    assert found[0].name == f"nb on sea(items=60) (kept: streamgauge {VERSION})"
    again = sg.verify(old, rerun=True, allow_import=True)
    assert {one.outcome for one in again} == {"unverified"}
    assert again[0].why == (f"made with streamgauge {VERSION}, here 99.0",)


def test_kept_cells_are_equal_to_themselves_and_differ_from_new_ones_by_version(old, tmp_path):
    shutil.copytree(old, tmp_path / "before")
    run_experiment(SPEC, old, keep_versions=True)
    assert diff(tmp_path / "before", old).equal
    run_experiment(SPEC, tmp_path / "new")
    reasons = diff(old, tmp_path / "new").cells[1].why
    assert reasons[0] == f"streamgauge: {VERSION} and 99.0"
    assert reasons[1].startswith("river: ")


def test_the_commands_say_so(old, tmp_path, capsys):
    path = tmp_path / "e.toml"
    path.write_text(f"streams = {SPEC.streams!r}\nlearners = {SPEC.learners!r}\n")
    main(["run", str(path), "--out", str(old), "--keep-versions"])
    shown = capsys.readouterr()
    assert "are run again" not in shown.err
    assert "4 of 4 cells of other versions were kept" in " ".join(shown.out.split())
    assert "4 of 4 cells of other versions were kept" in (old / "report.html").read_text()
    main(["report", str(old), "--json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert findings[0]["rule"] == "kept_cells"
    main(["rank", str(old)])
    assert "note: 4 of 4 cells of other versions were kept" in capsys.readouterr().err
    main(["run", str(path), "--out", str(old), "-q"])
    note = capsys.readouterr().err
    assert f"streamgauge {VERSION} -> 99.0" in note
    assert "-> 88.0" in note
    assert "cells of another version are run again" in note


@pytest.mark.parametrize("how", ["damaged", "incomplete", "without cell.json", "other data"])
def test_what_is_not_whole_is_run_again(old, how):
    for place in (old / "cells").iterdir():
        if how == "damaged":
            (place / "labels.parquet").write_bytes(b"1")
        elif how == "without cell.json":
            (place / "cell.json").unlink()
        else:
            name = "log.json" if how == "incomplete" else "cell.json"
            content = json.loads((place / name).read_text())
            del content["checksum"]
            change = {"status": "incomplete"} if how == "incomplete" else {"seed": 5}
            (place / name).write_text(sealed({**content, **change}))
    run_experiment(SPEC, old, keep_versions=True)
    assert started(old) == 4


def test_scores_that_are_needed_must_be_there(old):
    run_experiment(SPEC.model_copy(update={"scores": True}), old, keep_versions=True)
    assert started(old) == 4


def test_code_of_ones_own_that_has_changed_is_run_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "from streamgauge.learners import NaiveBayes as Own\n"
    Path("kept_model.py").write_text(text)
    spec = Spec(streams=["sea(items=30)"], learners=["kept_model:Own()"])
    run_experiment(spec, "run")
    monkeypatch.setattr(experiment, "VERSION", "99.0")
    run_experiment(spec, "run", keep_versions=True)
    assert started("run") == 0
    assert kept_note(read_stored("run")).endswith(f"1 made with streamgauge {VERSION}")
    Path("kept_model.py").write_text(f"{text}# changed\n")
    run_experiment(spec, "run", keep_versions=True)
    assert started("run") == 1


def test_of_several_the_last_one_is_kept(old, monkeypatch):
    run_experiment(SPEC, old)
    monkeypatch.setattr(experiment, "VERSION", "100.0")
    run_experiment(SPEC, old, keep_versions=True)
    assert {cell.made_with[0] for cell in cells(read_stored(old))} == {"99.0"}


def test_forged_entries_of_kept_cells_are_no_bug(old, capsys):
    run_experiment(SPEC, old, keep_versions=True)
    path = old / "experiment.json"
    content = json.loads(path.read_text())
    del content["checksum"]
    first = next(iter(content["kept"]))
    for value in (["1", [], {}], ["1", [{}] * 9, {}], 3, ["1"], ["1", [{"river": 3}], {}]):
        path.write_text(sealed({**content, "kept": {first: value, "none": ["1", [], {}]}}))
        for line in (["verify"], ["verify", "--rerun"], ["report"], ["plan"]):
            try:
                main([line[0], str(old), *line[1:]])
            except SystemExit as left:
                assert left.code in (0, 2)  # noqa: PT017
    capsys.readouterr()
