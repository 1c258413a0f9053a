"""Comparisons: pairs per second of the classical statistics, updates per second of the evidence."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import psutil
from results import rate, table, write_section

from streamgauge._core import SequentialTest
from streamgauge.comparisons import Duel, compare
from streamgauge.comparisons._boundary import squared_quantile
from streamgauge.log import Log, from_columns
from streamgauge.types import F64, Schema

ROUNDS = 5
THRESHOLD = math.log(40)
"""The log evidence that decides "so far" at 5 %, two-sided."""

QUANTILE = squared_quantile(0.05)
"""The statistic that decides the long run at 5 %."""


def logs(count: int) -> tuple[Log, Log]:
    """Two learners on two classes, wrong in 15 and in 15.1 %."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, count, dtype=np.int32)
    schema = Schema((), classes=("no", "yes"))
    predicted = (np.where(rng.random(count) < p, label, 1 - label) for p in (0.85, 0.849))
    a, b = (from_columns(schema, label, s.astype(np.int32)) for s in predicted)
    return a, b


def real_logs(count: int) -> tuple[Log, Log]:
    rng = np.random.default_rng(1)
    label = rng.normal(size=count)
    a, b = (from_columns(Schema(()), label, label + rng.normal(size=count)) for _ in "ab")
    return a, b


def cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def best(work: Callable[[], object]) -> float:
    return min(cpu(work) for _ in range(ROUNDS))


def update_each(a: list[float], b: list[float]) -> None:
    update = SequentialTest(THRESHOLD, [QUANTILE]).update
    for x, y in zip(a, b, strict=True):
        update(x, y)


def duel(a: list[float], b: list[float]) -> None:
    live = Duel()
    for item, (x, y) in enumerate(zip(a, b, strict=True)):
        live.observe(item, x, y)
        live.label(item, 0.0)


def push(a: F64, b: F64, bound: float | None = None) -> None:
    SequentialTest(THRESHOLD, [QUANTILE], 0, bound).push(a, b)


def batches(a: F64, b: F64) -> None:
    live = Duel()
    for start in range(0, len(a), 1000):
        part = slice(start, start + 1000)
        live.update(a[part], b[part], np.zeros(len(a[part])))


def statistics(count: int) -> str:
    classes, reals = logs(count), real_logs(count)
    rows = []
    for title, pair, options, goal in (
        ("all of `compare`: Q and McNemar in three windows, evidence, DM", classes, {}, "20 M/s"),
        ("whole + sliding + fading, without lags of DM", classes, {"lags": 0}, "20 M/s"),
        ("real losses with a bound, without lags of DM", reals, {"lags": 0, "bound": 9.0}, ""),
    ):
        took = best(partial(compare, *pair, **options))
        verdict = compare(*pair, **options)
        q = verdict["q_negative_favours_a", "whole"].value
        rows.append((title, f"{count:,}", rate(count / took), goal, f"{q:.5f}"))
    return table(("one pass", "pairs", "pairs per second", "goal", "Q"), rows)


def evidence(count: int) -> str:
    rng = np.random.default_rng(2)
    zero_one = [(rng.random(count) < p).astype(float) for p in (0.2, 0.21)]
    real = [rng.random(count) for _ in "ab"]
    few = [x[: count // 10].tolist() for x in zero_one]
    rows = []
    for title, work, updates, goal in (
        ("all three statements, zero-one losses", partial(push, *zero_one), count, "1 M/s"),
        ("the same, real losses with a bound", partial(push, *real, 1.0), count, "1 M/s"),
        ("the same, without a bound", partial(push, *real, math.inf), count, "1 M/s"),
        ("`Duel`: batches of 1,000", partial(batches, *zero_one), count, "1 M/s"),
        ("one call from Python per pair", partial(update_each, *few), count // 10, "200 k/s"),
        ("`Duel`: observe and label per item", partial(duel, *few), count // 10, "200 k/s"),
    ):
        rows.append((title, f"{updates:,}", rate(updates / best(work)), goal))
    return table(("sequential test", "updates", "updates per second", "goal"), rows)


def memory() -> str:
    """Bytes of the state of one pair of learners after so many items."""
    rng = np.random.default_rng(3)
    a, b = ((rng.random(2**20) < 0.2).astype(float) for _ in "ab")
    process = psutil.Process()
    rows: list[tuple[str, str]] = []
    held: list[SequentialTest] = []  # all are kept, so that no memory is used again
    for exponent, tests in ((12, 2000), (16, 500), (20, 100)):
        before = process.memory_info().rss
        for _ in range(tests):
            test = SequentialTest(THRESHOLD, [QUANTILE])
            test.push(a[: 2**exponent], b[: 2**exponent])
            held.append(test)
        size = (process.memory_info().rss - before) / tests
        rows.append((f"2^{exponent}", f"{size / 1000:.1f} kB"))
    return table(("items", "state of one pair"), rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--pairs", type=int, default=10_000_000)
    given = options.parse_args()
    state = memory()  # first: later, memory that was freed is used again
    text = f"""## Two learners on one stream

From two logs in memory to the verdict and its curves, CPU time, best of {ROUNDS}.

{statistics(given.pairs)}

{evidence(given.pairs // 10)}

{state}
"""
    print(text)
    if given.write:
        write_section("comparisons", text)


if __name__ == "__main__":
    main()
