"""eFPT equals its slow twin to the bit, and the twin the worked examples of its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import efpt as twins
from oracles.chunks import chunks
from samples.examples import examples
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

QUICK = {"warm_start": 12, "loss_window": 5, "z_threshold": 0.8, "beam_width": 3}
"""Trees that are made and changed within some tens of items."""
CASES = {
    "as in the study": {},
    "two sets per column": {"mid": False, "recent_size": 20},
    "all leaves, few of them": {"expanded_leaves": 0, "max_leaves": 3},
    "one leaf": {"expanded_leaves": 1, "max_leaves": 1, "beam_width": 1},
    "absolute losses": {"loss": "absolute", "refit_ranges": True, "recent_size": 6},
    "zero-one losses": {"loss": "zero_one", "expanded_leaves": 1, "min_improvement": 0.2},
}


def schema(columns, classes):
    values = [None if v is None else tuple(range(v)) for v in columns]
    features = tuple(Feature(f"x{j}", v) for j, v in enumerate(values))
    return Schema(features, "y", tuple(range(classes)))


def agree(columns, classes, rows, labels, weights=None, **given_):
    """Native predictions and scores equal the twin's to the bit, one by one; gives both."""
    spec = learners.EFPT(**given_)
    native, scored = (spec.bind(schema(columns, classes)) for _ in range(2))
    slow = twins.EFPT(columns, classes, **given_)
    predictions = native.test_then_train(0, rows, labels, weights)
    scores = np.empty((len(labels), classes))
    scored.test_then_train(0, rows, labels, weights, scores)
    for i, (row, label) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True)):
        assert predictions[i] == slow.predict(i, row), i
        np.testing.assert_array_equal(scores[i], slow.scores(i, row), str(i))
        weight = 1.0 if weights is None else float(weights[i])
        if label != -1 and weight > 0:
            slow.learn(row, label, weight)
    vitals = native.vitals()
    trees = slow.trees
    changes = [kind for tree in trees for _, kind, _ in tree.changes]
    lost = [sum(losses[0] for losses in tree.losses) / max(len(tree.losses), 1) for tree in trees]
    assert vitals == {
        "trees": len(trees),
        "leaves": sum(len(twins.leaves(tree.tree)) for tree in trees),
        "depth": max((twins.depth(tree.tree) for tree in trees), default=0),
        "neighbours": sum(len(tree.neighbours) for tree in trees),
        "expansions": changes.count("expansion"),
        "prunings": changes.count("pruning"),
        "losses": min((len(tree.losses) for tree in trees), default=0),
        "mean_loss": pytest.approx(sum(lost) / max(len(trees), 1), rel=1e-12),
        "largest_z": max((tree.largest_z for tree in trees), default=0.0),
    }
    return native, slow


@pytest.mark.parametrize("case", CASES)
@given(chunk=chunks(widest=4))
@settings(deadline=None, max_examples=examples(25))
def test_predictions_equal_the_twins_on_any_chunk(case, chunk):
    given_ = QUICK | CASES[case]
    agree(chunk.columns, chunk.classes, chunk.rows, chunk.labels, chunk.weights, **given_)


