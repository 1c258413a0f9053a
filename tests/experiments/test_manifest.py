"""The manifest of a run folder."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict

import pytest

from streamgauge.errors import ParameterError
from streamgauge.experiments import Spec, manifest, run_experiment
from streamgauge.log import book
from streamgauge.log.machine import machine


def test_it_has_spec_seeds_data_versions_and_machines(tmp_path, monkeypatch):
    (tmp_path / "d.csv").write_text("a,y\n" + "1,u\n2,v\n" * 20)
    spec = Spec(
        streams=["csv('d.csv', target='y')", {"file": "d.csv", "target": "y"}],
        learners=["nb"],
        repetitions=2,
        seed=3,
    ).in_folder(tmp_path)
    run_experiment(spec, tmp_path / "run")
    monkeypatch.setattr(book, "machine", lambda: {"os": "another"})
    more = spec.model_copy(update={"learners": ["nb", "perceptron"]})
    run_experiment(more, tmp_path / "run")
    found = manifest(tmp_path / "run")
    assert found.spec["learners"] == ["nb", "perceptron"]
    assert len(found.seeds) == 2
    assert found.seeds[0] == 3
    assert len(found.data["d.csv"]) == 20
    assert [origin.machine for origin in found.origins] == [machine(), {"os": "another"}]
    assert [len(origin.cells) for origin in found.origins] == [4, 4]
    assert {"streamgauge", "python", "numpy"} <= found.origins[0].versions.keys()
    json.dumps(asdict(found))
    assert str(tmp_path) not in json.dumps(asdict(found))


def test_cells_without_a_log_are_named(tmp_path):
    run_experiment(Spec(streams=["sea(items=30)"], learners=["nb", "perceptron"]), tmp_path)
    gone, damaged = sorted((tmp_path / "cells").iterdir())
    shutil.rmtree(gone)
    (damaged / "log.json").write_text("{")
    found = manifest(tmp_path)
    assert set(found.without_log) == {gone.name, damaged.name}
    assert found.origins == ()


def test_it_needs_a_run_folder(tmp_path):
    with pytest.raises(ParameterError, match="must be a run folder"):
        manifest(tmp_path)
