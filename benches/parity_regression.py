"""Native regression learners compared with MOA's: prequential errors on the same items.

With equal explicit parameters and seeds; means over the seeds. A learner with `as_moa` reproduces
MOA's errors and random numbers, and then its predictions: the table has the share that is equal to
six digits. Without it the learner does not have those errors, and a remark in its row states the
difference: the tolerance applies only to rows without a remark, which include all rows `as MOA's`.

- In MOA a leaf without items predicts 0 (ours the mean of the leaf that was split), and model trees
predict 0 for the second item. Items for which MOA predicts exactly 0 are left out; `left out`
counts them, with the first item.
- A tree that replaces a node has no parent: at its next split MOA makes it the root and loses the
rest. In ORTO this also happens to any alternate tree at its first split.
- ORTO splits on the worst of the columns within the bound, and on the worst of all columns where
  a tie is broken; later versions of MOA take the best. New leaves drop the linear function of the
  leaf that was split. Option nodes test errors that are not scaled. And predictions of option nodes
  are not used: their method has another signature than the one it should override, so that it
  returns 0. We compare with a subclass that corrects only this last error.
- In the forest an item that is learned k times counts once on the lower side of a split and k times
in the sum of both. All trees draw the same columns for their root, for any seed.

Exit code 1 if a row without a remark differs by more than 5 % in the mean absolute or in the root
mean squared error, or if files are missing and `--all` was given.

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
from in_memory import InMemory
from parity_table import Row, Streams, on_each, options, show

from streamgauge import learners, streams

MOST = 0.05
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Pair:
    """A learner of MOA, as on its command line, and ours."""

    name: str
    moa: str
    ours: Any
    remark: str = ""


TREE = "-g 200 -c 1.0E-7 -t 0.05 -a 0.005 -h 50 -f 0.995 -y 150 -u 1500 -l 0.02 -d 0.001"
STILL = TREE.replace("-h 50", "-h 2000000000")
CORRECTED = "PrequentialReals$CorrectedORTO"
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
ORTOS = f"{CORRECTED} {TREE} {OPTIONS} -o average"
FORESTS = f"{FOREST} -l ({MEMBER})"
LOST = "MOA makes a tree that replaces a node the root, and loses the rest"
WORST = "MOA splits on the worst columns, drops linear functions and raises false alarms"
ONCE = "MOA counts items once in the split search, and averages in the 0 of empty leaves"
PAIRS = [
    Pair("AMRules", RULES, learners.AMRules()),
    Pair("AMRules, unordered", f"{RULES} -U", learners.AMRules(ordered_rule_set=False)),
    Pair("FIMTDD as MOA's", f"trees.FIMTDD {TREE}", learners.FIMTDD(as_moa=True)),
    Pair("FIMTDD", f"trees.FIMTDD {TREE}", learners.FIMTDD()),
    Pair(
        "FIMTDD of means as MOA's",
        f"trees.FIMTDD {TREE} -e",
        learners.FIMTDD(leaf_prediction="mean", as_moa=True),
    ),
    Pair(
        "FIMTDD of means", f"trees.FIMTDD {TREE} -e", learners.FIMTDD(leaf_prediction="mean"), LOST
    ),
    Pair("ORTO as MOA's", ORTOS, learners.ORTO(as_moa=True)),
    Pair("ORTO", ORTOS, learners.ORTO(), WORST),
    Pair(
        "ORTO of means as MOA's", f"{ORTOS} -e", learners.ORTO(leaf_prediction="mean", as_moa=True)
    ),
    Pair("ORTO of means", f"{ORTOS} -e", learners.ORTO(leaf_prediction="mean"), WORST),
    Pair(
        "ORTO, best option, as MOA's",
        f"{CORRECTED} {TREE} {OPTIONS} -o bestTree -e",
        learners.ORTO(leaf_prediction="mean", aggregation_method="best", as_moa=True),
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
    "left out": 8,
    "equal, %": 8,
}


def moas(data: InMemory, pairs: list[Pair]) -> dict[str, list[np.ndarray]]:
    """The predictions of each of MOA's learners, per seed."""
    learners = list(dict.fromkeys(pair.moa for pair in pairs))
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        lines = [f"{seed}:{learner}" for learner in learners for seed in SEEDS]
        jvm.run("PrequentialReals", file, data.columns, 1, *lines)
        predictions = [np.fromfile(f"{file}.{i}", "<f8") for i in range(len(lines))]
    each = [predictions[i : i + len(SEEDS)] for i in range(0, len(predictions), len(SEEDS))]
    return dict(zip(learners, each, strict=True))


def errors(predictions: np.ndarray, label: np.ndarray, left: np.ndarray) -> tuple[float, float]:
    """Mean absolute and root mean squared error of the remaining items."""
    gaps = (predictions - label)[left]
    return float(abs(gaps).mean()), float(np.sqrt((gaps**2).mean()))


def compared(data: InMemory, pairs: list[Pair]) -> Iterator[Row]:
    """The rows of one stream."""
    theirs = moas(data, pairs)
    for pair in pairs:
        bound = pair.ours.bind(data.schema)
        left_out, here, there, equal = 0, [], [], []
        for seed, their in zip(SEEDS, theirs[pair.moa], strict=True):
            predictions = bound.fresh(seed).test_then_train(0, data.x, data.label)
            equal.append(np.isclose(predictions, their, rtol=1e-6)[1:].mean())
            left = (their != 0.0) & ~np.isnan(predictions)
            left_out += int((~left).sum())
            here.append(errors(predictions, data.label, left))
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
            f"{left_out // len(SEEDS):,}",
            f"{100 * np.mean(equal):.2f}",
        )
        yield Row(cells, max(map(abs, gaps)) <= MOST, pair.remark)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("learner", nargs="*", help="prefixes of row names (default: all)")
    given = parser.parse_args()
    names = tuple(given.learner) or ("",)
    pairs = [pair for pair in PAIRS if pair.name.startswith(names)]
    rows = on_each(STREAMS, lambda data: compared(data, pairs))
    sys.exit(show("Regression", __doc__, HEAD, rows, given))
