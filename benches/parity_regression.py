"""Are the native learners of numbers MOA's? Prequential errors on the same items, side by side.

With equal explicit parameters and, where draws are MOA's own, equal seeds; means over the seeds.
Left out are the first item, of which nothing can be known, and those to which MOA answers exactly
0, which is what it says in a leaf that has seen nothing yet (ours answers with the mean of
the leaf before it); the table counts them.

MOA's ORTO is heard through a class of ours that mends its option nodes, which else answer 0.

A row with a remark is one where the two are not alike by intention: the remark says why, and the
row is not held to the bound. Exit code 1 where another differs by more than 5 % in the mean
absolute or in the root mean squared error, or where files are missing and `--all` was given.

    python benches/parity_regression.py [--all] [learner …]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jvm
import numpy as np
from held import Held, held

from streamgauge import learners, streams
from streamgauge.errors import MissingDataError
from streamgauge.types import Stream

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
PAIRS = [
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
STREAMS: dict[str, tuple[Callable[[], Stream], int]] = {
    "bikes": (streams.Bikes, 17_379),
    "Friedman": (lambda: streams.Friedman(seed=1), 50_000),
    "House8l": (streams.House8l, 22_784),
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


def compared(data: Held, pairs: list[Pair]) -> bool:
    """Print the lines of one stream; are all alike that should be?"""
    alike = True
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
        near = max(map(abs, gaps)) <= MOST
        alike = alike and (near or bool(pair.remark))
        verdict = "" if near else pair.remark or "DIFFERS"
        print(
            f"{data.name:10} {len(data.label):7,}  {pair.name:28} "
            f"{mae:9.4f} {their_mae:9.4f} {100 * gaps[0]:+7.2f} "
            f"{rmse:10.4f} {their_rmse:10.4f} {100 * gaps[1]:+7.2f} "
            f"{silent // len(SEEDS):6,} {verdict}",
            flush=True,
        )
    return alike


def main(arguments: list[str]) -> int:
    """Print the table; 1 if a row differs."""
    wanted = [word for word in arguments if not word.startswith("--")]
    pairs = [p for p in PAIRS if not wanted or any(p.name.startswith(w) for w in wanted)]
    alike, absent = True, []
    print(f"Means over {len(SEEDS)} seeds; Δ is of ours to MOA's, in percent.")
    print(
        f"{'stream':10} {'items':>7}  {'learner':28} {'MAE':>9} {'MOA':>9} {'Δ':>7} "
        f"{'RMSE':>10} {'MOA':>10} {'Δ':>7} {'silent':>6}"
    )
    for name, (make, items) in STREAMS.items():
        try:
            data = held(name, make(), items)
        except MissingDataError as error:
            absent.append(f"{name}: left out, {error}")
            continue
        alike = compared(data, pairs) and alike
    print(*absent, sep="\n")
    print("all alike" if alike else "NOT all alike")
    return 1 if not alike or ("--all" in arguments and absent) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
