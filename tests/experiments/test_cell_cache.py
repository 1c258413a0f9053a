"""A run folder is a cache of cells: a changed experiment runs what is missing."""

from __future__ import annotations

import json
import tomllib

import pytest

from streamgauge.cli import main
from streamgauge.errors import ParameterError
from streamgauge.experiments import Spec, prune, read_events, run_experiment
from streamgauge.experiments._events import NAME as EVENTS
from streamgauge.experiments._events import append_event
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.log import read_log
from torture import grids

STREAMS = ["sea(items=60)", "sine(items=60)", "stagger(items=60)"]


def started(folder) -> list[str]:
    """The cells that the last run has run."""
    events = list(read_events(folder))
    last = max(n for n, event in enumerate(events) if event["event"] == "run")
    return [event["cell"] for event in events[last:] if event["event"] == "start"]


def test_what_is_added_is_run_and_nothing_else(tmp_path):
    spec = Spec(streams=STREAMS[:2], learners=["nb"], repetitions=2)
    run_experiment(spec, tmp_path)
    assert len(started(tmp_path)) == 4
    for change, missing in (
        ({"title": "another", "measures": ["kappa"], "windows": ["sliding(10)"]}, 0),
        ({"bands": 0.9}, 0),
        ({"bands": "time_uniform(0.9)"}, 0),
        ({"spell": 50}, 0),
        ({"margin": 0.01}, 0),
        ({"learners": ["nb", "perceptron"]}, 4),
        ({"streams": STREAMS}, 4),
        ({"repetitions": 3}, 6),
        ({"protocols": ["prequential", "chunks(10)"]}, 18),
        ({"seed": 5}, 36),
    ):
        spec = spec.model_copy(update=change)
        logs = run_experiment(spec, tmp_path)
        assert len(started(tmp_path)) == missing, change
        assert len(logs) == len(read_experiment(tmp_path)[1])
        run_experiment(spec, tmp_path)
        assert started(tmp_path) == []


def test_a_learner_added_to_a_finished_grid_of_60_cells_runs_its_20_cells(tmp_path):
    text = grids.SPEC.format(items=60)
    run_experiment(Spec.model_validate(tomllib.loads(text)), tmp_path)
    assert len(started(tmp_path)) == 60
    more = text.replace(
        'learners = ["hoeffding_tree"', 'learners = ["perceptron", "hoeffding_tree"'
    )
    logs = run_experiment(Spec.model_validate(tomllib.loads(more)), tmp_path)
    assert len(logs) == 80
    ran = [read_log(tmp_path / "cells" / cell).about["learner"] for cell in started(tmp_path)]
    assert ran == ["perceptron"] * 20


def test_measures_that_need_scores_run_cells_again_and_those_that_do_not_keep_them(tmp_path):
    plain = Spec(streams=STREAMS[:1], learners=["nb"], measures=["accuracy"])
    scored = plain.model_copy(update={"measures": ["auc"]})
    for spec, runs in ((plain, 1), (scored, 1), (plain, 0), (scored, 0)):
        run_experiment(spec, tmp_path)
        assert len(started(tmp_path)) == runs
    assert len([*(tmp_path / "cells").iterdir()]) == 1


def test_prune_removes_what_no_experiment_names(tmp_path, capsys):
    old, new = (Spec(streams=STREAMS[:1], learners=[name]) for name in ("nb", "perceptron"))
    for spec in (old, new):
        run_experiment(spec, tmp_path)
    assert prune(tmp_path, [old]) == []
    (would,) = prune(tmp_path, dry_run=True)
    assert len([*(tmp_path / "cells").iterdir()]) == 2
    main(["prune", str(tmp_path), "--json"])
    assert json.loads(capsys.readouterr().out) == [{"cell": would.cell, "bytes": would.bytes}]
    assert would.bytes > 1000
    (left,) = (tmp_path / "cells").iterdir()
    assert left.name != would.cell
    assert [e["cell"] for e in read_events(tmp_path) if e["event"] == "prune"] == [would.cell]
    assert len(run_experiment(new, tmp_path)) == 1
    assert started(tmp_path) == []


def test_prune_needs_a_run_folder(tmp_path):
    with pytest.raises(ParameterError, match="must be a run folder"):
        prune(tmp_path)


def test_events_tell_what_was_done(tmp_path):
    run_experiment(Spec(streams=STREAMS[:1], learners=["nb"]), tmp_path)
    events = list(read_events(tmp_path))
    assert [e["event"] for e in events] == ["run", "start", "finish", "end"]
    assert events[1]["cell"] == events[2]["cell"] == next((tmp_path / "cells").iterdir()).name
    assert events[2]["seconds"] >= 0
    assert all(e["time"].endswith("+00:00") for e in events)


def test_a_torn_line_is_skipped_and_the_next_event_has_a_line_of_its_own(tmp_path):
    append_event(tmp_path, "run", cells=1)
    with (tmp_path / EVENTS).open("a") as file:
        file.write('{"time": "2026", "ev')
    append_event(tmp_path, "end")
    assert [e["event"] for e in read_events(tmp_path)] == ["run", "end"]
    assert list(read_events(tmp_path / "none")) == []
