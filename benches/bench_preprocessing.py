"""Scaled linear learners: native pipelines compared with river's pipelines.

`python benches/bench_preprocessing.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from in_memory import InMemory, in_memory
from results import rate, table, write_section
from river import evaluate, linear_model, metrics, preprocessing
from river.stream import iter_array

import streamgauge as sg
from streamgauge.learners import LogisticRegression, Perceptron, Pipeline

ROUNDS, FURTHEST = 5, 0.002
"""Rounds of each side, and the largest difference of accuracies for which speeds are compared."""

PAIRS: dict[str, tuple[Pipeline, Callable[[], object]]] = {
    "standard_scaler, perceptron": (
        Pipeline(["standard_scaler"], Perceptron(standardise=False)),
        lambda: preprocessing.StandardScaler() | linear_model.Perceptron(),
    ),
    "standard_scaler, logistic_regression": (
        Pipeline(["standard_scaler"], LogisticRegression(standardise=False)),
        lambda: preprocessing.StandardScaler() | linear_model.LogisticRegression(),
    ),
    "min_max_scaler, logistic_regression": (
        Pipeline(["min_max_scaler"], LogisticRegression(standardise=False)),
        lambda: preprocessing.MinMaxScaler() | linear_model.LogisticRegression(),
    ),
}
ALONE = {
    "perceptron, which standardises by itself": Perceptron(),
    "robust_scaler, perceptron": Pipeline(["robust_scaler"], Perceptron(standardise=False)),
    "imputer, standard_scaler, perceptron": Pipeline(
        ["imputer", "standard_scaler"], Perceptron(standardise=False)
    ),
    "standard_scaler, perceptron of river": Pipeline(
        ["standard_scaler"], linear_model.Perceptron()
    ),
}


def ours(data: InMemory, learner: object) -> tuple[float, int, float]:
    """CPU seconds, items and accuracy of a run."""
    began = time.process_time()
    log = sg.run(data, learner)
    seconds = time.process_time() - began
    return seconds, log.label_count(), sg.measure(log, "accuracy", cold_start="skip").final


def rivers(data: InMemory, model: object, items: int) -> tuple[float, int, float]:
    """The same by river's own loop."""
    names = list(data.schema.names)
    stream = iter_array(data.x[:items], data.label[:items].astype(bool), feature_names=names)
    metric = metrics.Accuracy()
    began = time.process_time()
    evaluate.progressive_val_score(stream, model, metric)
    return time.process_time() - began, items, float(metric.get())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--items", type=int, default=200_000)
    options = parser.parse_args()
    data = in_memory("rbf8", sg.streams.RandomRBF(attributes=8, classes=2), options.items)
    few = min(options.items, 20_000)
    short = InMemory(data.name, data.schema, data.x[:few], data.label[:few])
    rows = []
    for name, (learner, model) in PAIRS.items():
        seconds, items, _ = min(ours(data, learner) for _ in range(ROUNDS))
        peer, count, theirs = min(rivers(short, model(), few) for _ in range(ROUNDS))
        accuracy = ours(short, learner)[2]
        ratio = (peer / count) / (seconds / items)
        fair = f"{ratio:.0f}" if abs(accuracy - theirs) <= FURTHEST else "not comparable"
        cells = f"{items:,}", rate(items / seconds), f"{count:,}", rate(count / peer)
        rows.append((name, *cells, f"{accuracy:.4f}", f"{theirs:.4f}", fair))
    for name, learner in ALONE.items():
        seconds, items, accuracy = min(ours(short, learner) for _ in range(ROUNDS))
        rows.append((name, f"{items:,}", rate(items / seconds), "", "", f"{accuracy:.4f}", "", ""))
    head = "pipeline", "items", "items/s", "river: items", "items/s", "accuracy", "river", "ratio"
    text = f"## Preprocessing\n\n{table(head, rows)}\n\nAccuracies are of the first {few:,} items."
    print(text)
    if options.write:
        write_section("preprocessing", text)


if __name__ == "__main__":
    main()
