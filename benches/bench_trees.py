"""Native Hoeffding trees compared with MOA's, in speed and memory, and with river's.

`python benches/bench_trees.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import jvm
from bench_learners import ROUNDS, TURNS, WARM, rounds, theirs
from in_memory import InMemory, in_memory
from results import rate, table, write_section
from river import metrics, tree

import streamgauge as sg

OPTIONS = "-g 200 -c 1.0E-7 -t 0.05 -l NBAdaptive"
MOAS = {
    f"trees.HoeffdingTree {OPTIONS}": sg.learners.HoeffdingTree(),
    f"trees.HoeffdingAdaptiveTree {OPTIONS}": sg.learners.HoeffdingAdaptiveTree(),
}
FASTER = {("HoeffdingTree", "rbf8"): 8, ("HoeffdingTree", "rbf54"): 20}
SMALLER = {("HoeffdingTree", "rbf8"): 4, ("HoeffdingTree", "rbf54"): 2}
RIVER = {"rbf8": 250, "rbf54": 600}
FURTHEST = {"HoeffdingTree": 0.002, "HoeffdingAdaptiveTree": 0.015}
"""The largest difference of accuracies for which speeds are compared."""
FEW, RIVER_ROUNDS = 10_000, 5
OURS = 5 * ROUNDS
"""Our runs are short, so more of them are needed to find the best."""
TREES = 10
RESIDENT = """
import re, sys
import numpy as np
import streamgauge as sg
from streamgauge.types import Feature, Schema

def resident():
    with open("/proc/self/status") as status:
        return 1024 * int(re.search(r"RssAnon:\\s+(\\d+)", status.read())[1])

data = np.fromfile(sys.argv[1], "<f8").reshape(-1, int(sys.argv[2]) + 1)
x, label = np.ascontiguousarray(data[:, :-1]), data[:, -1].astype(np.int32)
features = tuple(Feature(f"x{j}") for j in range(x.shape[1]))
schema = Schema(features, "y", tuple(range(int(sys.argv[3]))))
spec, many = getattr(sg.learners, sys.argv[4])(), int(sys.argv[5])
kept, after = [], []
for _ in range(2):  # the first ones use memory that is already free
    for _ in range(many):
        kept.append(spec.bind(schema))
        kept[-1].test_then_train(0, x, label)
    after.append(resident())
print((after[1] - after[0]) / many)
"""
"""The additional resident memory per tree."""


def name_of(learner: object) -> str:
    return type(learner).__name__


def goal(ratio: float, least: int | None) -> str:
    """A ratio and its goal."""
    return f"{ratio:.1f}" + ("" if least is None else f" (≥ {least})")


def speed(data: InMemory, file: Path, line: str) -> tuple[str, ...]:
    """Speed of both sides, interleaved; the best of each."""
    learner = MOAS[line]
    here, there = [], []
    for _ in range(TURNS if name_of(learner) == "HoeffdingTree" else 1):
        there += theirs(data, file, line)
        here += rounds(data, learner, OURS)
    (seconds, items, accuracy), (moas, their_items, their_accuracy) = min(here), min(there)
    name = name_of(learner)
    if items != their_items or abs(accuracy - their_accuracy) > FURTHEST[name]:
        raise SystemExit(
            f"{data.name} {name}: {items:,} items, accuracy {accuracy:.4f} differ from "
            f"{their_items:,} and {their_accuracy:.4f} of MOA"
        )
    return (
        data.name,
        name,
        f"{items:,}",
        rate(items / seconds),
        rate(items / moas),
        goal(moas / seconds, FASTER.get((name, data.name))),
        f"{accuracy:.4f}",
        f"{their_accuracy:.4f}",
    )


def size(data: InMemory, file: Path, line: str) -> tuple[str, ...]:
    """Memory of a trained tree in bytes, as each side counts it."""
    learner, classes = MOAS[line], len(data.schema.classes or ())
    bound = learner.bind(data.schema)
    bound.test_then_train(0, data.x, data.label)
    [result] = jvm.run("Sizes", file, data.columns, classes, TREES, line)
    whole, grown = float(result["whole"]), float(result["grown"])
    width = data.x.shape[1]
    arguments = [str(file), str(width), str(classes), name_of(learner), str(10 * TREES)]
    code = [sys.executable, "-c", RESIDENT, *arguments]
    done = subprocess.run(code, check=True, stdout=subprocess.PIPE, text=True)
    return (
        data.name,
        name_of(learner),
        f"{bound.vitals()['leaves']:.0f}",
        f"{bound.memory():,}",
        f"{float(done.stdout):,.0f}",
        f"{grown:,.0f}",
        f"{whole:,.0f}",
        goal(grown / bound.memory(), SMALLER.get((name_of(learner), data.name))),
    )


def rivers(data: InMemory, items: int) -> tuple[float, float, Any]:
    """CPU seconds, accuracy and the tree of river's own loop over the first items."""
    names = [feature.name for feature in data.schema.features]
    rows = [dict(zip(names, row, strict=True)) for row in data.x[:items].tolist()]
    labels = data.label[:items].tolist()
    model = tree.HoeffdingTreeClassifier(
        grace_period=200, delta=1e-7, tau=0.05, leaf_prediction="nba"
    )
    correct = metrics.Accuracy()
    began = time.thread_time()
    for row, label in zip(rows, labels, strict=True):
        correct.update(label, model.predict_one(row))
        model.learn_one(row, label)
    return time.thread_time() - began, correct.get(), model


