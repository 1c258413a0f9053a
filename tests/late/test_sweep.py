"""Sweeps over delays: their learners, and progress: none, that of each run, or the user's own."""

from __future__ import annotations

import pytest
from river import ensemble, forest, naive_bayes

import streamgauge as sg
from streamgauge import progress
from streamgauge.errors import ParameterError
from streamgauge.learners._named_learners import named_learners
from streamgauge.log.about import name_of


def sweep(shown):
    stream = sg.streams.SEA(seed=1, items=60)
    return sg.late.sweep(stream, ["nb", "persistent"], [0, 5], progress=shown)


def test_a_sweep_shows_the_progress_of_its_runs(monkeypatch, capsys):
    monkeypatch.setattr(progress, "AFTER_SECONDS", 0.0)
    without = sweep(False)
    assert capsys.readouterr().err == ""
    assert sweep(True) == without
    shown = capsys.readouterr().err
    assert "naive_bayes, delay 0, missing 0: " in shown
    assert "persistent, delay 5, missing 0: " in shown


def test_a_sweep_passes_the_title_of_a_run_to_a_function():
    titles = []
    sweep(lambda title: bool(titles.append(title)))
    assert titles == [
        f"{name}, delay {by}, missing 0" for by in (0, 5) for name in ("naive_bayes", "persistent")
    ]


def test_a_progress_of_another_type_is_refused():
    with pytest.raises(
        ParameterError, match="sweep: progress must be True, False or a function, got 'yes'"
    ):
        sweep("yes")


def test_an_ensemble_that_is_a_sequence_of_models_is_one_learner():
    bagging = ensemble.BaggingClassifier(naive_bayes.GaussianNB(), n_models=2, seed=1)
    found = sg.late.sweep(sg.streams.SEA(items=60), bagging, [0])
    assert [point.learner for point in found.points] == [name_of(bagging)]
    assert list(named_learners(forest.ARFClassifier(seed=1))) == ["river:ARFClassifier(seed=1)"]
