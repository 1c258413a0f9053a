"""Native learners of numbers, asked and taught item by item, beside MOA's in the JVM and river's.

`python benches/bench_regression.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import tempfile
import time
from importlib import import_module
from itertools import islice
from pathlib import Path

import jvm
import numpy as np
from held import Held, held
from parity_regression import FORESTS, ORTOS, RULES, TREE
from results import rate, table, write_section

import streamgauge as sg

TURNS, ROUNDS, WARM = 2, 5, 5
FEW = 2_000
"""Items that river is shown: its forest takes milliseconds for each."""
PEERS = [
    (sg.learners.FIMTDD(as_moa=True), f"trees.FIMTDD {TREE}", "tree.HoeffdingTreeRegressor"),
    (sg.learners.ORTO(as_moa=True), ORTOS, None),
    (
        sg.learners.AdaptiveRandomForestRegression(as_moa=True),
        FORESTS,
        "forest.ARFRegressor",
    ),
    (sg.learners.AMRules(), RULES, "rules.AMRules"),
]


def ours(data: Held, learner: object) -> tuple[float, float, int]:
    """Seconds of CPU, the mean absolute error, and the bytes it holds at the end."""
    bound = learner.bind(data.schema, seed=1)  # type: ignore[attr-defined]
    began = time.thread_time()
    said = bound.test_then_train(0, data.x, data.label)
    seconds = time.thread_time() - began
    return seconds, float(np.nanmean(abs(said - data.label))), bound.memory()


def theirs(data: Held, file: Path, learner: str) -> list[tuple[float, float]]:
    """The same of MOA without the bytes, round by round, in a JVM that runs nothing else."""
    told = jvm.run("PrequentialReals", file, data.columns, WARM, f"1:{learner}")
    return [(float(t["seconds"]), float(t["mae"])) for t in told]


def rivers(data: Held, name: str | None) -> float | None:
    """Seconds of CPU an item of river's, over the first items."""
    if name is None:
        return None
    module, _, kind = name.rpartition(".")
    model = getattr(import_module(f"river.{module}"), kind)()
    names = [feature.name for feature in data.schema.features]
    rows = [dict(zip(names, row, strict=True)) for row in data.x[:FEW].tolist()]
    began = time.thread_time()
    for row, label in zip(rows, islice(data.label.tolist(), FEW), strict=True):
        model.predict_one(row)
        model.learn_one(row, label)
    return (time.thread_time() - began) / len(rows)


def compared(data: Held, file: Path, learner: object, moa: str, river: str | None) -> list[str]:
    """A line: both sides in turns, the best of each."""
    here, there = [], []
    for _ in range(TURNS):
        there += theirs(data, file, moa)
        here += [ours(data, learner) for _ in range(ROUNDS)]
    (seconds, mae, held_bytes), (moas, their_mae) = min(here), min(there)
    items = len(data.label)
    slow = rivers(data, river)
    return [
        data.name,
        type(learner).__name__,
        f"{items:,}",
        rate(items / seconds),
        rate(items / moas),
        f"{moas / seconds:.1f}",
        "–" if slow is None else f"{slow * items / seconds:.0f}",
        f"{mae:.4g}",
        f"{their_mae:.4g}",
        f"{held_bytes / 1e6:.2f} MB",
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="put it into RESULTS.md")
    options.add_argument("--items", type=int, default=20_000)
    given = options.parse_args()
    streams = [
        held("Friedman", sg.streams.Friedman(seed=1), given.items),
        held("bikes", sg.streams.Bikes(), min(given.items, 17_379)),
    ]
    lines = []
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        for data in streams:
            file = data.write(Path(folder) / "items")
            lines += [compared(data, file, *peer) for peer in PEERS]
    head = (
        "stream",
        "learner",
        "items",
        "here, items/s",
        "MOA's",
        "ratio",
        "ratio to river's",
        "MAE here",
        "MOA's",
        "holds",
    )
    text = f"""## Native learners of numbers

The same items in memory on both sides, equal explicit parameters and seed, each asked and then
taught. MOA: a loop of ours inside the JVM over instances in the heap, without evaluators; a JVM
for each learner; the best of {TURNS} × {WARM} rounds. CPU time of the one thread; the JVM's
compiler and collector are not charged. In turns, the best of {TURNS} × {ROUNDS} here. river: its
HoeffdingTreeRegressor, ARFRegressor and AMRules, which are other learners, with their own
parameters, over the first {FEW:,} items only.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("regression", text)


if __name__ == "__main__":
    main()
