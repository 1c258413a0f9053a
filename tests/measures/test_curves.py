"""A curve is found by its number, or by its measure and window."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import ParameterError, UnknownNameError


@pytest.fixture(scope="module")
def curves():
    log = sg.run("sea(items=60)", "nb")
    return sg.measure(log, ["kappa", "accuracy"], ["whole", "sliding(20)"])


def test_a_curve_is_found_by_number_and_by_measure_and_window(curves):
    for number in (0, np.int64(0), np.uint8(0), -4):
        assert curves[number] is curves.held[0]
    assert curves["kappa", "sliding(20)"] is curves.held[1]
    assert curves[sg.measures.Kappa(), sg.Whole()] is curves.held[0]


def test_a_measure_alone_names_a_curve_if_there_is_one_window(curves):
    one = type(curves)(curves.held[:1])
    assert one["kappa"] is curves.held[0]
    words = (
        r"^curve 'kappa' must be given with its window, got 2 windows; use curves\['kappa', "
        r"'whole'\]$"
    )
    with pytest.raises(ParameterError, match=words):
        curves["kappa"]


def test_a_measure_and_a_window_in_one_text_are_refused_with_the_right_words(curves):
    words = (
        r"^curve 'kappa, whole' must be given as a measure and a window, got one text; use "
        r"curves\['kappa', 'whole'\]$"
    )
    with pytest.raises(ParameterError, match=words):
        curves["kappa, whole"]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("kapa", r"no curve is called 'kapa'; did you mean 'kappa'\?"),
        (("kapa", "whole"), r"no curve is called 'kapa'; did you mean 'kappa'\?"),
        (("kappa", "wole"), r"no window of 'kappa' is called 'wole'; did you mean 'whole'\?"),
        (("kappa", "x"), r"no window of 'kappa' is called 'x'; known: sliding\(20\), whole"),
    ],
)
def test_an_unknown_curve_is_refused_with_a_suggestion(curves, key, words):
    with pytest.raises(UnknownNameError, match=words):
        curves[key]
