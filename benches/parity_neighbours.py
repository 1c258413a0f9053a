"""Are the learners of neighbours MOA's? The same items, side by side.

Classes: answers of `lazy.kNN` (k = 10, window 1000, linear search). Numbers: those of the same
learner on a real target, driven through CapyMOA. MOA is silent before the first label only.

Exit code 1 where accuracies differ by more than 0.2 points or mean absolute errors by more than
0.1 %, or where files are missing and `--all` was given.

    python benches/parity_neighbours.py [--all]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import jvm
import numpy as np
from held import Held, held

from streamgauge import learners, streams
from streamgauge.errors import MissingDataError
from streamgauge.types import Feature, Schema, Stream

K, WINDOW = 10, 1000
MOAS = f"lazy.kNN -k {K} -w {WINDOW}"
MOST, MOST_REAL = 0.002, 0.001
STREAMS: dict[str, tuple[Callable[[], Stream], int]] = {
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
    "covtype, 10 numeric, 44 nominal": (streams.Covtype, 100_000),
    "mushroom, 22 nominal, missing cells": (streams.Mushroom, 8124),
    "letter, 16 numeric, 26 classes": (streams.Letter, 20_000),
    "ozone, 72 numeric, missing cells": (streams.OzoneEightHour, 2534),
}
REALS: dict[str, tuple[Callable[[], Stream], int]] = {
    "Friedman, 10 numeric": (lambda: streams.Friedman(seed=1), 10_000),
    "bike sharing": (streams.Bikes, 10_000),
}


def moas(data: Held) -> np.ndarray:
    """What MOA answered, -1 where it was silent."""
    with tempfile.TemporaryDirectory(prefix="streamgauge-bench-") as folder:
        file = data.write(Path(folder) / "items")
        classes = len(data.schema.classes or ())
        jvm.run("Prequential", file, data.columns, classes, 0, MOAS)
        return np.fromfile(f"{file}.{MOAS}", "<i4")


def compared(data: Held) -> bool:
    """Print the line of a stream of classes; are both alike?"""
    answers = moas(data)
    spec = learners.NearestNeighbours(K, WINDOW)
    said = spec.bind(data.schema).test_then_train(0, data.x, data.label)
    voted = answers >= 0
    right, their_right = said[voted] == data.label[voted], answers[voted] == data.label[voted]
    gap = float(right.mean() - their_right.mean())
    print(
        f"{data.name:38} {len(said):7,} {int(np.isnan(data.x).sum()):7,} "
        f"{100 * right.mean():8.3f} {100 * their_right.mean():8.3f} {100 * gap:+8.3f} "
        f"{100 * (said == answers)[voted].mean():8.3f} {'' if abs(gap) <= MOST else 'DIFFERS'}",
        flush=True,
    )
    return abs(gap) <= MOST


def compared_real(data: Held) -> bool:
    """Print the line of a stream of numbers; are both alike?"""
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
    alike = abs(gap) <= MOST_REAL
    print(
        f"{data.name:38} {len(said):7,} {int(np.isnan(data.x).sum()):7,} "
        f"{here:8.4g} {there:8.4g} {100 * gap:+8.3f} "
        f"{100 * np.isclose(said, answers, rtol=1e-9)[1:].mean():8.3f} "
        f"{'' if alike else 'DIFFERS'}",
        flush=True,
    )
    return alike


def main(arguments: list[str]) -> int:
    """Print the table; 1 if a row differs."""
    alike, absent = True, []
    head = f"{'stream':38} {'items':>7} {'missing':>7} {'ours':>8} {'MOA':>8} {'Δ':>8} {'equal':>8}"
    print("Accuracy in percent, its difference in points, and how many answers are equal.", head)
    for table, compare in ((STREAMS, compared), (REALS, compared_real)):
        if table is REALS:
            print("Mean absolute error, its difference in percent, and equal answers.")
        for name, (make, items) in table.items():
            try:
                data = held(name, make(), items)
            except MissingDataError as error:
                absent.append(f"{name}: left out, {error}")
                continue
            alike = compare(data) and alike
    print(*absent, sep="\n")
    print("all alike" if alike else "NOT all alike")
    return 1 if not alike or ("--all" in arguments and absent) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
