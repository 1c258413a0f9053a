"""Run folders: changed cards, specs, tables and files, then read, measured and compared."""

from __future__ import annotations

import io
import json
import random
import tempfile
import warnings
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzz.changes import changed_bytes, changed_json
from fuzz.command_line import check_command
from fuzz.kind import Difference, Input, Progress
from fuzz.seals import resealed
from fuzz.small_runs import run_folder
from streamgauge import measure
from streamgauge.experiments import table as results
from streamgauge.experiments._run_experiment import read_experiment

FIRST_CHECK = "experiment.json and a card accepted, at least one row decoded"
COMMANDS = (
    ("report", "run", "--out", "r.json"),
    ("compare", "run"),
    ("rank", "run"),
    ("bins", "run", "--bins", "3"),
    ("query", "run", "select * from results, cells limit 3"),
)


def draw(draw: random.Random) -> Input:
    """One to three changes of one kind; `sealed`: the log is consistent with itself again."""
    files = dict(run_folder())
    sealed = False
    for _ in range(draw.choice((1, 1, 2, 3))):
        name = draw.choice(sorted(files))
        match draw.randrange(10):
            case 0 | 1 | 2 | 3:
                name = draw.choice([n for n in sorted(files) if n.endswith(".json")])
                try:
                    content = changed_json(draw, json.loads(files[name]))
                except ValueError:  # changed before
                    continue
                files[name] = json.dumps(content).encode()
                sealed = sealed or draw.random() < 0.6
            case 4 | 5:
                name = draw.choice([n for n in sorted(files) if n.endswith(".parquet")])
                files[name] = changed_table(draw, files[name])
                sealed = sealed or draw.random() < 0.8
            case 6 | 7:
                files[name] = changed_bytes(draw, files[name])
            case 8:
                files[name] = files[draw.choice(sorted(files))]
            case _:
                del files[name]
                if not any(n.endswith(".parquet") for n in files):
                    break
    command = draw.choice(COMMANDS) if draw.random() < 0.03 else ()
    return Input(files, {"sealed": sealed, "command": list(command)})


def changed_table(draw: random.Random, content: bytes) -> bytes:
    """A table of a log with another row, column or type."""
    try:
        table = pq.read_table(io.BytesIO(content))
    except (pa.ArrowException, OSError):
        return content
    at = draw.randrange(max(table.num_rows, 1))
    column = draw.randrange(table.num_columns)
    match draw.randrange(7):
        case 0:
            table = table.slice(0, at)
        case 1:
            table = pa.concat_tables([table.slice(0, at), table.slice(at)[::-1]])
        case 2:
            table = pa.concat_tables([table, table.slice(at, 3)])
        case 3:
            table = table.remove_column(column)
        case 4:
            kind = draw.choice((pa.float64(), pa.int64(), pa.string(), pa.int8(), pa.uint64()))
            table = _cast(table, column, kind)
        case 5:
            cells = table.column(column).to_pylist()
            if cells:
                cells[at] = draw.choice((None, 0, 1, 2, 7, 100))
            table = table.set_column(
                column, table.schema.field(column).with_nullable(True), _array(cells, table, column)
            )
        case _:
            names = list(table.column_names)
            names[column] = draw.choice(("item", "x", names[-1]))
            table = table.rename_columns(names)
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def _array(cells: list[Any], table: pa.Table, column: int) -> pa.ChunkedArray:
    try:
        return pa.chunked_array([pa.array(cells, table.schema.field(column).type)])
    except (pa.ArrowException, OverflowError, TypeError):
        return table.column(column)


def _cast(table: pa.Table, column: int, kind: Any) -> pa.Table:
    try:
        cells = table.column(column).cast(kind, safe=False)
    except pa.ArrowException:
        return table
    return table.set_column(column, table.schema.field(column).name, cells)


def measured(folder: Path, progress: Progress | None = None) -> list[Any]:
    """What every log of the folder measures."""
    _, logs = read_experiment(folder)
    found: list[Any] = []
    for log in logs:
        pairs = list(log.labelled_predictions())
        if progress is not None and any(len(each) for each in pairs):
            progress.past = True
        for table in (log.predictions, log.labels, log.training):
            found.append(sum(len(rows) for rows in table()))
        log.alarms()
        names = ["accuracy", "kappa"] if log.schema.task == "classification" else ["mae"]
        found += [repr(measure(log, name)) for name in names]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cells without a log
        found.append(repr(results(folder).to_pylist()))
    return found


@cache
def _before() -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        write(run_folder(), Path(folder))
        return measured(Path(folder))


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Read and measure; a changed log is refused or measures what it measured before."""
    target = folder / "run"
    write(resealed(given.files) if given.call["sealed"] else given.files, target)
    found = measured(target, progress)
    if not given.call["sealed"] and found != _before():
        wrong = [pair for pair in zip_longest(_before(), found) if pair[0] != pair[1]]
        raise Difference(f"a changed log measures otherwise: {wrong[:3]}")
    if given.call["command"]:
        check_command(given.call["command"], folder)


def write(files: dict[str, bytes], folder: Path) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
