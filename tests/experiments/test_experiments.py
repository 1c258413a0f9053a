"""Experiments: the grid, the ids of its cells, and reuse of run folders."""

from __future__ import annotations

import os
import shutil

import pytest

import streamgauge as sg
from streamgauge.errors import ParameterError
from streamgauge.experiments import Spec, cells, read_spec, run_experiment
from streamgauge.experiments._run_experiment import read_experiment

ROWS = "a,b,y\n1,2,u\n2,3,v\n3,4,u\n4,5,v\n"


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "data.csv").write_text(ROWS)
    path = tmp_path / "e.toml"
    path.write_text(
        'streams = [{file = "data.csv", target = "y"}, "sea(items=50)"]\n'
        'learners = ["nb", "persistent"]\nrepetitions = 2\n'
    )
    return path


def test_all_learners_of_a_repetition_get_the_same_stream(spec):
    grid = list(cells(read_spec(spec)))
    assert len(grid) == 8
    assert len({c.id for c in grid}) == 8
    seeds = {(str(c.stream), c.repetition): set() for c in grid}
    for c in grid:
        seeds[str(c.stream), c.repetition].add(c.seed)
    assert all(len(s) == 1 for s in seeds.values())


def test_an_experiment_does_not_depend_on_the_working_directory(spec, monkeypatch):
    ids = [c.id for c in cells(read_spec(spec))]
    monkeypatch.chdir(spec.parent)
    assert [c.id for c in cells(read_spec("e.toml"))] == ids
    assert len(run_experiment(read_spec("e.toml"), "out")) == 8
    monkeypatch.chdir(spec.parent.parent)
    folder = spec.parent / "out"
    assert len(run_experiment(read_spec(os.path.relpath(spec)), folder)) == 8
    assert len(read_experiment(folder)[1]) == 8


def test_results_on_other_data_are_not_reused(spec):
    folder = spec.parent / "out"
    run_experiment(read_spec(spec), folder)
    before = {cell.name for cell in (folder / "cells").iterdir()}
    (spec.parent / "data.csv").write_text(ROWS + "9,9,u\n")
    logs = run_experiment(read_spec(spec), folder)
    after = {cell.name for cell in (folder / "cells").iterdir()}
    assert before < after
    assert len(after - before) == 4
    assert sorted(log.label_count() for log in logs) == [5] * 4 + [50] * 4


def test_a_run_folder_can_be_read_without_its_data(spec):
    folder = spec.parent / "out"
    logs = run_experiment(read_spec(spec), folder)
    (spec.parent / "data.csv").unlink()
    loaded = read_experiment(folder)[1]
    assert [log.about for log in loaded] == [log.about for log in logs]


@pytest.mark.parametrize("stray", ["attempts/.DS_Store", "cells/.DS_Store", "cells/CELL"])
def test_a_stray_file_in_a_run_folder_does_not_block_a_resume(tmp_path, stray):
    """One that a file manager leaves, or one in the place of a cell."""
    spec = Spec(streams=["sea(items=50)"], learners=["nb"])
    run_experiment(spec, tmp_path)
    (cell,) = (tmp_path / "cells").iterdir()
    (tmp_path / "experiment.json").write_text("damaged")
    path = tmp_path / stray.replace("CELL", cell.name)
    if path == cell:
        shutil.rmtree(cell)
    path.parent.mkdir(exist_ok=True)
    path.write_text("stray")
    run_experiment(spec, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "cells",
        "events.jsonl",
        "experiment.json",
    ]
    assert sg.verify(cell)[0].verdict == "whole"


@pytest.mark.parametrize("name", ["attempts", "cells"])
def test_a_folder_that_is_no_run_folder_keeps_its_files(tmp_path, name):
    own = {tmp_path / name / "thesis" / "notes.txt", tmp_path / ".movie.mp4.part"}
    (tmp_path / name / "thesis").mkdir(parents=True)
    for path in own:
        path.write_text("precious")
    spec = Spec(streams=["sea(items=50)"], learners=["nb"])
    with pytest.raises(ParameterError, match=f"got one with {name} and without it; choose another"):
        run_experiment(spec, tmp_path)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == own
    shutil.rmtree(tmp_path / name)
    run_experiment(spec, tmp_path)
    assert (tmp_path / ".movie.mp4.part").read_text() == "precious"