def turning(count, seed=1, holes=0.02):
    """Three numbers and a colour; the class depends on two of them, and later on two others."""
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.random((count, 3)), rng.integers(0, 3, count)])
    early = (rows[:, 0] > 0.5) & (rows[:, 1] > 0.4)
    late = (rows[:, 2] > 0.5) & (rows[:, 3] == 1)
    labels = np.where(np.arange(count) < count // 2, early, late).astype(np.int32)
    labels[(rows[:, 1] > 0.8) & (labels == 0)] = 2
    rows[rng.random(rows.shape) < holes] = np.nan
    return [None, None, None, 3], rows, labels, rng.choice([0.0, 0.5, 1.0, 3.0], count)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("case", CASES)
def test_predictions_equal_the_twins_through_a_drift(case, classes):
    columns, rows, labels, weights = turning(150)
    labels = np.minimum(labels, classes - 1).astype(np.int32)
    quick = {"warm_start": 20, "loss_window": 12, "z_threshold": 1.5, "min_improvement": 0.05}
    given_ = QUICK | quick | CASES[case]
    native, _ = agree(columns, classes, rows, labels, weights, **given_)
    if case != "one leaf":
        vitals = native.vitals()
        assert vitals["expansions"] + vitals["prunings"] > 0


def test_a_column_that_varies_after_the_first_items_only_is_never_used():
    """Fuzzy sets come from the first items, so what decides later is not seen without refitting.

    Three columns of the electricity data are constant for the first third of the stream.
    """
    rng = np.random.default_rng(3)
    rows = rng.random((600, 2))
    labels = (rows[:, 0] < 0.5).astype(np.int32)
    rows[:100, 0] = 0.5  # the column that decides begins to vary after the warm start
    order = rng.permutation(600)
    right = []
    for x, y in ((rows, labels), (rows[order], labels[order])):
        learner = learners.EFPT(warm_start=50).bind(schema([None, None], 2))
        right.append((learner.test_then_train(0, x, y) == y)[300:].mean())
    assert right[0] < 0.6
    assert right[1] > 0.9


def test_operators_and_missing_values_as_worked_by_hand():
    a, b = 0.7, 5 / 6
    expected = [0.7, 0.5833333333, 0.5333333333, 0.5555555556, 0.8333333333, 0.95, 1.0]
    expected += [0.9684210526, 0.7933333333, 0.74]
    got = [twins.operate(op, 0.3, a, b) for op in twins.OPERATORS]
    assert got == pytest.approx(expected, abs=1e-10)
    terms = [("high", 0, 0.0, 10.0), ("mid", 1, 0.0, 1.0, 4.0, False), ("low", 0, 0.0, 10.0)]
    tree = ("ALG", 0.0, ("OWA", 0.3, 0, 1), ("COEIN", 0.0, 2, 1))
    whole, hole = twins.fuzzified(terms, [7.0, 1.5]), twins.fuzzified(terms, [7.0, math.nan])
    assert twins.score(tree, whole) == pytest.approx(0.6709333333, abs=1e-10)
    assert [twins.value(tree, bound) for bound in hole] == pytest.approx([0.063, 0.79])
    assert twins.score(tree, hole) == pytest.approx(0.4265)
    assert twins.score(1, hole) == 0.5


def test_shares_of_averages_as_worked_by_hand():
    u, v, y = (0.9, 0.2, 0.6, 0.4), (0.5, 0.3, 0.1, 0.8), (1.0, 0.0, 1.0, 0.0)
    items = [([a, b], [a, b]) for a, b in zip(u, v, strict=True)]
    data = items, y, [1.0] * 4
    assert twins.fitted("WA", 0, 1, *data) == 1.0
    assert twins.error(("WA", 1.0, 0, 1), *data) == pytest.approx(0.3041381265, abs=1e-10)
    share = twins.fitted("OWA", 0, 1, *data)
    assert share == pytest.approx(0.8103448276, abs=1e-10)
    assert twins.error(("OWA", share, 0, 1), *data) == pytest.approx(0.4688117775, abs=1e-10)
    assert twins.fitted("WA", 0, 0, *data) == 0.5


def test_statistics_as_worked_by_hand():
    e0 = (0.49, 0.09, 0.36, 0.25, 0.64, 0.16, 0.36, 0.49)
    e1 = (0.16, 0.04, 0.25, 0.16, 0.36, 0.09, 0.16, 0.25)
    assert twins.z_paired(e0, e1) == pytest.approx(4.5918819185, abs=1e-9)
    assert twins.z_paired(e1, e0) == 0.0
    assert twins.z_paired((1.0, 1.0), (0.5, 0.5)) == math.inf
    assert twins.z_shares(0.30, 0.17, 100) == pytest.approx(2.1939561216, abs=1e-9)
    assert twins.z_shares(1.0, 0.0, 100) == math.inf


def test_a_drift_is_repaired_at_the_items_of_the_definition():
    """A conjunction of two columns becomes one of two others after item 1000."""
    number = np.arange(1, 2001)
    x = np.stack([number * math.sqrt(j) % 1 for j in (2, 3, 5, 7)], axis=1)
    early = (x[:, 0] > 0.5) & (x[:, 1] > 0.4)
    late = (x[:, 2] > 0.5) & (x[:, 1] < 0.6)
    y = (~np.where(number <= 1000, early, late)).astype(np.int32)
    # Each of at most four rounds adds a leaf.
    given_ = {"warm_start": 200, "recent_size": 500, "mid": False, "max_leaves": 5}
    native, slow = agree([None] * 4, 2, x, y, **given_)
    (tree,) = slow.trees
    assert tree.error == pytest.approx(0.298151, abs=5e-7)
    assert [at for at, _, _ in tree.changes] == [1040, 1140, 1240, 1340]
    assert [z for _, _, z in tree.changes] == pytest.approx([2.3944, 5.5648, 3.7997, 4.0745], 2e-5)
    op, _, left, right = tree.tree
    assert (op, tree.terms[left][:2], tree.terms[right][:2]) == ("MIN", ("low", 1), ("high", 2))
    fresh = learners.EFPT(**given_).bind(schema([None] * 4, 2))
    fresh.learn(x[:200], y[:200])
    assert (fresh.vitals()["leaves"], fresh.vitals()["neighbours"]) == (2, 58)
    right_ = learners.EFPT(**given_).bind(schema([None] * 4, 2)).test_then_train(0, x, y) == y
    assert right_[200:1000].mean() == 0.94625
    assert right_[1000:1200].mean() == 0.6
    assert right_[1800:].mean() == 0.955
    assert (native.vitals()["expansions"], native.vitals()["prunings"]) == (2, 2)


def test_the_number_of_neighbours_follows_the_formula():
    columns, rows, labels, _ = turning(600, holes=0.0)
    labels = np.minimum(labels, 1).astype(np.int32)
    given_ = {"warm_start": 60, "loss_window": 20, "mid": False, "expanded_leaves": 2}
    learner = learners.EFPT(**given_).bind(schema(columns, 2))
    terms = 2 * 3 + 3
    changed = []
    for i in range(len(rows)):
        before = learner.vitals()
        learner.learn(rows[i : i + 1], labels[i : i + 1])
        vitals = learner.vitals()
        if vitals["trees"]:
            leaves = vitals["leaves"]
            assert vitals["neighbours"] == 2 * (leaves - 1) + min(2, leaves) * 4 * (terms - 1)
        counts = [v["expansions"] + v["prunings"] for v in (before, vitals)]
        if counts[0] != counts[1]:
            changed.append(i)
            assert vitals["losses"] == 0
    assert len(changed) > 1
    assert np.diff(changed).min() >= 20


def test_it_abstains_until_the_buffer_is_full():
    columns, rows, labels, _ = turning(100)
    learner = learners.EFPT(warm_start=50).bind(schema(columns, 3))
    predictions = learner.test_then_train(0, rows, labels)
    assert (predictions[:50] == -1).all()
    assert (predictions[50:] >= 0).all()
    assert np.isnan(learner.fresh(0).scores(rows)).all()


def test_without_a_varying_column_the_classes_have_their_shares():
    learner = learners.EFPT(warm_start=4).bind(schema([None, 2], 3))
    rows = np.array([[1.0, 0.0]] * 4)
    learner.learn(rows, np.array([2, 1, 2, 2], dtype=np.int32))
    np.testing.assert_allclose(learner.scores(rows)[0], [0.0, 0.25, 0.75])
    assert learner.vitals()["trees"] == 0
    varying = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0], [4.0, 1.0]])
    learner.learn(varying, np.array([0, 0, 1, 1], dtype=np.int32))
    assert learner.vitals()["trees"] == 3


