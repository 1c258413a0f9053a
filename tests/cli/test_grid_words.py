"""What commands print about grids: one stream chosen, repetitions together, names as text."""

from __future__ import annotations

import csv
import io
import json

import pytest

from streamgauge.cli import main

SPEC = """
title = "t"
streams = ["sea(items=200)", "stagger(items=200)"]
learners = ["nb", { name = "odd \\u202ename", learner = "perceptron" }]
"""


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grid")
    (folder / "grid.toml").write_text(SPEC)
    main(["run", str(folder / "grid.toml"), "--out", str(folder / "run"), "--quiet"])
    return folder


def test_a_stream_of_a_run_is_chosen(grid, capsys):
    main(["compare", str(grid / "run"), "--json", "--stream", "Stagger"])
    assert [entry["stream"] for entry in json.loads(capsys.readouterr().out)] == ["Stagger"]
    with pytest.raises(SystemExit):
        main(["compare", str(grid / "run"), "--stream", "sea"])
    assert "--stream must be one of SEA, Stagger, got 'sea'" in capsys.readouterr().err


def test_names_do_not_turn_the_direction_of_a_terminal(grid, capsys):
    main(["run", str(grid / "grid.toml"), "--out", str(grid / "run")])
    out, err = capsys.readouterr()
    assert "odd \ufffdname" in out
    assert "\u202e" not in out + err


def test_a_plan_has_one_line_for_all_repetitions(grid, capsys):
    path = str(grid / "grid.toml")
    main(["plan", path, "--trial", "0", "--set", "repetitions=5", "--set", 'learners=["nb"]'])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "t: 10 cells"
    assert [line for line in lines if " on sea" in line] == [
        "  nb on sea(items=200), prequential, 5 repetitions"
    ]
    one = ["--set", 'streams=["sea(items=9)"]', "--set", 'learners=["nb"]', "--trial", "0"]
    main(["plan", path, *one])
    assert capsys.readouterr().out.startswith("t: 1 cell\n  nb on sea(items=9), prequential, seed")


def test_differences_in_csv_have_no_noise(grid, tmp_path):
    main(["report", str(grid / "run"), "--out", str(tmp_path / "r.csv")])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text())))
    values = [row[key] for row in rows for key in row if key.startswith("vs_") and row[key]]
    assert len(values) > 6
    assert all(len(value) <= len("-0.005") for value in values), values


def test_a_query_of_two_statements_is_refused(grid, capsys):
    pytest.importorskip("duckdb")
    with pytest.raises(SystemExit):
        main(["query", str(grid / "run"), "select 1; select 2"])
    assert "sql must be a query of DuckDB, got '2 statements; give one'" in capsys.readouterr().err
    main(["query", str(grid / "run"), "select 1;"])
