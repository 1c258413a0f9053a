"""Parameters that the core refuses are refused in a sentence."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass

import pytest

from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.lazy import members
from streamgauge.types import Feature, Schema

CLASSES = Schema((Feature("x"),), "y", ("a", "b"))


@pytest.mark.parametrize(
    ("learner", "words"),
    [
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


def real_parameters():
    """Every learner with each of its fields that is a real number."""
    for name in members("streamgauge.learners"):
        kind = getattr(learners, name)
        if not is_dataclass(kind):
            continue
        for field in fields(kind):
            if "float" in str(field.type):
                yield pytest.param(kind, field.name, id=f"{name}-{field.name}")


@pytest.mark.parametrize("value", [-(10**20), -1, 0, 1, 2, 10**20])
@pytest.mark.parametrize(("kind", "name"), [*real_parameters()])
def test_a_whole_number_is_a_real_parameter_or_refused(kind, name, value):
    schema = CLASSES if kind.task == "classification" else Schema((Feature("x"),), "y")

    def bound(number):
        try:
            return repr(kind(**{name: number}).bind(schema))
        except ParameterError as error:
            return re.sub(r"got .*", "", str(error))

    assert bound(value) == bound(float(value))
