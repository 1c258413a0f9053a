"""The cost of a command from a cold start, on a file of predictions.

`python benches/bench_commands.py [--write]`
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from bench_start import child_cpu
from results import table, write_section

ROUNDS = 7
ROWS = 1_000_000
AT_MOST = 0.7


def predictions(path: Path) -> Path:
    """A file of labels and predictions, 80 % of them correct."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, ROWS)
    predicted = np.where(rng.random(ROWS) < 0.8, label, 1 - label)
    pq.write_table(pa.table({"y": label, "p": predicted}), path)
    return path


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        path = predictions(Path(folder) / "predictions.parquet")
        words = ("-m", "streamgauge", "measure", str(path), "--label", "y", "--prediction", "p")
        seconds = min(child_cpu(*words) for _ in range(ROUNDS))
    row = ("measure", "Parquet", f"{ROWS:,}", f"{seconds:.3f}", f"{AT_MOST:.3f}")
    text = f"""## Commands from a cold start

CPU time of fresh interpreters, best of {ROUNDS}; pandas is installed, and not loaded.

{table(("command", "file", "rows", "CPU seconds", "at most"), [row])}
"""
    print(text)
    if given.write:
        write_section("commands", text)


if __name__ == "__main__":
    main()
