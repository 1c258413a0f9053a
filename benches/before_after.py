"""Compare two checkouts: CPU time of the hot paths, interleaved, and instruction counts.

    python benches/before_after.py OTHER [--rounds 7] [--instructions] [--only WORDS]

OTHER is a checkout that was set up by `make setup`; this one is compared with it. Each round runs
each path once in a process of each checkout, alternating; the table shows the best of all rounds,
and the median of the ratios of consecutive runs. `--instructions` counts instructions of the
compiled core by callgrind instead.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]

SETUP = """
import time, sys, json
import numpy as np
import streamgauge as sg
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating
small = "small" in sys.argv
def stream(n, columns, classes=2, delay=None):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, columns))
    y = (x[:, 0] + 0.5 * rng.normal(size=n) > 0).astype(int)
    made = sg.streams.from_arrays(x, y, classes=[0, 1])
    return made if delay is None else sg.streams.delay(made, delay)
def run(n, columns, learner, protocol, delay=None, **how):
    given = stream(n // 5 if small else n, columns, delay=delay)
    return lambda: sg.run(given, learner, protocol, **how)
class Noop:
    def predict(self, x): return 0
    def learn(self, x, y): pass
class Many(Noop):
    def predict_many(self, rows): return np.zeros(len(rows), int)
def river():
    from river import dummy
    return dummy.NoChangeClassifier()
def curve(windows, measure):
    n = 100_000 if small else 1_000_000
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, n)
    table = sg.streams.from_arrays(np.zeros((n, 1)), label, classes=[0, 1])
    log = sg.run(table, sg.learners.Persistent())
    return lambda: sg.measure(log, measure, windows)
L, NB = sg.learners, sg.learners.NaiveBayes()
"""

PATHS = {
    "learners: persistent, 8": "run(400_000, 8, L.Persistent(), Prequential())",
    "learners: naive Bayes, 8": "run(200_000, 8, NB, Prequential())",
    "learners: naive Bayes, 54": "run(50_000, 54, NB, Prequential())",
    "learners: naive Bayes, 8, scores": "run(100_000, 8, NB, Prequential(), scores=True)",
    "learners: Hoeffding tree, 8": "run(200_000, 8, L.HoeffdingTree(), Prequential())",
    "learners: chunks": "run(200_000, 8, NB, Chunks(size=500))",
    "late: delayed": "run(200_000, 8, NB, Delayed(), delay=1000)",
    "late: again, naive Bayes": "run(20_000, 8, NB, Reevaluating(every=10), delay=1000)",
    "late: again, tree": "run(30_000, 8, L.HoeffdingTree(), Reevaluating(every=10), delay=1000)",
    "late: again, majority": "run(60_000, 8, L.MajorityClass(), Reevaluating(), delay=1000)",
    "late: again, arrays": "run(3_000, 8, Many(), Reevaluating(every=10), delay=500)",
    "late: again, river": "run(3_000, 8, river(), Reevaluating(every=10), delay=500)",
    "threads: ten folds, one thread": "run(60_000, 8, NB, Delayed(folds=10), threads=1)",
    "threads: ten folds, two threads": "run(60_000, 8, NB, Delayed(folds=10), threads=2)",
    "threads: ten late folds": "run(20_000, 8, NB, Delayed(folds=10), threads=1, delay=500)",
    "harness: array rows": "run(100_000, 8, Noop(), Prequential())",
    "harness: array rows, late": "run(50_000, 8, Noop(), Delayed(), delay=100)",
    "harness: dict rows": "run(40_000, 8, river(), Prequential())",
    "curves: sliding kappa": "curve(sg.Sliding(1000), 'kappa')",
    "curves: fading kappa_plus": "curve(sg.Fading(0.999), 'kappa_plus')",
}

TIMED = """
work = {path}
work()
best = []
for _ in range({inner}):
    began = time.process_time(); log = work(); best.append(time.process_time() - began)
print(json.dumps(min(best)))
"""


def process(checkout: Path, code: str, *prefix: str, small: bool = False) -> str:
    """Run code with a checkout's own interpreter; returns its output."""
    command = [*prefix, str(checkout / ".venv/bin/python"), "-c", SETUP + code]
    done = subprocess.run(
        [*command, *(["small"] if small else [])],
        capture_output=True,
        text=True,
        cwd=checkout,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def seconds(checkout: Path, path: str, inner: int) -> float:
    """The best CPU time of one process."""
    return float(json.loads(process(checkout, TIMED.format(path=path, inner=inner))))


def instructions(checkout: Path, path: str) -> int:
    """Instructions of the compiled core in one run of a path: two runs minus one."""
    counts = []
    for runs in (1, 2):
        code = f"\nimport gc; gc.disable()\nwork = {path}\nfor _ in range({runs}): work()\n"
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "counts")
            tool = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}")
            process(checkout, code, *tool, small=True)
            counts.append(in_core(out.read_text().splitlines()))
    return counts[1] - counts[0]


def in_core(profile: list[str]) -> int:
    """The instructions of `_core` in a callgrind profile, without those of its callees.

    Those of Python and of NumPy's idle threads vary between runs by more than a path.
    """
    objects: dict[str, str] = {}
    total, here, called = 0, "", False
    for line in profile:
        if line.startswith(("ob=", "cob=")):
            number, _, name = line.split("=", 1)[1].partition(" ")
            objects[number] = name or objects[number]
            if line.startswith("ob="):
                here = objects[number]
        elif line.startswith("calls="):
            called = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            if not called and "_core.abi3" in here:
                total += int("".join(line.split()[1:2]) or 0)
            called = False
    return total


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("other", type=Path)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--inner", type=int, default=3)
    options.add_argument("--instructions", action="store_true")
    options.add_argument("--only", default="")
    given = options.parse_args()
    unit = "instructions" if given.instructions else "CPU s"
    print(f"| path | before, {unit} | after | after / before | of consecutive runs |")
    print("|---|---|---|---|---|")
    for name, path in PATHS.items():
        if given.only not in name:
            continue
        if given.instructions:
            a, b = instructions(given.other, path), instructions(HERE, path)
            print(f"| {name} | {a:,} | {b:,} | {b / a:.3f} | |", flush=True)
            continue
        pairs = []
        for turn in range(given.rounds):
            order = (given.other, HERE) if turn % 2 == 0 else (HERE, given.other)
            took = {tree: seconds(tree, path, given.inner) for tree in order}
            pairs.append((took[given.other], took[HERE]))
        a, b = (min(column) for column in zip(*pairs, strict=True))
        median = statistics.median(after / before for before, after in pairs)
        print(f"| {name} | {a:.4f} | {b:.4f} | {b / a:.3f} | {median:.3f} |", flush=True)


if __name__ == "__main__":
    main()
