"""Names and seeds of models that are built later, when the schema is known."""

from __future__ import annotations

from functools import partial

import pytest
from sklearn.linear_model import SGDClassifier

from streamgauge.errors import LogError
from streamgauge.learners import Resetting
from streamgauge.log.about import name_of, seed_key, stated_number


def test_a_model_that_is_built_later_has_the_name_and_seed_of_the_model():
    later, built = partial(SGDClassifier, alpha=0.1), SGDClassifier(alpha=0.1)
    assert name_of(later) == name_of(built) == "sklearn:SGDClassifier(alpha=0.1)"
    assert seed_key(later) == seed_key(built) == "sklearn:SGDClassifier"
    assert seed_key(Resetting(later, "ddm")) == seed_key(Resetting(built, "ddm"))
    assert seed_key(partial(SGDClassifier, alpha=0.2)) == seed_key(later)


def test_a_number_that_an_origin_states_has_a_least_value():
    about = {"predicts_again": "0", "learns_every": "-1"}
    assert stated_number(about, "predicts_again", 0, "late") == 0
    assert stated_number(about, "folds", 0, "late") is None
    for key in about:
        with pytest.raises(LogError, match=f"late: {key} of a log must be .* at least 1, got"):
            stated_number(about, key, 1, "late")
