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
from held import Held, held
from results import table, write_section

import streamgauge as sg

MANY, ROUNDS, GOAL = 10, 25, 1.8
TREE = sg.learners.HoeffdingTree()


def learners(data: Held, threads: int) -> list[sg.log.Log]:
    """Ten runs, as many at a time as there are threads."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda seed: sg.run(data, TREE, seed=seed), range(MANY)))


def folds(data: Held, threads: int) -> list[sg.log.Log]:
    """One run of ten copies: each item is asked of one and taught to the others."""
    return [sg.run(data, TREE, sg.protocols.Delayed(folds=MANY), threads=threads)]


def bare(data: Held, threads: int) -> list[np.ndarray]:
    """The learners alone, in one call each: what the machine's two threads can give at all."""
    bound = [TREE.bind(data.schema, seed) for seed in range(MANY)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda one: one.test_then_train(0, data.x, data.label), bound))


WORK: dict[str, Callable[[Held, int], object]] = {
    "10 learners, calls alone": bare,
    "10 learners, `sg.run` each": learners,
    "10 folds, one `sg.run(…, threads=)`": folds,
}


def timed(work: Callable[[Held, int], object], data: Held, threads: int) -> tuple[float, float]:
    """Seconds by the clock, and of CPU of the whole process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work(data, threads)
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="put it into RESULTS.md")
    options.add_argument("--items", type=int, default=200_000)
    given = options.parse_args()
    lines = []
    for name, stream in {
        "rbf8": sg.streams.RandomRBF(2, 8, seed=1),
        "rbf54": sg.streams.RandomRBF(7, 54, seed=1),
    }.items():
        data = held(name, stream, given.items)
        for what, work in WORK.items():
            seen: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
            for _ in range(ROUNDS):
                for threads, times in seen.items():
                    times.append(timed(work, data, threads))
            (one, one_cpu), (two, two_cpu) = (min(times) for times in seen.values())
            pairs = median(alone[0] / both[0] for alone, both in zip(*seen.values(), strict=True))
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
        "of pairs",
        "CPU of one",
        "CPU of two",
    )
    text = f"""## Threads

{given.items:,} items in memory, ten Hoeffding trees, by the clock, in turns, best of {ROUNDS}, on a
machine of two processors that does nothing else. Learners: ten runs in a pool of threads. Folds:
`Delayed(folds={MANY})`, each item asked of one copy and taught to nine. Logs are the same to the
bit. The first line is what two threads give without us. "Of pairs": the median of the ratios of two
runs that followed each other, which one quiet moment cannot sway.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("threads", text)


if __name__ == "__main__":
    main()
