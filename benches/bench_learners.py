"""Native learners, test-then-train with 12 curves, compared with MOA's own loop in the JVM.

`python benches/bench_learners.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from pathlib import Path

import jvm
import numpy as np
from in_memory import InMemory, in_memory
from results import rate, table, write_section

import streamgauge as sg
from streamgauge.types import Feature, Schema

TURNS, ROUNDS, WARM = 3, 12, 12
FURTHEST = 0.002
"""The largest difference of accuracies for which speeds are compared."""
MEASURES = [
    sg.measures.Accuracy(),
    sg.measures.Kappa(),
    sg.measures.KappaTemporal(),
    sg.measures.KappaPlus(),
]
WINDOWS = [sg.Whole(), sg.Sliding(1000), sg.Fading(0.999)]
PEERS = {
    "trees.HoeffdingTree -g 200 -c 1.0E-7 -t 0.05 -l NBAdaptive": (
        sg.learners.HoeffdingTree(),
        {"rbf8": 8, "rbf54": 20},
    ),
    "bayes.NaiveBayes": (sg.learners.NaiveBayes(), {"rbf8": 5, "rbf54": 20}),
    "functions.NoChange": (sg.learners.Persistent(), {"rbf8": 10, "rbf8 long": 10, "rbf54": 10}),
    "functions.MajorityClass": (
        sg.learners.MajorityClass(),
        {"rbf8": 10, "rbf8 long": 10, "rbf54": 10},
    ),
}
ALONE = [
    sg.learners.PriorRandom(),
    sg.learners.Perceptron(),
    sg.learners.LogisticRegression(),
    sg.learners.TargetMean(),
    sg.learners.LastValue(),
    sg.learners.LinearRegression(),
    sg.learners.RecursiveLeastSquares(),
]


def ours(data: InMemory, learner: object) -> tuple[float, int, float]:
    """CPU seconds, items and accuracy of a run and its 12 curves, with a point every 100 items."""
    began = time.thread_time()
    log = sg.run(data, learner)
    curves = sg.measure(log, MEASURES, WINDOWS, every=100)
    seconds = time.thread_time() - began
    return seconds, log.label_count(), curves[0].final


def rounds(data: InMemory, learner: object, times: int = ROUNDS) -> list[tuple[float, int, float]]:
    """Consecutive runs without garbage collection, which is not counted in the JVM either."""
    gc.collect()
    gc.disable()
    try:
        return [ours(data, learner) for _ in range(times)]
    finally:
        gc.enable()


def theirs(data: InMemory, file: Path, learner: str) -> list[tuple[float, int, float]]:
    """The same of MOA, per round, in a separate JVM."""
    classes = len(data.schema.classes or ())
    results = jvm.run("Prequential", file, data.columns, classes, WARM, learner)
    return [(float(r["seconds"]), int(r["items"]), float(r["accuracy"])) for r in results]


def compared(data: InMemory, file: Path, peer: str) -> tuple[str, ...]:
    """Both sides interleaved; the best of each."""
    learner, goals = PEERS[peer]
    here, there, cold = [], [], []
    for _ in range(TURNS):
        results = theirs(data, file, peer)
        there += results
        cold.append(results[0][0])
        here += rounds(data, learner)
    (seconds, items, accuracy), (moas, their_items, their_accuracy) = min(here), min(there)
    if items != their_items or abs(accuracy - their_accuracy) > FURTHEST:
        raise SystemExit(
            f"{data.name} {peer}: {items:,} items, accuracy {accuracy:.4f} differ from "
            f"{their_items:,} and {their_accuracy:.4f} of MOA"
        )
    bound = learner.bind(data.schema)
    alone = min(training(bound, data.x, data.label) for _ in range(ROUNDS))
    return (
        data.name,
        type(learner).__name__,
        f"{items:,}",
        rate(items / alone),
        rate(items / seconds),
        f"{rate(items / moas)} ({rate(items / min(cold))})",
        f"{moas / seconds:.1f} (≥ {goals[data.name]})",
        f"{accuracy:.4f}",
        f"{their_accuracy:.4f}",
    )


def training(bound: object, x: np.ndarray, label: np.ndarray) -> float:
    """CPU seconds of the learner alone."""
    fresh = bound.fresh(0)  # type: ignore[attr-defined]
    began = time.thread_time()
    fresh.test_then_train(0, x, label)
    return time.thread_time() - began


def alone(data: InMemory, learner: object) -> str:
    """Items per second of a learner alone; a real target is the sum of the row."""
    task, schema, label = learner.task, data.schema, data.label  # type: ignore[attr-defined]
    if task == "regression":
        schema = Schema(tuple(Feature(f.name) for f in schema.features), "sum")
        label = data.x.sum(axis=1)
    bound = learner.bind(schema)  # type: ignore[attr-defined]
    fewer = len(label) if type(learner).__name__ != "RecursiveLeastSquares" else len(label) // 10
    seconds = min(training(bound, data.x[:fewer], label[:fewer]) for _ in range(ROUNDS))
    return rate(fewer / seconds)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    streams = [
        in_memory("rbf8", sg.streams.RandomRBF(2, 8, seed=1), given.items),
        in_memory("rbf8 long", sg.streams.RandomRBF(2, 8, seed=1), 8 * given.items),
        in_memory("rbf54", sg.streams.RandomRBF(7, 54, seed=1), given.items),
    ]
    lines = []
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        for data in streams:
            file = data.write(Path(folder) / "items")
            lines += [compared(data, file, peer) for peer in PEERS if data.name in PEERS[peer][1]]
    head = (
        "stream",
        "learner",
        "items",
        "learner alone, items/s",
        "with log and 12 curves",
        "MOA's loop (its first round)",
        "ratio (goal)",
        "our accuracy",
        "MOA's",
    )
    others = [(type(one).__name__, *(alone(data, one) for data in streams[::2])) for one in ALONE]
    text = f"""## Native learners

RandomRBF (rbf8: 8 features, 2 classes; rbf54: 54 features, 7 classes), the same items in memory
on both sides. Ours: `sg.run` and 12 curves (accuracy, kappa, kappa_temporal, kappa_plus; whole,
last 1000, fading 0.999; a point every 100 items). MOA: the loop that CapyMOA runs inside the JVM,
over instances in the heap, with its basic and its window evaluator and without AUC; a separate JVM
for each learner; the best of {TURNS} × {WARM} rounds, the first round in brackets. CPU time of the
one thread; neither the JVM's compiler nor the garbage collectors of both sides are counted.
Interleaved, ours the best of {TURNS} × {ROUNDS}. The ratio is that of "with log and 12 curves" to
MOA's best. In a short run of a very cheap learner, much of the time is the setup of 12 curves; the
same stream eight times as long shows the rest.

{table(head, lines)}

Learners without a counterpart in MOA, alone, items/s (the real target is the sum of the row):

{table(("learner", "8 features, 2 classes", "54 features, 7 classes"), others)}
"""
    print(text)
    if given.write:
        write_section("learners", text)


if __name__ == "__main__":
    main()
