"""Are the learners of neighbours MOA's? The same items, side by side.

Classes: the accuracy of `lazy.kNN` (k = 10, window 1000, linear search). Numbers: the mean absolute
error of the same learner on a real target, driven through CapyMOA. MOA is silent before the first
label only.

Exit code 1 where accuracies differ by more than 0.2 points or mean absolute errors by more than
0.1 %, or where files are missing and `--all` was given.

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
from held import Held
from side_by_side import Row, Streams, numeric_covtype, on_each, options, shown

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
    "equal answers, %": 16,
}


def moas(data: Held) -> np.ndarray:
    """What MOA answered, -1 where it was silent."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        classes = len(data.schema.classes or ())
        jvm.run("Prequential", file, data.columns, classes, 0, MOAS)
        return np.fromfile(f"{file}.{MOAS}", "<i4")


def compared(data: Held) -> Iterator[Row]:
    """The line of a stream of classes, or of numbers."""
    yield compared_real(data) if data.schema.classes is None else compared_classes(data)


def compared_classes(data: Held) -> Row:
    """Accuracies."""
    answers = moas(data)
    spec = learners.NearestNeighbours(K, WINDOW)
    said = spec.bind(data.schema).test_then_train(0, data.x, data.label)
    voted = answers >= 0
    right, their_right = said[voted] == data.label[voted], answers[voted] == data.label[voted]
    gap = float(right.mean() - their_right.mean())
    scores = f"{100 * right.mean():.3f} %", f"{100 * their_right.mean():.3f} %"
    equal = (said == answers)[voted].mean()
    return row(data, scores, f"{100 * gap:+.3f} points", equal, abs(gap) <= MOST)


def compared_real(data: Held) -> Row:
    """Mean absolute errors."""
    stream = import_module("capymoa.stream")
    theirs = import_module("capymoa.regressor")
    target = np.asarray(data.label, dtype=np.float64)
    items = stream.NumpyStream(data.x, target, target_type="numeric")
    model = theirs.KNNRegressor(items.get_schema(), k=K, window_size=WINDOW)
    answers = np.full(len(target), np.nan)
    for i in range(len(target)):
        item = items.next_instance()
        answers[i] = model.predict(item)
        model.train(item)
    # CapyMOA's arrays have no nominal columns, so all are numbers on both sides.
    spec = learners.NearestNeighboursRegression(K, WINDOW)
    bound = spec.bind(Schema(tuple(Feature(f.name) for f in data.schema.features), "y"))
    said = bound.test_then_train(0, data.x, target)
    here, there = (np.abs(side[1:] - target[1:]).mean() for side in (said, answers))
    gap = float(here / there - 1)
    equal = np.isclose(said, answers, rtol=1e-9)[1:].mean()
    scores = f"{here:.5g}", f"{there:.5g}"
    return row(data, scores, f"{100 * gap:+.3f} %", equal, abs(gap) <= MOST_REAL)


def row(data: Held, scores: tuple[str, str], gap: str, equal: float, near: bool) -> Row:
    """The line of both kinds."""
    missing = f"{int(np.isnan(data.x).sum()):,}"
    return Row((data.name, f"{data.length:,}", missing, *scores, gap, f"{100 * equal:.3f}"), near)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(shown("Neighbours", __doc__, HEAD, on_each(STREAMS, compared), given))
