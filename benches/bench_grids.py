"""Grids of cells: what a tiny cell costs beside itself, and how much two processes gain.

`python benches/bench_grids.py [--write]`. Needs two processors that do nothing else.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from results import table, write_section

import streamgauge as sg
from streamgauge.experiments import Spec, run_experiment

CELLS = 1000
AT_MOST_MS = 20.0
AT_LEAST = 1.8
TINY = Spec(streams=["sea(items=100)"], learners=["nb"], repetitions=CELLS, measures=["accuracy"])
LONG = Spec(
    streams=["sea(items=400000)"],
    learners=["adaptive_random_forest(n_models=5)", "adaptive_random_forest(n_models=4)"],
    repetitions=4,
    measures=["accuracy"],
)


def seconds(spec: Spec, executor: str) -> float:
    """Seconds of a run into a new folder."""
    place = Path(tempfile.mkdtemp(prefix="streamgauge-bench-"))
    began = time.perf_counter()
    run_experiment(spec, place / "run", executor=executor)
    taken = time.perf_counter() - began
    shutil.rmtree(place)
    return taken


def alone() -> float:
    """Seconds of the tiny cells by `sg.run`, in memory."""
    began = time.perf_counter()
    for seed in range(CELLS):
        sg.run("sea(items=100)", "nb", seed=seed)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rounds = range(given.rounds)
    own = min(alone() for _ in rounds)
    overhead = {
        name: 1e3 * (min(seconds(TINY, name) for _ in rounds) - own) / CELLS
        for name in ("serial", "processes(workers=2)")
    }
    serial = min(seconds(LONG, "serial") for _ in rounds)
    both = min(seconds(LONG, "processes(workers=2)") for _ in rounds)
    lines = [
        ["a cell itself, in memory", f"{1e3 * own / CELLS:.2f} ms", ""],
        *(
            [f"a cell more, on {name}", f"{ms:.1f} ms", f"≤ {AT_MOST_MS:g} ms" * ("p" in name)]
            for name, ms in overhead.items()
        ),
        ["8 cells of 400,000 items, serial", f"{serial:.1f} s", ""],
        ["the same on 2 processes", f"{both:.1f} s", f"{serial / both:.2f} × (≥ {AT_LEAST} ×)"],
    ]
    text = f"""## Grids

{CELLS:,} cells of 100 items (naive Bayes), fsync of every file and the start of the processes
included; and 8 cells that take all of a processor (forests of 4 and 5 trees). Wall time, best of
{given.rounds}.

{table(["work", "time", "goal"], lines)}
"""
    print(text)
    if given.write:
        write_section("grids", text)


if __name__ == "__main__":
    main()
