"""Delayed labels: predictions per second with pending items, compared with simple loops.

`python benches/bench_late.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from capymoa.classifier import HoeffdingTree, NaiveBayes, NoChange
from in_memory import InMemory, in_memory
from pending_loops import DELAY, EVERY, of_capymoa, one_call_per_label, straightforward
from results import rate, table, write_section
from river import dummy, linear_model, naive_bayes, preprocessing, tree
from sklearn.linear_model import Perceptron, SGDClassifier

import streamgauge as sg
from streamgauge.adapters import bind

ROUNDS = 15
FEW = {"rbf8": 1500, "rbf54": 1060}
"""Items of the straightforward river loop, which is slow; river's tree stays one leaf."""

SHORT = 20_000
"""Items of the cheapest model with short delays; a tenth of them for the other models."""


def predictions(log: sg.log.Log) -> int:
    """The number of predictions: first, last, and all between."""
    return 2 * log.label_count() + int(sg.late.costs(log).repeated[-1])


def ours(data: Any, learner: object, delay: int = DELAY) -> tuple[float, int, float]:
    """CPU seconds, number of predictions, accuracy of the last ones."""
    stream = sg.streams.delay(data, delay)
    protocol = sg.protocols.Reevaluating(every=EVERY)
    best, log = float("inf"), None
    gc.collect()
    for _ in range(ROUNDS):
        began = time.thread_time()
        log = sg.run(stream, learner, protocol)
        best = min(best, time.thread_time() - began)
    assert log is not None
    last = sg.measure(sg.late.at_bin(log, 51), "accuracy").final
    return best, predictions(log), last


