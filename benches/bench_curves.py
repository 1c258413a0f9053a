"""Twelve curves over a log: ours, MOA's three evaluators inside the JVM, river's metrics.

Whole, sliding 1000 and fading 0.999, each with accuracy, kappa, kappa_temporal and kappa_plus, a
point every 100 rows. CPU time of one thread, the best of several rounds, the three interleaved.
MOA has no kappa_plus and computes the other three; river has neither fading windows nor
kappa_temporal, so it computes accuracy and kappa, cumulative and rolling.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import jvm
import numpy as np
from results import rate, table, write_section
from river import metrics, utils

import streamgauge as sg
from streamgauge.log import Log, from_columns
from streamgauge.types import Schema

MEASURES = ["accuracy", "kappa", "kappa_temporal", "kappa_plus"]
WINDOWS = ["whole", "sliding(1000)", "fading(0.999)"]
EVERY = 100
JVM_ROUNDS = 3


def columns(rows: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Autocorrelated labels, and predictions that are correct with probability 0.8 or by chance."""
    rng = np.random.default_rng(7)
    fresh = rng.integers(0, classes, rows, dtype=np.int32)
    last = np.maximum.accumulate(np.where(rng.random(rows) < 0.5, np.arange(rows), 0))
    label = fresh[last]
    random = rng.integers(0, classes, rows, dtype=np.int32)
    return label, np.where(rng.random(rows) < 0.8, label, random)


def ours(log: Log) -> tuple[float, dict[str, float]]:
    start = time.thread_time()
    curves = sg.measure(log, MEASURES, WINDOWS, every=EVERY)
    spent = time.thread_time() - start
    kinds = {w: w.partition("(")[0] for w in WINDOWS}
    return spent, {f"{c.measure}_{kinds[c.window]}": c.final for c in curves}


def moas(label: np.ndarray, prediction: np.ndarray, classes: int) -> tuple[float, dict[str, float]]:
    """The best of a few rounds in one JVM; the first rounds warm it up."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        np.concatenate([label, prediction]).astype("<i4").tofile(path)
        lines = jvm.run("Curves", path, len(label), classes, EVERY, JVM_ROUNDS)
    best = min(lines, key=lambda line: float(line["seconds"]))
    values = {name: float(value) for name, value in best.items()}
    return values.pop("seconds"), values


def rivers(label: np.ndarray, prediction: np.ndarray) -> tuple[float, dict[str, float]]:
    pairs = list(zip(label.tolist(), prediction.tolist(), strict=True))
    metrics_by_name = {
        "accuracy_whole": metrics.Accuracy(),
        "kappa_whole": metrics.CohenKappa(),
        "accuracy_sliding": utils.Rolling(metrics.Accuracy, window_size=1000),
        "kappa_sliding": utils.Rolling(metrics.CohenKappa, window_size=1000),
    }
    points: list[float] = []
    start = time.thread_time()
    for i, (y, a) in enumerate(pairs, 1):
        for metric in metrics_by_name.values():
            metric.update(y, a)
        if i % EVERY == 0:
            points.extend(metric.get() for metric in metrics_by_name.values())
    spent = time.thread_time() - start
    return spent, {name: metric.get() for name, metric in metrics_by_name.items()}


def same(mine: dict[str, float], theirs: dict[str, float], within: float) -> str:
    """Check that both sides agree, since a ratio of speeds is meaningless otherwise."""
    shared = [name for name in mine if name in theirs]
    difference = max(abs(mine[name] - theirs[name]) for name in shared)
    if difference > within:
        raise SystemExit(f"values differ by {difference:.2g}: {mine} {theirs}")
    return f"{len(shared)} values within {difference:.0e}"


def compare(classes: int, rows: int, rounds: int) -> list[list[object]]:
    label, prediction = columns(rows, classes)
    few, fewer = rows // 10, rows // 200
    schema = Schema((), classes=tuple(range(classes)))
    log = from_columns(schema, label, prediction)
    best: dict[str, float] = {}
    values: dict[str, dict[str, float]] = {}

    def keep(name: str, result: tuple[float, dict[str, float]]) -> None:
        best[name] = min(best.get(name, float("inf")), result[0])
        values[name] = result[1]

    for _ in range(rounds):
        for _ in range(JVM_ROUNDS):
            keep("ours", ours(log))
        keep("moa", moas(label[:few], prediction[:few], classes))
        keep("river", rivers(label[:fewer], prediction[:fewer]))
    per_second = {
        "ours": rows / best["ours"],
        "moa": few / best["moa"],
        "river": fewer / best["river"],
    }
    checks = {
        "moa": (few, 1e-4),  # MOA counts a label before the first one
        "river": (fewer, 1e-9),
    }
    table_rows: list[list[object]] = [
        [
            classes,
            "streamgauge, 12 curves",
            f"{rows:,}",
            rate(per_second["ours"]),
            "1",
            f"accuracy {values['ours']['accuracy_whole']:.4f}",
        ]
    ]
    names = {
        "moa": "MOA, three evaluators in the JVM",
        "river": "river, 2 metrics, plain and rolling",
    }
    for name, (count, within) in checks.items():
        _, mine = ours(from_columns(schema, label[:count], prediction[:count]))
        agreed = same(mine, values[name], within)
        ratio = per_second["ours"] / per_second[name]
        table_rows.append(
            [
                classes,
                names[name],
                f"{count:,}",
                rate(per_second[name]),
                f"{ratio:.0f}",
                f"accuracy {values[name]['accuracy_whole']:.4f}, ours on these "
                f"{mine['accuracy_whole']:.4f}; {agreed}",
            ]
        )
    return table_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table to RESULTS.md")
    given = parser.parse_args()
    rows = [row for classes in (2, 7) for row in compare(classes, given.rows, given.rounds)]
    head = ["classes", "library", "rows", "rows per second", "ours is times faster", "check"]
    text = table(head, rows)
    print(text)
    if given.write:
        title = "## Curves from a log\n\n" + (__doc__ or "").partition("\n\n")[2].strip()
        write_section("curves", f"{title}\n\n{text}")


if __name__ == "__main__":
    main()
