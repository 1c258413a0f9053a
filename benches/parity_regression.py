"""Are the native learners of numbers MOA's? Prequential errors on the same items, side by side.

With equal explicit parameters and seeds; means over the seeds. A learner told `as_moa` makes MOA's
mistakes and draws its random numbers, and then gives MOA's answers: the table counts how many are
equal to a millionth. Left as it is, it does without those mistakes, and its row says in a
remark what they cost: such a row is not held to the bound, the one `as MOA's` always is.

- In MOA a leaf without items answers 0 (here with the mean of the leaf that was split), and model
  trees answer 0 to the second item. Items to which MOA answers exactly 0 are left out; `silent`
  counts them, with the first item.
- A tree that takes a node's place is not told its parent: at its next split MOA takes it for the
  root and loses the rest. In ORTO so is any tree that grows beside a node, at its first split.
- ORTO splits on the worst of the columns within the bound, and on the worst of all columns where
  a tie is broken; later sources of MOA take the best. New leaves forget the linear function of the
  leaf that was split. Option nodes test errors that are not scaled. And what option nodes say is
  not heard: their answer has another signature than that of all nodes, which it was to override,
  so that it is 0. We compare with a class of ours that mends this last mistake only.
- In the forest an item that is taught k times counts once on the lower side of a cut and k times in
  the sum of both. All trees draw the same columns for their root, whatever the seed.

Exit code 1 where a row without a remark differs by more than 5 % in the mean absolute or in the
root mean squared error, or where files are missing and `--all` was given.

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
ORTOS = f"{HEARD} {TREE} {OPTIONS} -o average"
FORESTS = f"{FOREST} -l ({MEMBER})"
LOST = "MOA takes a tree that takes a node's place for the root, and loses the rest"
WORST = "MOA splits on the worst columns, forgets linear functions and raises false alarms"
ONCE = "MOA counts items once where it looks for splits, and averages the 0 of empty leaves in"
PAIRS = [
    Pair("AMRules", RULES, learners.AMRules()),
    Pair("AMRules, unordered", f"{RULES} -U", learners.AMRules(ordered=False)),
    Pair("FIMTDD as MOA's", f"trees.FIMTDD {TREE}", learners.FIMTDD(as_moa=True)),
    Pair("FIMTDD", f"trees.FIMTDD {TREE}", learners.FIMTDD()),
    Pair(
        "FIMTDD of means as MOA's",
        f"trees.FIMTDD {TREE} -e",
        learners.FIMTDD(leaf="mean", as_moa=True),
    ),
    Pair("FIMTDD of means", f"trees.FIMTDD {TREE} -e", learners.FIMTDD(leaf="mean"), LOST),
    Pair("ORTO as MOA's", ORTOS, learners.ORTO(as_moa=True)),
    Pair("ORTO", ORTOS, learners.ORTO(), WORST),
    Pair("ORTO of means as MOA's", f"{ORTOS} -e", learners.ORTO(leaf="mean", as_moa=True)),
    Pair("ORTO of means", f"{ORTOS} -e", learners.ORTO(leaf="mean"), WORST),
    Pair(
        "ORTO, best option, as MOA's",
        f"{HEARD} {TREE} {OPTIONS} -o bestTree -e",
        learners.ORTO(leaf="mean", aggregate="best", as_moa=True),
    ),
    Pair("ARF as MOA's", FORESTS, learners.AdaptiveRandomForestRegression(as_moa=True)),
    Pair("ARF", FORESTS, learners.AdaptiveRandomForestRegression(), ONCE),
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
    "equal, %": 8,
}


def moas(data: Held, pairs: list[Pair]) -> dict[str, list[np.ndarray]]:
    """What each of MOA's learners answered, seed by seed."""
    learners = list(dict.fromkeys(pair.moa for pair in pairs))
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        lines = [f"{seed}:{learner}" for learner in learners for seed in SEEDS]
        jvm.run("PrequentialReals", file, data.columns, 1, *lines)
        answers = [np.fromfile(f"{file}.{i}", "<f8") for i in range(len(lines))]
    each = [answers[i : i + len(SEEDS)] for i in range(0, len(answers), len(SEEDS))]
    return dict(zip(learners, each, strict=True))


def errors(said: np.ndarray, label: np.ndarray, left: np.ndarray) -> tuple[float, float]:
    """Mean absolute and root mean squared error of the items that are left."""
    gaps = (said - label)[left]
    return float(abs(gaps).mean()), float(np.sqrt((gaps**2).mean()))


def compared(data: Held, pairs: list[Pair]) -> Iterator[Row]:
    """The lines of one stream."""
    theirs = moas(data, pairs)
    for pair in pairs:
        bound = pair.ours.bind(data.schema)
        silent, here, there, equal = 0, [], [], []
        for seed, their in zip(SEEDS, theirs[pair.moa], strict=True):
            said = bound.fresh(seed).test_then_train(0, data.x, data.label)
            equal.append(np.isclose(said, their, rtol=1e-6)[1:].mean())
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
            f"{100 * np.mean(equal):.2f}",
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
