"""`recovery` of one learner compared with its runs one by one; speed of the paper's learners.

`python benches/bench_recovery.py [--write] [--items N]`

A panel is 3 streams of 125,000 items in 10 repetitions with one native learner. The other side are
30 single prequential runs on the same kinds of streams (both pure streams permuted, and their
mixture), each of which makes its stream. Both include the making of the streams; the panel also
measures, averages and analyses the curves. Wall time depends on what else the machine does, and the
panel, which uses all processors, suffers more than the single runs, which use one; the processor
time of the process is that of the work alone.

A second table has the speed of the learners of the paper, each on one pure stream.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from results import table, write_section

import streamgauge as sg
from streamgauge.processors import processors

REPETITIONS, ROUNDS, GOAL = 10, 5, 1.2
LEARNERS = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree")
STREAMS = [
    sg.streams.RandomTree(nominals=0, numerics=4, model_seed=seed, seed=seed) for seed in (1, 2)
]

TREE = "random_tree(nominals=0, numerics=4, model_seed=1)"
DISTANCE = "hyper_distance('absolute')"
OF_PAPER = {
    "hoeffding_adaptive_tree": TREE,
    "ibl_streams(warm_start=500)": TREE,
    "efpt(warm_start=500)": TREE,
    "amrules": DISTANCE,
    "fimtdd": DISTANCE,
    "ibl_streams_regression(pred_type='linear', warm_start=500)": DISTANCE,
    "flexfis": DISTANCE,
}
"""The learners of the paper, with its settings, and a stream of its own for each."""


class Times(NamedTuple):
    """Wall time and processor time, in seconds."""

    wall: float
    cpu: float


def timed(call: Callable[[], object]) -> Times:
    """The times of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return Times(time.perf_counter() - wall, time.process_time() - cpu)


def panel(learner: str, items: int) -> Times:
    """The times of a recovery analysis."""
    before, after = (sg.streams.take(stream, items) for stream in STREAMS)
    return timed(
        lambda: sg.recovery(
            learner, before=before, after=after, drift="moderate", repetitions=REPETITIONS
        )
    )


def single_runs(learner: str, items: int) -> Times:
    """The times of the same runs one after the other, on one processor."""
    a, b = (sg.streams.shuffle(sg.streams.take(stream, items)) for stream in STREAMS)
    mixture = sg.streams.mix(a, b, theta=math.pi / 30)

    def runs() -> None:
        for repetition in range(REPETITIONS):
            for stream in (a, b, mixture):
                sg.run(stream, learner, seed=repetition, threads=1, vitals_every=0)

    return timed(runs)


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
    wall = min(p.wall for p in panels) / (min(s.wall for s in singles) / width)
    cpu = min(p.cpu for p in panels) / min(s.cpu for s in singles)
    of_rounds = median(p.wall / (s.wall / width) for p, s in zip(panels, singles, strict=True))
    return (
        learner,
        f"{3 * REPETITIONS * items:,}",
        f"{min(s.wall for s in singles):.2f} s",
        f"{min(p.wall for p in panels):.2f} s",
        f"{wall:.2f} (goal {GOAL})",
        f"{of_rounds:.2f}",
        f"{cpu:.2f}",
        f"{ours:.4f}, {theirs:.4f}",
    )


def speed(learner: str, stream: str, items: int) -> tuple[str, ...]:
    """One row: items per second of processor time, best of 3, with the final value."""
    log = sg.run(f"take({stream}, {items})", learner, threads=1, vitals_every=0)
    best = min(
        timed(lambda: sg.run(f"take({stream}, {items})", learner, threads=1, vitals_every=0)).cpu
        for _ in range(3)
    )
    measure = "rmse" if log.schema.classes is None else "accuracy"
    final = sg.measure(log, measure).final
    return learner, f"{items:,}", f"{items / best:,.0f}", f"{measure} {final:.4f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=125_000)
    given = options.parse_args()
    rows = []
    for learner in LEARNERS:
        rows.append(measured(learner, given.items))
        print(rows[-1], flush=True)
    speeds = [speed(learner, stream, given.items) for learner, stream in OF_PAPER.items()]
    width = processors()
    head = (
        "learner",
        "items",
        "30 single runs",
        "one panel",
        f"panel / (runs / {width})",
        "median of rounds",
        "processor time, panel / runs",
        "accuracy of both",
    )
    text = f"""## Recovery

A recovery panel (3 streams, {REPETITIONS} repetitions, one native learner) against its 30 runs one
after the other, divided by {width} processors; the making of the streams is included on both sides.
RandomTree, 4 numeric features; wall time, interleaved, best of {ROUNDS}.

{table(head, rows)}

The learners of the paper on one pure stream (RandomTree, or HyperDistance for numbers; 4 numeric
features), one run on one processor, the making of the stream included; best of 3.

{table(("learner", "items", "items per second", "over the stream"), speeds)}
"""
    print(text)
    if given.write:
        write_section("recovery", text)


if __name__ == "__main__":
    main()
