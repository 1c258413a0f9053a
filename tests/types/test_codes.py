"""The numbers that the core and logs on disk have for what is named in Python."""

from __future__ import annotations

import pytest

from streamgauge.types import NEVER, NONE, Event, Kind, Op

CODES = {
    Op: {"PREDICT": 0, "REVEAL": 1, "LEARN": 2, "UPDATE": 3},
    Kind: {"FIRST": 0, "PERIODIC": 1, "FINAL": 2, "TEST": 3, "PERTURBED": 4},
    Event: {"ARRIVAL": 0, "LABEL": 1, "UPDATE": 2, "UNLABELLED": 3},
}


@pytest.mark.parametrize("names", CODES)
def test_the_codes_are_fixed(names):
    assert {name: int(member) for name, member in names.__members__.items()} == CODES[names]


def test_the_sentinels_are_fixed():
    assert NONE == -1
    assert NEVER == 9_223_372_036_854_775_807
