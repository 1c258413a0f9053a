"""`streamgauge bins` and `streamgauge delay-sweep` on the command line."""

from __future__ import annotations

import json

import pytest

from streamgauge.cli import main


def output(capsys, *words):
    main([*words])
    return capsys.readouterr().out


def refused(capsys, *words):
    with pytest.raises(SystemExit) as done:
        main([*words])
    assert done.value.code == 2
    return capsys.readouterr().err


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("late")
    (folder / "late.toml").write_text(
        'title = "late"\n'
        'streams = ["delay(take(sea(), 1500), 200)"]\n'
        'learners = ["naive_bayes", "majority_class"]\n'
        'protocols = ["reevaluating(every=10)"]\n'
    )
    main(["run", str(folder / "late.toml"), "--out", str(folder / "out"), "--quiet"])
    return folder / "out"


def test_bins_of_a_run(ran, capsys, tmp_path):
    table = output(capsys, "bins", str(ran), "--plot", str(tmp_path / "bins.svg"))
    assert "naive_bayes" in table
    assert "changes" in table
    assert (tmp_path / "bins.svg").read_text().startswith("<?xml")
    found = json.loads(output(capsys, "bins", str(ran), "--bins", "10", "--json"))
    assert len(found["logs"]) == 2
    assert len(found["logs"][0]["bins"]) == 12
    assert found["logs"][0]["bins"][0] < found["logs"][0]["bins"][11]
    lines = output(capsys, "bins", str(ran), "--curve", "--every", "500", "--at", "0,51")
    assert [line.split("\t")[1] for line in lines.splitlines()] == ["500", "1000", "1500"] * 2
    line = ["bins", str(ran), "--compare", "--at", "0,51", "--json"]
    compared = json.loads(output(capsys, *line))
    assert "too few items" in compared["verdicts"]["51"]["text"]
    compared = json.loads(output(capsys, *line, "--spell", "50"))
    assert compared["verdicts"]["51"]["winner"] == "naive_bayes"


def test_a_sweep_of_delays(capsys, tmp_path):
    words = ["delay-sweep", "take(sea(), 1000)", "-l", "nb", "--delays", "0,300,pareto(20)"]
    table = output(capsys, *words, "--missing", "0,0.5", "--plot", str(tmp_path / "s.pdf"))
    assert "pareto(20, 1.5)" in table
    found = json.loads(output(capsys, *words, "--json"))
    scores = {p["delay"]: p["value"] for p in found["points"]}
    assert scores["0"] > scores["300"]
    assert (tmp_path / "s.pdf").is_file()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--delays", "soon"], "--delays must be numbers or delays (bursts, by_class, constant"),
        (["--delays", "-5"], "by must be at least 0, got -5"),
        (["--missing", "2"], "--missing must be shares from 0 to 1, got '2'"),
        (["--unit", "week"], "unit must be one of 'item' for take(SEA, 50), got 'week'"),
        (["--protocol", "prequential"], "take Delayed() or Reevaluating()"),
        (["--plot", "x.doc"], "a name that ends in one of .svg, .pdf, .png"),
    ],
)
def test_bad_input_of_delay_sweep_gets_one_sentence(words, sentence, capsys):
    assert sentence in refused(capsys, "delay-sweep", "take(sea(), 50)", *words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--at", "60"], "--at must be bins from 0 to 51, got '60'"),
        (["--weights", "lately"], "did you mean 'late'?"),
        (
            ["--weights", "1,2"],
            "weights must be 52 numbers, at least 0, one per bin, got [1.0, 2.0]",
        ),
        (["-m", "auc"], "measure must use predictions, got auc, which uses scores"),
        (["-m", "mae"], "log must be of regression"),
        (["--tolerance", "3"], "tolerance must be None in classification"),
    ],
)
def test_bad_input_of_bins_gets_one_sentence(words, sentence, ran, capsys):
    assert sentence in refused(capsys, "bins", str(ran), *words)


def test_a_log_without_repeated_predictions_gets_one_sentence(capsys, tmp_path):
    (tmp_path / "e.toml").write_text(
        'title = "x"\nstreams = ["take(sea(), 50)"]\nlearners = ["nb"]\n'
    )
    main(["run", str(tmp_path / "e.toml"), "--out", str(tmp_path / "out"), "--quiet"])
    words = refused(capsys, "bins", str(tmp_path / "out"))
    assert "log must be of protocol reevaluating, got one of prequential" in words
