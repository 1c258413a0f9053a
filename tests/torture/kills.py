"""Random `kill -9`s of a run, its report included; resumed until it finishes."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from functools import partial
from pathlib import Path

from streamgauge import _start
from torture.experiment import clear, content, differences, finished, report, write_spec
from torture.processes import ended, kill, start, warm_up

LONGEST = 300.0
"""Seconds after which a run counts as hanging."""


def torture(folder: Path, count: int, seed: int, items: int = 3_000) -> Counter[str]:
    """Kill `count` times. Returns counts of kills, finished runs, lost cells, differences."""
    spec = write_spec(folder, items)
    warm_up(spec, folder / "warm")
    rng = random.Random(seed)
    output = folder / "output.txt"
    found: Counter[str] = Counter(kills=0, runs=0, lost_cells=0, left_over=0, differences=0)

    def run(out: Path) -> int:
        line = ["run", str(spec), "--out", str(out), "-q", "--executor", "serial"]
        return start(partial(_start.main, line), output)

    began = time.monotonic()
    whole = clear(folder / "whole")
    code = ended(run(whole), LONGEST)
    assert code == 0, output.read_text()
    longest = time.monotonic() - began
    expected = content(whole)
    while found["kills"] < count:
        target = clear(folder / "run")
        cells: dict[str, int] = {}
        code = None
        while code != 0:
            process = run(target)
            # Once enough were killed, the last run is finished.
            wait = rng.random() * longest if found["kills"] < count else LONGEST
            code = ended(process, wait)
            if code is None:
                code = kill(process)
                longest = min(1.05 * longest, LONGEST)
            else:  # about one in three runs is not killed, also if the machine becomes faster
                longest *= 0.9
            if code == -signal.SIGKILL:
                found["kills"] += 1
            elif code != 0:
                found["differences"] += 1
                report(f"seed {seed}: exit code {code}: {output.read_text()}")
                break
            now, wrong = finished(target, expected)
            found["differences"] += len(wrong)
            for name, inode in cells.items():
                if now.get(name) != inode:
                    wrong.append(f"a finished cell was lost or run again: {name}")
                    found["lost_cells"] += 1
            for line in wrong:
                report(f"seed {seed}, kill {found['kills']}: {line}")
            cells = now
        found["runs"] += 1
        for line in differences(target, expected):
            found["left_over" if line.startswith("left over") else "differences"] += 1
            report(f"seed {seed}, after kill {found['kills']}: {line}")
    return found
