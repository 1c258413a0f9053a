"""Are the native Hoeffding trees MOA's? Accuracy and leaves on the same items, side by side.

Both sides with the same parameters, all said. A Hoeffding tree may differ from MOA's by half a
point of accuracy and by 3 % of its leaves, or one; an adaptive one, which draws at random, by 1.5
points: ours is the mean of 8 seeds (they lie half a point around it), MOA's is the one draw that
it has, since its nodes know no other seed.

Where a Hoeffding tree differs, it is by roundings: a tie between two splits falls the other way,
and the trees grow apart from there on. And where MOA's products of densities vanish for every class
(it then takes the first), ours adds logarithms. By the Gini index MOA holds a split with an empty
branch for the best of all (0 / 0, which it sorts last); ours does not, and the two are compared
where all columns are numeric, so that there is none. MOA's adaptive tree answers the first class
where a cell is missing that a split asks for; ours answers by the split, and the two are compared
where no cell is missing. Its count of leaves is not one (it can be below 0), and stands beside
ours for completeness.

MOA's options: `-g 200 -c 1.0E-7 -t 0.05` and those in the table. Exit code 1 where they differ by
more, or where files are missing and `--all` was given.

    python benches/parity_trees.py [--all] [--write]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jvm
import numpy as np
from held import Held
from side_by_side import Row, Streams, numeric_covtype, on_each, options, shown

from streamgauge import learners, streams

SAID = "-g 200 -c 1.0E-7 -t 0.05"
MOAS = {
    f"trees.HoeffdingTree {SAID} -l NBAdaptive": learners.HoeffdingTree(),
    f"trees.HoeffdingTree {SAID} -l NB": learners.HoeffdingTree(leaf="nb"),
    f"trees.HoeffdingTree {SAID} -l MC": learners.HoeffdingTree(leaf="majority"),
    f"trees.HoeffdingAdaptiveTree {SAID} -l NBAdaptive": learners.HoeffdingAdaptiveTree(),
    f"trees.HoeffdingTree {SAID} -s GiniSplitCriterion": learners.HoeffdingTree(criterion="gini"),
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
    "equal answers, %": 16,
    "leaves": 6,
    "MOA's leaves": 12,
}


def moas(data: Held) -> list[tuple[np.ndarray, float | None]]:
    """Answers of each of MOA's trees (the first class where it is silent), and its leaves."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        classes = len(data.schema.classes or ())
        told = jvm.run("Prequential", file, data.columns, classes, 0, *MOAS)
        said = [np.maximum(np.fromfile(f"{file}.{name}", "<i4"), 0) for name in MOAS]
        return list(zip(said, [float(t["tree_size_leaves_"]) for t in told], strict=True))


def compared(data: Held) -> Iterator[Row]:
    """The lines of one stream."""
    holes = bool(np.isnan(data.x).any())
    for (name, spec), (answers, their_leaves) in zip(MOAS.items(), moas(data), strict=True):
        nominal = any(feature.values for feature in data.schema.features)
        if ("Gini" in name and nominal) or ("Adaptive" in name.split()[0] and holes):
            continue
        kind = type(spec).__name__
        bound = [spec.bind(data.schema, seed) for seed in range(SEEDS[kind])]
        said = np.stack([ours.test_then_train(0, data.x, data.label) for ours in bound])
        right, their_right = said == data.label, answers == data.label
        gap = float(right.mean() - their_right.mean())
        leaves = float(np.mean([ours.vitals()["leaves"] for ours in bound]))
        near = abs(gap) <= FURTHEST[kind]
        if kind == "HoeffdingTree":
            near = near and abs(leaves - their_leaves) <= max(1.0, 0.03 * their_leaves)
        cells = (
            data.name,
            f"{data.length:,}",
            kind,
            name.partition(" ")[2].replace(SAID, "").strip(),
            f"{100 * right.mean():.2f}",
            f"{100 * their_right.mean():.2f}",
            f"{100 * gap:+.2f}",
            f"{100 * (said == answers).mean():.2f}",
            f"{leaves:.0f}",
            f"{their_leaves:.0f}",
        )
        yield Row(cells, near)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(shown("Hoeffding trees", __doc__, HEAD, on_each(STREAMS, compared), given))
