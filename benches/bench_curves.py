"""Twelve curves over a log: ours, MOA's three evaluators inside the JVM, river's metrics.

Whole, sliding 1000 and fading 0.999, each with accuracy, kappa, kappa_temporal and kappa_plus, a
point every 100 rows. CPU time of one thread, the best of several rounds, the three interleaved.
MOA has no kappa_plus and is asked for the other three; river has neither fading windows nor
kappa_temporal, so it does accuracy and kappa, cumulative and rolling.
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
    """Labels that like to stay, and answers that are right in eight cases of ten or by luck."""
    rng = np.random.default_rng(7)
    fresh = rng.integers(0, classes, rows, dtype=np.int32)
    last = np.maximum.accumulate(np.where(rng.random(rows) < 0.5, np.arange(rows), 0))
    label = fresh[last]
    lucky = rng.integers(0, classes, rows, dtype=np.int32)
    return label, np.where(rng.random(rows) < 0.8, label, lucky)


def ours(log: Log) -> tuple[float, dict[str, float]]:
    start = time.thread_time()
    curves = sg.measure(log, MEASURES, WINDOWS, every=EVERY)
    spent = time.thread_time() - start
    kinds = {w: w.partition("(")[0] for w in WINDOWS}
    return spent, {f"{c.measure}_{kinds[c.window]}": c.final for c in curves}


def moas(label: np.ndarray, answer: np.ndarray, classes: int) -> tuple[float, dict[str, float]]:
    """The best of a few rounds in one JVM; the first ones warm it up."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        np.concatenate([label, answer]).astype("<i4").tofile(path)
        lines = jvm.run("Curves", path, len(label), classes, EVERY, JVM_ROUNDS)
    best = min(lines, key=lambda line: float(line["seconds"]))
    values = {name: float(value) for name, value in best.items()}
    return values.pop("seconds"), values


def rivers(label: np.ndarray, answer: np.ndarray) -> tuple[float, dict[str, float]]:
    pairs = list(zip(label.tolist(), answer.tolist(), strict=True))
    held = {
        "accuracy_whole": metrics.Accuracy(),
        "kappa_whole": metrics.CohenKappa(),
        "accuracy_sliding": utils.Rolling(metrics.Accuracy, window_size=1000),
        "kappa_sliding": utils.Rolling(metrics.CohenKappa, window_size=1000),
    }
    points: list[float] = []
    start = time.thread_time()
    for i, (y, a) in enumerate(pairs, 1):
        for metric in held.values():
            metric.update(y, a)
        if i % EVERY == 0:
            points.extend(metric.get() for metric in held.values())
    spent = time.thread_time() - start
    return spent, {name: metric.get() for name, metric in held.items()}


def same(mine: dict[str, float], theirs: dict[str, float], within: float) -> str:
    """Do both say the same? A ratio of speeds means nothing if not."""
    shared = [name for name in mine if name in theirs]
    apart = max(abs(mine[name] - theirs[name]) for name in shared)
    if apart > within:
        raise SystemExit(f"values differ by {apart:.2g}: {mine} {theirs}")
    return f"{len(shared)} values within {apart:.0e}"


def compare(classes: int, rows: int, rounds: int) -> list[list[object]]:
    label, answer = columns(rows, classes)
    few, fewer = rows // 10, rows // 200
    schema = Schema((), classes=tuple(range(classes)))
    log = from_columns(schema, label, answer)
    best: dict[str, float] = {}
    values: dict[str, dict[str, float]] = {}

    def keep(name: str, result: tuple[float, dict[str, float]]) -> None:
        best[name] = min(best.get(name, float("inf")), result[0])
        values[name] = result[1]

    for _ in range(rounds):
        for _ in range(JVM_ROUNDS):
            keep("ours", ours(log))
        keep("moa", moas(label[:few], answer[:few], classes))
        keep("river", rivers(label[:fewer], answer[:fewer]))
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
        _, mine = ours(from_columns(schema, label[:count], answer[:count]))
        agreed = same(mine, values[name], within)
        ratio = per_second["ours"] / per_second[name]
        table_rows.append(
            [
                classes,
                names[name],
                f"{count:,}",
                rate(per_second[name]),
                f"{ratio:.0f}",
                f"accuracy {values[name]['accuracy_whole']:.4f}, ours there "
                f"{mine['accuracy_whole']:.4f}; {agreed}",
            ]
        )
    return table_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    given = parser.parse_args()
    rows = [row for classes in (2, 7) for row in compare(classes, given.rows, given.rounds)]
    head = ["classes", "who", "rows", "rows a second", "ours is times faster", "check"]
    text = table(head, rows)
    print(text)
    if given.write:
        title = "## Curves from a log\n\n" + (__doc__ or "").partition("\n\n")[2].strip()
        write_section("curves", f"{title}\n\n{text}")


if __name__ == "__main__":
    main()
