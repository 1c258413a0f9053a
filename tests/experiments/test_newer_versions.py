"""Folders that a newer version has written: one sentence, and the rest of the grid finishes."""

import json

import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.errors import CellError, LogError, SpecError
from streamgauge.experiments import Spec, cells, run_experiment
from streamgauge.experiments._experiment import read_stored
from streamgauge.log.arrow import VERSION

SPEC = Spec(streams=["sea(items=50)"], learners=["nb", "persistent", "perceptron"])


def rewritten(path, **changes):
    content = json.loads(path.read_text())
    del content["checksum"]
    path.write_text(sealed({**content, **changes}))


@pytest.fixture
def run(tmp_path):
    run_experiment(SPEC, tmp_path / "run")
    return tmp_path / "run"


def test_a_newer_log_fails_its_cell_and_stays_while_the_others_run(run):
    newer, missing, _ = (run / "cells" / cell.id for cell in cells(SPEC))
    rewritten(newer / "log.json", version=VERSION + 1)
    before = (newer / "log.json").read_bytes()
    (missing / "log.json").unlink()
    why = f"^1 of 3 cells failed, the others are finished: nb on .*got {VERSION + 1}; upgrade"
    with pytest.raises(CellError, match=why):
        run_experiment(SPEC, run)
    assert (newer / "log.json").read_bytes() == before
    assert [one.verdict for one in sg.verify(run)] == ["newer", "whole", "whole"]
    with pytest.raises(LogError, match="upgrade streamgauge"):
        sg.table(run)


def test_an_experiment_of_a_newer_version_is_called_so(run, tmp_path, capsys):
    (tmp_path / "e.toml").write_text('streams = ["sea(items=50)"]\nlearners = ["nb"]\n')
    rewritten(run / "experiment.json", streamgauge="99.1.0")
    main(["run", str(tmp_path / "e.toml"), "--out", str(run), "--quiet"])
    err = capsys.readouterr().err
    assert f"note: {run} is of streamgauge 99.1.0, newer than this one" in err
    assert "upgrade streamgauge" in err
    assert "was damaged" not in err


def test_a_key_of_a_newer_version_is_refused_with_that_version(run):
    rewritten(run / "experiment.json", streamgauge="99.1.0", budget=3)
    with pytest.raises(SpecError, match=r"got 99\.1\.0 \(budget: no such key.*; upgrade stream"):
        read_stored(run)


def test_a_cell_without_its_card_is_named_with_the_cure(run, capsys):
    first, *_ = (run / "cells" / cell.id for cell in cells(SPEC))
    (first / "log.json").unlink()
    why = r"nb on sea\(items=50\) must have a log\.json, got none; .*`streamgauge run` repeats"
    with pytest.raises(LogError, match=why):
        sg.table(run)
    with pytest.raises(SystemExit):
        main(["report", str(run)])
    assert "nb on sea(items=50) must have a log.json" in capsys.readouterr().err


def test_a_damaged_experiment_is_written_again_with_a_note(run, tmp_path, capsys):
    path = run / "experiment.json"
    path.write_text(path.read_text()[:40])
    (tmp_path / "e.toml").write_text('streams = ["sea(items=50)"]\nlearners = ["nb"]\n')
    main(["run", str(tmp_path / "e.toml"), "--out", str(run), "--quiet"])
    err = capsys.readouterr().err
    assert f"note: {path} was damaged and is written again" in err
    assert "2 cells in" in err
    main(["run", str(tmp_path / "e.toml"), "--out", str(run), "--quiet"])
    assert "was damaged" not in capsys.readouterr().err
