"""`streamgauge adaptation`, `streamgauge stability` and `streamgauge profile`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.cli import main


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Folders of logs with a drift and perturbed copies, of two seeds."""
    folder = tmp_path_factory.mktemp("logs")
    stream = sg.streams.drift(sg.streams.SEA(1), sg.streams.SEA(3), 400, items=800)
    for seed in (1, 2):
        sg.run(stream, "nb", "perturbed(copies=2, scale=2.0)", seed=seed, folder=folder / str(seed))
    return folder


def run(capsys, *words):
    code = 0
    try:
        main([str(word) for word in words])
    except SystemExit as end:
        code = int(end.code or 0)
    return code, *capsys.readouterr()


def test_adaptation_prints_a_table_and_json(logs, capsys, tmp_path):
    options = ("--window", 200, "--batch", 50)
    figure = tmp_path / "aligned.svg"
    code, out, err = run(capsys, "adaptation", logs / "1", *options, "--plot", figure)
    assert (code, err) == (0, "")
    found = sg.adaptation(sg.read_log(logs / "1"), "error", 200, batch=50)
    assert f"{100 * found.dpd.mean:+.2f}".replace("-", "−") in out
    assert figure.read_text().startswith("<?xml")
    code, out, _ = run(capsys, "adaptation", logs / "1", logs / "2", *options, "--json")
    (entry,) = json.loads(out)
    assert [row["seed"] for row in entry["drifts"]] == ["1", "2"]
    assert entry["dpd"]["values"][0] == found.dpd.mean
    assert len(entry["curves"][0]["offset"]) == 12


def test_drifts_of_a_file_are_given(capsys, tmp_path):
    rows = ["y,yhat", *("a,a" for _ in range(50)), *("a,b" for _ in range(50))]
    (tmp_path / "made.csv").write_text("\n".join(rows) + "\n")
    words = ("adaptation", tmp_path / "made.csv", "--label", "y", "--prediction", "yhat")
    words = (*words, "--window", 20, "--batch", 10)
    code, out, _ = run(capsys, *words, "--drifts", "50", "--json")
    (entry,) = json.loads(out)
    assert code == 0
    assert entry["dpd"]["mean"] == 1
    assert entry["drifts"][0]["drt"] == "inf"
    assert entry["drifts"][0]["outcome"] == "not restored"
    _, out, err = run(capsys, *words, "--drifts", "10,40-60", "--position", "centre", "--json")
    (entry,) = json.loads(out)
    assert [row["at"] for row in entry["drifts"]] == [10, 50]
    assert entry["drifts"][0]["drt"] is None
    _, _, err = run(capsys, *words, "--drifts", "10,50")
    assert "note: drift at item 10: the window of 20 items before it is not complete" in err


def test_stability_prints_a_table_and_json(logs, capsys, tmp_path):
    figure = tmp_path / "noise.svg"
    code, out, err = run(capsys, "stability", logs / "1", logs / "2", "--plot", figure)
    assert (code, err) == (0, "")
    assert "noise: normal, scale 2" in out
    assert figure.exists()
    code, out, _ = run(capsys, "stability", logs / "1", "-w", "tumbling(200)", "--json")
    (entry,) = json.loads(out)
    found = sg.stability(sg.read_log(logs / "1"), "error", "tumbling(200)")
    assert entry["variability"]["values"] == [found.variability.mean]
    np.testing.assert_allclose(entry["curve"]["value"], found.curve.value)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["adaptation", "--batch", 1], "give --batch 100, and --every 1 for a finer unit"),
        (["adaptation", "--drifts", "x"], "--drifts must be items separated by commas, or"),
        (["adaptation", "--drifts", "9-3"], "--drifts must be START-END in this order"),
        (["adaptation", "--window", 150], "window must be a multiple of the batch, 100, got 150"),
        (
            ["adaptation", "--drifts", "9000"],
            "drifts must be items of the log, whose last",
        ),
        (["stability", "-m", "mae"], "mae: log must be of regression, got one of classification"),
    ],
)
def test_mistakes_are_one_sentence_with_exit_code_2(logs, capsys, words, sentence):
    code, out, err = run(capsys, *words, logs / "1")
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.strip().splitlines()) == 1


def test_a_log_without_drifts_or_copies_is_refused(capsys, tmp_path):
    sg.run("sea(items=100)", "nb", folder=tmp_path / "log")
    for command, sentence in (
        ("adaptation", "log must have known drifts, got none"),
        ("stability", "log must have predictions of perturbed copies, got none"),
    ):
        code, _, err = run(capsys, command, tmp_path / "log")
        assert code == 2
        assert sentence in err


def test_profile_prints_tables_json_and_csv(logs, capsys, tmp_path):
    figure = tmp_path / "profile.svg"
    sources = (logs / "1", logs / "2")
    code, out, err = run(capsys, "profile", *sources, "--plot", figure)
    assert (code, err) == (0, "")
    assert "a constant learner" in out
    assert "not measured: feature selection: no learner selects features" in out
    assert figure.read_text().startswith("<?xml")
    code, out, _ = run(capsys, "profile", *sources, "--json")
    found = sg.profile([sg.read_log(source) for source in sources])
    tree = json.loads(out)
    assert [axis["key"] for axis in tree["axes"]] == [axis.key for axis in found.axes]
    code, out, _ = run(capsys, "profile", *sources, "--csv")
    head, *rows = [line.split(",") for line in out.splitlines()]
    assert head == ["learner", "baseline", "property", "value", "score", "times_cheapest"]
    assert len(rows) == len(found.learners) * len(found.axes)
    (row,) = [row for row in rows if row[0] == "naive_bayes" and row[2] == "accuracy"]
    assert float(row[3]) == pytest.approx(found.axis("accuracy").values["naive_bayes"].mean)
    code, _, err = run(capsys, "profile", logs / "1", "--plot", "profile.txt")
    assert code == 2
