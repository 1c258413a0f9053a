"""Bad input: one clear sentence, exit code 2, and the folder as it was."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from streamgauge.cli import main

GOOD = "a,b,y\n1,2,u\n2,3,v\n3,4,u\n4,5,v\n"
SPEC = 'streams = ["sea(items=1000)"]\nlearners = ["naive_bayes"]\n'

FILES = {
    "good.csv": GOOD,
    "ragged.csv": GOOD + "5,6\n",
    "text.csv": "a,b,y\n" + "1,2,u\n" * 5 + "x,3,v\n" + "2,3,v\n" * 5,
    "inf.csv": GOOD + "inf,1,u\n",
    "empty.csv": "",
    "header.csv": "a,b,y\n",
    "unlabelled.csv": "a,b,y\n1,2,\n2,3,\n",
    "stray.csv": GOOD + "7,8,w\n",
    "back.csv": "t,a,y\n1,1,u\n3,2,v\n2,3,u\n",
    "bad.arff": "@relation r\n@attribute a numric\n@data\n1\n",
    "nodata.arff": "@relation r\n@attribute a numeric\n@attribute y {u,v}\n",
    "badclass.arff": "@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n1,u\n2,w\n",
    "not.parquet": "this is not parquet",
    "pred.csv": "y,yhat\nu,u\nv,u\n",
    "pred_empty.csv": "y,yhat\n",
    "typo.toml": 'titel = "x"\n' + SPEC,
    "names.toml": 'streams = ["see(items=9)"]\nlearners = ["naive_baies"]\nmeasures = ["kapa"]\n',
    "keys.toml": 'titel = "x"\nrepetitions = 0\n' + SPEC.replace("naive_bayes", "naive_baies"),
    "broken.toml": "streams = [",
    "none.toml": 'streams = ["sea(items=10)"]\n',
    "range.toml": SPEC + "repetitions = 0\n",
    "endless.toml": 'streams = ["sea()"]\nlearners = ["naive_bayes"]\n',
    "window.toml": SPEC + 'windows = ["sliding(0)"]\n',
    "nofile.toml": 'streams = [{file = "gone.csv", target = "y"}]\nlearners = ["nb"]\n',
    "option.toml": 'streams = [{file = "good.csv", tarket = "y"}]\nlearners = ["nb"]\n',
    "good.toml": SPEC,
}

CASES = {
    "missing file": ("evaluate gone.csv", r"gone\.csv.*no such file"),
    "wrong target": ("evaluate good.csv --target z", r"target must be one of its columns, got 'z'"),
    "ragged row": ("evaluate ragged.csv", r"line 6\b.*3.*2"),
    "text in a numeric column": (
        "evaluate text.csv --target y --drop b",
        r"line 7\b.*'a'.*'x'.*--nominal",
    ),
    "inf": ("evaluate inf.csv", r"line 6\b.*inf"),
    "undeclared class": ("evaluate stray.csv --classes u,v", r"line 6\b.*'w'"),
    "empty file": ("evaluate empty.csv", r"empty\.csv.*empty"),
    "header only": ("evaluate header.csv", r"header\.csv.*(no items|got none|empty|no rows)"),
    "no labels": ("evaluate unlabelled.csv --classes u,v", r"labelled items"),
    "clock steps back": ("evaluate back.csv --time t", r"(back|item 2)"),
    "broken ARFF header": ("evaluate bad.arff", r"line 2\b.*numric"),
    "ARFF without data": ("evaluate nodata.arff", r"@data"),
    "ARFF stray class": ("evaluate badclass.arff", r"line 6\b.*'w'"),
    "not Parquet": ("evaluate not.parquet", r"not\.parquet"),
    "unknown stream": (
        "evaluate electricty",
        r"no stream is called 'electricty'; did you mean 'electricity'\?",
    ),
    "unknown learner": ("evaluate good.csv -l naive_baies", r"did you mean 'naive_bayes'\?"),
    "unknown model": (
        "evaluate good.csv -l river:tree.HoefdingTreeClassifier()",
        r"did you mean 'HoeffdingTreeClassifier'",
    ),
    "unknown measure": (
        "evaluate good.csv -m kapa",
        r"no measure is called 'kapa'; did you mean 'kappa'\?",
    ),
    "unknown window": (
        "evaluate good.csv -w slidng(5)",
        r"no window is called 'slidng'; did you mean 'sliding'\?",
    ),
    "bad window": ("evaluate good.csv -w sliding(0)", r"must be .*at least 1.*got 0"),
    "bad protocol": (
        "evaluate good.csv -p chunks(size=0)",
        r"Chunks: size must be at least 1, got 0",
    ),
    "a regression learner on classes": (
        "evaluate good.csv -l target_mean",
        r"target_mean|TargetMean",
    ),
    "an endless stream": ("evaluate sea()", r"must end|endless"),
    "unknown command": (
        "evalute good.csv",
        r"no command is called 'evalute'; did you mean 'evaluate'\?",
    ),
    "unknown option": ("evaluate good.csv --tarrget y", r"--tarrget"),
    "no columns named": ("measure pred.csv", r"--label and --answer"),
    "no such column": (
        "measure pred.csv --label y --answer yhatt",
        r"'yhatt'.*did you mean 'yhat'",
    ),
    "no predictions file": ("measure gone.csv --label y --answer yhat", r"no such file"),
    "nothing to measure": (
        "measure pred_empty.csv --label y --answer yhat",
        r"labelled rows to measure, got none",
    ),
    "scores that are not there": ("measure pred.csv --label y --answer yhat -m auc", r"scores"),
    "not a log": ("measure .", r"log\.json"),
    "no experiment file": ("run gone.toml", r"no such file"),
    "not TOML": ("run broken.toml", r"broken\.toml: not TOML"),
    "TOML typo": ("run typo.toml", r"titel: no such key; did you mean 'title'\?"),
    "a missing key": ("run none.toml", r"learners: must be given"),
    "all names at once": (
        "run names.toml",
        r"(?s)did you mean 'sea'.*did you mean 'naive_bayes'.*did you mean 'kappa'",
    ),
    "keys and names at once": (
        "run keys.toml",
        r"(?s)repetitions: .*titel: no such key.*did you mean 'naive_bayes'",
    ),
    "out of range": ("run range.toml", r"repetitions: .*greater than or equal to 1, got 0"),
    "endless in a file": ("run endless.toml", r"must end|endless"),
    "bad window in a file": ("run window.toml", r"windows: .*got 0"),
    "no such data file": ("run nofile.toml", r"gone\.csv"),
    "a wrong reading option": ("run option.toml", r"did you mean 'target'"),
    "plan of nothing": ("plan gone.toml", r"no such file"),
    "report of nothing": ("report gone", r"gone.*run folder"),
    "report format": ("evaluate good.csv --report x.pdf", r"\.html"),
    "list of nothing": ("list measurs", r"measurs"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def call(capsys, line: str) -> tuple[int, str, str]:
    code = 0
    try:
        main(line.split(" "))
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_one_sentence_and_exit_code_2(folder, capsys, case):
    line, words = CASES[case]
    before = snapshot(folder)
    code, out, err = call(capsys, line)
    assert code == 2, err
    assert re.search(words, err), err
    assert "Traceback" not in err
    assert not out
    assert snapshot(folder) == before, "nothing is half-written"


def test_every_mistake_of_a_file_is_told_at_once(folder, capsys):
    _, _, err = call(capsys, "run names.toml")
    assert len([line for line in err.splitlines() if "names.toml" in line]) == 3


def test_a_run_folder_of_another_experiment_is_left_alone(folder, capsys):
    assert call(capsys, "run good.toml --out out -q")[0] == 0
    before = snapshot(folder)
    code, _, err = call(capsys, "run good.toml --out out --seed 5 -q")
    assert code == 2
    assert "another experiment's" in err
    assert snapshot(folder) == before


def test_a_bug_of_ours_is_exit_code_1(folder, capsys, monkeypatch):
    monkeypatch.setattr("streamgauge.cli.evaluate.build", lambda *_, **__: 1 / 0)
    code, _, err = call(capsys, "evaluate good.csv -q")
    assert code == 1
    assert "bug of its own: ZeroDivisionError" in err


def test_debug_shows_the_traceback(folder, capsys):
    code, _, err = call(capsys, "--debug evaluate gone.csv")
    assert code == 2
    assert "Traceback" in err


def test_a_model_that_fails_in_an_experiment_keeps_its_log(folder, capsys):
    """A model of scikit-learn that takes its bad parameter badly, when it is first taught."""
    rows = "\n".join(
        f"{a},{b},{'uv'[int(a > b)]}" for a, b in np.random.default_rng(0).random((50, 2))
    )
    (folder / "data.csv").write_text(f"a,b,y\n{rows}\n")
    (folder / "fails.toml").write_text(
        'streams = [{file = "data.csv", target = "y"}]\n'
        'learners = ["sklearn:naive_bayes.MultinomialNB(alpha=-1)"]\n'
    )
    code, _, err = call(capsys, "run fails.toml --out out -q")
    assert code == 2
    assert "failed at item 0" in err
    (cell,) = (folder / "out" / "cells").iterdir()
    assert '"status": "incomplete"' in (cell / "log.json").read_text()
