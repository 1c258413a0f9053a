"""Native OFS and FIRES and plain NumPy ports of the published programs, on the same items.

`python benches/bench_selectors.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from results import rate, table, write_section
from scipy.stats import norm

import streamgauge as sg
from streamgauge.selectors import FIRES, OFS
from streamgauge.types import Feature, Schema

ROUNDS = 25
BATCH = 100
WIDTHS = (10, 50, 200)
CELLS = 2**19
"""Cells of a batch, as the engine passes them: what is measured is the update, not the memory."""
PASSES = 10
"""The native selector gets the batch this many times; the ratio is of seconds per item."""


def cpu(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.thread_time()
    work()
    return time.thread_time() - began


def items(count: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Standard normal features, of which five matter."""
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(count, width))
    labels = rows[:, :5].sum(axis=1) + draw.normal(size=count) > 0
    return rows, labels.astype(np.int32)


def ofs_in_numpy(rows: np.ndarray, labels: np.ndarray, keep: int) -> list[np.ndarray]:
    """The update of the paper, item by item; the features selected after every batch."""
    eta, penalty = 0.2, 0.01
    w = np.zeros(rows.shape[1])
    found = []
    for i, (x, y) in enumerate(zip(rows, np.where(labels == 1, 1.0, -1.0), strict=True), 1):
        if y * np.dot(w, x) <= 1:
            w = (1 - penalty * eta) * w + eta * y * x
            w = w * min(1.0, 1 / np.sqrt(penalty) / np.linalg.norm(w))
            w[np.argsort(-np.abs(w), kind="stable")[keep:]] = 0.0
        else:
            w = (1 - penalty * eta) * w
        if i % BATCH == 0:
            found.append(np.flatnonzero(w))
    return found


def fires_in_numpy(rows: np.ndarray, labels: np.ndarray, keep: int) -> list[np.ndarray]:
    """The update of the authors' program, batch by batch; the features selected after each."""
    rate_mu = rate_sigma = penalty_s = penalty_r = 0.01
    mu, sigma = np.zeros(rows.shape[1]), np.ones(rows.shape[1])
    signs = np.where(labels == 1, 1.0, -1.0)
    found = []
    for low in range(0, len(rows) - BATCH + 1, BATCH):
        x, y = rows[low : low + BATCH], signs[low : low + BATCH]
        dot = np.dot(x, mu)
        rho = np.sqrt(1 + np.dot(x**2, sigma**2))
        density, marginal = norm.pdf(y / rho * dot), norm.cdf(y / rho * dot)
        by_mu = density * (y / rho * x.T)
        by_sigma = density * (-y / (2 * rho**3) * 2 * (x**2 * sigma).T * dot)
        mu = mu + rate_mu * np.mean(by_mu / marginal, axis=1)
        sigma = sigma + rate_sigma * np.mean(by_sigma / marginal, axis=1)
        sigma[sigma < 0] = 0
        weights = (mu**2 - penalty_s * sigma**2) / (2 * penalty_r)
        found.append(np.sort(np.argsort(-weights, kind="stable")[:keep]))
    return found


def bound(spec: Any, width: int) -> Any:
    """The selector for so many features."""
    return spec.bind(Schema(tuple(Feature(f"f{i}") for i in range(width)), "y", (0, 1)))


def ours(spec: Any, rows: np.ndarray, labels: np.ndarray) -> list[np.ndarray]:
    """The features selected after every batch."""
    changed, sets = bound(spec, rows.shape[1]).learn(rows, labels)
    ends = np.arange(BATCH - 1, len(rows), BATCH)
    return [np.flatnonzero(sets[i]) for i in np.searchsorted(changed, ends, side="right") - 1]


def passes(spec: Any, rows: np.ndarray, labels: np.ndarray) -> None:
    """The items several times; only the last selection is looked up."""
    selector = bound(spec, rows.shape[1])
    for _ in range(PASSES):
        selector.learn(rows, labels)


def against_numpy() -> str:
    lines = []
    for name, make, port in (("OFS", OFS, ofs_in_numpy), ("FIRES", FIRES, fires_in_numpy)):
        for width in WIDTHS:
            keep = max(1, width // 10)
            count = CELLS // width // BATCH * BATCH
            rows, labels = items(count, width)
            spec = make(n_features=keep, standardise=False)
            found, expected = ours(spec, rows, labels), port(rows, labels, keep)
            same = [np.array_equal(a, b) for a, b in zip(found, expected, strict=True)]
            if not all(same):
                raise SystemExit(f"{name}, {width} features: selections differ")
            here, there = [], []
            for _ in range(ROUNDS):
                work = cpu(lambda s=spec, r=rows, y=labels: passes(s, r, y))
                here.append(work / count / PASSES)
                there.append(cpu(lambda p=port, r=rows, y=labels, k=keep: p(r, y, k)) / count)
            mine, other = min(here), min(there)
            lines.append(
                (
                    name,
                    width,
                    keep,
                    rate(1 / mine),
                    rate(1 / other),
                    f"{other / mine:.0f}",
                    f"{count * PASSES:,} / {count:,}",
                    f"{sum(same)} of {len(same)}",
                )
            )
    head = (
        "selector",
        "features",
        "selected",
        "ours",
        "NumPy",
        "times (goal ≥ 20)",
        "items",
        "equal selections",
    )
    return table(head, lines)


def around_a_learner(count: int) -> str:
    rows, labels = items(count, 50)
    stream = sg.streams.from_arrays(rows, labels)
    lines = []
    for name in (
        "perceptron",
        "selecting(all_features, perceptron)",
        "selecting(fires(n_features=5), perceptron)",
        "selecting(ofs(n_features=5), perceptron)",
    ):
        seconds = min(cpu(lambda name=name: sg.run(stream, name)) for _ in range(ROUNDS))
        log = sg.run(stream, name)
        accuracy = sg.measure(log, "accuracy").final
        changes = max(0, len(log.selections()) - 1)
        lines.append((name, f"{seconds / count * 1e9:.0f}", f"{changes:,}", f"{accuracy:.4f}"))
    return table(("learner, 50 features", "ns per item, whole run", "changes", "accuracy"), lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=200_000)
    given = options.parse_args()
    text = f"""## Feature selectors

Standard normal features and two classes, CPU time, interleaved, best of {ROUNDS}. The NumPy code
is a plain port of the published updates (OFS item by item, FIRES in batches of {BATCH}), without
the shuffling of the program. Items are in one batch of 2^19 cells, as the engine passes them; the
native selector gets it {PASSES} times. Both sides select the same features after every {BATCH}
items, otherwise there is no result.

{against_numpy()}

The cost of a selector around a learner, log included:

{around_a_learner(given.items)}
"""
    print(text)
    if given.write:
        write_section("selectors", text)


if __name__ == "__main__":
    main()
