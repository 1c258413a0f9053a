"""Native ensembles of ten trees compared with MOA's own loop in the JVM.

`python benches/bench_ensembles.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from pathlib import Path

import jvm
from in_memory import InMemory, in_memory
from parity_ensembles import MOAS
from results import rate, table, write_section

import streamgauge as sg

ROUNDS = 2
MEASURES = ["accuracy", "kappa", "kappa_temporal", "kappa_plus"]
WINDOWS = [sg.Whole(), sg.Sliding(1000), sg.Fading(0.999)]
GOAL, FLOOR = 6, 3


def ours(data: InMemory, learner: object) -> tuple[float, float]:
    """CPU seconds and accuracy of a run and its 12 curves, with a point every 100 items."""
    gc.collect()
    began = time.thread_time()
    curves = sg.measure(sg.run(data, learner), MEASURES, WINDOWS, every=100)
    return time.thread_time() - began, curves[0].final


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    lines = []
    for name, stream in {
        "rbf8": sg.streams.RandomRBF(2, 8, seed=1),
        "rbf54": sg.streams.RandomRBF(7, 54, seed=1),
    }.items():
        data = in_memory(name, stream, given.items)
        with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
            file = data.write(Path(folder) / "items")
            for line, learner in MOAS.items():
                classes = len(data.schema.classes or ())
                results = jvm.run("Prequential", file, data.columns, classes, ROUNDS, line)
                moas = min(float(one["seconds"]) for one in results)
                seconds, accuracy = min(ours(data, learner) for _ in range(ROUNDS + 1))
                bound = learner.bind(data.schema)
                bound.learn(data.x, data.label)
                lines.append(
                    (
                        name,
                        type(learner).__name__,
                        rate(given.items / seconds),
                        rate(given.items / moas),
                        f"{moas / seconds:.1f} (goal {GOAL}, floor {FLOOR})",
                        f"{accuracy:.4f}",
                        f"{float(results[0]['accuracy']):.4f}",
                        f"{bound.memory() / 1e6:.1f} MB",
                    )
                )
                print(lines[-1], flush=True)
    head = ("stream", "learner", "ours", "MOA", "ratio", "our accuracy", "MOA's", "our memory")
    text = f"""## Ensembles

Ten trees, {given.items:,} items of RandomRBF (rbf8: 8 features, 2 classes; rbf54: 54 features, 7
classes) in memory on both sides, one thread, equal parameters (those of `parity_ensembles.py`).
Ours with log and 12 curves, best of {ROUNDS + 1}; MOA's loop inside the JVM, best of {ROUNDS}
rounds in a separate JVM. CPU time of the one thread. Members of the forest process a chunk one
after the other, so that one tree at a time is in the cache; in bagging all members process each
item, since the drift of one may replace another.

{table(head, lines)}
"""
    print(text)
    if given.write:
        write_section("ensembles", text)


if __name__ == "__main__":
    main()
