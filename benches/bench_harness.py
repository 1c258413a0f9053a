"""The cost of the harness around a Python learner, also compared with river's own loop.

`python benches/bench_harness.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from results import table, write_section
from river import base, dummy, evaluate, linear_model, metrics, naive_bayes, preprocessing, tree
from river.stream import iter_array

import streamgauge as sg
from streamgauge.log.table import Log
from streamgauge.types import Batch, Feature, Schema

ROUNDS = 7


@dataclass(frozen=True)
class Rows:
    """Arrays as a stream, without reading."""

    x: np.ndarray
    y: np.ndarray
    name: str = "rows"

    @property
    def schema(self) -> Schema:
        width = self.x.shape[1]
        return Schema(tuple(Feature(f"f{i}") for i in range(width)), classes=(0, 1))

    @property
    def length(self) -> int:
        return len(self.y)

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        for low in range(0, len(self.y), size):
            yield Batch(low, self.x[low : low + size], self.y[low : low + size])


def rows(count: int, width: int) -> Rows:
    """Two classes, a moving boundary, autocorrelated labels."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(count, width))
    tilt = np.linspace(-1, 1, count)
    score = x[:, 0] + tilt * x[:, 1] + x[:, 2] * x[:, 3] + np.sin(np.arange(count) / 40)
    return Rows(x, (score > 0).astype(np.int32))


class Idle:
    """Gets array rows and does nothing."""

    def predict(self, x: Any) -> int:
        return 0

    def learn(self, x: Any, y: int) -> None:
        pass

    def fresh(self, seed: int) -> Idle:
        return Idle()


class IdleRiver(base.Classifier):
    """Gets dict rows and does nothing."""

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: Any) -> int:
        return 0

    def learn_one(self, x: Any, y: int) -> None:
        pass


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call after a garbage collection."""
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def bare_calls(model: Any, predict: str, learn: str, count: int) -> float:
    """The two calls alone, without the loop around them."""
    predict_row, learn_rows = getattr(model, predict), getattr(model, learn)
    x = object()

    def calls() -> None:
        for _ in range(count):
            predict_row(x)
            learn_rows(x, 0)

    def nothing() -> None:
        for _ in range(count):
            pass

    return min(cpu(calls) for _ in range(ROUNDS)) - min(cpu(nothing) for _ in range(ROUNDS))


def overhead(count: int) -> str:
    """Nanoseconds per item of a whole run, minus those of the model's own two calls."""
    lines = []
    for width in (8, 54):
        stream = rows(count, width)
        for form, model, verbs, goal in (
            ("array", Idle(), ("predict", "learn"), 300.0),
            ("dict", IdleRiver(), ("predict_one", "learn_one"), 500.0 + 30.0 * width),
        ):
            bare = bare_calls(model, *verbs, count) / count * 1e9
            drive = partial(sg.run, stream, model)
            whole = min(cpu(drive) for _ in range(ROUNDS)) / count * 1e9
            lines.append(
                (form, width, f"{whole:.0f}", f"{bare:.0f}", f"{whole - bare:.0f}", f"{goal:.0f}")
            )
    head = ("rows", "features", "run, ns per item", "calls alone", "harness", "goal")
    return table(head, lines)


def rivers_own(stream: Rows, model: Any) -> float:
    """Accuracy by river's `progressive_val_score`."""
    dataset = iter_array(stream.x, stream.y, feature_names=list(stream.schema.names))
    got = evaluate.progressive_val_score(dataset, model.clone(), metrics.Accuracy())
    return float(got.get())


def accuracy_of(log: Log) -> float:
    """Share of correct predictions among those made, as river counts."""
    pairs = list(log.labelled_predictions())
    label = np.concatenate([p.label for p in pairs])
    prediction = np.concatenate([p.prediction for p in pairs])
    made = prediction >= 0
    return float((label[made] == prediction[made]).mean())


def against_river(count: int) -> str:
    """Whole runs of ours and river's `progressive_val_score` with Accuracy, interleaved."""
    models = (
        (dummy.NoChangeClassifier(), 4 * count),
        (naive_bayes.GaussianNB(), count),
        (tree.HoeffdingTreeClassifier(), count),
        (preprocessing.StandardScaler() | linear_model.LogisticRegression(), count),
    )
    lines = []
    for model, items in models:
        stream = rows(items, 8)
        run, rival = partial(sg.run, stream, model), partial(rivers_own, stream, model)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(cpu(run))
            theirs.append(cpu(rival))
        here, there = accuracy_of(run()), rival()
        if here != there:
            raise SystemExit(f"{model}: our accuracy {here} differs from river's {there}")
        lines.append(
            (
                str(model).replace("|", "then"),
                f"{items:,}",
                f"{min(ours) / items * 1e6:.2f}",
                f"{min(theirs) / items * 1e6:.2f}",
                f"{min(ours) / min(theirs):.3f}",
                f"{here:.4f}",
                f"{there:.4f}",
            )
        )
    head = (
        "model",
        "items",
        "ours, µs per item",
        "river's",
        "ratio (goal ≤ 1.02)",
        "our accuracy",
        "river's",
    )
    return table(head, lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=20_000)
    given = options.parse_args()
    text = f"""## The harness around a Python learner

A whole `sg.run` in memory (stream, timetable, engine, log), CPU time, best of {ROUNDS}, minus the
model's own two calls. Every label measure can be computed from the log afterwards.

{overhead(5 * given.items)}

Compared with river's own loop, on the same NumPy rows of 8 features, interleaved, best of {ROUNDS};
items without a prediction are left out of the accuracy, as in river.

{against_river(given.items)}
"""
    print(text)
    if given.write:
        write_section("harness", text)


if __name__ == "__main__":
    main()
