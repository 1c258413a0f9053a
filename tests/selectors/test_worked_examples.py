"""Worked examples of OFS and FIRES, and properties that follow from their definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import selectors as twins
from samples.examples import examples
from streamgauge.selectors import FIRES, OFS
from streamgauge.types import Feature, Schema

OFS_ROWS = np.array([[1, 0.5, -2, 0.1], [0.4, 3, -1, 0], [2, -1, -6, 1], [30, -60, 10, 5]])
OFS_LABELS = np.array([1, 0, 1, 0], np.int32)
FIRES_ROWS = np.array([[0.5, 1, 0], [1, 0.2, 0.4], [0.3, 0.6, 1]])
FIRES_LABELS = np.array([1, 0, 1], np.int32)


def schema(width, classes=2):
    return Schema(tuple(Feature(f"f{i}") for i in range(width)), "y", tuple(range(classes)))


def padded(rows):
    """Rows as inputs of a linear rule, in groups of eight."""
    return [[*row, *[0.0] * (8 - len(row))] for row in rows.tolist()]


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("variant", "margins", "last"),
    [
        ("paper", [0, -0.48, 1.7952, -33.939984], [-4.5769845889, 8.6980996820, 0, 0]),
        ("pystreamfs", [0, -0.48, 1.8, -34], [-4.5776192907, 8.6974766522, 0, 0]),
    ],
)
def test_ofs_follows_the_worked_example(variant, margins, last):
    twin = twins.OFS([None] * 4, 2, n_features=2, variant=variant, standardise=False)
    for row, label, margin in zip(OFS_ROWS.tolist(), OFS_LABELS.tolist(), margins, strict=True):
        twin.learn(row, label, 1.0)
        close(twin.margins, [margin])
    close(twin.w[0][:4], last)
    fast = OFS(n_features=2, variant=variant, standardise=False).bind(schema(4))
    changed, sets = fast.mask_and_learn(OFS_ROWS, OFS_LABELS, None, 0.0)[1:]
    close(fast.scores(), np.abs(last))
    assert changed.tolist() == [0, 1, 3]
    assert [np.flatnonzero(one).tolist() for one in sets] == [[0, 2], [1, 2], [0, 1]]


def test_the_partial_form_of_ofs_follows_the_worked_example():
    twin = twins.OFS([None] * 4, 2, n_features=2, variant="partial", standardise=False)
    twin.w[0][:4] = [0.5, 0.0, -0.3, 0.0]
    twin.step([0.0, 2.0, -1.0, 0.0, *[0.0] * 4], 0, 1.0)
    close(twin.margins, [-0.3])
    close(twin.seen[:4], [0, 20, -1.1111111111, 0])
    close(twin.w[0][:4], [0.5, -4, 0, 0])


@pytest.mark.parametrize("w", [[0.5, 0.0, -0.3, 0.0], [0.0] * 4, [0.7, 0.0, 0.0, 0.0]])
def test_what_the_partial_form_looks_at_is_unbiased(w):
    """The chances that a feature is looked at are those of all equally likely draws."""
    twin = twins.OFS([None] * 4, 2, n_features=2, variant="partial", epsilon=0.3)
    twin.w[0][:4] = w
    used = [j for j in range(4) if w[j]]
    free = [j for j in range(4) if not w[j]]
    at_random = list(itertools.combinations(range(4), 2))
    fillings = list(itertools.combinations(free, 2 - len(used)))
    for j in range(4):
        explored = sum(j in one for one in at_random) / len(at_random)
        kept = sum(j in one or j in used for one in fillings) / len(fillings)
        assert math.isclose(twin.chance(j), 0.3 * explored + 0.7 * kept)


def test_fires_follows_the_worked_example():
    twin = twins.FIRES([None] * 3, 2, batch_size=3, standardise=False)
    twin.mu[0][:3], twin.sigma[0][:3] = [0.10, -0.20, 0.05], [1.0, 0.8, 0.5]
    table = [
        (-0.1091089451, 1.3747727085, 0.8686183193),
        (-0.0556630340, 1.4372195379, 0.8336551925),
        (-0.0319194095, 1.2531560158, 0.8183155272),
    ]
    for row, label, expected in zip(padded(FIRES_ROWS), (1, -1, 1), table, strict=True):
        z, rho = twin.likelihood(twin.mu[0], twin.sigma[0], row, label)
        close([z, rho, twins.hazard(z)], expected)
    first = zip(padded(FIRES_ROWS)[:2], (1, 0), strict=True)
    twin.batch = [(row, label, 1.0) for row, label in first]
    twin.learn(FIRES_ROWS[2].tolist(), 1, 1.0)
    close(twin.mu[0][:3], [0.0997725577, -0.1969746012, 0.0514032827])
    close(twin.sigma[0][:3], [1.0001216608, 0.8001520837, 0.5000337120])
    close(twin.scores(), [-0.0023935042, 1.6198279974, 0.0070980173])


def test_the_first_step_of_fires_is_that_of_the_worked_example():
    fast = FIRES(n_features=1, batch_size=3, standardise=False).bind(schema(3))
    fast.mask_and_learn(FIRES_ROWS, FIRES_LABELS, None, 0.0)
    mu = 0.01 * np.array([-0.0396824055, 0.2433953856, 0.0981920943])
    close(fast.scores(), (mu**2 - 0.01) / 0.02)
    assert fast.selected().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("z", "expected"),
    [
        (0, 0.797884560803),
        (5, 1.4867199409e-06),
        (-4.9999, 5.18640723682),
        (-5.0001, 5.18660069754),
        (-6, 6.15848260454),
        (-10, 10.098093234),
        (-38, 38.0262794666),
    ],
)
def test_the_hazard_has_the_reference_values(z, expected):
    assert math.isclose(twins.hazard(z), expected, rel_tol=1e-10)


def test_the_gradients_of_fires_are_those_of_central_differences():
    draw = np.random.default_rng(3)
    twin = twins.FIRES([None] * 3, 2, standardise=False)
    twin.mu[0][:3], twin.sigma[0][:3] = draw.normal(size=3).tolist(), draw.random(3).tolist()
    twin.batch = [(row, int(draw.integers(2)), 1.0) for row in padded(draw.normal(size=(5, 3)))]

    def mean_log(mu, sigma):
        total = 0.0
        for x, label, _ in twin.batch:
            z, _ = twin.likelihood(mu, sigma, x, 1.0 if label == 1 else -1.0)
            total += math.log(0.5 * math.erfc(-z / math.sqrt(2))) / 5
        return total

    found = twin.gradients(0, 1)
    for which in range(2):
        for j in range(3):
            ends = []
            for h in (1e-5, -1e-5):
                both = [list(twin.mu[0]), list(twin.sigma[0])]
                both[which][j] += h
                ends.append(mean_log(*both))
            assert abs((ends[0] - ends[1]) / 2e-5 - found[which][j]) < 1e-9


@settings(max_examples=examples(20), deadline=None)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize(
    "spec",
    [OFS(3, standardise=False), FIRES(3, batch_size=20, standardise=False)],
    ids=["ofs", "fires"],
)
def test_reflected_items_and_permuted_features_give_the_same_selection(spec, seed):
    draw = np.random.default_rng(seed)
    rows, labels = draw.normal(size=(60, 6)), draw.integers(0, 2, 60).astype(np.int32)
    sets = spec.bind(schema(6)).mask_and_learn(rows, labels, None, 0.0)[2]
    mirrored = spec.bind(schema(6)).mask_and_learn(-rows, (1 - labels).astype(np.int32), None, 0.0)[
        2
    ]
    np.testing.assert_array_equal(mirrored, sets)
    if isinstance(spec, OFS):  # the first selection of FIRES is one of equals
        order = draw.permutation(6)
        permuted = np.ascontiguousarray(rows[:, order])
        found = spec.bind(schema(6)).mask_and_learn(permuted, labels, None, 0.0)[2]
        np.testing.assert_array_equal(found, sets[:, order])


@pytest.mark.parametrize("classes", [2, 3])
def test_the_first_selection_of_ofs_is_not_decided_by_rounding(classes):
    """After two items all standardised features have the same size: the first are kept."""
    labels = np.array([0, 1], np.int32)
    bound = Schema(tuple(map(Feature, "abcdefgh")), "y", tuple("nyz")[:classes])
    for seed in range(20):
        rows = np.random.default_rng(seed).normal(size=(2, 8)) * 10.0 ** np.arange(-4, 4)
        sets = OFS(n_features=3).bind(bound).mask_and_learn(rows, labels, None, 0.0)[2]
        assert np.flatnonzero(sets[-1]).tolist() == [0, 1, 2]


def test_weights_of_ofs_keep_their_limits():
    draw = np.random.default_rng(1)
    rows, labels = 100 * draw.normal(size=(200, 8)), draw.integers(0, 2, 200).astype(np.int32)
    fast = OFS(n_features=3, standardise=False).bind(schema(8))
    for row, label in zip(rows, labels, strict=True):
        fast.mask_and_learn(row[None], np.array([label]), None, 0.0)
        assert np.count_nonzero(fast.scores()) <= 3
        assert np.linalg.norm(fast.scores()) <= 10 * (1 + 1e-12)


def test_a_column_of_zeros_keeps_its_weight_in_fires():
    draw = np.random.default_rng(1)
    rows, labels = draw.normal(size=(200, 3)), draw.integers(0, 2, 200).astype(np.int32)
    rows[:, 1] = 0.0
    fast = FIRES(n_features=1, batch_size=20, standardise=False).bind(schema(3))
    fast.mask_and_learn(rows, labels, None, 0.0)
    assert math.isclose(fast.scores()[1], -0.5)


def test_both_find_the_features_that_matter():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(3000, 20))
    labels = (rows[:, 3] - 2 * rows[:, 8] > 0).astype(np.int32)
    for spec in (OFS(2), FIRES(2), OFS(2, variant="float"), OFS(2, variant="pystreamfs")):
        fast = spec.bind(schema(20))
        fast.mask_and_learn(rows, labels, None, 0.0)
        assert np.flatnonzero(fast.selected()).tolist() == [3, 8], spec


def test_more_than_two_classes_need_several_features():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(4000, 10))
    labels = np.argmax(rows[:, [1, 4, 7]], axis=1).astype(np.int32)
    for spec in (OFS(3), FIRES(3)):
        fast = spec.bind(schema(10, 3))
        fast.mask_and_learn(rows, labels, None, 0.0)
        assert np.flatnonzero(fast.selected()).tolist() == [1, 4, 7], spec
