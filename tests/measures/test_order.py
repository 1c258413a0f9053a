"""Measures in the order of items: every column is reordered with its row."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from streamgauge.log import LabelledPredictions, Log
from streamgauge.measures._compute import measure, round_step
from streamgauge.measures._positions import prediction_order
from streamgauge.names import known, make
from streamgauge.summaries.confusion import Confusion
from streamgauge.windows import Sliding, Tumbling

LogOf = Callable[..., Log]
N = 120
CUTS = [(), (1,), (7, 50), tuple(range(N))]
WEIGHED = [(name, False) for name in known("measure")]
WEIGHED += [(name, True) for name in known("measure") if make("measure", name).weighable()]
WINDOWS = {
    "whole": "whole",
    "sliding": "sliding(13)",
    "tumbling": "tumbling(17)",
    "fading": "fading(0.9)",
    "ewma": "ewma(0.1)",
}


def columns(name: str) -> dict[str, Any]:
    """A log in the order of its items, with weights, scores and previous labels."""
    rng = np.random.default_rng(8)
    if make("measure", name).task == "regression":
        label = rng.normal(5, 2, N)
        prediction = np.where(rng.random(N) < 0.1, np.nan, label + rng.normal(size=N))
        return {"classes": None, "label": label, "prediction": prediction}
    label = np.repeat(rng.integers(0, 3, N // 3), 3)
    prediction = np.where(rng.random(N) < 0.7, label, rng.integers(-1, 3, N))
    scores = rng.dirichlet(np.ones(3), N).round(2)
    return {"classes": 3, "label": label, "prediction": prediction, "scores": scores}


@pytest.mark.parametrize(("name", "weighted"), WEIGHED)
def test_the_clock_of_predictions_measures_rows_in_the_order_of_items(
    log_of: LogOf, name: str, weighted: bool
) -> None:
    given = columns(name)
    classes, label, prediction = (given.pop(key) for key in ("classes", "label", "prediction"))
    rng = np.random.default_rng(9)
    given["weight"] = rng.integers(1, 5, N) if weighted else None
    given["previous"] = np.concatenate([[np.nan if classes is None else -1], label[:-1]])
    moved = rng.permutation(N)
    shuffled = {k: None if v is None else np.asarray(v)[moved] for k, v in given.items()}
    kinds = make("measure", name).supports() - ({"ewma"} if weighted else set())
    windows = [WINDOWS[kind] for kind in sorted(kinds)]
    how: dict[str, Any] = {"every": 3, "weighted": weighted}
    in_order = measure(log_of(classes, label, prediction, **given), [name], windows, **how)
    for cuts in CUTS:
        log = log_of(classes, label[moved], prediction[moved], cuts, item=moved, **shuffled)
        again = measure(log, [name], windows, clock="predicted", **how)
        for curve, same in zip(in_order, again, strict=True):
            np.testing.assert_array_equal(same.value, curve.value)
            np.testing.assert_array_equal(same.at, curve.at)
            assert same.definition == curve.definition | {"clock": "predicted"}


@pytest.mark.parametrize("policy", ["count_wrong", "skip", "default_class"])
def test_a_curve_states_what_it_depends_on(log_of: LogOf, policy: Any) -> None:
    given = columns("accuracy")
    predicted = int((given["prediction"] >= 0).sum())
    log = log_of(3, given["label"], given["prediction"], weight=np.ones(N))
    for weighted in (False, True):
        curve = measure(
            log, "fbeta(beta=2.0)", "sliding(5)", every=4, cold_start=policy, weighted=weighted
        )
        definition = curve.definition
        assert (definition["measure"], definition["window"], definition["every"]) == (
            "fbeta(beta=2.0)",
            "sliding(5)",
            "4",
        )
        assert definition["weighted"] == ("yes" if weighted else "no")
        assert (definition["cold_start"], definition["clock"]) == (policy, "label")
        assert (definition["items"], definition["predicted"]) == (str(N), str(predicted))
        assert float(definition["coverage"]) == pytest.approx(predicted / N, abs=1e-6)


@pytest.mark.parametrize("labels", [0, 1, 1999, 2000, 2001, 4000, 4001, 10_000, 10_001, 123_456])
def test_the_default_step_is_the_smallest_round_one(labels: int) -> None:
    steps = [digit * 10**power for power in range(4) for digit in (1, 2, 5)]
    assert round_step(labels) == next(s for s in steps if -(-labels // s) <= 2000)
    assert round_step(labels, [Tumbling(7)]) == 1
    assert round_step(labels, [Tumbling(7), Sliding(7)]) == round_step(labels)


def test_a_stack_of_matrices_equals_each_matrix() -> None:
    stack = np.random.default_rng(1).integers(0, 9, (2, 4, 3, 3))
    whole = Confusion.of(stack, ("a", "b", "c"))
    for i, j in product(range(2), range(4)):
        alone = Confusion.of(stack[i, j])
        assert alone.classes == (0, 1, 2)
        for name, count in whole.counts.items():
            np.testing.assert_array_equal(count[..., i, j], alone.counts[name])
        matrix = stack[i, j]
        assert alone.total == matrix.sum()
        assert alone.correct == np.trace(matrix)
        assert alone.true_positives.tolist() == [matrix[c, c] for c in range(3)]
        assert alone.labels.tolist() == [matrix[c].sum() for c in range(3)]
        assert alone.predictions.tolist() == [matrix[:, c].sum() for c in range(3)]


def test_batches_in_order_need_no_previous_labels() -> None:
    label = np.random.default_rng(3).integers(0, 3, N).astype(np.int32)
    before = np.concatenate([[-1], label[:-1]]).astype(np.int32)
    moved = 40 + np.random.default_rng(4).permutation(N - 40)
    rest: dict[str, Any] = {"item": moved.astype(np.uint64), "previous": before[moved]}
    parts = [
        LabelledPredictions(0, label[:40], label[:40]),
        LabelledPredictions(40, label[moved], label[moved], **rest),
    ]
    (whole,) = prediction_order(iter(parts))
    assert whole.previous is not None
    np.testing.assert_array_equal(whole.items, np.arange(N))
    np.testing.assert_array_equal(whole.label, label)
    np.testing.assert_array_equal(whole.previous, before)
