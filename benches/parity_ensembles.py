"""Native ensembles compared with MOA's: accuracy on the same items.

Both sides have the same parameters. Random draws differ (ours depend only on the seed and the
item), so ours is the mean of three seeds; MOA's command line has one. One difference is known: in
MOA all trees of a random forest start with the same seed, and their first leaves use the same
columns; in ours each tree draws its own.

Exit code 1 if they differ by more than 1.5 points, or if files are missing and `--all` was given.

    python benches/parity_ensembles.py [--all] [--write] [--items N]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jvm
import numpy as np
from in_memory import InMemory
from parity_table import Row, numeric_covtype, on_each, options, show

from streamgauge import learners, streams
from streamgauge.types import Stream

SEEDS = 3
FURTHEST = 0.015
TREE = "-g 200 -c 1.0E-7 -t 0.05"
DRIFT, WARNING = "ADWINChangeDetector -a 1.0E-3", "ADWINChangeDetector -a 1.0E-2"
FOREST = (
    f"-s 10 -m 60 -a 6.0 -l (ARFHoeffdingTree -e 2000000 -g 50 -c 0.01) -x ({DRIFT}) -p ({WARNING})"
)
MOAS = {
    f"meta.AdaptiveRandomForest {FOREST}": learners.AdaptiveRandomForest(),
    f"meta.LeveragingBag -s 10 -w 6 -a 0.002 -l (trees.HoeffdingTree {TREE})": (
        learners.LeveragingBagging()
    ),
    f"meta.OzaBagAdwin -s 10 -l (trees.HoeffdingTree {TREE})": learners.AdwinBagging(),
}
STREAMS: dict[str, Callable[[], Stream]] = {
    "electricity": streams.Electricity,
    "covtype": numeric_covtype,
    "Agrawal": lambda: streams.Agrawal(1, seed=1),
    "SEA": lambda: streams.SEA(seed=1),
    "LED": lambda: streams.LED(0.1, seed=1),
    "RandomRBF, drift": lambda: streams.RandomRBF(5, 10, 50, 50, 0.001, seed=1),
}


HEAD = {
    "stream": -18,
    "items": 7,
    "learner": -22,
    "accuracy, %": 11,
    "of three seeds": 16,
    "MOA's": 7,
    "Δ": 6,
}


def theirs(data: InMemory, learner: str) -> float:
    """The accuracy of MOA."""
    classes = len(data.schema.classes or ())
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        results = jvm.run("Prequential", file, data.columns, classes, 1, learner)
    return float(results[0]["accuracy"])


def ours(data: InMemory, learner: Any) -> list[float]:
    """The accuracy of each seed."""
    bound = [learner.bind(data.schema, seed) for seed in range(SEEDS)]
    return [float((b.test_then_train(0, data.x, data.label) == data.label).mean()) for b in bound]


def compared(data: InMemory) -> Iterator[Row]:
    """The rows of one stream."""
    for line, learner in MOAS.items():
        each, moa = ours(data, learner), theirs(data, line)
        gap = float(np.mean(each)) - moa
        cells = (
            data.name,
            f"{data.length:,}",
            type(learner).__name__,
            f"{100 * np.mean(each):.2f}",
            f"{100 * min(each):.2f} to {100 * max(each):.2f}",
            f"{100 * moa:.2f}",
            f"{100 * gap:+.2f}",
        )
        yield Row(cells, abs(gap) <= FURTHEST)


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("--items", type=int, default=100_000, help="largest number per stream")
    given = parser.parse_args()
    streams_cut = {name: (make, given.items) for name, make in STREAMS.items()}
    sys.exit(show("Ensembles", __doc__, HEAD, on_each(streams_cut, compared), given))
