"""Native learners, asked and taught item by item with 12 curves, beside MOA's own loop in the JVM.

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
from held import Held, held
from results import rate, table, write_section

import streamgauge as sg
from streamgauge.types import Feature, Schema

TURNS, ROUNDS, WARM = 3, 12, 12
FURTHEST = 0.002
"""Accuracies further apart than this come of different work, and make no ratio."""
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


def ours(data: Held, learner: object) -> tuple[float, int, float]:
    """Seconds of CPU, items and accuracy of a run and its 12 curves, read every 100 items."""
    began = time.thread_time()
    log = sg.run(data, learner)
    curves = sg.measure(log, MEASURES, WINDOWS, every=100)
    seconds = time.thread_time() - began
    return seconds, log.labels(), curves[0].final


def rounds(data: Held, learner: object, times: int = ROUNDS) -> list[tuple[float, int, float]]:
    """One after the other, as in the JVM, whose collector is not charged either."""
    gc.collect()
    gc.disable()
    try:
        return [ours(data, learner) for _ in range(times)]
    finally:
        gc.enable()


def theirs(data: Held, file: Path, learner: str) -> list[tuple[float, int, float]]:
    """The same of MOA, round by round, in a JVM that runs nothing else."""
    classes = len(data.schema.classes or ())
    told = jvm.run("Prequential", file, data.columns, classes, WARM, learner)
    return [(float(t["seconds"]), int(t["items"]), float(t["accuracy"])) for t in told]


def compared(data: Held, file: Path, peer: str) -> tuple[str, ...]:
    """Both sides in turns; the best of each."""
    learner, goals = PEERS[peer]
    here, there, cold = [], [], []
    for _ in range(TURNS):
        told = theirs(data, file, peer)
        there += told
        cold.append(told[0][0])
        here += rounds(data, learner)
    (seconds, items, accuracy), (moas, their_items, their_accuracy) = min(here), min(there)
    if items != their_items or abs(accuracy - their_accuracy) > FURTHEST:
        raise SystemExit(
            f"{data.name} {peer}: {items:,} items, accuracy {accuracy:.4f} here, "
            f"{their_items:,} and {their_accuracy:.4f} there: no ratio"
        )
    bound = learner.bind(data.schema)
    alone = min(taught(bound, data.x, data.label) for _ in range(ROUNDS))
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


def taught(bound: object, x: np.ndarray, label: np.ndarray) -> float:
    """Seconds of CPU of the learner alone."""
    fresh = bound.fresh(0)  # type: ignore[attr-defined]
    began = time.thread_time()
    fresh.test_then_train(0, x, label)
    return time.thread_time() - began


def alone(data: Held, learner: object) -> str:
    """Items a second of a learner alone; a real target is the sum of the row."""
    task, schema, label = learner.task, data.schema, data.label  # type: ignore[attr-defined]
    if task == "regression":
        schema = Schema(tuple(Feature(f.name) for f in schema.features), "sum")
        label = data.x.sum(axis=1)
    bound = learner.bind(schema)  # type: ignore[attr-defined]
    fewer = len(label) if type(learner).__name__ != "RecursiveLeastSquares" else len(label) // 10
    seconds = min(taught(bound, data.x[:fewer], label[:fewer]) for _ in range(ROUNDS))
    return rate(fewer / seconds)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="put it into RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    streams = [
        held("rbf8", sg.streams.RandomRBF(2, 8, seed=1), given.items),
        held("rbf8 long", sg.streams.RandomRBF(2, 8, seed=1), 8 * given.items),
        held("rbf54", sg.streams.RandomRBF(7, 54, seed=1), given.items),
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
        "accuracy here",
        "there",
    )
    others = [(type(one).__name__, *(alone(data, one) for data in streams[::2])) for one in ALONE]
    text = f"""## Native learners

RandomRBF (rbf8: 8 features, 2 classes; rbf54: 54 features, 7 classes), the same items in memory
on both sides. Ours: `sg.run` and 12 curves (accuracy, kappa, kappa_temporal, kappa_plus; whole,
last 1000, fading 0.999; read every 100 items). MOA: the loop that CapyMOA runs inside the JVM, over
instances in the heap, with its basic and its window evaluator and without AUC; a JVM for each
learner, so that its compiler sees no other; the best of {TURNS} × {WARM} rounds, the first of which
is the one in brackets. CPU time of the one thread; neither the JVM's compiler nor the
collectors of both sides are charged. In turns, the best of {TURNS} × {ROUNDS} here. The ratio is
that of "with log and 12 curves" to MOA's best. Of a short run of a learner that costs next to
nothing, much goes to setting up 12 curves; the same stream eight times as long shows the rest.

{table(head, lines)}

Learners without a counterpart there, alone, items/s (the real target is the sum of the row):

{table(("learner", "8 features, 2 classes", "54 features, 7 classes"), others)}
"""
    print(text)
    if given.write:
        write_section("learners", text)


if __name__ == "__main__":
    main()
