"""`streamgauge compare` on logs, runs and files of predictions."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from streamgauge.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    label = np.array(["u", "v"])[rng.integers(0, 2, 3000)]
    other = np.where(label == "u", "v", "u")
    good, bad = (np.where(rng.random(3000) < p, label, other) for p in (0.9, 0.8))
    lines = [",".join(row) for row in zip(label, good, bad, bad, strict=True)]
    (tmp_path / "both.csv").write_text("\n".join(["y,good,bad,worst", *lines]) + "\n")
    for name, column in (("a", good), ("b", bad)):
        rows = [f"{y},{yhat}" for y, yhat in zip(label, column, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["y,yhat", *rows]) + "\n")
    (tmp_path / "short.csv").write_text("y,yhat\n" + "".join(f"{y},u\n" for y in label[:2]))
    (tmp_path / "empty.csv").write_text("y,p,q\n")
    (tmp_path / "x.toml").write_text(
        'streams = ["sea(items=2000)"]\n'
        'learners = ["naive_bayes", "persistent", "majority_class"]\n'
    )
    (tmp_path / "one.toml").write_text('streams = ["sea(items=500)"]\nlearners = ["naive_bayes"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys, line):
    code = 0
    try:
        main(line.split(" "))
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_two_columns_of_one_file_are_compared(folder, capsys):
    code, out, err = call(capsys, "compare both.csv --label y --prediction good,bad")
    assert (code, err) == (0, "")
    assert re.search(r"^good beats bad: its mean zero_one loss is 0\.0", out, re.M)
    assert re.search(r"^Long run: good has the lower mean loss, since item [\d,]+: ", out, re.M)
    assert re.search(r"^So far: over the 3,000 items seen, good was expected", out, re.M)
    assert re.search(r"^Now: ", out, re.M)
    assert "anytime valid" in out
    assert re.search(r"^mcnemar_positive_favours_b .* fixed horizon only$", out, re.M)


def test_two_files_give_the_same_as_one(folder, capsys):
    _, one, _ = call(capsys, "compare both.csv --label y --prediction good,bad --json")
    _, two, _ = call(capsys, "compare a.csv b.csv --label y --prediction yhat --json")
    (one,), (two,) = json.loads(one), json.loads(two)
    assert one["difference"] == two["difference"]
    assert one["since"] == two["since"]
    assert (one["winner"], two["winner"]) == ("good", "yhat")
    assert (two["a"], two["b"]) == ("yhat", "yhat #2")
    assert {r["validity"] for r in one["statistics"]} == {"anytime valid", "fixed horizon only"}


def test_a_run_is_compared_stream_by_stream(folder, capsys):
    assert call(capsys, "run x.toml --out out -q")[0] == 0
    code, out, _ = call(capsys, "compare out")
    assert code == 0
    assert out.startswith("SEA\n")
    assert "naive_bayes beats persistent since item" in out
    assert "P(any decision is ever wrong) is about 5 % at most (holm, watched at all times" in out
    code, out, _ = call(capsys, "compare out --control persistent --json --curve")
    (entry,) = json.loads(out)
    assert len(entry["verdicts"]) == 2
    assert entry["verdicts"][0]["curves"][0]["measure"] == "q_negative_favours_a"


def test_two_logs_in_folders_are_compared(folder, capsys):
    call(capsys, "run x.toml --out out -q")
    one, other = sorted((folder / "out" / "cells").iterdir())[:2]
    code, out, _ = call(capsys, f"compare {one} {other} --windows sliding(100) --curve")
    assert code == 0
    head, *lines = (line.split("\t") for line in out.splitlines())
    assert head == ["a", "b", "measure", "window", "items", "value"]
    assert {line[3] for line in lines} == {"sliding(100)", "whole"}
    assert all(len(line) == 6 for line in lines)


def test_measure_gives_a_band_on_request(folder, capsys):
    line = "measure both.csv --label y --prediction good -m accuracy,kappa -w sliding(500)"
    code, out, _ = call(capsys, f"{line} --band 0.95")
    assert code == 0
    found = re.findall(r"^\w+ +sliding\(500\) +([\d.]+)  \[([\d.]+), ([\d.]+)\]$", out, re.M)
    assert len(found) == 2
    assert all(float(low) < float(value) < float(high) for value, low, high in found)
    _, out, _ = call(capsys, f"{line} --band 0.95 --json")
    assert json.loads(out)[0]["low"] == pytest.approx(float(found[0][1]), rel=1e-4)
    _, out, _ = call(capsys, f"{line} --band 0.95 --curve")
    assert {len(row.split("\t")) for row in out.splitlines()} == {6}
    _, out, _ = call(capsys, f"{line} --band time_uniform(0.95) --json")
    uniform = json.loads(out)[0]
    assert uniform["low"] < float(found[0][1])
    assert uniform["definition"]["validity"] == "anytime valid"
    for wrong in ("1.5", "uniform"):
        code, _, err = call(capsys, f"{line} --band {wrong}")
        assert code == 2
        assert "measure: --band must be above 0 and below 1, or time_uniform(LEVEL) or" in err


def test_a_window_that_is_too_short_is_noted(folder, capsys):
    wrong = np.arange(6000) // 150 % 3 == 0
    lines = ["y,p", *(f"a,{'b' if one else 'a'}" for one in wrong)]
    (folder / "spells.csv").write_text("\n".join(lines))
    line = "measure spells.csv --label y --prediction p -m accuracy -w sliding(500) --band 0.9"
    _, out, err = call(capsys, line)
    assert "note: accuracy, sliding(500): the window is too short for the dependence" in err
    assert out.startswith("accuracy")
    _, out, err = call(capsys, f"{line} --json")
    assert "too short" in json.loads(out)[0]["definition"]["warning"]
    assert err == ""


def test_a_report_takes_spell_and_margin_from_the_experiment_or_the_command_line(folder, capsys):
    def verdicts(line):
        code, out, err = call(capsys, line)
        assert code == 0, err
        (section,) = json.loads(out)["sections"]
        return section["verdicts_note"], json.dumps(section["verdicts"])

    grid = 'streams = ["sea(items=900)"]\nlearners = ["naive_bayes", "perceptron"]\n'
    (folder / "y.toml").write_text(f"spell = 30\nmargin = 0.25\n{grid}")
    note, table = verdicts("run y.toml --out two --json")
    assert "about 30 items on average" in note
    assert "within \\u00b10.25" in table
    assert verdicts("report two --json") == (note, table)
    note, table = verdicts("report two --json --spell 50 --margin 0.5")
    assert "about 50 items on average" in note
    assert "a margin of 0.5" in note
    code, out, _ = call(capsys, "explain two")
    assert code == 0
    assert "about 30 items on average" in " ".join(out.split())


def test_spell_and_margin_are_options(folder, capsys):
    line = "compare both.csv --label y --prediction good,bad --json"
    _, plain, _ = call(capsys, line)
    _, given, _ = call(capsys, f"{line} --spell 20 --margin 0.5")
    (plain,), (given,) = json.loads(plain), json.loads(given)
    assert (plain["spell"], plain["margin"], plain["equivalent"]) == (200, None, None)
    assert (given["spell"], given["margin"], given["equivalent"]) == (20, 0.5, True)
    assert given["not_worse"] == ["good", "bad"]
    assert given["first"][1] < plain["first"][1]
    assert given["long_run"]["text"].startswith("Long run: good has the lower mean loss")


def test_a_winner_whose_losses_are_few_has_a_caveat(folder, capsys):
    lines = ["y,p,q", *(f"a,a,{'b' if i % 50 == 7 else 'a'}" for i in range(3000))]
    (folder / "rare.csv").write_text("\n".join(lines))
    line = "compare rare.csv --label y --prediction p,q"
    _, out, _ = call(capsys, line)
    assert "p's lead over q, a total loss lower by 60, is below that of 3 outages of 200" in out
    _, out, _ = call(capsys, f"{line} --json")
    (found,) = json.loads(out)
    assert found["long_run"]["few_losses"] == {
        "winner": "p", "loser": "q", "stretches": 0.0, "stretch": 50, "lead": 60.0,
        "outages": 0.3, "spell": 200,
    }  # fmt: skip
    assert "p never had the larger loss" in found["text"]
    _, out, _ = call(capsys, "compare both.csv --label y --prediction good,bad --json")
    assert json.loads(out)[0]["long_run"]["few_losses"] is None


BAD = {
    "spell": (
        "compare both.csv --label y --prediction good,bad --spell 5",
        r"spell must be a whole number of items, from 10 to 1,000,000,000, got 5$",
    ),
    "one learner": (
        "compare a.csv --label y --prediction yhat",
        r"^error: compare: a stream must have at least two learners, got one in a\.csv$",
    ),
    "one learner in a run": ("compare lonely", r"at least two learners, got one in lonely"),
    "no columns": ("compare a.csv b.csv", r"--label and --prediction"),
    "other lengths": (
        "compare a.csv short.csv --label y --prediction yhat",
        r"same items, got 3,000 and 2 items with 2 in both; use --common",
    ),
    "nothing in it": ("compare empty.csv --label y --prediction p,q", r"labelled rows to compare"),
    "alpha": (
        "compare a.csv b.csv --label y --prediction yhat --alpha 1.5",
        r"alpha must be above 0 and below 1, got 1\.5$",
    ),
    "a file that is not there": (
        "compare a.csv gone.csv --label y --prediction yhat",
        r"gone\.csv",
    ),
    "a side of three": (
        "compare both.csv --label y --prediction good,bad,worst --side a",
        r"--side with more than two must be either, got 'a'$",
    ),
    "no such control": (
        "compare both.csv --label y --prediction good,bad,worst --control best",
        r"control must be one of good, bad, worst, got 'best'$",
    ),
    "no such control of two": (
        "compare both.csv --label y --prediction good,bad --control best",
        r"control must be one of good, bad, got 'best'$",
    ),
    "a window of several": (
        "compare both.csv --label y --prediction good,bad,worst -w ewma(0.1)",
        r"a window must be whole, sliding or fading, got 'ewma\(0\.1\)'$",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(folder, capsys, case):
    if "lonely" in BAD[case][0]:
        call(capsys, "run one.toml --out lonely -q")
    line, words = BAD[case]
    code, out, err = call(capsys, line)
    assert code == 2, err
    assert re.search(words, err.strip(), re.M), err
    assert not out
