"""A recovery panel, compared with its runs one by one.

`python benches/bench_recovery.py [--write] [--items N]`

A panel is 3 streams of 125,000 items in 10 repetitions with one native learner. The other side are
30 single prequential runs on the same kinds of streams (both pure streams permuted, and their
mixture), each of which makes its stream. Both include the making of the streams; the panel also
measures, averages and analyses the curves.
"""

from __future__ import annotations

import argparse
import math
import time
from statistics import median

from results import table, write_section

import streamgauge as sg
from streamgauge.processors import processors

REPETITIONS, ROUNDS, GOAL = 10, 7, 1.2
LEARNERS = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree")
STREAMS = [
    sg.streams.RandomTree(nominals=0, numerics=4, model_seed=seed, seed=seed) for seed in (1, 2)
]


def panel(learner: str, items: int) -> float:
    """Wall time of a recovery analysis."""
    before, after = (sg.streams.take(stream, items) for stream in STREAMS)
    began = time.perf_counter()
    sg.recovery(learner, before=before, after=after, drift="moderate", repetitions=REPETITIONS)
    return time.perf_counter() - began


def single_runs(learner: str, items: int) -> float:
    """Wall time of the same runs one after the other, on one processor."""
    a, b = (sg.streams.shuffle(sg.streams.take(stream, items)) for stream in STREAMS)
    mixture = sg.streams.mix(a, b, theta=math.pi / 30)
    began = time.perf_counter()
    for repetition in range(REPETITIONS):
        for stream in (a, b, mixture):
            sg.run(stream, learner, seed=repetition, threads=1, vitals_every=0)
    return time.perf_counter() - began


def accuracies(learner: str, items: int) -> tuple[float, float]:
    """Accuracy over the old pure stream on both sides: the work is the same."""
    before, after = (sg.streams.take(stream, items) for stream in STREAMS)
    found = sg.recovery(
        learner, before=before, after=after, repetitions=2, window="whole", resamples=10
    )
    log = sg.run(sg.streams.shuffle(before), learner)
    return float(found.panels[0].before.value[-1]), sg.measure(log, "accuracy").final


def measured(learner: str, items: int) -> tuple[str, ...]:
    """One row: best times of both sides, interleaved, and their ratio."""
    ours, theirs = accuracies(learner, items)
    if abs(ours - theirs) > 0.01:
        raise SystemExit(f"{learner}: accuracy {ours:.4f} differs from {theirs:.4f}")
    panels, singles = [], []
    for _ in range(ROUNDS):
        panels.append(panel(learner, items))
        singles.append(single_runs(learner, items))
    width = processors()
    ratio = min(panels) / (min(singles) / width)
    of_rounds = median(p / (s / width) for p, s in zip(panels, singles, strict=True))
    return (
        learner,
        f"{3 * REPETITIONS * items:,}",
        f"{min(singles):.2f} s",
        f"{min(panels):.2f} s",
        f"{ratio:.2f} (goal {GOAL})",
        f"{of_rounds:.2f}",
        f"{ours:.4f}, {theirs:.4f}",
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=125_000)
    given = options.parse_args()
    rows = []
    for learner in LEARNERS:
        rows.append(measured(learner, given.items))
        print(rows[-1], flush=True)
    width = processors()
    head = (
        "learner",
        "items",
        "30 single runs",
        "one panel",
        f"panel / (runs / {width})",
        "median of rounds",
        "accuracy of both",
    )
    text = f"""## Recovery

A recovery panel (3 streams, {REPETITIONS} repetitions, one native learner) against its 30 runs one
after the other, divided by {width} processors; the making of the streams is included on both sides.
RandomTree, 4 numeric features; wall time, interleaved, best of {ROUNDS}.

{table(head, rows)}
"""
    print(text)
    if given.write:
        write_section("recovery", text)


if __name__ == "__main__":
    main()
