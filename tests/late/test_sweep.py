"""Progress of a sweep: none, that of each run, or the user's own."""

from __future__ import annotations

import pytest

import streamgauge as sg
from streamgauge import progress
from streamgauge.errors import ParameterError


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
