"""The generated streams of Shaker and Hüllermeier (2015), item by item.

The authors' published commands make RandomTrees and HyperDistance by MOA with the seeds 55 and 66:
binary RandomTrees from 55 to 66, 5 classes from 66 to 55, HyperDistance from 55 to 66 in both
orders of the functions. The trees, planes and items below are drawn in the order of MOA's
generators from the numbers of `java.util.Random`. The smallest and largest labels of HyperDistance
with seed 66 are those of Table 2. Permutations and mixtures are drawn again.

    python recovery/paper_streams.py hyper
"""

from __future__ import annotations

import sys
from math import sqrt
from tempfile import TemporaryDirectory
from typing import TypeAlias

import numpy as np

import streamgauge as sg
from streamgauge import streams
from streamgauge.recovery_analysis import RecoveryPanel
from streamgauge.types import F64, I64, Stream

ITEMS, COLUMNS, WINDOW = 125_000, 4, 500
MASK = (1 << 48) - 1


class JavaRandom:
    """Numbers of `java.util.Random`, a linear congruential generator of 48 bits."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & MASK

    def _bits(self, count: int) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & MASK
        return self._state >> (48 - count)

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return ((self._bits(26) << 27) + self._bits(27)) * 2.0**-53

    def below(self, end: int) -> int:
        """A whole number below `end`."""
        if end & (end - 1) == 0:
            return (end * self._bits(31)) >> 31
        while True:
            drawn = self._bits(31)
            if drawn - drawn % end + end <= 1 << 31:
                return drawn % end


Tree: TypeAlias = "int | tuple[int, float, Tree, Tree]"
"""A class, or the column and the threshold of a test with the trees below and above."""


def tree(draws: JavaRandom, classes: int, low: list[float], high: list[float]) -> Tree:
    """A random tree of depth 5, with leaves from depth 3 on."""

    def grown(depth: int, low: list[float], high: list[float]) -> Tree:
        if depth == 5 or (depth >= 3 and 1.0 - draws.uniform() <= 0.15):
            return draws.below(classes)
        column = draws.below(len(low))
        at = (high[column] - low[column]) * draws.uniform() + low[column]
        ends = [at if nth == column else end for nth, end in enumerate(high)]
        starts = [at if nth == column else start for nth, start in enumerate(low)]
        left = grown(depth + 1, low, ends)
        return column, at, left, grown(depth + 1, starts, high)

    return grown(0, low, high)


def labels(node: Tree, x: F64) -> I64:
    """The classes of rows."""
    if isinstance(node, int):
        return np.full(len(x), node)
    column, at, left, right = node
    return np.where(x[:, column] < at, labels(left, x), labels(right, x))


def random_tree(seed: int, classes: int) -> Stream:
    """RandomTrees of a seed, which is that of the tree and of the items."""
    grown = tree(JavaRandom(seed), classes, [0.0] * COLUMNS, [1.0] * COLUMNS)
    draws = JavaRandom(seed)
    x = np.array([[draws.uniform() for _ in range(COLUMNS)] for _ in range(ITEMS)])
    return streams.from_arrays(x, labels(grown, x), classes=range(classes))


def hyper_distance(seed: int, power: int) -> Stream:
    """HyperDistance: a power of the distance from a plane through the origin."""
    draws = JavaRandom(seed)
    weights = np.array([draws.uniform() for _ in range(COLUMNS)])
    x = np.empty((ITEMS, COLUMNS))
    for row in x:
        row[:] = [draws.uniform() for _ in range(COLUMNS)]
        for _ in range(3):  # noise and a turn of the plane, which are off
            draws.below(100)
    return streams.from_arrays(x, (x @ weights / sqrt(weights @ weights)) ** power)


CLASSIFICATION = {
    "hoeffding_adaptive_tree": "hoeffding_adaptive_tree",
    "ibl_streams": "ibl_streams(warm_start=500)",
    "efpt": "efpt(warm_start=500)",
    "efpt, two sets": "efpt(warm_start=500, mid=False)",
}
REGRESSION = {
    "amrules": "amrules",
    "fimtdd": "fimtdd",
    "ibl_linear": "ibl_streams_regression(pred_type='linear', warm_start=500)",
    "flexfis": "flexfis",
}


def pairs() -> dict[str, tuple[Stream, Stream]]:
    """The pure streams of each experiment, old and new."""
    return {
        "random_trees binary": (random_tree(55, 2), random_tree(66, 2)),
        "random_trees 5 classes": (random_tree(66, 5), random_tree(55, 5)),
        "hyper_distance f1 to f3": (hyper_distance(55, 1), hyper_distance(66, 3)),
        "hyper_distance f3 to f1": (hyper_distance(55, 3), hyper_distance(66, 1)),
    }


def below_the_bound(panel: RecoveryPanel) -> float:
    """How far accuracy is at most below the bound where that is below 90 % of both levels.

    Elsewhere the bound is nearly a level, so that every loss is below it; nan without such points.
    """
    if panel.bound is None or panel.bound.measure != "accuracy":
        return float("nan")
    bound = panel.bound.value
    inside = bound < 0.9 * min(panel.level_before, panel.level_after)
    gaps = (bound - panel.mixture.value)[inside]
    return float(gaps.max()) if len(gaps) else float("nan")


def main(words: list[str]) -> None:
    """Analyse the pairs whose names contain one of the words; all without words."""
    for name, (before, after) in pairs().items():
        if words and not any(word in name for word in words):
            continue
        learners = CLASSIFICATION if "trees" in name else REGRESSION
        if "5" in name:
            learners = {key: text for key, text in learners.items() if "efpt" not in key}
        print(name)
        with TemporaryDirectory() as folder:
            found = sg.recovery(
                learners,
                before=before,
                after=after,
                drift=["slow", "moderate", "sudden"],
                window=f"tumbling({WINDOW})",
                bound="levels" if "trees" in name else "none",
                repetitions=3,
                folder=folder,
            )
            for window in (100, 50) if "5" in name else ():
                finer = sg.measure_recovery(folder, window=f"tumbling({window})")
                losses = [f"{panel.value('maximum_loss').value:.0%}" for panel in finer.panels]
                print(f"    windows of {window}: losses {', '.join(losses)}")
        for panel in found.panels:
            shares = [
                f"{panel.value(key).value:.0%}"
                for key in ("duration", "duration_from_drift", "sustained_duration", "maximum_loss")
            ]
            print(
                f"    {panel.learner}, {panel.setting}: {panel.outcome}, {' / '.join(shares)}, "
                f"levels {panel.level_before:.4g} and {panel.level_after:.4g}, "
                f"{panel.level_end:.4g} at the end, below the bound by {below_the_bound(panel):.3f}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
