"""Random `kill -9`s of a grid on several processes: of the run itself, and of its workers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil

from streamgauge.experiments import read_events
from torture.experiment import clear, content, differences, finished, report

SPEC = """
title = "grid"
measures = ["accuracy"]

[[groups]]
streams = [
    "sea(items={items})", "sea(items={items}, function=3)", "stagger(items={items})",
    "led(items={items})", "agrawal(items={items})",
]
learners = ["hoeffding_tree", "resetting('nb', 'ddm')", "river:dummy.PriorClassifier()"]
protocols = ["prequential", "chunks(size=100)"]

[[groups]]
streams = [
    "delay(sea(items={items}), 40)", "delay(sea(items={items}, function=3), 90)",
    "delay(stagger(items={items}), 15)", "delay(led(items={items}), 25)",
    "delay(agrawal(items={items}), 50)",
]
learners = ["hoeffding_tree", "resetting('nb', 'ddm')", "river:dummy.PriorClassifier()"]
protocols = ["reevaluating(every=50)", "delayed"]
"""
"""60 cells: native, resetting and river learners; labels at once and late."""

LONGEST = 600.0
"""Seconds after which a run counts as hanging."""


def torture(folder: Path, count: int, seed: int, items: int = 20_000) -> Counter[str]:
    """Kill `count` times. Returns counts of kills, finished grids, lost cells, differences."""
    folder.mkdir(parents=True, exist_ok=True)
    spec = folder / "grid.toml"
    spec.write_text(SPEC.format(items=items))
    rng = random.Random(seed)
    names = ("kills_of_runs", "kills_of_workers", "grids", "resumed_cells", "lost_cells")
    found: Counter[str] = Counter(dict.fromkeys((*names, "left_over", "differences"), 0))
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    output = folder / "output.txt"

    def run(out: Path, *more: str) -> psutil.Popen:
        line = [sys.executable, "-m", "streamgauge", "run", str(spec), "--out", str(out), *more]
        with output.open("wb") as file:
            return psutil.Popen(line, stdout=file, stderr=file, env=environment)

    whole = clear(folder / "whole")
    began = time.monotonic()
    assert run(whole, "--executor", "serial", "-q").wait(LONGEST) == 0, output.read_text()
    longest = time.monotonic() - began
    expected = content(whole)
    while _kills(found) < count:
        target = clear(folder / "run")
        cells: dict[str, int] = {}
        code = None
        while code != 0:
            options = ("--workers", "2", "--retries", "100", "--checkpoint-seconds", "0.05")
            process = run(target, *options)
            code = _disturbed(process, rng, longest, found, count)
            if code not in (0, -9):
                found["differences"] += 1
                report(f"seed {seed}: exit code {code}: {output.read_text()}")
                break
            now, wrong = finished(target, expected)
            found["differences"] += len(wrong)
            lost = [name for name, inode in cells.items() if now.get(name) != inode]
            found["lost_cells"] += len(lost)
            wrong += [f"a finished cell was lost or run again: {name}" for name in lost]
            found["resumed_cells"] += output.read_text().count("went on from item")
            for line in wrong:
                report(f"seed {seed}, kill {_kills(found)}: {line}")
            cells = now
        found["grids"] += 1
        for line in (*differences(target, expected), *_left(folder / "cache")):
            found["left_over" if line.startswith("left over") else "differences"] += 1
            report(f"seed {seed}, after kill {_kills(found)}: {line}")
        report(f"{dict(found)}, {len(list(read_events(target)))} events")
    return found


def _kills(found: Counter[str]) -> int:
    return found["kills_of_runs"] + found["kills_of_workers"]


def _disturbed(
    process: psutil.Popen, rng: random.Random, longest: float, found: Counter[str], count: int
) -> int | None:
    """Kill workers, and at last perhaps the run; returns its exit code."""
    while _kills(found) < count:
        try:
            return int(process.wait(rng.random() * longest / 6))
        except (psutil.TimeoutExpired, subprocess.TimeoutExpired):
            pass
        if rng.random() < 0.3:
            process.kill()
            found["kills_of_runs"] += 1
            return int(process.wait())
        children = process.children(recursive=True)
        if children:
            victim = rng.choice(children)
            try:
                victim.kill()
            except psutil.NoSuchProcess:
                continue
            found["kills_of_workers"] += 1
    return int(process.wait(LONGEST))


def _left(cache: Path) -> list[str]:
    return [f"left over: {path}" for path in cache.rglob("*.checkpoint")]
