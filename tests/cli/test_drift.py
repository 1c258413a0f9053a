"""`streamgauge drift`: its values are those of the API; mistakes are one sentence and exit 2."""

from __future__ import annotations

import json

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.cli import main

SEQUENCE = "bernoulli(items=2000, at=(1000,), levels=(0.1, 0.6))"


@pytest.fixture
def call(tmp_path, capsys, monkeypatch):
    def called(*args):
        monkeypatch.chdir(tmp_path)
        code = 0
        try:
            main(["drift", *args])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return called


def test_the_values_are_those_of_the_api(call):
    code, out, err = call(SEQUENCE, "-d", "ddm,adwin", "-t", "300", "-r", "3", "--json")
    assert (code, err) == (0, "")
    found = sg.evaluate_detectors(["ddm", "adwin"], SEQUENCE, 300, repetitions=3)
    assert out.strip() == sg.detector_evaluation.to_json(found)


def test_tables_and_figures_are_written_and_the_notes_printed(call, tmp_path):
    code, out, err = call(
        SEQUENCE, "bernoulli(items=500)", "-d", "ddm", "-t", "1000", "-r", "2",
        "--table", "a.csv", "--plot", "a.svg", "--alarms", "b.svg",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "random, as often as ddm" in out
    assert "note: bernoulli(items=500) has no known drifts" in out
    assert "ends inside the acceptance windows of the drifts at 1,000" in out
    for name in ("a.csv", "a.svg", "b.svg"):
        assert (tmp_path / name).stat().st_size > 500
    for suffix in ("md", "tex", "json"):
        assert call(SEQUENCE, "-t", "9", "-r", "1", "-q", "--table", f"a.{suffix}")[:2] == (0, "")
        assert "adwin" in (tmp_path / f"a.{suffix}").read_text()


def test_drifts_are_injected_into_a_file(call, tmp_path):
    x = np.random.default_rng(0).normal(size=2000)
    lines = [f"{v:.4f},{'u' if v > 0 else 'v'}" for v in x]
    (tmp_path / "real.csv").write_text("x,y\n" + "\n".join(lines) + "\n")
    code, out, err = call(
        "real.csv", "--inject", "1000", "-d", "ddm", "-t", "300", "-r", "1", "--json"
    )
    assert (code, err) == (0, "")
    entry = json.loads(out)
    assert [d["start"] for s in entry["streams"] for d in s["drifts"]] == [1000]
    recall = {v["detector"]: v["mean"] for v in entry["values"] if v["measure"] == "recall"}
    assert recall["ddm"] == 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--take", "10"), "--take is for streams, got the sequence of losses"),
        (("--inject", "10"), "--inject is for streams, got the sequence of losses"),
        (("-d", "dmm"), "no detector is called 'dmm'; did you mean 'ddm'?"),
        (("-m", "recal"), "no alarm_measure is called 'recal'"),
        (("--table", "a.xls"), "--table must be a name that ends in .csv, .md, .tex or .json"),
        (("-d", ""), "detectors must be at least one"),
    ],
)
def test_a_mistake_is_one_sentence(call, args, sentence):
    code, out, err = call(SEQUENCE, "-t", "10", "-r", "1", *args)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_tolerance_is_demanded(call):
    code, _, err = call(SEQUENCE)
    assert code == 2
    assert "--tolerance" in err
