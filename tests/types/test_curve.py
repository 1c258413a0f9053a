"""Curves that are made by hand."""

from __future__ import annotations

import numpy as np

from streamgauge.types import Curve


def test_a_curve_needs_no_definition():
    one, other = (Curve("mine", "whole", np.array([1, 2]), np.array([0.5, 0.25])) for _ in range(2))
    assert dict(one.definition) == {}
    assert one.definition is not other.definition
    assert (one.low, one.high, one.axis, one.final) == (None, None, "items", 0.25)
