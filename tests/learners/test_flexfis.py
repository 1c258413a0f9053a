"""FLEXFIS equals its slow twin to the bit, and the twin the worked examples of its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import flexfis as twins
from oracles.chunks import chunks
from samples.examples import examples
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

CASES = {
    "as in the study": {},
    "many rules": {"vigilance": 0.05, "max_rules": 12},
    "one rule per item": {"vigilance": 0.0, "merge": False},
    "old rules are dropped": {"vigilance": 0.1, "max_age": 7},
    "a chosen vigilance": {"tune": 15},
    "weak rules do not learn": {"min_firing": 0.1, "epsilon": 0.3, "forgetting_factor": 1.0},
    "little memory": {"forgetting_factor": 0.7, "covariance": 10.0, "max_covariance": 50.0},
}


def schema(columns):
    values = [None if v is None else tuple(range(v)) for v in columns]
    return Schema(tuple(Feature(f"x{j}", v) for j, v in enumerate(values)), "y")


def agree(columns, rows, labels, weights=None, **given_):
    """Native predictions equal the twin's to the bit, one by one; gives both."""
    native = learners.FLEXFIS(**given_).bind(schema(columns))
    slow = twins.FLEXFIS(columns, **given_)
    predictions = native.test_then_train(0, rows, labels, weights)
    for i, (row, label) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True)):
        np.testing.assert_array_equal(predictions[i], slow.predict(i, row), str(i))
        weight = 1.0 if weights is None else float(weights[i])
        if not math.isnan(label) and weight > 0:
            slow.learn(row, label, weight)
    system, vitals = slow.best(), native.vitals()
    wins = [rule.count for rule in system.rules] or [0]
    assert vitals["rules"] == len(system.rules)
    assert (vitals["fewest_wins"], vitals["most_wins"]) == (min(wins), max(wins))
    counts = system.created, system.merged, system.dropped, system.resets
    assert tuple(vitals[name] for name in ("created", "merged", "dropped", "resets")) == counts
    assert vitals["far_share"] == system.far / max(system.learned, 1)
    assert vitals["largest_covariance"] == max(
        (rule.p[a][a] for rule in system.rules for a in range(len(rule.p))), default=0.0
    )
    return native, slow


@pytest.mark.parametrize("case", CASES)
@given(chunk=chunks("regression", widest=5))
@settings(deadline=None, max_examples=examples(60))
def test_predictions_equal_the_twins_on_any_chunk(case, chunk):
    agree(chunk.columns, chunk.rows, chunk.labels, chunk.weights, **CASES[case])