def driven(data: InMemory, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """The same items in the engine."""
    stream = sg.streams.delay(sg.streams.take(data, items), delay)
    bind(model, data.schema)  # imports are not measured
    began = time.thread_time()
    log = sg.run(stream, model, sg.protocols.Reevaluating(every=EVERY))
    return time.thread_time() - began, predictions(log)


def _scaled() -> Any:
    return preprocessing.StandardScaler() | linear_model.LogisticRegression()


MODELS: dict[str, Callable[[], Any]] = {
    "river HoeffdingTreeClassifier": tree.HoeffdingTreeClassifier,
    "river GaussianNB": naive_bayes.GaussianNB,
    "river NoChangeClassifier": dummy.NoChangeClassifier,
    "river LogisticRegression, scaled": _scaled,
    "scikit-learn SGDClassifier": partial(SGDClassifier, random_state=1),
    "scikit-learn Perceptron": partial(Perceptron, random_state=1),
    "CapyMOA HoeffdingTree": lambda: HoeffdingTree,
    "CapyMOA NaiveBayes": lambda: NaiveBayes,
    "CapyMOA NoChange": lambda: NoChange,
}
LOOPS = {"river": straightforward, "scikit-learn": one_call_per_label, "CapyMOA": of_capymoa}


def both(
    data: InMemory, title: str, items: int, delay: int, times: int
) -> tuple[tuple[float, int], tuple[float, int], float]:
    """A model in a simple loop and in the engine, interleaved: the best of each, and a ratio.

    The ratio is the median over consecutive runs, since the speed of the machine varies.
    """
    loop, model = LOOPS[title.split()[0]], MODELS[title]
    plain, here = [], []
    for _ in range(times):
        plain.append(loop(data, model(), items, delay))
        here.append(driven(data, model(), items, delay))
    ratios = [h[1] / h[0] / (p[1] / p[0]) for p, h in zip(plain, here, strict=True)]
    return min(plain), min(here), median(ratios)


def against_loops(speeds: dict[tuple[str, bool], float]) -> str:
    """Ratios at the delay of the first table."""
    rows = []
    for name, width, classes in (("rbf8", 8, 2), ("rbf54", 54, 7)):
        source = sg.streams.RandomRBF(attributes=width, classes=classes, centroids=50)
        few = in_memory(name, source, FEW[name])
        for title in MODELS:
            if name == "rbf54" and title != "river HoeffdingTreeClassifier":
                continue
            times = 3 if name == "rbf54" or "GaussianNB" in title else 9
            plain, here, ratio = both(few, title, FEW[name], DELAY, times)
            loop = plain[1] / plain[0]
            native = speeds[name, True] / loop if title.startswith("river Hoeffding") else None
            rows.append(
                [
                    name,
                    title,
                    f"{plain[1]:,}",
                    rate(loop),
                    f"{here[1]:,}",
                    rate(here[1] / here[0]),
                    f"{ratio:.2f}",
                    "" if native is None else f"{native:,.0f}",
                ]
            )
            print(rows[-1], flush=True)
    head = [
        "stream",
        "model",
        "predictions",
        "loop",
        "our predictions",
        "ours",
        "ratio",
        "native / loop",
    ]
    return (
        "\n\nA straightforward loop over a model (one call per label for scikit-learn, one per "
        "prediction for the others) on the first items, and the same model in the engine, with "
        "its log. Both start with the same table. Rates are the best, the ratio is the median of "
        "consecutive runs. The last column is the native tree divided by that loop.\n\n"
        + table(head, rows)
    )


def short_delays() -> str:
    """Ratios with few predictions, where most of the time is overhead."""
    rows = []
    data = in_memory("rbf8", sg.streams.RandomRBF(attributes=8, classes=2, centroids=50), SHORT)
    for title in MODELS:
        line = [title]
        for delay in (1, 10, 100):
            items = SHORT if "NoChangeC" in title else SHORT // 10
            times = 3 if "GaussianNB" in title else 9
            ratio = both(data, title, items, delay, times)[2]
            line.append(f"{ratio:.2f}")
        rows.append(line)
        print(rows[-1], flush=True)
    head = ["model", "delay 1", "delay 10", "delay 100"]
    return (
        f"\n\nThe same ratio with short delays, {SHORT // 10:,} items of rbf8 ({SHORT:,} for "
        "river's NoChangeClassifier, whose predictions cost nothing):\n\n"
        + table(head, rows)
        + "\n"
    )


def main() -> None:
    """Measure, print, and write with `--write`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--items", type=int, default=100_000)
    given = parser.parse_args()
    goals = {"rbf8": "30 M/s", "rbf54": "5 M/s"}
    rows, speeds = [], {}
    for name, width, classes in (("rbf8", 8, 2), ("rbf54", 54, 7)):
        source = sg.streams.RandomRBF(attributes=width, classes=classes, centroids=50)
        data = in_memory(name, source, given.items)
        for learner in (sg.learners.HoeffdingTree(), sg.learners.NaiveBayes()):
            seconds, count, last = ours(data, learner)
            tree_ = isinstance(learner, sg.learners.HoeffdingTree)
            speeds[name, tree_] = count / seconds
            rows.append(
                [
                    name,
                    type(learner).__name__,
                    f"{len(data.label):,}",
                    f"{count:,}",
                    rate(count / seconds),
                    goals[name] if tree_ else "",
                    f"{last:.4f}",
                ]
            )
            print(rows[-1], flush=True)
    text = "## Late labels\n\n"
    text += (
        f"Delay {DELAY} items, predicted again every {EVERY} labels; predictions per CPU "
        f"second, best of {ROUNDS}.\n\n"
    )
    head = ["stream", "learner", "items", "predictions", "speed", "goal", "last accuracy"]
    text += table(head, rows)

    rows = []
    data = in_memory("rbf8", sg.streams.RandomRBF(attributes=8, centroids=50), given.items // 2)
    for delay in (100, 1_000, 10_000):
        seconds, count, _ = ours(data, sg.learners.HoeffdingTree(), delay)
        rows.append([f"{delay:,}", f"{count:,}", f"{seconds:.3f} s", rate(count / seconds)])
        print(rows[-1], flush=True)
    text += "\n\nThe cost is proportional to the number of predictions at any delay:\n\n"
    text += table(["delay", "predictions", "CPU", "speed"], rows)

    text += against_loops(speeds)
    text += short_delays()
    print(text)
    if given.write:
        write_section("late", text)


if __name__ == "__main__":
    main()
