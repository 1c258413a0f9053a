"""`streamgauge query`: SQL over a run folder, in a database that reaches no files."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.checksums import sealed
from streamgauge.cli import main
from streamgauge.errors import LogError, ParameterError
from streamgauge.experiments import Spec, query, run_experiment
from streamgauge.experiments._cells import cells
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._log_tables import LOG_TABLES
from streamgauge.log import read_log

NAME = "=HYPERLINK(\"x\"); 'drop table cells' \u202e[bold]"
SPEC = Spec(
    repetitions=2,
    groups=[
        {
            "streams": ["sea(items=80)", "led(items=60)"],
            "learners": [
                {"name": NAME, "learner": "nb"},
                "resetting(nb, random_alarms(p=0.2, warm_start=5))",
            ],
        },
        {"streams": ["friedman(items=50)"], "learners": ["target_mean"]},
    ],
)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "a 'run' \"folder\""
    run_experiment(SPEC, folder)
    return folder


@pytest.fixture
def run(made, tmp_path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def outcome(capsys, *words: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    code = 0
    try:
        main(["query", *words])
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


def test_results_are_the_table(made):
    assert query(made, "from results").to_pylist() == sg.table(made).to_pylist()


def test_cells_have_a_row_each_with_what_their_logs_state(made):
    rows = query(made, "from cells").to_pylist()
    for row, cell in zip(rows, cells(read_stored(made)), strict=True):
        log = read_log(made / "cells" / cell.id)
        assert row["cell"] == cell.id
        assert row["status"] == "complete"
        assert row["reason"] is None
        assert (row["stream"], row["protocol"]) == (cell.source, cell.protocol)
        assert (row["repetition"], row["seed"]) == (cell.repetition, cell.seed)
        assert row["learner"] == (cell.name or cell.learner)
        assert row["task"] == log.schema.task
        classes = log.schema.classes
        assert row["classes"] == (None if classes is None else list(map(str, classes)))
        assert row["items"] == log.resources["items"]
        assert row["seconds"] == log.resources["seconds"]
        assert dict(row["about"]) == dict(log.about)


@pytest.mark.parametrize("table", LOG_TABLES)
def test_the_tables_of_the_logs_have_every_row_of_every_cell(made, table):
    rows = query(made, f"select cell, count(*) as n from {table} group by cell").to_pylist()
    counts = {row["cell"]: row["n"] for row in rows}
    expected = {one.folder.name: one.rows[table] for one in sg.verify(made) if one.rows.get(table)}
    assert counts == expected


def test_a_value_can_be_recounted_in_sql(made):
    recount = query(
        made,
        """select stream, learner, repetition, avg((prediction = label)::int) as share
        from predictions join labels using (cell, item) join cells using (cell)
        where task = 'classification' and prediction is not null group by all order by all""",
    )
    assert recount.num_rows == 8
    skipped = [
        sg.measure(read_log(made / "cells" / cell.id), "accuracy", cold_start="skip").final
        for cell in cells(read_stored(made))
        if cell.learner != "target_mean"
    ]
    assert sorted(recount["share"].to_pylist()) == pytest.approx(sorted(skipped))


def test_codes_of_classes_can_be_read_as_values(made):
    sql = "select distinct classes[label::int + 1] as y from labels join cells using (cell) "
    found = query(made, f"{sql} where stream like 'sea%'")
    assert set(found["y"].to_pylist()) == {"groupA", "groupB"}


def test_a_query_reads_only_the_cells_that_it_needs_and_checks_them(run):
    wanted, other, *_ = [cell.id for cell in cells(read_stored(run))]
    path = run / "cells" / other / "predictions.parquet"
    path.write_bytes(b"damaged")
    sql = "select count(*) as n from predictions"
    assert query(run, f"{sql} where cell = '{wanted}'").to_pylist() == [{"n": 80}]
    with pytest.raises(LogError, match=r"predictions.parquet: must have .* got 7; the file is d"):
        query(run, sql)


CLOSED = [
    "copy cells to 'written.csv'",
    "copy (select 1) to 'written.parquet' (format parquet)",
    "select * from read_csv('secret.csv')",
    "select * from read_text('secret.csv')",
    "select * from 'secret.csv'",
    "select * from glob('*')",
    "attach 'written.db' as other",
    "export database 'written'",
    "install httpfs",
    "load httpfs",
    "select * from read_csv('https://127.0.0.1/x.csv')",
    "set enable_external_access = true",
    "set lock_configuration = false",
    "set temp_directory = 'written'",
    "select * from secret",
]


@pytest.mark.parametrize("sql", CLOSED)
def test_a_query_reaches_no_files_no_network_and_no_variables(made, tmp_path, monkeypatch, sql):
    secret = sg.table(made)
    assert secret.num_rows
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(ParameterError, match="query: sql must be a query of DuckDB, got"):
        query(made, sql)
    assert os.listdir(tmp_path) == ["secret.csv"]


def test_a_query_changes_nothing_in_the_folder(run):
    before = {p: p.read_bytes() for p in run.rglob("*") if p.is_file()}
    query(run, "create table t as from results")
    query(run, "create or replace view cells as select 1")
    with pytest.raises(ParameterError, match="got '3 statements; give one'"):
        query(run, "create table t as from results; delete from t; select * from t")
    assert {p: p.read_bytes() for p in run.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "selec 1",
            'syntax error at or near "selec"\'; the tables are results, cells, predictions',
        ),
        ("from nowhere", "Table with name nowhere does not exist"),
        (
            "select learner from results where window = 'whole'",
            "; write results.window for the col",
        ),
        ("", "query: sql must be a query as text, got ''"),
        (" ", "query: sql must be a query as text, got ' '"),
        ("select error('x' || chr(27) || chr(10) || 'y')", "x\\x1b y"),
    ],
)
def test_a_wrong_query_is_one_sentence_and_exit_2(made, capsys, sql, words):
    code, out, err = outcome(capsys, str(made), sql)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert words in err


def test_measures_and_windows_of_results_can_be_chosen(made, capsys):
    sql = "select distinct measure, results.window from results order by all"
    given = ("--measures", "f1,mae", "--windows", "sliding(9)", "--csv")
    code, out, _ = outcome(capsys, str(made), sql, *given)
    assert (code, out) == (0, "measure,window\nf1,sliding(9)\nmae,sliding(9)\n")


def test_other_wrong_arguments(made, tmp_path, capsys, monkeypatch):
    code, _, err = outcome(capsys, str(tmp_path), "select 1")
    assert (code, "must be a run folder with experiment.json" in err) == (2, True)
    code, _, err = outcome(capsys, str(made), "select 1", "--json", "--csv")
    assert (code, "only one of --json and --csv" in err) == (2, True)
    code, _, err = outcome(capsys, str(made), "select 1 as a, 2 as a", "--json")
    assert (code, "got 'a' twice; rename one with AS" in err) == (2, True)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = outcome(capsys, str(made), "select 1")
    assert (code, err) == (2, "error: duckdb is not installed; pip install 'streamgauge[sql]'\n")


def test_text_json_and_csv_have_the_same_values(made, capsys):
    sql = "select learner, repetition, seed, classes, 'NaN'::double as x from cells order by cell"
    code, text, err = outcome(capsys, str(made), sql)
    assert (code, err) == (0, "")
    assert "\u202e" not in text
    rows = json.loads(outcome(capsys, str(made), sql, "--json")[1])
    lines = list(csv.DictReader(io.StringIO(outcome(capsys, str(made), sql, "--csv")[1])))
    assert len(rows) == len(lines) == 10
    for row, line in zip(rows, lines, strict=True):
        assert (row["x"], line["x"]) == (None, "")
        assert str(row["seed"]) == line["seed"]
        assert line["learner"] == ("'" + NAME if row["learner"] == NAME else row["learner"])
        assert json.loads(line["classes"] or "null") == row["classes"]
        assert str(row["seed"]) in text


def test_a_long_table_is_cut_with_a_note_and_a_wide_one_is_printed_by_rows(made, capsys):
    code, out, err = outcome(capsys, str(made), "select i from range(250) t(i)")
    assert (code, len(out.splitlines())) == (0, 101)
    assert err == "note: 100 of 250 rows; print all with --csv or --json\n"
    assert len(outcome(capsys, str(made), "from range(250)", "--csv")[1].splitlines()) == 251
    _, out, _ = outcome(capsys, str(made), "select * from cells limit 2")
    width = len("predict_seconds_per_item")  # the longest name of a column
    assert out.splitlines()[:2] == ["row 1", f"  {'cell':{width}}  {next_cell(made)}"]


def next_cell(folder: Path) -> str:
    return next(cells(read_stored(folder))).id


def test_missing_cells_are_noted_and_listed(run, capsys):
    first, second, *_ = [run / "cells" / cell.id for cell in cells(read_stored(run))]
    shutil.rmtree(first)
    card = json.loads((second / "log.json").read_text())
    del card["checksum"]
    (second / "log.json").write_text(sealed({**card, "status": "incomplete", "reason": "killed"}))
    sql = "select status, reason, count(*) as n from cells group by all order by all"
    code, out, err = outcome(capsys, str(run), sql, "--json")
    assert code == 0
    assert json.loads(out) == [
        {"status": "complete", "reason": None, "n": 8},
        {"status": "incomplete", "reason": "killed", "n": 1},
        {"status": "missing", "reason": None, "n": 1},
    ]
    assert err.startswith("note: ")
    assert "1 that were not run yet and 1 whose logs are incomplete" in err


def test_hostile_cards_are_rows_or_a_sentence(run, capsys):
    place = run / "cells" / next_cell(run)
    card = json.loads((place / "log.json").read_text())
    del card["checksum"]
    for changed in (
        {"about": {"x\ud800": "\ud83d", "learner": "'); drop table cells; --"}},
        {"resources": {"items": 1e400, "seconds": -1e400, "cpu_seconds": float("nan")}},
        {"resources": {"items": -3, "seconds": 10**400}},
    ):
        (place / "log.json").write_text(sealed({**card, **changed}))
        code, out, err = outcome(capsys, str(run), "select * from cells", "--json")
        assert (code, err) == (0, "")
        assert len(json.loads(out)) == 10


def test_a_folder_of_only_missing_cells_has_empty_tables(run):
    shutil.rmtree(run / "cells")
    for table in ("results", *LOG_TABLES):
        assert query(run, f"select * from {table}").num_rows == 0
    assert query(run, "select * from cells where status = 'missing'").num_rows == 10