def waves(count, seed=1):
    """A curved surface that turns over half-way, with holes, a nominal column and weights."""
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.random((count, 2)), rng.integers(0, 3, count)])
    labels = np.sin(6 * rows[:, 0]) * rows[:, 1] + (rows[:, 2] == 1)
    labels[count // 2 :] *= -1
    rows[rng.random(rows.shape) < 0.03] = np.nan
    return [None, None, 3], rows, labels, rng.choice([0.0, 0.5, 1.0, 3.0], count)


@pytest.mark.parametrize("case", CASES)
def test_predictions_equal_the_twins_through_a_drift(case):
    native, _ = agree(*waves(400), **CASES[case])
    vitals = native.vitals()
    if case == "old rules are dropped":
        assert vitals["dropped"] > 0
    if case == "a chosen vigilance":
        assert vitals["merged"] > 0
        assert vitals["vigilance"] in [i / 10 for i in range(1, 10)]


def near(expected):
    return pytest.approx(expected, abs=5e-9)


def test_five_items_worked_by_hand():
    """Ranges x [0, 1] and y [0, 2], radius 0.3, forgetting 0.999, no merging."""
    slow = twins.FLEXFIS([None], merge=False, low=[0.0, 0.0], high=[1.0, 2.0])
    rules = slow.systems[0].rules
    assert slow.systems[0].radius == pytest.approx(0.3)
    slow.learn([0.1], 0.2, 1.0)
    assert rules[0].weights == near([0.19782413, 0.01978241])
    assert [*rules[0].p[0], rules[0].p[1][1]] == near([10.89022839, -99.01107726, 991.09989327])
    assert slow.predict(0, [0.3]) == near(0.20375886)
    slow.learn([0.3], 0.5, 1.0)
    assert (rules[0].count, rules[0].centre) == (2, near([0.15, 0.275]))
    assert rules[0].variance == near([0.01375, 0.0309375])
    assert rules[0].weights == near([0.06411486, 1.42928334])
    assert [*rules[0].p[0], rules[0].p[1][1]] == near([2.40128650, -9.50879769, 47.55582989])
    assert slow.predict(0, [0.6]) == near(0.92168486)
    slow.learn([0.6], 1.4, 1.0)
    assert len(rules) == 2
    assert slow.systems[0].firing([0.6]) == near([0.00063349, 0.99936651])
    assert rules[0].weights == near([0.06311785, 1.43502420])
    assert rules[1].weights == near([0.41555885, 1.64014973])
    assert slow.predict(0, [0.4]) == near(0.88381527)
    slow.learn([0.4], 0.7, 1.0)
    assert slow.systems[0].firing([0.4]) == near([0.08319899, 0.10928536, 0.80751565])
    assert [w for rule in rules for w in rule.weights] == near(
        [0.05702913, 1.47637381, -0.42353703, 3.02431640, 0.11726051, 1.45668126]
    )
    assert slow.predict(0, [0.5]) == near(0.96547941)
    slow.learn([0.5], 1.1, 1.0)
    assert (rules[1].count, rules[1].centre) == (2, near([0.575, 1.325]))
    assert rules[1].variance == near([0.0034375, 0.0309375])
    assert slow.systems[0].firing([0.5]) == near([0.00846733, 0.54977558, 0.44175709])
    assert [w for rule in rules for w in rule.weights] == near(
        [0.05197916, 1.50641784, -0.39550762, 2.98047919, -0.57867079, 3.26314205]
    )
    assert slow.predict(0, [0.45]) == near(0.90393726)


def test_a_thousand_items_give_the_rules_and_errors_of_the_definition():
    slow = twins.FLEXFIS([None, None], merge=False, low=[0.0, 0.0, -1.0], high=[1.0, 1.0, 1.0])
    lost = []
    for i in range(1, 1001):
        x = [i * math.sqrt(2) % 1, i * math.sqrt(3) % 1]
        y = math.sin(6 * x[0]) * x[1]
        lost.append((slow.predict(i, x) - y) ** 2)
        slow.learn(x, y, 1.0)
    wins = [rule.count for rule in slow.systems[0].rules]
    assert wins == [162, 170, 238, 131, 171, 67, 34, 27]
    assert math.sqrt(sum(lost[1:500]) / 499) == near(0.18031418)
    assert math.sqrt(sum(lost[500:]) / 500) == near(0.12485245)
    assert slow.predict(0, [0.3, 0.7]) == near(0.46635599)


def test_two_rules_are_pooled_as_one():
    one, other = (twins.Rule([c], [0.0], 1.0, 0) for c in (0.2, 0.4))
    (one.count, one.variance), (other.count, other.variance) = (10, [0.01]), (30, [0.02])
    rule = twins.pooled(one, other)
    assert (rule.count, rule.centre, rule.variance) == (40, near([0.35]), near([0.025]))
    assert rule.p[0][0] == near(0.5)


def test_with_one_rule_and_no_forgetting_it_is_ridge_regression():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    y = x @ [1.0, -2.0, 0.5] + 3.0 + rng.normal(size=200)
    spec = learners.FLEXFIS(vigilance=1e9, forgetting_factor=1.0, covariance=10.0)
    learner = spec.bind(schema([None] * 3))
    learner.learn(x, y)
    design = np.column_stack([np.ones(200), x])
    w = np.linalg.solve(design.T @ design + 0.1 * np.eye(4), design.T @ y)
    np.testing.assert_allclose(learner.predict(x), design @ w, rtol=1e-10)
    assert learner.vitals()["rules"] == 1


def test_rules_that_have_become_redundant_are_merged():
    """Small clusters of a curve overlap where it is nearly straight."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 10, size=(400, 1))
    kept, _ = agree([None], x, np.sin(x[:, 0]), vigilance=0.1, merge=False)
    merged, _ = agree([None], x, np.sin(x[:, 0]), vigilance=0.1)
    assert merged.vitals()["merged"] > 10
    assert merged.vitals()["rules"] < kept.vitals()["rules"]


def test_without_a_radius_every_distinct_item_is_a_rule():
    x = np.arange(40.0).reshape(-1, 1) % 20
    learner = learners.FLEXFIS(vigilance=0.0, merge=False).bind(schema([None]))
    learner.learn(x, x[:, 0])
    assert (learner.vitals()["rules"], learner.vitals()["most_wins"]) == (20, 2)


def test_linear_data_are_fitted_by_any_number_of_rules():
    x = np.random.default_rng(2).uniform(size=(1500, 2))
    y = 2 * x[:, 0] - x[:, 1] + 1
    for vigilance in (0.1, 0.3, 0.9):
        learner = learners.FLEXFIS(vigilance=vigilance, merge=False).bind(schema([None, None]))
        predictions = learner.test_then_train(0, x, y)
        assert abs(predictions - y)[1000:].max() < 1e-3


def test_other_units_of_the_columns_change_no_winner():
    columns, rows, labels, _ = waves(300)
    counts = []
    for factor, offset in ((1.0, 0.0), (4.0, 32.0)):
        moved = rows.copy()
        moved[:, :2] = moved[:, :2] * factor + offset
        learner = learners.FLEXFIS(merge=False).bind(schema(columns))
        learner.learn(moved, labels)
        names = ("rules", "fewest_wins", "most_wins", "far_share")
        counts.append([learner.vitals()[name] for name in names])
    assert counts[0] == counts[1]


def test_a_rule_that_does_not_fire_does_not_wind_up():
    x = np.zeros((20_000, 1))
    x[:50, 0] = np.linspace(0, 1, 50)
    learner = learners.FLEXFIS(forgetting_factor=0.99).bind(schema([None]))
    learner.learn(x, x[:, 0])
    assert learner.vitals()["largest_covariance"] <= 1e6
    assert np.isfinite(learner.predict(np.array([[0.9]]))).all()


def test_the_chosen_vigilance_is_that_of_least_error():
    columns, rows, labels, _ = waves(600, seed=3)
    learner = learners.FLEXFIS(tune=300).bind(schema(columns))
    learner.learn(rows, labels)
    errors = {}
    for tenths in range(1, 10):
        one = learners.FLEXFIS(vigilance=tenths / 10).bind(schema(columns))
        predictions = one.test_then_train(0, rows[:300], labels[:300])
        errors[tenths / 10] = np.nansum((predictions - labels[:300]) ** 2)
    best = min(errors, key=errors.__getitem__)
    assert learner.vitals()["vigilance"] == best
    same = learners.FLEXFIS(vigilance=best).bind(schema(columns))
    same.learn(rows, labels)
    np.testing.assert_array_equal(learner.predict(rows), same.predict(rows))


@given(cut=st.integers(0, 400))
@settings(deadline=None, max_examples=examples(15))
def test_saved_at_any_item_it_goes_on_as_if_nothing_had_been(cut):
    columns, rows, labels, weights = waves(400)
    for case in CASES.values():
        spec = learners.FLEXFIS(**case)
        whole, first, second = (spec.bind(schema(columns)) for _ in range(3))
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
        ("vigilance", -0.1),
        ("vigilance", math.inf),
        ("forgetting_factor", 0.0),
        ("forgetting_factor", 1.1),
        ("merge", 1),
        ("covariance", 0.0),
        ("max_covariance", 999.0),
        ("max_covariance", math.nan),
        ("epsilon", 0.0),
        ("min_firing", 1.0),
        ("max_rules", 0),
        ("max_rules", 10_001),
        ("max_age", 0),
        ("tune", -1),
        ("tune", 1.5),
    ],
)
def test_a_bad_parameter_is_named(what, wrong):
    with pytest.raises(ParameterError, match=f"FLEXFIS: {what} must be"):
        learners.FLEXFIS(**{what: wrong})
