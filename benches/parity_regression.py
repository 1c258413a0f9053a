"""Are the native learners of numbers MOA's? Prequential errors on the same items, side by side.

With equal explicit parameters and, where draws are MOA's own, equal seeds; means over the seeds.
Left out are the first item, of which nothing can be known, and those to which MOA answers exactly
0, which is what it says in a leaf that has seen nothing yet (ours answers with the mean of
the leaf before it); the table counts them.

MOA's ORTO is heard through a class of ours that mends its option nodes, which else answer 0.

A row with a remark is one where the two are not alike by intention: the remark says why, and the
row is not held to the bound. Exit code 1 where another differs by more than 5 % in the mean
absolute or in the root mean squared error, or where files are missing and `--all` was given.

    python benches/parity_regression.py [--all] [--write] [learner …]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jvm
import numpy as np
from held import Held
from side_by_side import Row, Streams, on_each, options, shown

from streamgauge import learners, streams

MOST = 0.05
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Pair:
    """A learner of MOA's, as its command line writes it, and ours."""

    name: str
    moa: str
    ours: Any
    remark: str = ""


TREE = "-g 200 -c 1.0E-7 -t 0.05 -a 0.005 -h 50 -f 0.995 -y 150 -u 1500 -l 0.02 -d 0.001"
STILL = TREE.replace("-h 50", "-h 2000000000")
HEARD = "PrequentialReals$HeardORTO"
OPTIONS = "-m 10 -x 10 -z 0.9 -q 0.9995"
ROOT = "MOA can make a tree that takes a node's place the root, and loses the rest"
UNSCALED = "MOA's option nodes test errors that are not scaled, and raise false alarms"
LUCK = "random weights of columns that first change after a year decide"
EMPTY = "MOA averages the 0 of empty leaves in"
FOREST = (
    "meta.AdaptiveRandomForestRegressor -s 10 -a 6 -m 60 -o (Percentage (M * (m / 100))) "
    "-x (ADWINChangeDetector -a 0.001) -p (ADWINChangeDetector -a 0.01)"
)
MEMBER = (
    "ARFFIMTDD -s VarianceReductionSplitCriterion -g 50 -c 0.01 -t 0.05 "
    "-a 0.005 -h 50 -f 0.995 -y 150 -u 1500"
)
RULES = (
    "rules.AMRulesRegressor -g 200 -c 1.0E-7 -t 0.05 -H (PageHinkleyDM -d 0.05 -l 35.0) "
    "-A (OddsRatioScore -n 30 -t -0.75) -y (MultiLabelBSTree -z 50)"
)
PAIRS = [
    Pair("AMRules", RULES, learners.AMRules()),
    Pair("AMRules, unordered", f"{RULES} -U", learners.AMRules(ordered=False)),
    Pair("FIMTDD", f"trees.FIMTDD {TREE}", learners.FIMTDD()),
    Pair("FIMTDD, means", f"trees.FIMTDD {TREE} -e", learners.FIMTDD(leaf="mean"), ROOT),
    Pair(
        "FIMTDD, means, no alarms",
        f"trees.FIMTDD {STILL} -e",
        learners.FIMTDD(leaf="mean", threshold=2e9),
    ),
    Pair(
        "ORTO, leaves anew",
        f"{HEARD} {TREE} {OPTIONS} -o average",
        learners.ORTO(inherit=False),
        UNSCALED,
    ),
    Pair(
        "ORTO, leaves anew, no alarms",
        f"{HEARD} {STILL} {OPTIONS} -o average",
        learners.ORTO(inherit=False, threshold=2e9),
        LUCK,
    ),
    Pair(
        "ORTO, means, no alarms",
        f"{HEARD} {STILL} {OPTIONS} -o average -e",
        learners.ORTO(leaf="mean", threshold=2e9),
        EMPTY,
    ),
    Pair(
        "ORTO, means, best, no alarms",
        f"{HEARD} {STILL} {OPTIONS} -o bestTree -e",
        learners.ORTO(leaf="mean", threshold=2e9, aggregate="best"),
    ),
    Pair(
        "ARF as MOA's",
        f"{FOREST} -l ({MEMBER})",
        learners.AdaptiveRandomForestRegression(as_moa=True),
    ),
    Pair(
        "ARF",
        f"{FOREST} -l ({MEMBER})",
        learners.AdaptiveRandomForestRegression(),
        "MOA counts items once where it looks for splits, and averages the 0 of empty leaves in",
    ),
]
STREAMS: Streams = {
    "bikes": (streams.Bikes, 17_379),
    "Friedman": (lambda: streams.Friedman(seed=1), 50_000),
    "House8l": (streams.House8l, 22_784),
}


HEAD = {
    "stream": -10,
    "items": 7,
    "learner": -28,
    "MAE": 9,
    "MOA's MAE": 9,
    "Δ MAE, %": 8,
    "RMSE": 10,
    "MOA's RMSE": 10,
    "Δ RMSE, %": 9,
    "silent": 6,
}


def moas(data: Held, pairs: list[Pair]) -> list[list[np.ndarray]]:
    """What each of MOA's learners answered, seed by seed."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        lines = [f"{seed}:{pair.moa}" for pair in pairs for seed in SEEDS]
        jvm.run("PrequentialReals", file, data.columns, 1, *lines)
        answers = [np.fromfile(f"{file}.{i}", "<f8") for i in range(len(lines))]
    return [answers[i : i + len(SEEDS)] for i in range(0, len(answers), len(SEEDS))]


def errors(said: np.ndarray, label: np.ndarray, left: np.ndarray) -> tuple[float, float]:
    """Mean absolute and root mean squared error of the items that are left."""
    gaps = (said - label)[left]
    return float(abs(gaps).mean()), float(np.sqrt((gaps**2).mean()))


def compared(data: Held, pairs: list[Pair]) -> Iterator[Row]:
    """The lines of one stream."""
    for pair, theirs in zip(pairs, moas(data, pairs), strict=True):
        bound = pair.ours.bind(data.schema)
        silent, here, there = 0, [], []
        for seed, their in zip(SEEDS, theirs, strict=True):
            said = bound.fresh(seed).test_then_train(0, data.x, data.label)
            left = (their != 0.0) & ~np.isnan(said)
            silent += int((~left).sum())
            here.append(errors(said, data.label, left))
            there.append(errors(their, data.label, left))
        (mae, rmse), (their_mae, their_rmse) = np.mean(here, axis=0), np.mean(there, axis=0)
        gaps = mae / their_mae - 1, rmse / their_rmse - 1
        cells = (
            data.name,
            f"{data.length:,}",
            pair.name,
            f"{mae:.4f}",
            f"{their_mae:.4f}",
            f"{100 * gaps[0]:+.2f}",
            f"{rmse:.4f}",
            f"{their_rmse:.4f}",
            f"{100 * gaps[1]:+.2f}",
            f"{silent // len(SEEDS):,}",
        )
        yield Row(cells, max(map(abs, gaps)) <= MOST, pair.remark)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("learner", nargs="*", help="how the names of the rows begin (all rows)")
    given = parser.parse_args()
    names = tuple(given.learner) or ("",)
    pairs = [pair for pair in PAIRS if pair.name.startswith(names)]
    rows = on_each(STREAMS, lambda data: compared(data, pairs))
    sys.exit(shown("Regression", __doc__, HEAD, rows, given))
