"""Five learners on five streams with three seeds, on the command line."""

from __future__ import annotations

import csv
import json
import re

import pytest

from streamgauge.cli import main
from streamgauge.experiments._run_experiment import read_experiment
from streamgauge.measures._compute import measure

LEARNERS = ["naive_bayes", "hoeffding_tree", "perceptron", "logistic_regression"]
LEARNERS += ["hoeffding_adaptive_tree"]
STREAMS = ["sea", "agrawal", "stagger", "sine", "led"]
SPEC = f"""
seed = 1
repetitions = 3
learners = {json.dumps(LEARNERS)}
streams = {json.dumps([f"{name}(items=300)" for name in STREAMS])}
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grid")
    (folder / "grid.toml").write_text(SPEC)
    main(["run", str(folder / "grid.toml"), "--out", str(folder / "done"), "--quiet"])
    return folder / "done"


def output(capsys, *args):
    main([str(a) for a in args])
    return capsys.readouterr().out


def learners_by_stream(lines):
    """The names in the first column of each table of a terminal."""
    tables, stream = {}, ""
    for line in lines:
        if re.fullmatch(r"\w+", line):
            stream = line
        elif line.startswith("Values"):
            break
        elif "±" in line and stream:
            tables.setdefault(stream, []).append(line.split()[0])
    return tables


def test_the_terminal_has_five_rows_a_stream_with_mean_and_deviation(done, capsys):
    out = output(capsys, "run", done)
    tables = learners_by_stream(out.splitlines())
    assert len(tables) == 5
    for names in tables.values():
        assert len(names) == 7  # and two baselines
    assert re.search(r"naive_bayes +\d+\.\d\d ± \d+\.\d\d\s% +\[\d+\.\d\d, \d+\.\d\d\]\s%", out)
    assert "Values are the mean ± the standard deviation over repetitions" in out
    assert "In 3 of 3 repetitions." in out
    assert " seed " not in out


def test_files_have_five_rows_a_stream(done, tmp_path, capsys):
    for kind in ("html", "md", "csv", "json", "tex"):
        main(["report", str(done), "--out", str(tmp_path / f"report.{kind}")])
    capsys.readouterr()
    with (tmp_path / "report.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len([row for row in rows if row["baseline"] == "false"]) == 25
    _, logs = read_experiment(done)
    values = [
        measure(log, "accuracy").final
        for log in logs
        if (log.about["stream"], log.about["learner"]) == ("SEA", "naive_bayes")
    ]
    row = next(r for r in rows if (r["stream"], r["learner"]) == ("SEA", "naive_bayes"))
    assert float(row["accuracy"]) == pytest.approx(sum(values) / 3)
    shown = f"{100 * float(row['accuracy']):.2f} ± {100 * float(row['accuracy_sd']):.2f}"
    assert shown in (tmp_path / "report.html").read_text()
    assert shown in (tmp_path / "report.md").read_text()
    latex = (tmp_path / "report.tex").read_text()
    assert shown.replace("±", r"$\pm$") in latex
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 6
    cells = json.loads((tmp_path / "report.json").read_text())["sections"][0]["table"]["rows"]
    found = next(r["cells"] for r in cells if r["cells"]["learner"] == "naive_bayes")
    assert found["accuracy"]["values"] == values


def test_learners_are_compared_over_repetitions(done, capsys):
    (first, *_) = json.loads(output(capsys, "compare", done, "--json"))
    assert first["names"] == LEARNERS
    assert {len(v["repetitions"]) for v in first["verdicts"]} == {3}
    assert first["validity"] == "fixed horizon only"
    text = output(capsys, "compare", done, "--control", "naive_bayes")
    assert text.count("All statements about means over repetitions") == 5
    assert "seed" not in text
    curves = output(capsys, "compare", done, "--curve").splitlines()
    assert curves[0].split("\t") == ["a", "b", "measure", "window", "items", "value"]


def test_two_learners_are_compared_from_their_folders(done, capsys):
    folders = sorted((done / "cells").glob("sea-*-naive-bayes-*"))
    others = sorted((done / "cells").glob("sea-*-perceptron-*"))
    out = output(capsys, "compare", *folders, *others)
    assert "over 3 repetitions" in out
    (entry,) = json.loads(output(capsys, "compare", *folders, *others, "--json", "--curve"))
    assert len(entry["difference"]["values"]) == 3
    assert entry["curves"][0]["definition"]["repetitions"] == "3"


def test_one_learner_is_not_compared_with_its_other_seeds(done, capsys):
    folders = sorted((done / "cells").glob("sea-*-naive-bayes-*"))
    with pytest.raises(SystemExit) as exit_:
        main(["compare", *map(str, folders)])
    assert exit_.value.code == 2
    assert "a stream must have at least two learners, got one in" in capsys.readouterr().err


def test_the_rank_of_a_stream_is_that_of_its_mean(done, tmp_path, capsys):
    out = output(capsys, "rank", done, "--table", tmp_path / "rank.tex")
    assert "Mean ranks over 5 streams" in out
    assert "Each score is the mean over 3 repetitions; a stream counts once." in out
    assert (tmp_path / "rank.tex").read_text().count(r"$\pm$") == 26


def test_bins_are_averaged_over_repetitions(tmp_path, capsys):
    spec = (
        'repetitions = 2\nlearners = ["nb", "perceptron"]\n'
        'streams = ["delay(sea(items=300), 50)"]\nprotocols = ["reevaluating(every=10)"]\n'
    )
    (tmp_path / "late.toml").write_text(spec)
    done = tmp_path / "done"
    main(["run", str(tmp_path / "late.toml"), "--out", str(done), "--quiet"])
    capsys.readouterr()
    out = output(capsys, "bins", done)
    assert out.count("±") > 4
    assert "#2" not in out
    loaded = json.loads(output(capsys, "bins", done, "--json"))
    assert [one["learner"] for one in loaded["logs"]] == ["naive_bayes", "perceptron"]
    one = loaded["logs"][0]
    assert one["mean_over_bins"] == pytest.approx(
        sum(run["mean_over_bins"] for run in one["repetitions"]) / 2
    )
    means = [sum(pair) / 2 for pair in zip(*(r["bins"] for r in one["repetitions"]), strict=True)]
    assert one["bins"] == pytest.approx(means)
    assert one["curves"]["bins"][-1] == pytest.approx(means)
    verdicts = output(capsys, "bins", done, "--compare", "--at", "0,51")
    assert verdicts.count("over 2 repetitions") == 2
    assert len(output(capsys, "bins", done, "--curve").splitlines()) > 2
