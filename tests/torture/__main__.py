"""`python -m torture [kills|grids|writers|failures]`: exit code 1 if a run folder was harmed."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from torture import failures, grids, kills, writers
from torture.experiment import report

GOOD = {"kills", "runs", "rounds", "refused", "winners_killed", "states", "resumed"} | {
    "kills_of_runs",
    "kills_of_workers",
    "grids",
    "resumed_cells",
}
"""Counts of what was done; all others are faults."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("what", nargs="*", default=["kills", "grids", "writers", "failures"])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--grid-kills", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--states", type=int, default=8, help="states per operation")
    parser.add_argument("--limit", type=int, help="states of a run, and of a log, in total")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    work = {
        "kills": lambda folder: kills.torture(folder, given.kills, given.seed),
        "grids": lambda folder: grids.torture(folder, given.grid_kills, given.seed),
        "writers": lambda folder: writers.torture(folder, given.rounds, given.seed),
        "failures": lambda folder: failures.torture(folder, given.states, given.seed, given.limit),
    }
    failed = False
    for name in given.what:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="streamgauge-torture-") as folder:
            found = work[name](Path(folder))
        counts = ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in found.items())
        report(f"{name} (seed {given.seed}): {counts}; {time.monotonic() - began:.0f} s")
        failed |= any(found[what] for what in found.keys() - GOOD)
    sys.exit(failed)


if __name__ == "__main__":
    main()
