"""Labels that come late: answers given in a second while items wait, beside a straightforward loop.

`python benches/bench_late.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from held import Held, held
from results import rate, table, write_section
from river import dummy, linear_model, naive_bayes, preprocessing, tree
from sklearn.linear_model import Perceptron, SGDClassifier

import streamgauge as sg
from streamgauge.adapters import bind

DELAY, EVERY, ROUNDS = 1000, 10, 5
FEW = {"rbf8": 1500, "rbf54": 1060}
"""Items of the straightforward river loop, which is slow; river's tree is one leaf all along."""


def answers(log: sg.log.Log) -> int:
    """First, last, and all between."""
    return 2 * log.labels() + int(sg.late.costs(log).made[-1])


def ours(data: Any, learner: object, delay: int = DELAY) -> tuple[float, int, float]:
    """Seconds of CPU, answers given, accuracy of the last ones."""
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
    return best, answers(log), last


def straightforward(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """What one writes without a timetable: every label looks at everyone who waits."""
    names = data.schema.names
    rows = [dict(zip(names, row, strict=True)) for row in data.x[:items].tolist()]
    labels = data.label[:items].tolist()
    waiting: deque[list[Any]] = deque()
    given = 0
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = waiting.popleft()
            model.predict_one(k[0])
            given += 1
            for other in waiting:
                if other[2] % EVERY == 0:
                    other[3].append(model.predict_one(other[0]))
                    given += 1
                other[2] += 1
            model.learn_one(k[0], k[1])
        if i < items:
            waiting.append([rows[i], labels[i], 0, [model.predict_one(rows[i])]])
            given += 1
    return time.thread_time() - began, given


def one_call_a_label(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """The same for a model that takes many rows: all who are due in one call."""
    x, labels, classes = data.x, data.label, np.unique(data.label)
    waiting: deque[list[Any]] = deque()
    given, taught = 0, False
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = waiting.popleft()
            due = [k]
            for other in waiting:
                if other[1] % EVERY == 0:
                    due.append(other)
                other[1] += 1
            if taught:
                said = model.predict(x[[one[0] for one in due]])
                for one, answer in zip(due, said, strict=True):
                    one[2].append(answer)
            given += len(due)
            model.partial_fit(x[k[0]][None], labels[k[0]][None], classes=classes)
            taught = True
        if i < items:
            waiting.append([i, 0, list(model.predict(x[i][None])) if taught else []])
            given += 1
    return time.thread_time() - began, given


def driven(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """The same items through the engine."""
    stream = sg.streams.delay(sg.streams.take(data, items), delay)
    bind(model, data.schema)  # imports are not what is measured
    began = time.thread_time()
    log = sg.run(stream, model, sg.protocols.Reevaluating(every=EVERY))
    return time.thread_time() - began, answers(log)


def best(ways: Sequence[Callable[[], tuple[float, int]]], times: int) -> list[tuple[float, int]]:
    """The quickest of some runs of each way, run in turns."""
    found = [[way() for way in ways] for _ in range(times)]
    return [min(runs, key=lambda run: run[0]) for runs in zip(*found, strict=True)]


def _scaled() -> Any:
    return preprocessing.StandardScaler() | linear_model.LogisticRegression()


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--items", type=int, default=100_000)
    given = parser.parse_args()
    goals = {"rbf8": "30 M/s", "rbf54": "5 M/s"}
    rows, speeds = [], {}
    for name, width, classes in (("rbf8", 8, 2), ("rbf54", 54, 7)):
        source = sg.streams.RandomRBF(attributes=width, classes=classes, centroids=50)
        data = held(name, source, given.items)
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
        f"Delay {DELAY} items, asked again every {EVERY} labels; answers in a second of CPU, best "
        f"of {ROUNDS}.\n\n"
    )
    head = ["stream", "learner", "items", "answers", "speed", "goal", "last accuracy"]
    text += table(head, rows)

    rows = []
    data = held("rbf8", sg.streams.RandomRBF(attributes=8, centroids=50), given.items // 2)
    for delay in (100, 1_000, 10_000):
        seconds, count, _ = ours(data, sg.learners.HoeffdingTree(), delay)
        rows.append([f"{delay:,}", f"{count:,}", f"{seconds:.3f} s", rate(count / seconds)])
        print(rows[-1], flush=True)
    text += "\n\nThe cost follows the answers given, whatever the delay:\n\n"
    text += table(["delay", "answers", "CPU", "speed"], rows)

    rows = []
    models = {
        "river HoeffdingTreeClassifier": tree.HoeffdingTreeClassifier,
        "river GaussianNB": naive_bayes.GaussianNB,
        "river NoChangeClassifier": dummy.NoChangeClassifier,
        "river LogisticRegression, scaled": _scaled,
        "scikit-learn SGDClassifier": partial(SGDClassifier, random_state=1),
        "scikit-learn Perceptron": partial(Perceptron, random_state=1),
    }
    for name, width, classes in (("rbf8", 8, 2), ("rbf54", 54, 7)):
        source = sg.streams.RandomRBF(attributes=width, classes=classes, centroids=50)
        few = held(name, source, FEW[name])
        for title, model in models.items():
            if name == "rbf54" and title != "river HoeffdingTreeClassifier":
                continue
            times = 2 if name == "rbf54" or "GaussianNB" in title else 4
            loop_of = one_call_a_label if "scikit" in title else straightforward
            ways = [
                lambda m=model, f=few, n=name, way=way: way(f, m(), FEW[n])
                for way in (loop_of, driven)
            ]
            plain, here = best(ways, times)
            loop = plain[1] / plain[0]
            native = speeds[name, True] / loop if "Hoeffding" in title else None
            rows.append(
                [
                    name,
                    title,
                    f"{plain[1]:,}",
                    rate(loop),
                    f"{here[1]:,}",
                    rate(here[1] / here[0]),
                    f"{here[1] / here[0] / loop:.2f}",
                    "" if native is None else f"{native:,.0f}",
                ]
            )
            print(rows[-1], flush=True)
    text += "\n\nA straightforward loop over a model (one call a label for scikit-learn's, one an "
    text += "answer for river's) on the first items, and the same model driven by us, with a log "
    text += "written; the last column is the native tree over that loop.\n\n"
    head = ["stream", "model", "answers", "loop", "answers here", "here", "ratio", "native / loop"]
    text += table(head, rows)
    print(text)
    if given.write:
        write_section("late", text)


if __name__ == "__main__":
    main()
