"""Writing and reading logs on disk, checksums included, and compared with another checkout.

`python benches/bench_logs.py [--other CHECKOUT] [--rounds 5] [--write]`

CHECKOUT is a checkout whose `python/` contains the compiled core. Each round measures both in new
processes, alternating; the table shows the best CPU time of all rounds, and its ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from results import rate, table, write_section

HERE = Path(__file__).resolve().parents[1]
ROWS = 400_000
AT_MOST = 1.05

CODE = """
import json, shutil, sys, tempfile, time
from pathlib import Path
import streamgauge as sg

rows, scores = int(sys.argv[1]), sys.argv[2] == "scores"
log = sg.run(f"sea(items={rows})", "nb", scores=scores)
place = Path(tempfile.mkdtemp(prefix="streamgauge-bench-"))

def write():
    book = sg.log.Book(log.schema, log.about, scores=scores, folder=place / "log")
    for part in log.tables.rows:
        book.write(part)
    book.close()

def read():
    read = sg.read_log(place / "log")
    for part, name in zip(
        (read.predictions, read.labels, read.training), ("prediction", "label", "weight")
    ):
        for rows in part():
            rows.item.sum(), getattr(rows, name).sum()

def decode():
    read = sg.read_log(place / "log")
    for part in (read.predictions, read.labels, read.training):
        for _ in part():
            pass

def measure():
    sg.measure(sg.read_log(place / "log"), "accuracy").final

best = {}
for _ in range(6):
    shutil.rmtree(place / "log", ignore_errors=True)
    for work in (write, decode, read, measure):
        began = time.process_time()
        work()
        seconds = time.process_time() - began
        best[work.__name__] = min(seconds, best.get(work.__name__, seconds))
shutil.rmtree(place)
print(json.dumps(best))
"""


def seconds(checkout: Path, scores: str) -> dict[str, float]:
    """The best CPU time of each work in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(ROWS), scores],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(checkout / "python")},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--other", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    checkouts = [HERE] if given.other is None else [HERE, given.other]
    lines = []
    for scores in ("no scores", "scores"):
        best: list[dict[str, float]] = [{} for _ in checkouts]
        for _ in range(given.rounds):
            for held, checkout in zip(best, checkouts, strict=True):
                for work, found in seconds(checkout, scores).items():
                    held[work] = min(found, held.get(work, found))
        for work, mine in best[0].items():
            others = [f"{mine / held[work]:.3f} (≤ {AT_MOST})" for held in best[1:]] or ["–"]
            lines.append([work, scores, f"{1000 * mine:.1f}", rate(ROWS / mine), *others])
    head = ["work", "log", "CPU milliseconds", "items/s", "ratio to the other checkout"]
    text = f"""## Logs on disk

{ROWS:,} items; a log is written (streams, Parquet, checksums, card), decoded (every batch of its
three tables is made, and none looked at), read (items, predictions, labels and weights summed) and
measured (accuracy, from opening on). CPU time, best of {given.rounds} processes.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("logs", text)


if __name__ == "__main__":
    main()
