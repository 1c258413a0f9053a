"""The cost of vitals and timing at the default interval, as a share of a run without them.

`python benches/bench_vitals.py [--items 1000000] [--rounds 15] [--write]`

Both runs use the same items in memory, alternating; the table shows the best CPU time of all
rounds, and their ratio. Predictions must be equal. The limit concerns runs of a million items and
more; slow learners get fewer items and rounds, of which samples are a larger share.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

os.environ.setdefault("RAYON_NUM_THREADS", "1")

from in_memory import in_memory
from results import rate, table, write_section

import streamgauge as sg

LEARNERS = {
    "naive_bayes": (1, 1),
    "perceptron": (1, 1),
    "hoeffding_tree": (1, 1),
    "hoeffding_adaptive_tree": (1, 1),
    "adaptive_random_forest": (4, 5),
    "river:tree.HoeffdingTreeClassifier()": (10, 5),
}
"""Learner -> the numbers of items and of rounds are divided by these."""

AT_MOST, LIMITED = 1.03, 1_000_000
"""The largest ratio, of runs of at least so many items."""


def seconds(stream: sg.types.Stream, learner: str, every: int | None) -> tuple[float, float, int]:
    """CPU seconds, accuracy and number of samples of a run."""
    began = time.process_time()
    log = sg.run(stream, learner, vitals_every=every, threads=1)
    took = time.process_time() - began
    samples = len(set(log.vitals().item.tolist()))
    return took, sg.measure(log, "accuracy").final, samples


def main() -> int:
    """Print the table; write it to RESULTS.md with `--write`. 1 if the limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    rows, worst = [], 0.0
    for learner, (fewer_items, fewer_rounds) in LEARNERS.items():
        items = chosen.items // fewer_items
        stream = in_memory("random_tree", sg.streams.RandomTree(seed=1), items)
        best: dict[int | None, float] = {}
        found: dict[int | None, tuple[float, int]] = {}
        for _ in range(max(1, chosen.rounds // fewer_rounds)):
            for every in (0, None):
                took, accuracy, samples = seconds(stream, learner, every)
                best[every] = min(took, best.get(every, took))
                found[every] = accuracy, samples
        if found[0][0] != found[None][0]:
            raise SystemExit(f"{learner}: predictions differ")
        ratio = best[None] / best[0]
        worst = max(worst, ratio if items >= LIMITED else 0.0)
        accuracy, samples = found[None]
        rows.append(
            [
                learner,
                f"{items:,}",
                f"{accuracy:.4f}",
                f"{samples}",
                rate(items / best[0]),
                rate(items / best[None]),
                f"{ratio:.3f} (≤ {AT_MOST})" if items >= LIMITED else f"{ratio:.3f}",
            ]
        )
        print(rows[-1], flush=True)
    heads = [
        "learner",
        "items",
        "accuracy",
        "samples",
        "without, items/s",
        "with, items/s",
        "ratio",
    ]
    text = f"""## Vitals and timing

Runs with and without samples and timing at the default interval, the same items, in turns;
CPU time, best of {chosen.rounds} (slow learners: of {max(1, chosen.rounds // 5)}).

{table(heads, rows)}
"""
    print(text)
    if chosen.write:
        write_section("Vitals and timing", text)
    return int(worst > AT_MOST)


if __name__ == "__main__":
    sys.exit(main())
