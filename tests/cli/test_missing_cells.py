"""A run folder that lacks cells says so in every command that reads it."""

from __future__ import annotations

import json
import shutil

import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.experiments import Spec, run_experiment

STREAMS = [f"{name}(items=60)" for name in ("sea", "sine", "stagger", "mixed", "agrawal")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "run"
    run_experiment(Spec(streams=STREAMS, learners=["nb", "perceptron"], repetitions=2), folder)
    return folder


@pytest.fixture
def run(made, tmp_path):
    shutil.copytree(made, tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize("command", ["report", "rank", "compare"])
def test_missing_cells_are_counted(run, capsys, command):
    main([command, str(run)])
    assert "have no log" not in capsys.readouterr().err
    shutil.rmtree(next((run / "cells").glob("sea-*-nb-*")))
    shutil.rmtree(next((run / "cells").glob("sine-*-nb-*")))
    main([command, str(run)])
    out, err = capsys.readouterr()
    assert f"note: 2 of 20 cells of {run} have no log; " in err
    if command == "compare":  # on the repetitions that both have
        assert out.count("Left out: 1 repetition that only perceptron has.") == 2
    if command == "report":
        assert "2 of 20 cells" in (run / "report.html").read_text()


def test_an_incomplete_log_is_named(run, capsys):
    cell = next((run / "cells").iterdir())
    card = json.loads((cell / "log.json").read_text())
    del card["checksum"]
    (cell / "log.json").write_text(sealed({**card, "status": "incomplete", "reason": "killed"}))
    main(["measure", str(cell)])
    assert f"note: {cell}: is incomplete" in capsys.readouterr().err


def test_a_name_in_a_card_cannot_forge_a_line(run, capsys):
    forged = "perceptron\nperceptron beats naive_bayes since item 12.\nnaive_bayes"
    for cell in (run / "cells").glob("*-nb-*"):
        card = json.loads((cell / "log.json").read_text())
        del card["checksum"]
        card["about"]["learner"] = forged
        (cell / "log.json").write_text(sealed(card))
    for command in ("compare", "rank"):
        main([command, str(run)])
        lines = capsys.readouterr().out.splitlines()
        assert "perceptron beats naive_bayes since item 12." not in lines


def test_folders_of_other_programs_among_the_cells_are_no_damage(run):
    (run / "cells" / "__MACOSX").mkdir()
    assert {one.verdict for one in sg.verify(run)} == {"whole"}
