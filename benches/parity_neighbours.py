"""Nearest-neighbour learners compared with MOA's on the same items.

Classification: the accuracy of `lazy.kNN` (k = 10, window 1000, linear search). Regression: the
mean absolute error of the same learner on a real target, run through CapyMOA. MOA abstains only
before the first label.

Exit code 1 if accuracies differ by more than 0.2 points or mean absolute errors by more than 0.1 %,
or if files are missing and `--all` was given.

    python benches/parity_neighbours.py [--all] [--write]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import jvm
import numpy as np
from in_memory import InMemory
from parity_table import Row, Streams, numeric_covtype, on_each, options, show

from streamgauge import learners, streams
from streamgauge.types import Feature, Schema

K, WINDOW = 10, 1000
MOAS = f"lazy.kNN -k {K} -w {WINDOW}"
MOST, MOST_REAL = 0.002, 0.001
STREAMS: Streams = {
    "RandomRBF, 8 numeric, 2 classes": (lambda: streams.RandomRBF(2, 8, seed=1), 50_000),
    "RandomRBF, 54 numeric, 7 classes": (lambda: streams.RandomRBF(7, 54, seed=1), 20_000),
    "RandomRBF drifting, 10 numeric": (
        lambda: streams.RandomRBF(5, 10, speed=0.001, seed=1),
        50_000,
    ),
    "Agrawal, 6 numeric, 3 nominal": (lambda: streams.Agrawal(1, seed=1), 50_000),
    "SEA, 3 numeric": (lambda: streams.SEA(1, seed=1), 50_000),
    "LED, 24 nominal, 10 classes": (lambda: streams.LED(0.1, seed=1), 20_000),
    "electricity, 7 numeric, 1 nominal": (streams.Electricity, 45_312),
    "covtype, 54 numeric": (numeric_covtype, 100_000),
    "mushroom, 22 nominal, missing cells": (streams.Mushroom, 8124),
    "letter, 16 numeric, 26 classes": (streams.Letter, 20_000),
    "ozone, 72 numeric, missing cells": (streams.OzoneEightHour, 2534),
    "Friedman, 10 numeric": (lambda: streams.Friedman(seed=1), 10_000),
    "bike sharing": (streams.Bikes, 10_000),
}


HEAD = {
    "stream": -38,
    "items": 7,
    "missing cells": 13,
    "ours": 9,
    "MOA's": 9,
    "Δ": 14,
    "equal predictions, %": 16,
}


def moas(data: InMemory) -> np.ndarray:
    """MOA's predictions, -1 where it abstained."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        classes = len(data.schema.classes or ())
        jvm.run("Prequential", file, data.columns, classes, 0, MOAS)
        return np.fromfile(f"{file}.{MOAS}", "<i4")


def compared(data: InMemory) -> Iterator[Row]:
    """The row of a classification or regression stream."""
    yield compared_real(data) if data.schema.classes is None else compared_classes(data)


def compared_classes(data: InMemory) -> Row:
    """Accuracies."""
    predictions = moas(data)
    spec = learners.NearestNeighbours(K, WINDOW)
    ours = spec.bind(data.schema).test_then_train(0, data.x, data.label)
    voted = predictions >= 0
    right, their_right = ours[voted] == data.label[voted], predictions[voted] == data.label[voted]
    gap = float(right.mean() - their_right.mean())
    scores = f"{100 * right.mean():.3f} %", f"{100 * their_right.mean():.3f} %"
    equal = (ours == predictions)[voted].mean()
    return row(data, scores, f"{100 * gap:+.3f} points", equal, abs(gap) <= MOST)


def compared_real(data: InMemory) -> Row:
    """Mean absolute errors."""
    stream = import_module("capymoa.stream")
    theirs = import_module("capymoa.regressor")
    target = np.asarray(data.label, dtype=np.float64)
    items = stream.NumpyStream(data.x, target, target_type="numeric")
    model = theirs.KNNRegressor(items.get_schema(), k=K, window_size=WINDOW)
    predictions = np.full(len(target), np.nan)
    for i in range(len(target)):
        item = items.next_instance()
        predictions[i] = model.predict(item)
        model.train(item)
    # CapyMOA's arrays have no nominal columns, so all columns are numeric on both sides.
    spec = learners.NearestNeighboursRegression(K, WINDOW)
    bound = spec.bind(Schema(tuple(Feature(f.name) for f in data.schema.features), "y"))
    ours = bound.test_then_train(0, data.x, target)
    here, there = (np.abs(side[1:] - target[1:]).mean() for side in (ours, predictions))
    gap = float(here / there - 1)
    equal = np.isclose(ours, predictions, rtol=1e-9)[1:].mean()
    scores = f"{here:.5g}", f"{there:.5g}"
    return row(data, scores, f"{100 * gap:+.3f} %", equal, abs(gap) <= MOST_REAL)


def row(data: InMemory, scores: tuple[str, str], gap: str, equal: float, near: bool) -> Row:
    """A row of either kind."""
    missing = f"{int(np.isnan(data.x).sum()):,}"
    return Row((data.name, f"{data.length:,}", missing, *scores, gap, f"{100 * equal:.3f}"), near)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(show("Neighbours", __doc__, HEAD, on_each(STREAMS, compared), given))
