"""Ten learners, and ten folds of one, on one thread and on two.

`python benches/bench_threads.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np
from in_memory import InMemory, in_memory
from results import table, write_section

import streamgauge as sg

MANY, ROUNDS, GOAL = 10, 25, 1.8
TREE = sg.learners.HoeffdingTree()


def learners(data: InMemory, threads: int) -> list[sg.log.Log]:
    """Ten runs in a pool of threads."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda seed: sg.run(data, TREE, seed=seed), range(MANY)))


def folds(data: InMemory, threads: int) -> list[sg.log.Log]:
    """One run of ten folds: each item is predicted by one and learned by the others."""
    return [sg.run(data, TREE, sg.protocols.Delayed(folds=MANY), threads=threads)]


def bare(data: InMemory, threads: int) -> list[np.ndarray]:
    """The learners alone, in one call each: the upper limit on this machine."""
    bound = [TREE.bind(data.schema, seed) for seed in range(MANY)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda one: one.test_then_train(0, data.x, data.label), bound))


WORK: dict[str, Callable[[InMemory, int], object]] = {
    "10 learners, calls alone": bare,
    "10 learners, `sg.run` each": learners,
    "10 folds, one `sg.run(…, threads=)`": folds,
}


def timed(
    work: Callable[[InMemory, int], object], data: InMemory, threads: int
) -> tuple[float, float]:
    """Wall time, and CPU seconds of the whole process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work(data, threads)
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=200_000)
    given = options.parse_args()
    lines = []
    for name, stream in {
        "rbf8": sg.streams.RandomRBF(2, 8, seed=1),
        "rbf54": sg.streams.RandomRBF(7, 54, seed=1),
    }.items():
        data = in_memory(name, stream, given.items)
        for what, work in WORK.items():
            measured: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
            for _ in range(ROUNDS):
                for threads, times in measured.items():
                    times.append(timed(work, data, threads))
            (one, one_cpu), (two, two_cpu) = (min(times) for times in measured.values())
            pairs = median(
                alone[0] / both[0] for alone, both in zip(*measured.values(), strict=True)
            )
            lines.append(
                (
                    name,
                    what,
                    f"{one:.3f} s",
                    f"{two:.3f} s",
                    f"{one / two:.2f} (≥ {GOAL})",
                    f"{pairs:.2f}",
                    f"{one_cpu:.3f} s",
                    f"{two_cpu:.3f} s",
                )
            )
            print(lines[-1], flush=True)
    head = (
        "stream",
        "work",
        "one thread",
        "two",
        "ratio (goal)",
        "of consecutive runs",
        "CPU of one",
        "CPU of two",
    )
    text = f"""## Threads

{given.items:,} items in memory, ten Hoeffding trees, wall time, interleaved, best of {ROUNDS}, on
an otherwise idle machine with two processors. Learners: ten runs in a pool of threads. Folds:
`Delayed(folds={MANY})`, each item predicted by one fold and learned by nine. Logs are identical bit
for bit. The first row is the learners without the engine. "Of consecutive runs": the median of the
ratios of consecutive runs, which is robust against variations of the machine.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("threads", text)


if __name__ == "__main__":
    main()
