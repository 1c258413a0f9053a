"""Our learners and river's on the same items, for information: river is not the reference.

Parameters are our defaults, where river has them. Its trees get nominal values as text; its naive
Bayes and its nearest neighbours accept only numbers and get codes, so on Agrawal, LED and covtype
they are different learners. Its nearest neighbours do not scale columns and weight by distance;
ours follow MOA's. Why its trees differ from MOA's (and ours) was not examined. Accuracy on the
first items of each stream; a missing prediction counts as wrong.

    python benches/parity_river.py [--all] [--write] [--items N]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from in_memory import InMemory
from parity_table import Row, numeric_covtype, on_each, options, show
from river import drift, ensemble, forest, naive_bayes, neighbors, tree

from streamgauge import learners, streams
from streamgauge.types import Stream

TREE = {"grace_period": 200, "delta": 1e-7, "tau": 0.05}
PAIRS: dict[str, tuple[Any, Callable[[], Any]]] = {
    "NaiveBayes": (learners.NaiveBayes(), naive_bayes.GaussianNB),
    "HoeffdingTree": (
        learners.HoeffdingTree(),
        lambda: tree.HoeffdingTreeClassifier(**TREE),
    ),
    "HoeffdingAdaptiveTree": (
        learners.HoeffdingAdaptiveTree(),
        lambda: tree.HoeffdingAdaptiveTreeClassifier(**TREE, seed=0),
    ),
    "NearestNeighbours": (
        learners.NearestNeighbours(10, 1000),
        lambda: neighbors.KNNClassifier(10, engine=neighbors.LazySearch(1000)),
    ),
    "AdaptiveRandomForest": (
        learners.AdaptiveRandomForest(),
        lambda: forest.ARFClassifier(
            10,
            grace_period=50,
            delta=0.01,
            drift_detector=drift.ADWIN(0.001),
            warning_detector=drift.ADWIN(0.01),
            seed=0,
        ),
    ),
    "LeveragingBagging": (
        learners.LeveragingBagging(),
        lambda: ensemble.LeveragingBaggingClassifier(
            tree.HoeffdingTreeClassifier(**TREE), 10, seed=0
        ),
    ),
    "AdwinBagging": (
        learners.AdwinBagging(),
        lambda: ensemble.ADWINBaggingClassifier(tree.HoeffdingTreeClassifier(**TREE), 10, seed=0),
    ),
}
NUMBERS_ONLY = (naive_bayes.GaussianNB, neighbors.KNNClassifier)
STREAMS: dict[str, Callable[[], Stream]] = {
    "electricity": streams.Electricity,
    "covtype": numeric_covtype,
    "Agrawal": lambda: streams.Agrawal(1, seed=1),
    "SEA": lambda: streams.SEA(seed=1),
    "LED": lambda: streams.LED(0.1, seed=1),
    "RandomRBF, drift": lambda: streams.RandomRBF(5, 10, 50, 50, 0.001, seed=1),
}
HEAD = {"stream": -18, "items": 7, "learner": -22, "accuracy, %": 11, "river's": 7, "Δ": 6}


def rivers(data: InMemory, model: Any) -> float:
    """River's accuracy."""
    features = data.schema.features
    columns = data.x.T.tolist()
    if not isinstance(model, NUMBERS_ONLY):
        nominal = [bool(feature.values) for feature in features]
        columns = [
            list(map(str, column)) if is_nominal else column
            for is_nominal, column in zip(nominal, columns, strict=True)
        ]
    names = [feature.name for feature in features]
    correct = 0
    for row, label in zip(zip(*columns, strict=True), data.label.tolist(), strict=True):
        item = dict(zip(names, row, strict=True))
        correct += model.predict_one(item) == label
        model.learn_one(item, label)
    return correct / data.length


def compared(data: InMemory) -> Iterator[Row]:
    """The rows of one stream."""
    for name, (spec, make) in PAIRS.items():
        predictions = spec.bind(data.schema).test_then_train(0, data.x, data.label)
        here, there = float(np.mean(predictions == data.label)), rivers(data, make())
        numbers = f"{100 * here:.2f}", f"{100 * there:.2f}", f"{100 * (here - there):+.2f}"
        yield Row((data.name, f"{data.length:,}", name, *numbers))


if __name__ == "__main__":
    parser = options(__doc__)
    parser.add_argument("--items", type=int, default=10_000, help="of each stream")
    given = parser.parse_args()
    cut = {name: (make, given.items) for name, make in STREAMS.items()}
    sys.exit(show("River", __doc__, HEAD, on_each(cut, compared), given, bound=False))
