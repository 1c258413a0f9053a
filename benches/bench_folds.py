"""Ten folds of a Hoeffding tree: compared with one prequential run, and with MOA's.

`python benches/bench_folds.py [--write] [--items N]`
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

import jvm
from in_memory import InMemory, in_memory
from results import table, write_section

import streamgauge as sg

K, ROUNDS, WARM = 10, 15, 7
TREE = sg.learners.HoeffdingTree()
LINE = "trees.HoeffdingTree -g 200 -c 1.0E-7 -t 0.05 -l NBAdaptive"
METHODS = {
    "cross": "Cross-Validation",
    "split": "Split-Validation",
    "bootstrap": "Bootstrap-Validation",
}
GOAL, FLOOR, FASTER = 5.5, 6.5, 10
FURTHEST = {"cross": 0.003, "split": 0.005, "bootstrap": 0.005}
"""The largest difference of mean accuracies for which speeds are compared."""


def timed(
    data: InMemory, protocol: object, threads: int, vitals_every: int | None = None
) -> tuple[float, float]:
    """Wall time and CPU seconds of a run with its log in memory."""
    wall, cpu = time.perf_counter(), time.process_time()
    sg.run(data, TREE, protocol, threads=threads, vitals_every=vitals_every)
    return time.perf_counter() - wall, time.process_time() - cpu


def against_one_run(data: InMemory) -> list[tuple[str, ...]]:
    """Wall time on two threads, as a multiple of that of one prequential run; interleaved."""
    protocols = {split: sg.protocols.KFold(K, split) for split in METHODS}
    alone, folds = [], {split: [] for split in METHODS}
    for _ in range(ROUNDS):
        alone.append(timed(data, sg.protocols.Prequential(), 1)[0])
        for split, protocol in protocols.items():
            folds[split].append(timed(data, protocol, 2)[0])
    rows = []
    for split, seconds in folds.items():
        of_rounds = median(k / one for k, one in zip(seconds, alone, strict=True))
        ratio = min(seconds) / min(alone)
        goal = f" (goal {GOAL}, floor {FLOOR})" if split == "cross" else ""
        rows.append(
            (
                split,
                f"{data.length:,}",
                f"{min(alone):.3f} s",
                f"{min(seconds):.3f} s",
                f"{ratio:.2f}{goal}",
                f"{of_rounds:.2f}",
            )
        )
        print(rows[-1], flush=True)
    return rows


def against_moa(data: InMemory, file: Path) -> list[tuple[str, ...]]:
    """CPU seconds of equal work: every fold predicts every item, on one thread, without vitals."""
    classes = len(data.schema.classes or ())
    found = jvm.run(
        "CrossValidation", file, data.columns, classes, WARM, K, LINE, *METHODS.values()
    )
    rows = []
    for split, method in METHODS.items():
        theirs = [one for one in found if one["method"] == method]
        protocol = sg.protocols.KFold(K, split, variant="moa")
        ours = min(timed(data, protocol, 1, vitals_every=0)[1] for _ in range(ROUNDS))
        log = sg.run(data, TREE, protocol, vitals_every=0)
        measuring = []
        for _ in range(WARM):
            began = time.process_time()
            accuracy = sg.repetitions.over_folds(log, "accuracy").final.mean
            measuring.append(time.process_time() - began)
        moas, their_accuracy = (
            min(float(one["seconds"]) for one in theirs),
            float(theirs[0]["accuracy"]),
        )
        if abs(accuracy - their_accuracy) > FURTHEST[split]:
            raise SystemExit(
                f"{split}: mean accuracy {accuracy:.4f} differs from {their_accuracy:.4f} of MOA"
            )
        rows.append(
            (
                split,
                f"{data.length:,}",
                f"{ours:.3f} s",
                f"{moas:.3f} s",
                f"{moas / ours:.1f} (≥ {FASTER})",
                f"{min(measuring):.3f} s",
                f"{moas / (ours + min(measuring)):.1f}",
                f"{accuracy:.4f}",
                f"{their_accuracy:.4f}",
            )
        )
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write the results to RESULTS.md")
    options.add_argument("--items", type=int, default=100_000)
    given = options.parse_args()
    data = in_memory("rbf8", sg.streams.RandomRBF(2, 8, seed=1), given.items)
    one = against_one_run(data)
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        moa = against_moa(data, data.write(Path(folder) / data.name))
    head = ("split", "items", "one run", f"{K} folds", "ratio", "median of rounds")
    moa_head = (
        "split",
        "items",
        "ours",
        "MOA",
        "ratio (goal)",
        "accuracy of the folds from the log",
        "ratio with it",
        "our accuracy",
        "MOA's",
    )
    text = f"""## Folds

RandomRBF, 8 features, 2 classes, items and log in memory, a Hoeffding tree. `KFold({K})` on two
threads as a multiple of one `Prequential` run: wall time, interleaved, best of {ROUNDS}.

{table(head, one)}

`KFold({K}, variant="moa")`, in which every fold predicts every item, on one thread, compared with
MOA's `EvaluatePrequentialCV` (`{LINE}`, basic evaluator) over the same items in the heap: CPU time
of the one thread, best of {ROUNDS} and of {WARM} rounds in one JVM. Neither side takes samples of
the models. Ours keeps a log, from which measures are computed afterwards; MOA's time includes an
evaluator per fold, so the ratio with the accuracies is shown, too. Accuracies are means over the
folds; bootstrap weights are drawn differently.

{table(moa_head, moa)}
"""
    print(text)
    if given.write:
        write_section("folds", text)


if __name__ == "__main__":
    main()
