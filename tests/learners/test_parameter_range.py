"""Parameters that the core refuses are refused in a sentence."""

from __future__ import annotations

import re

import pytest

from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

CLASSES = Schema((Feature("x"),), "y", ("a", "b"))


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (
            learners.AdwinBagging(n_models=10**20),
            "AdwinBagging: n_models must be a whole number below 2**63, got 100000000000000000000",
        ),
        (learners.HoeffdingTree(max_bytes=1), "HoeffdingTree: max_bytes must be at least "),
        (learners.HoeffdingAdaptiveTree(max_bytes=1), "max_bytes must be at least "),
    ],
    ids=repr,
)
def test_a_parameter_that_the_core_refuses_is_refused_in_a_sentence(learner, words):
    with pytest.raises(ParameterError, match=re.escape(words)):
        learner.bind(CLASSES)


def test_a_whole_number_of_any_size_is_a_real_parameter():
    bound = learners.LastValue(first=10**20).bind(Schema((Feature("x"),), "y"))
    assert repr(bound).startswith("NativeLearner(last_value(first=1e20)")
