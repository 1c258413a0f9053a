"""Rows of a log in which the scores alone have changed: no count may depend on them."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

import streamgauge as sg

PROTOCOLS = ("reevaluating(every=10)", "reevaluating(every=3, folds=3)")


@pytest.fixture(scope="module", params=PROTOCOLS)
def both(request) -> list[sg.log.Log]:
    stream = sg.streams.delay("sea(items=1500)", "exponential(40)")
    return [sg.run(stream, "nb", request.param, scores=scores) for scores in (False, True)]


def test_the_log_with_scores_has_more_rows(both):
    """Otherwise the other tests show nothing."""
    plain, scored = (sum(map(len, log.predictions())) for log in both)
    assert scored > plain


def test_the_history_of_each_item_is_the_same(both):
    plain, scored = ([astuple(rows) for rows in sg.late.prediction_history(log)] for log in both)
    for a, b in zip(plain, scored, strict=True):
        for x, y in zip(a, b, strict=True):
            assert (x is None) == (y is None)
            if x is not None:
                np.testing.assert_array_equal(x, y)


def test_changes_bins_and_costs_are_the_same(both):
    plain, scored = map(sg.late.change_summary, both)
    assert plain == scored
    assert plain.mean_changes > plain.share_changed > 0
    for a, b in zip(*(astuple(sg.late.item_changes(log)) for log in both), strict=True):
        np.testing.assert_array_equal(a, b)
    for how in ("longest", "grzenda"):
        a, b = (sg.late.bins(log, "accuracy", binning=how) for log in both)
        np.testing.assert_array_equal(a.value, b.value)
        assert sg.late.mean_over_bins(a) == sg.late.mean_over_bins(b)
    a, b = map(sg.late.costs, both)
    assert repr(a) == repr(b)
