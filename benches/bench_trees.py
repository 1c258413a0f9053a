"""Native Hoeffding trees beside MOA's, in speed and in memory, and beside river's.

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
from held import Held, held
from results import rate, table, write_section
from river import metrics, tree

import streamgauge as sg

SAID = "-g 200 -c 1.0E-7 -t 0.05 -l NBAdaptive"
MOAS = {
    f"trees.HoeffdingTree {SAID}": sg.learners.HoeffdingTree(),
    f"trees.HoeffdingAdaptiveTree {SAID}": sg.learners.HoeffdingAdaptiveTree(),
}
FASTER = {("HoeffdingTree", "rbf8"): 8, ("HoeffdingTree", "rbf54"): 20}
SMALLER = {("HoeffdingTree", "rbf8"): 4, ("HoeffdingTree", "rbf54"): 2}
RIVER = {"rbf8": 250, "rbf54": 600}
FURTHEST = {"HoeffdingTree": 0.002, "HoeffdingAdaptiveTree": 0.015}
"""Accuracies further apart than this come of different work, and make no ratio."""
FEW, RIVER_ROUNDS = 10_000, 5
OURS = 5 * ROUNDS
"""Ours are over so soon that the same number would be one moment of the machine, not its best."""
COPIES = 10
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
for _ in range(2):  # the first ones take what lies about free
    for _ in range(many):
        kept.append(spec.bind(schema))
        kept[-1].test_then_train(0, x, label)
    after.append(resident())
print((after[1] - after[0]) / many)
"""
"""What processes hold more for each tree they keep."""


def name_of(learner: object) -> str:
    return type(learner).__name__


def goal(ratio: float, least: int | None) -> str:
    """A ratio, and what it should be."""
    return f"{ratio:.1f}" + ("" if least is None else f" (≥ {least})")


def sped(data: Held, file: Path, line: str) -> tuple[str, ...]:
    """Speed of both sides in turns; the best of each."""
    learner = MOAS[line]
    here, there = [], []
    for _ in range(TURNS if name_of(learner) == "HoeffdingTree" else 1):
        there += theirs(data, file, line)
        here += rounds(data, learner, OURS)
    (seconds, items, accuracy), (moas, their_items, their_accuracy) = min(here), min(there)
    name = name_of(learner)
    if items != their_items or abs(accuracy - their_accuracy) > FURTHEST[name]:
        raise SystemExit(
            f"{data.name} {name}: {items:,} items, accuracy {accuracy:.4f} here, "
            f"{their_items:,} and {their_accuracy:.4f} there: no ratio"
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


def sized(data: Held, file: Path, line: str) -> tuple[str, ...]:
    """Bytes of a taught tree, counted by its own side."""
    learner, classes = MOAS[line], len(data.schema.classes or ())
    bound = learner.bind(data.schema)
    bound.test_then_train(0, data.x, data.label)
    [told] = jvm.run("Sizes", file, data.columns, classes, COPIES, line)
    whole, grown = float(told["whole"]), float(told["grown"])
    width = data.x.shape[1]
    words = [str(file), str(width), str(classes), name_of(learner), str(10 * COPIES)]
    code = [sys.executable, "-c", RESIDENT, *words]
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


def rivers(data: Held, items: int) -> tuple[float, float, Any]:
    """Seconds of CPU, accuracy and the tree of river's own loop over the first items."""
    names = [feature.name for feature in data.schema.features]
    rows = [dict(zip(names, row, strict=True)) for row in data.x[:items].tolist()]
    labels = data.label[:items].tolist()
    model = tree.HoeffdingTreeClassifier(
        grace_period=200, delta=1e-7, tau=0.05, leaf_prediction="nba"
    )
    right = metrics.Accuracy()
    began = time.thread_time()
    for row, label in zip(rows, labels, strict=True):
        right.update(label, model.predict_one(row))
        model.learn_one(row, label)
    return time.thread_time() - began, right.get(), model


def beside_river(data: Held) -> tuple[str, ...]:
    """All items once, the first ones several times; river's quicker rate makes the ratio."""
    few, all_items = min(FEW, data.length), data.length
    seconds, their_accuracy, model = rivers(data, all_items)
    here, there = [], []
    for _ in range(RIVER_ROUNDS):  # in turns: how quick the machine is changes
        there.append(rivers(data, few)[0])
        here += rounds(data, sg.learners.HoeffdingTree())
    (ours, items, accuracy), early = min(here), min(there)
    quicker = max(few / early, all_items / seconds)
    return (
        data.name,
        f"{items:,}",
        rate(items / ours),
        rate(all_items / seconds),
        f"{rate(few / early)} ({few:,})",
        goal(items / ours / quicker, RIVER[data.name]),
        f"{accuracy:.4f}",
        f"{their_accuracy:.4f}",
        f"{model._raw_memory_usage:,}",
    )


def told(line: tuple[str, ...]) -> tuple[str, ...]:
    """A line, as soon as it is there."""
    print(line, flush=True)
    return line


Rows = list[tuple[str, ...]]


def page(speeds: Rows, sizes: Rows, peers: Rows) -> str:
    """What was measured, in words."""
    speed_head = ("stream", "learner", "items", "here", "MOA's loop", "ratio (goal)")
    size_head = (
        "stream",
        "learner",
        "leaves",
        "`memory()` here",
        "resident here",
        "MOA's, grown by teaching",
        "MOA's, whole",
        "MOA's over ours (goal)",
    )
    river_head = (
        "stream",
        "items",
        "here",
        "river",
        "river at first (items)",
        "ratio (goal)",
        "accuracy here",
        "there",
        "river's own count of its bytes",
    )
    return f"""## Hoeffding trees

RandomRBF (rbf8: 8 features, 2 classes; rbf54: 54 features, 7 classes), the same items in memory on
both sides, the same parameters: `{SAID}`. Ours with log and 12 curves; MOA's
loop as under "Native learners", the best of {TURNS} × {WARM} rounds in JVMs of their own, ours of
{TURNS} × {OURS}, which still take less time, in turns (of the adaptive tree one turn each); CPU
time of the one thread.

{table((*speed_head, "accuracy here", "there"), speeds)}

Bytes of one tree after all items. Ours: what it says itself (a test holds it to a counting
allocator), and beside it what a process holds more, resident, for each of {10 * COPIES} trees it
keeps. MOA's: all living objects of the JVM after a full collection, as it counts them itself,
with and without {COPIES} taught trees; "grown" leaves out the options that each of its learners
carries from the start, and makes the ratio.

{table(size_head, sizes)}

river's HoeffdingTreeClassifier with the same parameters, its own loop (`predict_one`, one accuracy,
`learn_one`) over dictionaries that are there already: all items once, and the first ones, best of
{RIVER_ROUNDS}; the quicker of the two makes the ratio. Its tree is another one than MOA's and ours,
so accuracies stand beside and do not match.

{table(river_head, peers)}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="put it into RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    drawn = {
        "rbf8": sg.streams.RandomRBF(2, 8, seed=1),
        "rbf54": sg.streams.RandomRBF(7, 54, seed=1),
    }
    streams = [held(name, stream, given.items) for name, stream in drawn.items()]
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        files = [data.write(Path(folder) / data.name) for data in streams]
        pairs = list(zip(streams, files, strict=True))
        speeds = [told(sped(*pair, line)) for pair in pairs for line in MOAS]
        peers = [told(beside_river(data)) for data in streams]
        sizes = [told(sized(*pair, line)) for pair in pairs for line in MOAS]
    text = page(speeds, sizes, peers)
    print(text)
    if given.write:
        write_section("trees", text)


if __name__ == "__main__":
    main()
