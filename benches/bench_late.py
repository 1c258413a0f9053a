"""Labels that come late: answers given in a second while items wait, beside a straightforward loop.

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
from held import Held, held
from late_loops import DELAY, EVERY, of_capymoa, one_call_a_label, straightforward
from results import rate, table, write_section
from river import dummy, linear_model, naive_bayes, preprocessing, tree
from sklearn.linear_model import Perceptron, SGDClassifier

import streamgauge as sg
from streamgauge.adapters import bind

ROUNDS = 15
FEW = {"rbf8": 1500, "rbf54": 1060}
"""Items of the straightforward river loop, which is slow; river's tree is one leaf all along."""

SHORT = 20_000
"""Items where delays are short, of the cheapest model; a tenth of the others."""


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


def driven(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """The same items through the engine."""
    stream = sg.streams.delay(sg.streams.take(data, items), delay)
    bind(model, data.schema)  # imports are not what is measured
    began = time.thread_time()
    log = sg.run(stream, model, sg.protocols.Reevaluating(every=EVERY))
    return time.thread_time() - began, answers(log)


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
LOOPS = {"river": straightforward, "scikit-learn": one_call_a_label, "CapyMOA": of_capymoa}


def both(
    data: Held, title: str, items: int, delay: int, times: int
) -> tuple[tuple[float, int], tuple[float, int], float]:
    """A model in a loop of its own and driven by us, in turns: the best of each, and a ratio.

    The ratio is the median over neighbours: the machine has quick moments, and who meets one
    would win by the best.
    """
    loop, model = LOOPS[title.split()[0]], MODELS[title]
    plain, here = [], []
    for _ in range(times):
        plain.append(loop(data, model(), items, delay))
        here.append(driven(data, model(), items, delay))
    ratios = [h[1] / h[0] / (p[1] / p[0]) for p, h in zip(plain, here, strict=True)]
    return min(plain), min(here), median(ratios)


def beside_loops(speeds: dict[tuple[str, bool], float]) -> str:
    """At the delay of the first table."""
    rows = []
    for name, width, classes in (("rbf8", 8, 2), ("rbf54", 54, 7)):
        source = sg.streams.RandomRBF(attributes=width, classes=classes, centroids=50)
        few = held(name, source, FEW[name])
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
    head = ["stream", "model", "answers", "loop", "answers here", "here", "ratio", "native / loop"]
    return (
        "\n\nA straightforward loop over a model (one call a label for scikit-learn's, one an "
        "answer for the others) on the first items, and the same model driven by us, with a log "
        "written. Both begin with the same table. Rates are the best, the ratio is the median of "
        "runs that followed each other. The last column is the native tree over that loop.\n\n"
        + table(head, rows)
    )


def short_delays() -> str:
    """Where little is asked and most of the time goes into what surrounds it."""
    rows = []
    data = held("rbf8", sg.streams.RandomRBF(attributes=8, classes=2, centroids=50), SHORT)
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
        "river's NoChangeClassifier, whose answer costs nothing):\n\n" + table(head, rows) + "\n"
    )


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

    text += beside_loops(speeds)
    text += short_delays()
    print(text)
    if given.write:
        write_section("late", text)


if __name__ == "__main__":
    main()
