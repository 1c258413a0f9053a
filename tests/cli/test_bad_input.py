"""Bad input: one sentence, exit code 2, and an unchanged folder."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from streamgauge.cli import main

GOOD = "a,b,y\n1,2,u\n2,3,v\n3,4,u\n4,5,v\n"
SPEC = 'streams = ["sea(items=1000)"]\nlearners = ["naive_bayes"]\n'

FILES = {
    "pred_inf.csv": "y,yhat\n1,inf\n2,1\n",
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
    "endless_grid.toml": SPEC + "repetitions = 9223372036854775807\n",
    "bands.toml": SPEC + "bands = 1.5\n",
    "endless.toml": 'streams = ["sea()"]\nlearners = ["naive_bayes"]\n',
    "window.toml": SPEC + 'windows = ["sliding(0)"]\n',
    "nofile.toml": 'streams = [{file = "gone.csv", target = "y"}]\nlearners = ["nb"]\n',
    "option.toml": 'streams = [{file = "good.csv", tarket = "y"}]\nlearners = ["nb"]\n',
    "twice.toml": 'streams = ["sea(items=9)"]\nlearners = ["nb", "nb"]\n',
    "task.toml": 'streams = ["sea(items=9)"]\nlearners = ["nb", "target_mean"]\n',
    "scores.toml": SPEC.replace("naive_bayes", "sklearn:linear_model.SGDClassifier()")
    + 'measures = ["auc"]\n',
    "latin.toml": b'title = "gr\xfc\xdfe"\n',
    "latin.csv": b"gr\xf6\xdfe,y\n1,u\n2,v\n",
    "twice.csv": "a,a,y\n1,2,u\n2,3,v\n",
    "quote.csv": 'a,b,y\n1,2,"u\n2,3,v\n',
    "torn.csv.gz": gzip.compress(GOOD.encode() * 99)[:60],
    "pred_twice.csv": "y,y,yhat\nu,u,u\n",
    "good.toml": SPEC,
}

CASES = {
    "missing file": ("evaluate gone.csv", r"gone\.csv.*no such file"),
    "bands out of range": ("run bands.toml", r"bands"),
    "bands without a report": (
        "evaluate good.csv --bands 0.9",
        r"--bands must be used with a report, got none; add --report",
    ),
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
    "no columns named": ("measure pred.csv", r"--label and --prediction"),
    "no such column": (
        "measure pred.csv --label y --prediction yhatt",
        r"'yhatt'.*did you mean 'yhat'",
    ),
    "no predictions file": ("measure gone.csv --label y --prediction yhat", r"no such file"),
    "nothing to measure": (
        "measure pred_empty.csv --label y --prediction yhat",
        r"labelled rows to measure, got none",
    ),
    "scores that are not there": ("measure pred.csv --label y --prediction yhat -m auc", r"scores"),
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
    "too many repetitions": (
        "run endless_grid.toml",
        r"repetitions: must be at most 100000, got 9223372036854775807",
    ),
    "out of range": ("run range.toml", r"repetitions: must be at least 1, got 0"),
    "endless in a file": ("run endless.toml", r"must end|endless"),
    "bad window in a file": ("run window.toml", r"windows: .*got 0"),
    "no such data file": ("run nofile.toml", r"gone\.csv"),
    "a wrong reading option": ("run option.toml", r"did you mean 'target'"),
    "plan of nothing": ("plan gone.toml", r"no such file"),
    "report of nothing": ("report gone", r"gone.*run folder"),
    "report format": ("evaluate good.csv --report x.pdf", r"\.html"),
    "list of nothing": ("list measurs", r"measurs"),
    "a folder for a file": ("evaluate .", r"must be a file, got a folder"),
    "a device for an experiment": ("run /dev/zero", r"must be a regular file, got a pipe or dev"),
    "a device for a plan": ("plan /dev/zero", r"must be a regular file, got a pipe or device"),
    "a device for scores": ("rank /dev/zero", r"must be a regular file, got a pipe or device"),
    "a folder for an experiment": ("run .", r"must be a run folder with experiment"),
    "an experiment not in UTF-8": ("plan latin.toml", r"latin\.toml: not TOML: must be UTF-8"),
    "a table not in UTF-8": ("evaluate latin.csv", r"line 1\b.*must be UTF-8"),
    "two columns of one name": ("evaluate twice.csv", r"names must differ, got 'a' twice"),
    "a quote that stays open": ("evaluate quote.csv", r"line 2\b.*closing quote"),
    "a torn packed file": ("evaluate torn.csv.gz", r"torn\.csv\.gz.*(damaged|cannot be read)"),
    "the target left out": ("evaluate good.csv --target y --drop y", r"target.*drop"),
    "one column for two": ("evaluate good.csv --target y --time y", r"'y' for both"),
    "a word in place of a number": (
        "evaluate good.csv -p chunks(size='a')",
        r"chunks: size must be a whole number, got 'a'",
    ),
    "half an item": ("evaluate good.csv -p chunks(size=1.5)", r"a whole number, got 1\.5"),
    "a number in place of a stream": (
        "evaluate take(3,5)",
        r"take: stream must be a stream, got 3",
    ),
    "a word in place of a switch": (
        "evaluate good.csv -l perceptron(standardise='no')",
        r"standardise must be True or False, got 'no'",
    ),
    "a beta beyond numbers": (
        "evaluate good.csv -m fbeta(beta=1e308)",
        r"at most 1e6, got 1e\+308",
    ),
    "reading options for a named stream": (
        "evaluate sea(items=9) --target y",
        r"--target is for files",
    ),
    "no item": ("evaluate good.csv --take 0", r"--take"),
    "a module for a model": ("evaluate good.csv -l river:tree", r"river:module\.Model\(\)"),
    "no such module": ("evaluate good.csv -l river:tre.X()", r"did you mean 'tree'"),
    "a tree of one byte": (
        "evaluate good.csv -l hoeffding_tree(max_bytes=1)",
        r"HoeffdingTree: max_bytes must be at least \d+ for these columns and classes, got 1",
    ),
    "bins beyond memory": ("bins log --bins 99999999999999999999", r"at most 1,000, got 9999"),
    "a forest beyond memory": (
        "evaluate good.csv -l adaptive_random_forest(n_models=99999999999)",
        r"AdaptiveRandomForest: n_models must be at most 10,000, got 99999999999",
    ),
    "lags beyond memory": (
        "diagnose good.csv --lags 99999999999999999999",
        r"lags must be at most 10,000",
    ),
    "shuffles beyond time": (
        "diagnose good.csv -l nb --shuffles 99999999999999999999",
        r"shuffles must be at most 1,000",
    ),
    "a learner that does not fit, late in the list": (
        "evaluate good.csv -l nb,target_mean",
        r"target_mean|TargetMean",
    ),
    "a learner that does not fit, in a file": ("run task.toml", r"TargetMean|target_mean"),
    "scores without a learner that has them": ("run scores.toml", r"scores must be False"),
    "the same cell twice": ("run twice.toml", r"names must be unique, got 'nb' twice"),
    "a report in no folder": ("run good.toml --report no/where.html", r"an existing folder"),
    "a report of an evaluation in no folder": (
        "evaluate good.csv --report no/where.html",
        r"an existing folder",
    ),
    "labels under two columns": (
        "measure pred_twice.csv --label y --prediction yhat",
        r"one column 'y', got several",
    ),
    "export to no format": (
        "export good.csv x.xls",
        r"path must end in one of \.csv.*got 'x\.xls'",
    ),
    "export of nothing": ("export gone.csv x.csv", r"gone\.csv: no such file"),
    "export of an empty file": ("export header.csv x.csv", r"must have items to export, got an"),
    "export of an endless stream": ("export sea x.arff", r"must end, got an endless stream"),
    "export into a folder": ("export good.csv .", r"path must end in"),
    "export into no folder": ("export good.csv no/x.csv", r"no/x\.csv: cannot be written"),
    "export without a path": ("export good.csv", r"PATH"),
    "export of a bad line": ("export inf.csv x.parquet", r"line 6\b.*inf"),
    "reading options for a named stream to export": (
        "export take(sea(),9) x.csv --drop a",
        r"export: --drop is for files",
    ),
    "classes beyond all bounds": (
        "measure pred_inf.csv --label y --prediction yhat",
        r"yhat must be classes",
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
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
    assert snapshot(folder) == before, "files must be unchanged"


def test_all_mistakes_of_a_file_are_reported_together(folder, capsys):
    _, _, err = call(capsys, "run names.toml")
    assert len([line for line in err.splitlines() if "names.toml" in line]) == 3


def test_the_cells_of_another_experiment_stay_in_a_run_folder(folder, capsys):
    assert call(capsys, "run good.toml --out out -q")[0] == 0
    before = {k: v for k, v in snapshot(folder).items() if "cells" in str(k)}
    code, _, err = call(capsys, "run good.toml --out out --seed 5 -q")
    assert code == 0
    assert "1 cell in out is not of this experiment and is not used; `streamgauge prune`" in err
    after = snapshot(folder)
    assert before
    assert before.items() <= after.items()


def test_a_bug_in_streamgauge_is_exit_code_1(folder, capsys, monkeypatch):
    monkeypatch.setattr("streamgauge.cli.evaluate.build", lambda *_, **__: 1 / 0)
    code, _, err = call(capsys, "evaluate good.csv -q")
    assert code == 1
    assert "bug in streamgauge: ZeroDivisionError" in err


def test_debug_shows_the_traceback(folder, capsys):
    code, _, err = call(capsys, "--debug evaluate gone.csv")
    assert code == 2
    assert "Traceback" in err


def test_a_model_that_fails_in_an_experiment_keeps_its_log(folder, capsys):
    """A scikit-learn model that rejects its parameter when it first learns."""
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


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("evaluate good.csv --take 2 --json", '"labels": 2'),
        ("measure pred.csv --label y --prediction yhat --every 99999999999999999999", "accuracy"),
        (
            "measure pred.csv --label y --prediction yhat -w sliding(9223372036854775808)",
            "accuracy",
        ),
        (
            "measure pred.csv --label y --prediction yhat -w tumbling(9223372036854775808)",
            "accuracy",
        ),
        ("evaluate take(sea(),9) --impute mean", "take(SEA, 9)"),
    ],
)
def test_unusual_valid_input_is_accepted(folder, capsys, line, words):
    code, out, err = call(capsys, line)
    assert code == 0, err
    assert words in out


def test_measures_of_scores_work_beside_derived_baselines(folder, capsys):
    (folder / "auc.toml").write_text(SPEC + 'measures = ["auc", "log_loss"]\n')
    code, out, err = call(capsys, "run auc.toml --json")
    assert code == 0, err
    rows = [row["cells"] for row in json.loads(out)["sections"][0]["table"]["rows"]]
    measured = {row["learner"]: row["auc"] is not None for row in rows}
    assert measured == {"naive_bayes": True, "majority_class": False, "persistent": False}


def test_an_experiment_is_not_measured_as_one_log(folder, capsys):
    assert call(capsys, "run good.toml --out out -q")[0] == 0
    code, _, err = call(capsys, "measure out")
    assert code == 2
    assert "give one of the folders in out/cells" in err


def test_an_output_that_cannot_be_written_is_exit_code_2(folder, capsys, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("streamgauge.cli.evaluate.show", full)
    code, _, err = call(capsys, "evaluate good.csv -q")
    assert code == 2
    assert err == "error: the output: cannot be read or written (No space left on device)\n"
