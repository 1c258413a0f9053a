"""Native Hoeffding trees compared with MOA's: accuracy and leaves on the same items.

Both sides have the same parameters. A Hoeffding tree may differ from MOA's by half a point
of accuracy and by 3 % of its leaves, or one leaf; an adaptive tree, which is random, by 1.5 points:
ours is the mean of 8 seeds (within half a point of it), MOA's is one draw, since the seed of its
nodes is fixed.

Differences of Hoeffding trees are due to rounding: a tie between two splits is decided the other
way, and the trees diverge from there. Also, where MOA's products of densities underflow for every
class (it then predicts the first), ours adds logarithms. With the Gini index MOA considers a split
with an empty branch the best (0 / 0, which it sorts last); ours does not, and the two are compared
only where all columns are numeric, so that no branch is empty. MOA's adaptive tree predicts the
first class where a cell tested by a split is missing; ours predicts by the split, and the two are
compared only where no cell is missing. Its count of leaves is not reliable (it can be below 0), and
is given for completeness.

MOA's options: `-g 200 -c 1.0E-7 -t 0.05` and those in the table. Exit code 1 if they differ by
more, or if files are missing and `--all` was given.

    python benches/parity_trees.py [--all] [--write]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jvm
import numpy as np
from in_memory import InMemory
from parity_table import Row, Streams, numeric_covtype, on_each, options, show

from streamgauge import learners, streams

SHARED = "-g 200 -c 1.0E-7 -t 0.05"
MOAS = {
    f"trees.HoeffdingTree {SHARED} -l NBAdaptive": learners.HoeffdingTree(),
    f"trees.HoeffdingTree {SHARED} -l NB": learners.HoeffdingTree(leaf_prediction="nb"),
    f"trees.HoeffdingTree {SHARED} -l MC": learners.HoeffdingTree(leaf_prediction="majority"),
    f"trees.HoeffdingAdaptiveTree {SHARED} -l NBAdaptive": learners.HoeffdingAdaptiveTree(),
    f"trees.HoeffdingTree {SHARED} -s GiniSplitCriterion": learners.HoeffdingTree(
        split_criterion="gini"
    ),
}
SEEDS = {"HoeffdingTree": 1, "HoeffdingAdaptiveTree": 8}
FURTHEST = {"HoeffdingTree": 0.005, "HoeffdingAdaptiveTree": 0.015}
STREAMS: Streams = {
    "electricity": (streams.Electricity, 45_312),
    "covtype, first 100k": (numeric_covtype, 100_000),
    "Agrawal": (lambda: streams.Agrawal(1, seed=1), 100_000),
    "SEA": (lambda: streams.SEA(seed=1), 100_000),
    "LED": (lambda: streams.LED(0.1, seed=1), 100_000),
    "RandomRBF, drift": (lambda: streams.RandomRBF(5, 10, 50, 50, 0.001, seed=1), 100_000),
    "RandomRBF, 8 × 2": (lambda: streams.RandomRBF(2, 8, seed=1), 100_000),
    "RandomRBF, 54 × 7": (lambda: streams.RandomRBF(7, 54, seed=1), 100_000),
    "RandomTree": (lambda: streams.RandomTree(seed=1), 100_000),
    "mushroom, missing cells": (streams.Mushroom, 8124),
}


HEAD = {
    "stream": -24,
    "items": 7,
    "tree": -21,
    "options": -25,
    "accuracy, %": 11,
    "MOA's": 7,
    "Δ": 6,
    "equal predictions, %": 16,
    "leaves": 6,
    "MOA's leaves": 12,
}


def moas(data: InMemory) -> list[tuple[np.ndarray, float | None]]:
    """Predictions of each of MOA's trees (the first class where it abstains), and its leaves."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        classes = len(data.schema.classes or ())
        results = jvm.run("Prequential", file, data.columns, classes, 0, *MOAS)
        predicted = [np.maximum(np.fromfile(f"{file}.{name}", "<i4"), 0) for name in MOAS]
        return list(zip(predicted, [float(r["tree_size_leaves_"]) for r in results], strict=True))


def compared(data: InMemory) -> Iterator[Row]:
    """The rows of one stream."""
    missing = bool(np.isnan(data.x).any())
    for (name, spec), (predictions, their_leaves) in zip(MOAS.items(), moas(data), strict=True):
        nominal = any(feature.values for feature in data.schema.features)
        if ("Gini" in name and nominal) or ("Adaptive" in name.split()[0] and missing):
            continue
        kind = type(spec).__name__
        bound = [spec.bind(data.schema, seed) for seed in range(SEEDS[kind])]
        ours_predicted = np.stack([ours.test_then_train(0, data.x, data.label) for ours in bound])
        right, their_right = ours_predicted == data.label, predictions == data.label
        gap = float(right.mean() - their_right.mean())
        leaves = float(np.mean([ours.vitals()["leaves"] for ours in bound]))
        near = abs(gap) <= FURTHEST[kind]
        if kind == "HoeffdingTree":
            near = near and abs(leaves - their_leaves) <= max(1.0, 0.03 * their_leaves)
        cells = (
            data.name,
            f"{data.length:,}",
            kind,
            name.partition(" ")[2].replace(SHARED, "").strip(),
            f"{100 * right.mean():.2f}",
            f"{100 * their_right.mean():.2f}",
            f"{100 * gap:+.2f}",
            f"{100 * (ours_predicted == predictions).mean():.2f}",
            f"{leaves:.0f}",
            f"{their_leaves:.0f}",
        )
        yield Row(cells, near)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(show("Hoeffding trees", __doc__, HEAD, on_each(STREAMS, compared), given))
