"""Native regression learners, test-then-train, compared with MOA's in the JVM and river's.

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
from in_memory import InMemory, in_memory
from parity_regression import FORESTS, ORTOS, RULES, TREE
from results import rate, table, write_section

import streamgauge as sg

TURNS, ROUNDS, WARM = 2, 5, 5
FEW = 2_000
"""Items for river, whose forest takes milliseconds for each."""
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


def ours(data: InMemory, learner: object) -> tuple[float, float, int]:
    """CPU seconds, the mean absolute error, and the memory at the end in bytes."""
    bound = learner.bind(data.schema, seed=1)  # type: ignore[attr-defined]
    began = time.thread_time()
    predictions = bound.test_then_train(0, data.x, data.label)
    seconds = time.thread_time() - began
    return seconds, float(np.nanmean(abs(predictions - data.label))), bound.memory()


def theirs(data: InMemory, file: Path, learner: str) -> list[tuple[float, float]]:
    """The same of MOA without memory, per round, in a separate JVM."""
    results = jvm.run("PrequentialReals", file, data.columns, WARM, f"1:{learner}")
    return [(float(r["seconds"]), float(r["mae"])) for r in results]


def rivers(data: InMemory, name: str | None) -> float | None:
    """CPU seconds per item of river's learner, over the first items."""
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


def compared(data: InMemory, file: Path, learner: object, moa: str, river: str | None) -> list[str]:
    """A row of the table: both sides interleaved, the best of each."""
    here, there = [], []
    for _ in range(TURNS):
        there += theirs(data, file, moa)
        here += [ours(data, learner) for _ in range(ROUNDS)]
    (seconds, mae, memory), (moas, their_mae) = min(here), min(there)
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
        f"{memory / 1e6:.2f} MB",
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=20_000)
    given = options.parse_args()
    streams = [
        in_memory("Friedman", sg.streams.Friedman(seed=1), given.items),
        in_memory("bikes", sg.streams.Bikes(), min(given.items, 17_379)),
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
        "ours, items/s",
        "MOA's",
        "ratio",
        "ratio to river's",
        "our MAE",
        "MOA's",
        "our memory",
    )
    text = f"""## Native regression learners

The same items in memory on both sides, equal explicit parameters and seed, each predicted and then
learned. MOA: our own loop inside the JVM over instances in the heap, without evaluators; a JVM for
each learner; the best of {TURNS} × {WARM} rounds. CPU time of the one thread; the JVM's compiler
and collector are not counted. Interleaved, ours the best of {TURNS} × {ROUNDS}. river: its
HoeffdingTreeRegressor, ARFRegressor and AMRules, which are other learners, with their own
parameters, over the first {FEW:,} items only.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("regression", text)


if __name__ == "__main__":
    main()
