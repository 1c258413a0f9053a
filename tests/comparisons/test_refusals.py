"""Policies that are undefined for a task are refused."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.comparisons import Scores
from streamgauge.errors import ParameterError
from streamgauge.log import from_columns
from streamgauge.types import Feature, Schema


def test_a_regression_cannot_count_a_missing_prediction_as_wrong():
    real = Schema((Feature("x"),))
    a, b = (from_columns(real, np.arange(4.0), np.arange(4.0) + d) for d in (0, 1))
    with pytest.raises(
        ParameterError, match="compare: cold_start must be one of skip, default_class, got"
    ):
        sg.compare(a, b, names=("a", "b"), cold_start="count_wrong")
    assert sg.compare(a, b, names=("a", "b"), cold_start="skip").n_labels == 4


def test_a_table_of_scores_is_not_shared_with_the_caller():
    given = {"a": {"x": 1.0, "y": 2.0}, "b": {"x": 3.0, "y": 4.0}}
    found = Scores.of(given)
    given["a"]["x"] = 9.0
    np.testing.assert_array_equal(found.values, [[1.0, 3.0], [2.0, 4.0]])