def against_river(data: InMemory) -> tuple[str, ...]:
    """All items once, the first ones several times; the ratio is to river's higher rate."""
    few, all_items = min(FEW, data.length), data.length
    seconds, their_accuracy, model = rivers(data, all_items)
    here, there = [], []
    for _ in range(RIVER_ROUNDS):  # interleaved: the speed of the machine varies
        there.append(rivers(data, few)[0])
        here += rounds(data, sg.learners.HoeffdingTree())
    (ours, items, accuracy), early = min(here), min(there)
    faster = max(few / early, all_items / seconds)
    return (
        data.name,
        f"{items:,}",
        rate(items / ours),
        rate(all_items / seconds),
        f"{rate(few / early)} ({few:,})",
        goal(items / ours / faster, RIVER[data.name]),
        f"{accuracy:.4f}",
        f"{their_accuracy:.4f}",
        f"{model._raw_memory_usage:,}",
    )


def printed(line: tuple[str, ...]) -> tuple[str, ...]:
    """Print a row and return it."""
    print(line, flush=True)
    return line


Rows = list[tuple[str, ...]]


def page(speeds: Rows, sizes: Rows, peers: Rows) -> str:
    """The section of RESULTS.md."""
    speed_head = ("stream", "learner", "items", "ours", "MOA's loop", "ratio (goal)")
    size_head = (
        "stream",
        "learner",
        "leaves",
        "our `memory()`",
        "our resident memory",
        "MOA's, grown by training",
        "MOA's, whole",
        "MOA's / ours (goal)",
    )
    river_head = (
        "stream",
        "items",
        "ours",
        "river",
        "river, first items (number)",
        "ratio (goal)",
        "our accuracy",
        "river's",
        "river's own memory count, bytes",
    )
    return f"""## Hoeffding trees

RandomRBF (rbf8: 8 features, 2 classes; rbf54: 54 features, 7 classes), the same items in memory on
both sides, the same parameters: `{OPTIONS}`. Ours with log and 12 curves; MOA's loop as under
"Native learners", the best of {TURNS} × {WARM} rounds in separate JVMs, ours the best of {TURNS} ×
{OURS}, interleaved (one turn each for the adaptive tree); CPU time of the one thread.

{table((*speed_head, "our accuracy", "MOA's"), speeds)}

Bytes of one tree after all items. Ours: what it reports (a test compares it with a counting
allocator), and the additional resident memory of a process per tree, with {10 * TREES} trees.
MOA's: all live objects of the JVM after a full collection, as it counts them, with and without
{TREES} trained trees; "grown" excludes the options of an untrained learner and is used for the
ratio.

{table(size_head, sizes)}

river's HoeffdingTreeClassifier with the same parameters, its own loop (`predict_one`, one accuracy,
`learn_one`) over existing dictionaries: all items once, and the first ones, best of {RIVER_ROUNDS};
the ratio is to the faster of the two. Its tree differs from MOA's and ours, so accuracies do not
match.

{table(river_head, peers)}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    drawn = {
        "rbf8": sg.streams.RandomRBF(2, 8, seed=1),
        "rbf54": sg.streams.RandomRBF(7, 54, seed=1),
    }
    streams = [in_memory(name, stream, given.items) for name, stream in drawn.items()]
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        files = [data.write(Path(folder) / data.name) for data in streams]
        pairs = list(zip(streams, files, strict=True))
        speeds = [printed(speed(*pair, line)) for pair in pairs for line in MOAS]
        peers = [printed(against_river(data)) for data in streams]
        sizes = [printed(size(*pair, line)) for pair in pairs for line in MOAS]
    text = page(speeds, sizes, peers)
    print(text)
    if given.write:
        write_section("trees", text)


if __name__ == "__main__":
    main()
