"""Example logs with given labels and predictions of given accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from streamgauge.log import Log, from_columns
from streamgauge.log.rows import Labels, Predictions, TableRows, Training
from streamgauge.log.table import InMemory
from streamgauge.types import Drift, Feature, Schema


def independent(n: int, shares: Sequence[float] = (0.6, 0.4), seed: int = 0) -> NDArray[np.int32]:
    """Independent labels with these class probabilities."""
    draws = np.random.default_rng(seed).choice(len(shares), n, p=shares)
    return draws.astype(np.int32)


def sticky(n: int, stay: float, seed: int = 0) -> NDArray[np.int32]:
    """Labels of two classes; each equals the previous one with probability `stay`."""
    flips = np.random.default_rng(seed).random(n) > stay
    return (np.cumsum(flips) % 2).astype(np.int32)


def predictions(
    label: NDArray[np.int32], right: float | NDArray[np.float64], seed: int = 1
) -> NDArray[np.int32]:
    """Predictions correct with this probability, the next class otherwise."""
    rng = np.random.default_rng(seed)
    wrong = (label + 1) % (label.max() + 1 or 1)
    return np.where(rng.random(len(label)) < right, label, wrong).astype(np.int32)


def a_log(
    label: NDArray[np.generic],
    prediction: NDArray[np.generic],
    learner: str = "naive_bayes",
    stream: str = "made up",
    drifts: tuple[Drift, ...] = (),
    classes: tuple[str, ...] | None = ("a", "b"),
    complete: bool = True,
    **about: str,
) -> Log:
    """Log of one learner."""
    schema = Schema((Feature("x"),), classes=classes, drifts=drifts)
    metadata = {
        "stream": stream,
        "learner": learner,
        "protocol": "prequential",
        "seed": "0",
        **about,
    }
    return replace(from_columns(schema, label, prediction, about=metadata), complete=complete)


def a_million() -> list[Log]:
    """Logs of four learners on a million items with three drifts and recoveries."""
    n = 1_000_000
    drifts = (
        Drift(n // 4, n // 4, n // 4),
        Drift(480_000, 500_000, 520_000, "gradual"),
        Drift(750_000, 750_000, 750_000),
    )
    label, at = independent(n, (0.64, 0.36)), np.arange(n)
    logs = []
    for i, name in enumerate(("naive_bayes", "perceptron", "logistic", "hoeffding_tree")):
        right = np.full(n, 0.93 - 0.04 * i)
        for d in drifts:
            since = np.maximum(at - d.centre, 0)
            right -= np.where(at > d.centre, 0.3 * np.exp(-since / (20_000 * (1 + i))), 0)
        logs.append(a_log(label, predictions(label, right, seed=i), name, drifts=drifts))
    return logs


def a_late_log(
    label: NDArray[np.int32],
    prediction: NDArray[np.int32],
    late: NDArray[np.int64],
    learner: str = "naive_bayes",
) -> Log:
    """Log in which the label of each item arrives `late` items after it."""
    n = len(label)
    item = np.arange(n, dtype=np.uint64)
    order = np.argsort(np.arange(n) + late, kind="stable")
    zeros = np.zeros(n, np.uint16), np.zeros(n, np.uint32), np.zeros(n, np.uint8)
    predicted = Predictions(item, *zeros, item.astype(np.int64), prediction)
    labels = Labels(item[order], (np.arange(n) + late)[order], label[order])
    training = Training(item[order], zeros[0], np.ones(n))
    rows = (TableRows(predicted, labels, training),)
    log = a_log(label, prediction, learner, ties="labels_first")
    return replace(log, tables=InMemory(rows, labels_in_order=bool((np.diff(order) > 0).all())))


def logs(name: str = "naive_bayes", stream: str = "made up", n: int = 3000) -> list[Log]:
    """Logs of two learners on a stream with a drift, with accuracy 0.7 and 0.9."""
    label = independent(n)
    drifts = (Drift(n // 2, n // 2, n // 2),)
    about = {"name": name, "stream": stream}
    return [
        a_log(label, predictions(label, p), f"{name} {p}", stream, drifts, note=str(about))
        for p in (0.7, 0.9)
    ]
