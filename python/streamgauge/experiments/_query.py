"""`query`: SQL over the results, cells and logs of a run folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa

from streamgauge.errors import MissingExtraError, ParameterError
from streamgauge.experiments._cell_table import cell_table
from streamgauge.experiments._experiment import read_stored
from streamgauge.experiments._found_cells import found_cells, left_out
from streamgauge.experiments._log_tables import LOG_TABLES, LogTables
from streamgauge.experiments._table import choice_of, tabulated
from streamgauge.measures._compute import AMeasure, AWindow
from streamgauge.progress import Progress

TABLES = ("results", "cells", *LOG_TABLES)
"""The tables that a query can name."""

CLOSED = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
"""Settings of DuckDB: no extensions, no variables of Python as tables, no files of its own."""


def query(
    folder: Path | str,
    sql: str,
    measures: AMeasure | Sequence[AMeasure] | None = None,
    windows: AWindow | Sequence[AWindow] | None = None,
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
) -> pa.Table:
    """The result of a query in the SQL of DuckDB over the tables of a run folder.

    ==============================================  ================================================
    table                                           rows
    ==============================================  ================================================
    `results`                                       those of `streamgauge.table`
    `cells`                                         one per cell: names, status, costs, versions
    `predictions`, `labels`, `training`, `alarms`,  the tables of all complete logs, with the column
    `vitals`, `selections`                          `cell`
    ==============================================  ================================================

    Tables that the query does not name are not read, and of the logs only the columns and cells
    that it needs. The database is in memory: the query can read and write no files, and nothing
    that the folder names is imported. It needs the extra `sql`.

    Parameters
    ----------
    folder
        The run folder.
    sql
        The query.
    measures, windows
        Those of `results`, as in `streamgauge.table`.
    progress
        A function that is called with the number of cells of `results` done and that of all.
    note
        A function that is called with a sentence about cells without a complete log.

    Examples
    --------
    >>> import tempfile
    >>> from streamgauge.experiments import Spec, run_experiment
    >>> spec = Spec(streams=["sea(items=100)"], learners=["nb", "persistent"])
    >>> sql = "select learner from results where measure = 'kappa' and results.window = 'whole'"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logs = run_experiment(spec, folder)
    ...     query(folder, sql).to_pylist()
    [{'learner': 'nb'}, {'learner': 'persistent'}]
    """
    if not isinstance(sql, str) or not sql.strip():
        raise ParameterError.of("query", "sql", "a query as text", sql)
    duckdb = _duckdb()
    folder = Path(folder)
    experiment = read_stored(folder)
    named = [name for name in TABLES if name in sql.lower()]
    tables: dict[str, Any] = {}
    if "results" in named:
        choice = choice_of(experiment, folder, measures, windows)
        tables["results"], statuses = tabulated(experiment, folder, choice, progress)
    else:
        statuses = Counter(one.status for one in found_cells(experiment, folder))
    if note is not None and (sentence := left_out(statuses, folder)):
        note(sentence)
    if "cells" in named:
        tables["cells"] = cell_table(list(found_cells(experiment, folder)))
    logs = LogTables(folder / "cells")
    for name in named:
        if name in LOG_TABLES:
            complete = (one for one in found_cells(experiment, folder) if one.status == "complete")
            tables[name] = logs.dataset(name, [one.id for one in complete])
    rows = _rows(duckdb, tables, sql)
    if logs.error is not None:
        raise logs.error
    if isinstance(rows, str):
        raise _refused(sql, rows)
    return rows


def _rows(duckdb: Any, tables: dict[str, Any], sql: str) -> pa.Table | str:
    """The rows of a query, or what DuckDB says is wrong with it.

    An error of DuckDB holds its database for as long as a traceback does, and is not passed on.
    """
    with duckdb.connect(":memory:", config=CLOSED) as database:
        for name, table in tables.items():
            database.register(name, table)
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")
        try:
            rows = database.sql(sql)
            return pa.table({}) if rows is None else pa.table(rows)
        except duckdb.Error as error:
            return str(error)


def _duckdb() -> Any:
    try:
        return import_module("duckdb")
    except ImportError as missing:
        raise MissingExtraError("duckdb", "sql") from missing


def _refused(sql: str, message: str) -> ParameterError:
    """The error about a query: what DuckDB says, without the lines that show where."""
    words = " ".join(message.partition("\nLINE ")[0].split())
    advice = f"the tables are {', '.join(TABLES)}"
    if re.search(r"(?<![.\"\w])window\b", sql, re.I) and "syntax error" in words:
        advice = "write results.window for the column, because window is a word of SQL"
    return ParameterError(f"query: sql must be a query of DuckDB, got {words!r}; {advice}")
