"""What learners tell of themselves, counted by hand on streams that are easy to count."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge import learners
from streamgauge.types import Feature, Schema

FEATURES = (Feature("size"), Feature("colour", ("red", "green", "blue")), Feature("age"))


def vitals_after(spec, labels, classes, items=600):
    """Vitals after learning two numbers, a colour, and a label made of the first number."""
    draw = np.random.default_rng(3)
    rows = np.column_stack([draw.normal(size=items), draw.integers(0, 3, items), np.zeros(items)])
    learner = spec.bind(Schema(FEATURES, "y", classes))
    learner.learn(rows, labels(rows[:, 0]))
    return learner.vitals()


def signs(x):
    return (x > 0).astype(np.int32)


PER_CLASS = 1 + 2 * 2 + 3
"""A weight, a mean and a variance of both numbers, a count of each colour."""


def test_naive_bayes_counts_the_classes_it_has_seen():
    assert vitals_after(learners.NaiveBayes(), signs, "abc")["parameters"] == 2 * PER_CLASS


def test_a_tree_that_is_one_leaf_has_the_parameters_of_naive_bayes():
    vitals = vitals_after(learners.HoeffdingTree(), signs, "abc", items=100)
    assert (vitals["splits"], vitals["parameters"]) == (0, 2 * PER_CLASS)


@pytest.mark.parametrize("kind", [learners.HoeffdingTree, learners.HoeffdingAdaptiveTree])
def test_a_tree_of_majorities_has_a_number_a_split_and_one_a_class_of_a_leaf(kind):
    vitals = vitals_after(kind(leaf_prediction="majority"), signs, "ab")
    assert (vitals["splits"], vitals["leaves"], vitals["depth"]) == (1, 2, 1)
    assert 1 + 2 <= vitals["parameters"] <= 1 + 4


def test_a_tree_of_means_has_a_number_a_split_and_one_a_leaf():
    vitals = vitals_after(
        learners.FIMTDD(leaf_prediction="mean"), lambda x: np.where(x > 0, 9.0, 1.0), None
    )
    assert vitals["splits"] >= 1
    assert vitals["parameters"] == vitals["splits"] + vitals["leaves"]


def test_a_learner_that_was_reset_reports_it():
    def turned(x):
        return np.where(np.arange(len(x)) < len(x) // 2, x > 0, x <= 0).astype(np.int32)

    vitals = vitals_after(learners.Resetting(), turned, "ab", items=4000)
    assert vitals["drifts"] >= 1
    assert vitals["parameters"] == 2 * PER_CLASS
