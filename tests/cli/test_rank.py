"""`streamgauge rank` on a run, logs and a table of scores; and bad input."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from streamgauge import learners, run, streams
from streamgauge.cli import main

SPEC = """
streams = ["sea(function=1, items=200)", "sea(function=2, items=200)", "stagger(items=200)"]
learners = ["naive_bayes", "majority_class"]
repetitions = 2
"""


def output(capsys, *args):
    main([str(a) for a in args])
    return capsys.readouterr().out


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"s{i}x,{0.9 + rng.random() / 20},{0.8},{0.7 + rng.random() / 4}" for i in range(8)]
    path = tmp_path / "accuracy.csv"
    path.write_text("stream,tree,bayes,rules\n" + "\n".join(rows) + "\n")
    return path


def test_a_run_is_ranked_and_its_repetitions_are_one_score(tmp_path, capsys):
    (tmp_path / "grid.toml").write_text(SPEC)
    main(["run", str(tmp_path / "grid.toml"), "--out", str(tmp_path / "done"), "--quiet"])
    capsys.readouterr()
    out = output(capsys, "rank", tmp_path / "done")
    assert "Each score is the mean over 2 repetitions; a stream counts once." in out
    assert "only 3 streams" in out
    assert "naive_bayes 1." in out
    loaded = json.loads(output(capsys, "rank", tmp_path / "done", "-m", "error", "--json"))
    assert (loaded["measure"], loaded["higher_is_better"]) == ("error", False)
    assert np.array(loaded["scores"]).shape == np.array(loaded["sd"]).shape == (3, 2)
    assert loaded["repetitions"] == 2


def test_logs_are_ranked(tmp_path, capsys):
    folders = []
    for i, stream in enumerate((streams.SEA(items=300), streams.Stagger(items=300))):
        for j, learner in enumerate((learners.NaiveBayes(), learners.Persistent())):
            folders.append(tmp_path / f"{i}{j}")
            run(stream, learner, folder=folders[-1])
    assert "Mean ranks over 2 streams" in output(capsys, "rank", *folders)


def test_a_table_of_scores_is_ranked_drawn_and_written(table, tmp_path, capsys):
    out = output(
        capsys,
        *("rank", table, "--control", "rules", "--rope", "0.01", "--percent"),
        *("--table", tmp_path / "t.tex", "--diagram", tmp_path / "d.svg"),
        *("--matrix", tmp_path / "m.pdf"),
    )
    assert out.startswith("Mean ranks over 8 streams (1 is best): tree 1.")
    assert "Bayesian signed-rank, on most streams like these" in out
    assert "rules is worse than tree" in out
    assert r"\toprule" in (tmp_path / "t.tex").read_text()
    assert "tree" in (tmp_path / "d.svg").read_text()
    assert (tmp_path / "m.pdf").stat().st_size > 1000
    output(capsys, "rank", table, "--table", tmp_path / "t.md")
    assert "| stream | tree | bayes | rules |" in (tmp_path / "t.md").read_text()
    loaded = json.loads(output(capsys, "rank", table, "--test", "nemenyi", "--json"))
    assert loaded["pairs"]["critical_difference"] > 1
    assert loaded["pairs"]["p"][0][0] is None
    low = json.loads(output(capsys, "rank", table, "--lower-is-better", "--json"))
    assert low["mean_ranks"][0] > 2.5


FILES = {
    "few.csv": "stream,a,b\nx,1,2\n",
    "one.csv": "stream,a\nx,1\ny,2\n",
    "words.csv": "stream,a,b\nx,1,2\ny,1,high\n",
    "gap.csv": "stream,a,b\nx,1,2\ny,1,nan\n",
    "ragged.csv": "stream,a,b\nx,1,2\ny,1\n",
    "gaps.csv": '\nstream,a,b\n\n"x\nz",1,2\n\ny,1,high\n',
    "ragged_gaps.csv": "stream,a,b\n\n\ny,1\n",
    "good.csv": "stream,a,b\nx,1,2\ny,3,4\n",
    "empty.csv": "",
}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("gone.csv", r"gone\.csv: no such file"),
        ("few.csv", r"streams must be at least 2, got 1"),
        ("one.csv", r"learners must be at least 2, got 1"),
        ("words.csv", r"line 3: every score must be a number, got 'high' for b"),
        ("gaps.csv", r"line 7: every score must be a number, got 'high' for b"),
        ("ragged_gaps.csv", r"line 4: must have 3 cells, got 2"),
        ("gap.csv", r"no score may be missing, got nan for b on y"),
        ("ragged.csv", r"line 3: must have 3 cells, got 2"),
        ("empty.csv", r"one row per stream"),
        ("good.csv --alpha 2", r"alpha must be above 0 and below 1, got 2"),
        ("good.csv --control c", r"no learner in the table is called 'c'"),
        ("good.csv --table t.doc", r"must be a name that ends in \.tex or \.md, got 't\.doc'"),
        ("good.csv --diagram d.bmp", r"a name that ends in one of \.svg"),
        ("good.csv few.csv", r"must be a folder if there are several sources"),
        (".", r"run folder"),
    ],
)
def test_bad_input_gets_one_sentence(args, words, tmp_path, monkeypatch, capsys):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["rank", *args.split()])
    assert left.value.code == 2
    assert re.search(words, capsys.readouterr().err)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(FILES)


TABLE = "s,A,B\nd1,.9,.1\nd2,.8,.1\nd3,.7,.1\nd4,.8,.2\nd5,.9,.3\n"


@pytest.mark.parametrize(
    ("content", "words", "sentence"),
    [
        (TABLE, ["-m", "error"], "--measure and --window are for logs"),
        (TABLE, ["-w", "whole"], "--measure and --window are for logs"),
        (TABLE.encode("utf-16"), [], "must be UTF-8, got another encoding"),
        (TABLE.encode().replace(b"d1", b"d\xe9"), [], "must be UTF-8, got another encoding"),
        (TABLE.replace(".9", "1_0"), [], "every score must be a number, got '1_0' for A"),
        (TABLE.replace(".9", "\u0661"), [], "every score must be a number"),
        (
            TABLE.replace(".9", "1e308"),
            [],
            "must be infinite, or at most 1e+300 in size",
        ),
        (TABLE.replace("A,B", "A,"), [], "every column must have the name of a learner"),
    ],
)
def test_a_table_that_cannot_be_ranked_is_one_sentence(tmp_path, capsys, content, words, sentence):
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SystemExit) as left:
        main(["rank", str(path), *words])
    shown = capsys.readouterr()
    assert (left.value.code, shown.out, shown.err.count("\n")) == (2, "", 1)
    assert sentence in shown.err


def test_a_name_with_an_end_of_line_stays_on_its_line(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text(TABLE.replace("A,B", '"A\nB beats A\nx",B'))
    main(["rank", str(path)])
    assert "B beats A" not in capsys.readouterr().out.splitlines()


def test_the_direction_of_logs_is_that_of_the_measure(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["rank", str(tmp_path), "--lower-is-better"])
    assert "--lower-is-better is for a table of scores" in capsys.readouterr().err
