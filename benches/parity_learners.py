"""Native learners compared with MOA's: prequential accuracy on the same items.

Generators with numeric, nominal and mixed columns, and the available benchmark files
(`STREAMGAUGE_DATA`), some with missing cells.

MOA abstains (its votes are all 0, and the first class is used) before the first label, and where
its product of densities is 0 for every class: a column that is constant in a class rules out all
items with another value. Ours abstains only before the first label, since it adds logarithms. On
such items the two differ by design; the table counts them, and accuracies are compared on the
others.

Exit code 1 if they differ by more than 0.2 points, or if files are missing and `--all` was given.

    python benches/parity_learners.py [--all] [--write]
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

MOST = 0.002
MOAS = {
    "bayes.NaiveBayes": learners.NaiveBayes(),
    "functions.NoChange": learners.Persistent(),
    "functions.MajorityClass": learners.MajorityClass(),
}
STREAMS: Streams = {
    "RandomRBF, 8 numeric, 2 classes": (lambda: streams.RandomRBF(2, 8, seed=1), 100_000),
    "RandomRBF, 54 numeric, 7 classes": (lambda: streams.RandomRBF(7, 54, seed=1), 100_000),
    "Agrawal, 6 numeric, 3 nominal": (lambda: streams.Agrawal(1, seed=1), 100_000),
    "RandomTree, 5 numeric, 5 nominal": (lambda: streams.RandomTree(seed=1), 100_000),
    "LED, 24 nominal, 10 classes": (lambda: streams.LED(0.1, seed=1), 100_000),
    "Stagger, 3 nominal": (lambda: streams.Stagger(1, seed=1), 20_000),
    "electricity, 7 numeric, 1 nominal": (streams.Electricity, 45_312),
    "covtype, 54 numeric": (numeric_covtype, 200_000),
    "airlines, 3 numeric, 4 nominal": (streams.Airlines, 200_000),
    "mushroom, 22 nominal, missing cells": (streams.Mushroom, 8124),
    "letter, 16 numeric, 26 classes": (streams.Letter, 20_000),
    "ozone, 72 numeric, missing cells": (streams.OzoneEightHour, 2534),
    "kdd99, 34 numeric, 7 nominal": (streams.Kdd99, 100_000),
}


HEAD = {
    "stream": -38,
    "items": 7,
    "missing cells": 13,
    "learner": -14,
    "accuracy, %": 11,
    "MOA's": 7,
    "abstained": 9,
    "Δ where MOA votes": 17,
    "equal predictions of these, %": 29,
}


def moas(data: InMemory) -> dict[str, np.ndarray]:
    """The predictions of each of MOA's learners, -1 where it abstained."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        classes = len(data.schema.classes or ())
        jvm.run("Prequential", file, data.columns, classes, 0, *MOAS)
        return {name: np.fromfile(f"{file}.{name}", "<i4") for name in MOAS}


def compared(data: InMemory) -> Iterator[Row]:
    """The rows of one stream."""
    for name, predictions in moas(data).items():
        spec = MOAS[name]
        ours = spec.bind(data.schema).test_then_train(0, data.x, data.label)
        voted = predictions >= 0
        right, their_right = ours == data.label, np.where(voted, predictions, 0) == data.label
        gap = float(right[voted].mean() - their_right[voted].mean())
        cells = (
            data.name,
            f"{data.length:,}",
            f"{int(np.isnan(data.x).sum()):,}",
            type(spec).__name__,
            f"{100 * right.mean():.3f}",
            f"{100 * their_right.mean():.3f}",
            f"{int((~voted).sum()):,}",
            f"{100 * gap:+.3f}",
            f"{100 * (ours == predictions)[voted].mean():.3f}",
        )
        yield Row(cells, abs(gap) <= MOST)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(show("Simple learners", __doc__, HEAD, on_each(STREAMS, compared), given))
