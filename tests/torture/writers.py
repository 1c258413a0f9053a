"""Two and three processes that write to one folder at once: one wins, the others are refused."""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamgauge as sg
from streamgauge import _start
from streamgauge.errors import StreamgaugeError
from torture.experiment import clear, content, differences, report
from torture.patient import GO, Patient
from torture.processes import ended, kill, start, warm_up

SPEC = """
streams = ["sea(items=60)"]
learners = ["nb", "torture.patient:Patient()"]
"""

REFUSED = re.compile(
    r"error: \S+: cannot be written \((process \d+|another process) is writing to it\); "
    r"wait until it has finished, or choose another folder\n"
)

LONGEST = 300.0
"""Seconds after which a process counts as hanging."""


def run(spec: Path, target: Path) -> None:
    """`streamgauge run`: the lock of a run folder."""
    _start.main(["run", str(spec), "-q", "--out", str(target)])


def single(_: Path, target: Path) -> None:
    """`sg.run(folder=…)`: the lock of a log's folder, with the exit codes of the command line."""
    try:
        sg.run("sea(items=60)", Patient(), folder=target)
    except StreamgaugeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)


def torture(folder: Path, rounds: int, seed: int) -> Counter[str]:
    """Start two or three writers at once, `rounds` times.

    The winner goes on when the others have ended. In some rounds it is killed instead, and the
    next writer of a run folder must not be refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    spec = folder / "spec.toml"
    spec.write_text(SPEC)
    go = folder / "go"
    os.environ[GO] = str(go)
    rng = random.Random(seed)
    found: Counter[str] = Counter(rounds=0, refused=0, winners_killed=0, wrong=0)
    expected = {}
    go.touch()
    warm_up(spec, folder / "warm")
    for way in (run, single):
        whole = clear(folder / "whole")
        code = ended(start(partial(way, spec, whole), folder / "0.txt"), LONGEST)
        assert code == 0, (folder / "0.txt").read_text()
        expected[way] = content(whole)
    while found["rounds"] < rounds:
        go.unlink()
        way = single if found["rounds"] % 5 == 4 else run
        killed = way is run and rng.random() < 0.3
        refused, wrong = _round(way, folder, 2 + found["rounds"] % 2, killed)
        wrong += differences(folder / "run", expected[way])
        found["rounds"] += 1
        found["refused"] += refused
        found["winners_killed"] += killed
        found["wrong"] += len(wrong)
        for line in wrong:
            report(f"seed {seed}, round {found['rounds']}: {line}")
    return found


def _round(
    way: Callable[[Path, Path], None], folder: Path, count: int, killed: bool
) -> tuple[int, list[str]]:
    """One round; returns how many writers were refused, and what is wrong."""
    spec, go, target = folder / "spec.toml", folder / "go", clear(folder / "run")
    read, write = os.pipe()
    outputs = {}
    for nth in range(count):
        output = folder / f"{nth}.txt"
        outputs[start(partial(way, spec, target), output, read)] = output
    os.write(write, b"x" * count)
    os.close(write)
    os.close(read)
    refused, wrong, running = 0, [], [*outputs]
    until = time.monotonic() + LONGEST
    while len(running) > 1 and time.monotonic() < until:
        for process in [*running]:
            code = ended(process, 0.0)
            if code is None:
                continue
            running.remove(process)
            text = outputs[process].read_text()
            if code == 2 and REFUSED.fullmatch(text):
                refused += 1
            else:
                wrong.append(f"exit code {code} instead of 2: {text}")
        time.sleep(0.001)
    if len(running) != 1:
        wrong.append(f"{len(running)} winners")
    if killed:
        for process in running:
            kill(process)
        running = [start(partial(way, spec, target), folder / "0.txt")]
        outputs[running[0]] = folder / "0.txt"
    go.touch()
    for process in running:
        code = ended(process, LONGEST)
        if code != 0:
            wrong.append(f"the winner's exit code is {code}: {outputs[process].read_text()}")
    return refused, wrong
