"""Nearest-neighbour learners with 12 curves, compared with MOA's kNN in the JVM.

`python benches/bench_neighbours.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import jvm
import numpy as np
from bench_learners import FURTHEST, ours, training
from in_memory import InMemory, in_memory
from results import rate, table, write_section

import streamgauge as sg
from streamgauge.types import Feature, Schema

WARM, ROUNDS = 2, 5
GOALS = {"rbf8": 20, "rbf54": 30, "electricity": 20}
MOAS = "lazy.kNN -k 10 -w 1000"
FEWER = 20_000
"""Items of the learners without a counterpart in MOA."""


def compared(data: InMemory, file: Path) -> tuple[str, ...]:
    """MOA's rounds, then ours; the best of each."""
    learner = sg.learners.NearestNeighbours(k=10, window_size=1000)
    classes = len(data.schema.classes or ())
    results = jvm.run("Prequential", file, data.columns, classes, WARM, MOAS)
    moas = min(float(r["seconds"]) for r in results)
    there = float(results[0]["accuracy"])
    seconds, items, accuracy = min(ours(data, learner) for _ in range(ROUNDS))
    if items != int(results[0]["items"]) or abs(accuracy - there) > FURTHEST:
        raise SystemExit(f"{data.name}: our accuracy {accuracy:.4f} differs from MOA's {there:.4f}")
    bound = learner.bind(data.schema)
    bound.learn(data.x[:2000], data.label[:2000])
    return (
        data.name,
        f"{items:,}",
        rate(items / seconds),
        rate(items / moas),
        f"{moas / seconds:.1f} (≥ {GOALS[data.name]})",
        f"{accuracy:.4f}",
        f"{there:.4f}",
        f"{bound.memory():,}",
    )


def alone(data: InMemory, learner: object) -> str:
    """Items per second of a learner alone; a real target is the sum of the row."""
    schema, label = data.schema, data.label[:FEWER]
    x = data.x[:FEWER]
    if learner.task == "regression":  # type: ignore[attr-defined]
        schema = Schema(tuple(Feature(f.name) for f in schema.features), "sum")
        label = np.ascontiguousarray(x.sum(axis=1))
    bound = learner.bind(schema)  # type: ignore[attr-defined]
    return rate(len(label) / min(training(bound, x, label) for _ in range(3)))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    streams = [
        in_memory("rbf8", sg.streams.RandomRBF(2, 8, seed=1), given.items),
        in_memory("electricity", sg.streams.Electricity(), min(given.items, 45_312)),
        in_memory("rbf54", sg.streams.RandomRBF(7, 54, seed=1), given.items),
    ]
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        lines = [compared(data, data.write(Path(folder) / "items")) for data in streams]
    head = (
        "stream",
        "items",
        "with log and 12 curves",
        "MOA's loop",
        "ratio (goal)",
        "our accuracy",
        "MOA's",
        "memory, bytes",
    )
    others = [
        sg.learners.NearestNeighbours(),
        sg.learners.NearestNeighboursRegression(),
        sg.learners.IBLStreams(),
        sg.learners.IBLStreamsRegression(),
    ]
    rows = [(type(one).__name__, *(alone(data, one) for data in streams[::2])) for one in others]
    text = f"""## Neighbours

k = 10, window 1000, exact on both sides, the same prediction of every item. RandomRBF (rbf8: 8
features, 2 classes; rbf54: 54 features, 7 classes) and Electricity, in memory. Ours: `sg.run` and
12 curves. MOA: the loop that CapyMOA runs inside the JVM, the best of {WARM} rounds in a separate
JVM, ours the best of {ROUNDS}; CPU time of the one thread.

{table(head, lines)}

Alone, items/s, of the first {FEWER:,} items (the real target is the sum of the row; IBLStreams
keeps up to 5,000 cases and searches its neighbours at least twice per item):

{table(("learner", "8 features, 2 classes", "54 features, 7 classes"), rows)}
"""
    print(text)
    if given.write:
        write_section("neighbours", text)


if __name__ == "__main__":
    main()
