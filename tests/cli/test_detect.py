"""`streamgauge detect` on logs and on files of predictions."""

from __future__ import annotations

import json

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.log.alarms import Alarms
from streamgauge.types import Drift


@pytest.fixture(scope="module")
def workdir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("detect")
    x = np.random.default_rng(0).normal(size=(3000, 1))
    y = (x[:, 0] > 0) ^ (np.arange(3000) >= 2000)
    stream = sg.streams.from_arrays(x, np.where(y, "yes", "no"))
    sg.run(stream, sg.learners.NaiveBayes(), folder=folder / "plain")
    sg.run(stream, sg.learners.Resetting(), folder=folder / "live")
    folds = sg.protocols.Delayed(folds=2)
    sg.run(stream, sg.learners.NaiveBayes(), folds, folder=folder / "folds")
    wrong = np.repeat(["u,u", "u,v"], 300)
    (folder / "predicted.csv").write_text("y,yhat\n" + "\n".join(wrong) + "\nv,v\n")
    (folder / "empty.csv").write_text("y,yhat\n")
    reals = np.arange(600) / 7
    lines = [f"{v},{v + (i > 300) * 40}" for i, v in enumerate(reals)]
    (folder / "reals.csv").write_text("y,yhat\n" + "\n".join(lines) + "\n")
    return folder


@pytest.fixture
def call(workdir, capsys, monkeypatch):
    def called(*args):
        monkeypatch.chdir(workdir)
        code = 0
        try:
            main(["detect", *args])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return called


def test_alarms_are_those_of_the_api(call, workdir):
    code, out, err = call("plain", "-d", "ddm,adwin", "--windows", "losses,fading(0.99)", "--json")
    assert (code, err) == (0, "")
    log = sg.read_log(workdir / "plain")
    found = {entry["detector"]: entry["alarms"] for entry in json.loads(out)}
    assert [*found] == ["ddm", "ddm of fading(0.99)", "adwin", "adwin of fading(0.99)"]
    for name, items in found.items():
        detector, _, of = name.partition(" of ")
        assert items == sg.detect(log, detector, of or None).alarms.tolist()


def test_known_drifts_are_compared_with_the_alarms(call):
    code, out, _ = call("plain", "-d", "ddm", "--drifts", "2000,2900")
    assert code == 0
    assert "delay at 2,000" in out
    _, out, _ = call("plain", "-d", "ddm", "--drifts", "2000,2900", "--json")
    (entry,) = json.loads(out)
    assert entry["before_the_first_drift"] == 0
    assert entry["delays"][0]["delay"] == entry["alarms"][0] + 1 - 2000
    assert entry["delays"][1]["delay"] is None


def test_alarms_of_the_learner_are_listed_beside_those_computed_afterwards(call, workdir):
    _, out, _ = call("live", "-d", "page_hinkley", "--json")
    live = {entry["detector"]: entry["alarms"] for entry in json.loads(out)}
    own = sg.read_log(workdir / "live").alarms().alarms.tolist()
    assert own
    assert live["ddm (in the learner)"] == own


def test_detectors_take_files_and_real_losses(call):
    code, out, _ = call("predicted.csv", "--label", "y", "--prediction", "yhat")
    assert code == 0
    assert "adwin" in out
    code, out, _ = call(
        "reals.csv", "--label", "y", "--prediction", "yhat", "-d", "kswin", "--json"
    )
    assert code == 0
    assert json.loads(out)[0]["alarms"][0] > 300


def test_the_figure_is_written(call, workdir):
    code, _, _ = call("live", "-d", "ddm", "--windows", "losses,whole", "--plot", "detected.svg")
    assert code == 0
    text = (workdir / "detected.svg").read_text()
    for words in ("ddm (in the learner)", "ddm of whole", "error", "sliding(1000)"):
        assert words in text


BAD = {
    "detector": (("plain", "-d", "dmd"), "no detector is called 'dmd'; did you mean 'ddm'?"),
    "parameter": (("plain", "-d", "ddm(warm_start=-1)"), "DDM: warm_start must be a whole number"),
    "no detector": (("plain", "-d", ","), "must have at least one name"),
    "estimate": (("plain", "--windows", "slidng(5)"), "did you mean 'sliding'?"),
    "other estimate": (
        ("plain", "--windows", "ewma(0.1)"),
        "must be whole, sliding or fading",
    ),
    "drifts": (
        ("plain", "--drifts", "soon"),
        "--drifts must be items separated by commas, got 'soon'",
    ),
    "fold": (("plain", "--fold", "3"), "fold must be 0, the only fold of the protocol, got 3"),
    "no fold": (("folds",), "a log with several folds, got none; give --fold 0 for the first"),
    "figure": (("plain", "--plot", "a.gif"), "must be a name that ends in one of .svg"),
    "no source": (("gone",), "gone: no such file"),
    "no columns": (("predicted.csv",), "a file needs --label and --prediction, got predicted.csv"),
    "empty": (("empty.csv", "--label", "y", "--prediction", "yhat"), "must have labelled rows"),
    "losses above 1": (
        ("reals.csv", "--label", "y", "--prediction", "yhat", "-d", "ddm"),
        "use a detector of any losses",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_sentence(call, case):
    words, sentence = BAD[case]
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert sentence in err


def test_delays_count_from_the_first_new_item_and_misses_are_none():
    drifts = (Drift(100, 100, 100), Drift(200, 250, 300, "gradual"))
    alarms = Alarms.of([(99, "d", "alarm"), (100, "d", "alarm"), (150, "d", "alarm")])
    assert alarms.false(drifts) == 1
    assert alarms.delays(drifts) == (1, None)
    assert alarms.delays(()) == ()
    assert alarms.false(()) == 3
    assert Alarms().delays(drifts) == (None, None)
