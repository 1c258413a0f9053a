"""The table of a run folder with 10,000 cells: from kept values, and from the logs.

`python benches/bench_table.py [--cells 10000] [--rounds 3] [--folder DIR] [--write]`

The folder is made by a real run of tiny cells, without `fsync`; DIR keeps it for the next time.
Each time is that of a new process, from the call on; imports are not included. "In memory": the
files were read before. "On disk": their contents were evicted from the page cache.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from results import table, write_section

from streamgauge.experiments import Spec, run_experiment

AT_MOST = 5.0
LEARNERS = ["naive_bayes", "persistent", "majority_class", "perceptron", "hoeffding_tree"]
STREAMS = 20
CODE = """
import json, sys, time
began = time.perf_counter(), time.process_time()
import streamgauge as sg
sg.table, sg.experiments.query
if sys.argv[2] == "query":
    import duckdb
imported = time.perf_counter(), time.process_time()
if sys.argv[2] == "query":
    sql = "select count(*) as rows from results"
    rows = sg.experiments.query(sys.argv[1], sql).to_pylist()[0]["rows"]
else:
    rows = sg.table(sys.argv[1], cached=sys.argv[2] == "cached").num_rows
ended = time.perf_counter(), time.process_time()
print(json.dumps([rows, imported[0] - began[0], ended[0] - imported[0], ended[1] - imported[1]]))
"""


def make(folder: Path, cells: int) -> float:
    """Run the cells into a folder; the seconds it took."""
    began = time.perf_counter()
    streams = [f"sea(items=20, seed={seed})" for seed in range(STREAMS)]
    repetitions = cells // (len(streams) * len(LEARNERS))
    with patch("os.fsync"):
        run_experiment(Spec(streams=streams, learners=LEARNERS, repetitions=repetitions), folder)
    return time.perf_counter() - began


def forget(folder: Path) -> None:
    """Evict the contents of all files from the page cache; their names and sizes stay there."""
    os.sync()
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def measured(folder: Path, how: str) -> tuple[int, float, float, float]:
    """Rows, seconds of the imports, seconds and CPU seconds of the table, in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(folder), how], capture_output=True, text=True, check=True
    )
    rows, imports, seconds, cpu = json.loads(done.stdout)
    return int(rows), float(imports), float(seconds), float(cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.cells % (STREAMS * len(LEARNERS)):
        parser.error(f"--cells must be a multiple of {STREAMS * len(LEARNERS)}")
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as temporary:
        folder = given.folder or Path(temporary) / "run"
        if not (folder / "experiment.json").exists():
            print(f"{given.cells:,} cells made in {make(folder, given.cells):.0f} s", flush=True)
        measured(folder, "cached")
        lines, imports = [], []
        for how, label, where, rounds in (
            ("cached", "kept values", "in memory", given.rounds),
            ("cached", "kept values", "on disk", given.rounds),
            ("query", "`query`, kept values", "in memory", given.rounds),
            ("computed", "computed from the logs", "in memory", 1),
            ("computed", "computed from the logs", "on disk", 1),
        ):
            found = []
            for _ in range(rounds):
                if where == "on disk":
                    forget(folder)
                found.append(measured(folder, how))
            rows, _, seconds, cpu = min(found, key=lambda one: one[2])
            imports += [one[1] for one in found]
            goal = f" (≤ {AT_MOST:g})" if how == "cached" else ""
            lines.append([label, where, f"{rows:,}", f"{seconds:.2f}{goal}", f"{cpu:.2f}"])
            print(lines[-1], flush=True)
    head = ["values", "files", "rows", "seconds", "CPU seconds"]
    text = f"""## Table of a run folder

`sg.table` of {given.cells:,} cells of 20 items, 4 measures in 3 windows each. Best of
{given.rounds} new processes, from the logs once; imports ({min(imports):.2f} s) not included.
In memory: the files are in the page cache; on disk: their contents were evicted from it before.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("table", text)


if __name__ == "__main__":
    main()