def test_no_class_is_predicted_before_its_first_label():
    rng = np.random.default_rng(1)
    rows = rng.random((300, 2))
    labels = rng.integers(0, 2, 300).astype(np.int32) * 2
    learner = learners.EFPT(**QUICK).bind(schema([None, None], 4))
    predictions = learner.test_then_train(0, rows, labels)
    assert set(predictions.tolist()) <= {-1, 0, 2}
    one = learners.EFPT(**QUICK).bind(schema([None, None], 2))
    one.learn(rows, np.zeros(300, dtype=np.int32))
    np.testing.assert_array_equal(one.scores(rows), [[1.0, 0.0]] * 300)


def test_increasing_affine_maps_of_a_column_change_nothing():
    """By powers of two, which round nothing."""
    columns, rows, labels, _ = turning(400, holes=0.0)
    rows = (rows * 1024).round() / 1024
    moved = rows.copy()
    moved[:, :3] = moved[:, :3] * 8 + 64
    spec = learners.EFPT(warm_start=100, loss_window=30)
    one, other = (
        spec.bind(schema(columns, 3)).test_then_train(0, x, labels) for x in (rows, moved)
    )
    np.testing.assert_array_equal(one, other)


@given(cut=st.integers(0, 260))
@settings(deadline=None, max_examples=examples(10))
def test_saved_at_any_item_it_goes_on_as_if_nothing_had_been(cut):
    columns, rows, labels, weights = turning(260)
    for case in CASES.values():
        spec = learners.EFPT(**(QUICK | case))
        whole, first, second = (spec.bind(schema(columns, 3)) for _ in range(3))
        expected = whole.test_then_train(0, rows, labels, weights)
        first.test_then_train(0, rows[:cut], labels[:cut], weights[:cut])
        second.load(first.save())
        rest = second.test_then_train(cut, rows[cut:], labels[cut:], weights[cut:])
        np.testing.assert_array_equal(rest, expected[cut:])
        assert second.save() == whole.save()
        assert second.vitals() == whole.vitals()


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("warm_start", 0),
        ("warm_start", 1.5),
        ("beam_width", 0),
        ("beam_width", 1001),
        ("min_improvement", 1.0),
        ("min_improvement", math.nan),
        ("expanded_leaves", -1),
        ("max_leaves", 0),
        ("max_leaves", 1001),
        ("loss", "hinge"),
        ("loss_window", 1),
        ("z_threshold", -1.0),
        ("recent_size", 0),
        ("mid", 1),
        ("refit_ranges", "yes"),
    ],
)
def test_a_bad_parameter_is_named(what, wrong):
    with pytest.raises(ParameterError, match=f"EFPT: {what} must be"):
        learners.EFPT(**{what: wrong})
