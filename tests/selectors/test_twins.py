"""Selectors and their slow twins choose the same features after every item."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracles import selectors as twins
from oracles.chunks import chunks
from samples.examples import examples
from streamgauge import selectors
from streamgauge.lazy import members
from streamgauge.types import Feature, Schema

SMALL = {
    "AllFeatures": [{}],
    "RandomFeatures": [{"every": 1}, {"every": 7}],
    "LargestVariance": [{"every": 1}, {"every": 5}],
    "InformationGain": [
        {"every": 1, "window": 8, "bins": 3},
        {"every": 6, "window": 1000, "bins": 10},
    ],
    "OFS": [
        {"variant": variant, "standardise": standardise}
        for variant in ("paper", "pystreamfs", "float", "partial")
        for standardise in (True, False)
    ],
    "FIRES": [
        {"batch_size": 1},
        {"batch_size": 9, "epochs": 3, "lr_mu": 0.5, "lr_sigma": 0.5, "penalty_s": 1.0},
        {"batch_size": 4, "standardise": False, "sigma_min": 0.1, "lr_sigma": 1.0},
    ],
}
CASES = [(name, given) for name, settings in SMALL.items() for given in settings]
each = pytest.mark.parametrize(("name", "given"), CASES, ids=str)


def test_every_selector_has_a_twin():
    assert set(SMALL) == set(members("streamgauge.selectors"))


def schema_of(columns, classes):
    values = (None if v is None else tuple(range(v)) for v in columns)
    features = tuple(Feature(f"f{i}", v) for i, v in enumerate(values))
    return Schema(features, "y", tuple(range(classes)))


def walked(twin, chunk, count):
    """What the twin selects before each item and after the last; whether rounding may decide it."""
    sets, unsure = [twin.selected()], [False]
    for i, (row, label) in enumerate(zip(chunk.rows.tolist(), chunk.labels.tolist(), strict=True)):
        weight = 1.0 if chunk.weights is None else float(chunk.weights[i])
        learned = label != -1 and weight > 0
        if learned:
            twin.learn(row, label, weight)
        sets.append(twin.selected())
        # A choice is kept for some items, so what was unsure stays so until the selection changes.
        close = learned and close_scores(twin, count)
        unsure.append(close or (unsure[-1] and sets[-1] == sets[-2]))
    return sets, unsure


def unrolled(selector, chunk, start):
    """The features that the selector selects before each item, and after the last."""
    masked, changed, sets = selector.mask_and_learn(chunk.rows, chunk.labels, chunk.weights, 0.0)
    out = [start.tolist()]
    after = dict(zip(changed.tolist(), sets.tolist(), strict=True))
    for row in range(len(chunk.labels)):
        out.append(after.get(row, out[-1]))
    return masked, out


@each
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_it_selects_what_its_twin_selects(name, given, data):
    # Extreme values have their own test: sums of 1e300 and 1 depend on the last bit of every step.
    chunk = data.draw(chunks(kinds=("plain", "whole")))
    assume(name == "AllFeatures" or chunk.columns)
    parameters = dict(given)
    if name != "AllFeatures":
        parameters["n_features"] = data.draw(st.integers(1, len(chunk.columns)))
    seed = data.draw(st.integers(0, 3))
    fast = getattr(selectors, name)(**parameters).bind(
        schema_of(chunk.columns, chunk.classes), seed
    )
    slow = getattr(twins, name)(chunk.columns, chunk.classes, seed, **parameters)
    start = fast.selected()
    masked, found = unrolled(fast, chunk, start)
    expected, unsure = walked(slow, chunk, parameters.get("n_features", 0))
    np.testing.assert_allclose(fast.scores(), slow.scores(), rtol=1e-8, atol=1e-9)
    exact = name in ("AllFeatures", "RandomFeatures", "OFS")  # the same steps, in the same order
    for mine, theirs, skip in zip(found, expected, unsure, strict=True):
        assert mine == theirs or (skip and not exact)
    before = np.array(found[:-1], bool).reshape(chunk.rows.shape)
    np.testing.assert_array_equal(masked, np.where(before, chunk.rows, 0.0))
    assert (fast.selected() == found[-1]).all()


def close_scores(twin, count):
    """Whether rounding may decide which feature is the last selected one."""
    scores = sorted((s for s in twin.scores() if s == s), reverse=True)
    if not 0 < count < len(scores):
        return False
    gap = scores[count - 1] - scores[count]
    return 0 <= gap < 1e-9 * (1 + abs(scores[count]))


@each
@settings(max_examples=examples(15), deadline=None)
@given(data=st.data())
def test_extreme_values_are_harmless_and_chunks_and_pickles_change_nothing(name, given, data):
    chunk = data.draw(chunks())
    assume(name == "AllFeatures" or chunk.columns)
    parameters = dict(given)
    if name != "AllFeatures":
        parameters["n_features"] = data.draw(st.integers(1, len(chunk.columns)))
    spec, schema = getattr(selectors, name)(**parameters), schema_of(chunk.columns, chunk.classes)
    whole, parts = spec.bind(schema, 5), spec.bind(schema, 5)
    masked, changed, sets = whole.mask_and_learn(chunk.rows, chunk.labels, chunk.weights, math.nan)
    cut = data.draw(st.integers(0, len(chunk.labels)))
    rows, changes = [], []
    for some in (slice(0, cut), slice(cut, None)):
        weights = None if chunk.weights is None else chunk.weights[some]
        part = parts.mask_and_learn(chunk.rows[some], chunk.labels[some], weights, math.nan)
        rows.append(part[0])
        changes += [(some.start + r, s) for r, s in zip(part[1], part[2].tolist(), strict=True)]
        parts = pickle.loads(pickle.dumps(parts))
    np.testing.assert_array_equal(np.concatenate(rows), masked)
    assert changes == list(zip(changed.tolist(), sets.tolist(), strict=True))
    assert parts.save() == whole.save()
    selected = whole.selected()
    assert name == "AllFeatures" or selected.sum() <= parameters["n_features"]
    masked = parts.mask(chunk.rows, 7.0)
    np.testing.assert_array_equal(masked[:, selected], chunk.rows[:, selected])
    assert (masked[:, ~selected] == 7.0).all()
