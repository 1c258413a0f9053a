"""Differences between run folders, and their reasons."""

from __future__ import annotations

import json
import shutil

import pytest

from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.experiments import Spec, diff, run_experiment
from streamgauge.experiments import _experiment as experiment

SPEC = Spec(streams=["sea(items=60)", "sine(items=60)"], learners=["nb"], repetitions=2)


@pytest.fixture
def folders(tmp_path):
    def made(**changes):
        b = tmp_path / "b"
        shutil.rmtree(b, ignore_errors=True)
        run_experiment(SPEC.model_copy(update=changes), b)
        return tmp_path / "a", b

    run_experiment(SPEC, tmp_path / "a")
    return made


def test_two_runs_of_one_experiment_are_equal(folders):
    found = diff(*folders())
    assert found.equal
    assert [cell.outcome for cell in found.cells] == ["equal"] * 4
    assert found.settings == {}


def test_settings_change_no_cell(folders):
    found = diff(*folders(title="another", measures=["kappa"]))
    assert found.equal
    assert found.settings == {
        "title": ("streamgauge experiment", "another"),
        "measures": ([], ["kappa"]),
    }


def test_each_difference_has_its_reason(folders, monkeypatch):
    found = diff(*folders(learners=["nb", "perceptron"], streams=["sea(items=60)"], seed=7))
    assert not found.equal
    by = {(c.stream, c.learner, c.repetition): (c.outcome, c.why) for c in found.cells}
    outcome, why = by["sea(items=60)", "nb", 0]
    assert (outcome, why) == ("different", ("seed: 0 and 7",))
    absent = ("the other experiment does not name it",)
    assert by["sine(items=60)", "nb", 1] == ("only_a", absent)
    assert by["sea(items=60)", "perceptron", 1] == ("only_b", absent)
    monkeypatch.setattr(experiment, "VERSION", "9.9")
    versions = {why for cell in diff(*folders()).cells for why in cell.why}
    assert {why.partition(":")[0] for why in versions} == {"streamgauge"}
    assert all(why.endswith(" and 9.9") for why in versions)


def test_a_cell_that_was_not_run_and_tables_that_should_be_equal_are_named(folders):
    a, b = folders()
    places = sorted((b / "cells").iterdir())
    shutil.rmtree(places[0])
    card = json.loads((places[1] / "log.json").read_text())
    del card["checksum"]
    card["tables"]["labels"]["checksum"] = "00000000"
    (places[1] / "log.json").write_text(sealed(card))
    outcomes = {c.outcome: c.why for c in diff(a, b).cells}
    assert outcomes.keys() == {"equal", "only_a", "different"}
    assert "was not run yet" in outcomes["only_a"][0]
    assert outcomes["different"] == ("other tables of the same cell: labels",)


def test_the_data_of_a_stream_are_a_reason(tmp_path):
    folders = []
    for nth, rows in enumerate(("1,u\n2,v\n", "1,u\n2,v\n3,u\n")):
        (tmp_path / "d.csv").write_text("a,y\n" + rows * 20)
        streams = [{"file": "d.csv", "target": "y"}, f"csv('{tmp_path}/d.csv', target='y')"]
        spec = Spec.model_validate({"streams": streams, "learners": ["nb"]}).in_folder(tmp_path)
        folders.append(tmp_path / f"run{nth}")
        run_experiment(spec, folders[-1])
    reasons = [cell.why for cell in diff(*folders).cells]
    assert reasons[0] == ("data: the files of the stream have other contents",)
    assert reasons[1][0].startswith("data: other contents of ")


def test_the_command_prints_what_the_function_returns(folders, capsys):
    a, b = map(str, folders(seed=3))
    main(["diff", a, b])
    shown = capsys.readouterr().out
    assert shown.splitlines()[-1] == "4 different"
    assert "seed: 0 and 3" in shown
    main(["diff", a, b, "--json"])
    content = json.loads(capsys.readouterr().out)
    assert content["equal"] is False
    assert len(content["cells"]) == 4
