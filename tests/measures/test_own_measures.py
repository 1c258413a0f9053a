"""Measures of the user: the contract, and one sentence for each mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import ParameterError
from streamgauge.log import from_columns
from streamgauge.measures import Measure
from streamgauge.measures._measure import check_measure
from streamgauge.names import known, make
from streamgauge.types import Schema

LABEL = np.arange(40, dtype=np.int32) % 2
LOG = from_columns(Schema((), classes=("a", "b")), LABEL, np.zeros(40, np.int32))


class Share(Measure[Any]):
    """Share of right predictions of the first class among its labels."""

    best = 1.0
    span = (0.0, 1.0)
    formula = "true positives / labels"

    def value(self, summary: Any) -> Any:
        return summary.correct / summary.total


def having(**attributes: Any) -> Measure[Any]:
    """A measure with other attributes; `...` removes one."""
    made = {name: value for name, value in attributes.items() if value is not ...}
    base = Share if ... not in attributes.values() else Measure
    kept = {} if base is Share else {k: v for k, v in vars(Share).items() if k not in attributes}
    names = {"value", *Share.__dict__} & kept.keys()
    body = {k: kept[k] for k in names if not k.startswith("__")} | made
    kind: Any = type("Wrong", (base,), body)
    measure: Measure[Any] = kind()
    return measure


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"best": ...}, "best must be a number, or NaN if the value does not judge the learner"),
        ({"best": "high"}, "best must be a number, or NaN"),
        (
            {"span": ...},
            "span must be the smallest and the largest value, like (0.0, 1.0), got None",
        ),
        (
            {"span": (1,)},
            "span must be the smallest and the largest value, like (0.0, 1.0), got (1,)",
        ),
        ({"formula": ...}, "formula must be text, got None"),
        ({"task": "ranking"}, "task must be one of classification, regression, got 'ranking'"),
        (
            {"summary": "matrix"},
            "summary must be one of confusion, moments, losses, ranking, got 'matrix'",
        ),
        ({"needs": "true_positives"}, "needs must be a set of text, got 'true_positives'"),
        ({"needs": frozenset({"true_positive"})}, "needs must be a set of these: first_repeats, "),
        (
            {"summary": "moments", "task": "regression", "needs": {"true_positives"}},
            "needs must be empty",
        ),
        ({"windows": {"rolling"}}, "windows must be a set of these: ewma, fading, "),
    ],
)
def test_a_wrong_attribute_gets_one_sentence(attributes: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError) as raised:
        sg.measure(LOG, having(**attributes))
    assert str(raised.value).startswith(f"Wrong: {words}")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (
            lambda self, s: s.true_positives[0],
            "Wrong: needs must list 'true_positives', which value reads",
        ),
        (lambda self, s: 1.0, "Wrong: value must be one number per point, of shape (40,), got ()"),
        (lambda self, s: s.none, "Wrong: value failed: AttributeError: 'Confusion' object has no"),
    ],
)
def test_a_wrong_formula_gets_one_sentence(value: Any, words: str) -> None:
    with pytest.raises(ParameterError) as raised:
        sg.measure(LOG, having(value=value), every=1)
    assert str(raised.value).startswith(words)


def test_a_formula_that_keeps_the_class_axis_gets_one_sentence() -> None:
    wrong = having(
        value=lambda self, s: s.true_positives / s.total, needs=frozenset({"true_positives"})
    )
    with pytest.raises(
        ParameterError, match=r"value must be one number per point, of shape \(40,\)"
    ):
        sg.measure(LOG, wrong, every=1)


def test_a_measure_without_a_formula_cannot_be_made() -> None:
    class Empty(Measure[Any]):
        pass

    with pytest.raises(TypeError, match="value"):
        Empty()


@pytest.mark.parametrize("name", known("measure"))
def test_every_measure_keeps_the_contract(name: str) -> None:
    check_measure(make("measure", name))


def test_a_measure_of_the_user_has_its_name_in_the_curve() -> None:
    curve = sg.measure(LOG, Share(), "sliding(4)")
    assert curve.final == 0.5
    assert curve.measure == f"{Share.__module__}:Share"


@pytest.mark.parametrize("name", ["recall(of='c')", "precision(of='c')", "f1(of='c')"])
def test_a_class_that_is_none_is_refused_before_a_row_is_read(name: str) -> None:
    class Unread:
        """Tables that cannot be read."""

        labels_in_order = True

        def __getattr__(self, what: str) -> Any:
            raise AssertionError(f"{what} was read")

    log = replace(LOG, tables=Unread())
    with pytest.raises(ParameterError, match=r"of must be a class, got 'c'"):
        sg.measure(log, name)


def test_the_deviation_of_equal_labels_is_0_in_spite_of_rounding() -> None:
    label = np.full(1000, 0.1)
    log = from_columns(Schema(()), label, label + 1)
    assert sg.measure(log, "nmae(by='deviation')").final == np.inf
