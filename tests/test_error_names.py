"""An error names the function that was called, not one that it calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge import comparisons, diagnosis, late, plots, report, streams
from streamgauge.comparisons import Scores, Tournament
from streamgauge.errors import StreamgaugeError, reported_by
from streamgauge.log import Log, from_columns
from streamgauge.types import Schema

CLASSES = Schema((), classes=("no", "yes"))
SEA = streams.SEA(items=30)
ONE = Scores("a", "xy", [[1], [2]])
TABLE = Scores("ab", "xyz", [[1, 2], [2, 1], [3, 1]])
MANY = comparisons.compare_many(TABLE)
LABEL = np.tile(np.array([0, 1, 1], np.int32), 20)
A = from_columns(CLASSES, LABEL, LABEL)
FEWER = from_columns(CLASSES, LABEL[:9], LABEL[:9])
REALS = from_columns(Schema(()), np.arange(9.0), np.arange(9.0))


@cache
def late_log() -> Log:
    return sg.run(streams.delay(SEA, 3), "nb", "reevaluating")


def duel_again(live: Tournament) -> None:
    live.observe(0, {"a": 0, "b": 1})
    live.observe(0, {"a": 0, "b": 1})


CALLS: dict[str, list[Callable[[], Any]]] = {
    "at_bin": [
        lambda: late.at_bin(late_log(), 0, n_bins=-1),
        lambda: late.at_bin(late_log(), 0, binning="x"),
        lambda: late.at_bin(late_log(), 0, fold=-1),
        lambda: late.at_bin(A, 0),
    ],
    "bins": [
        lambda: late.bins(late_log(), measure=3),
        lambda: late.bins(late_log(), window=3),
        lambda: late.bins(late_log(), cold_start="x"),
        lambda: late.bins(late_log(), n_bins=-1),
    ],
    "curve": [lambda: late.bins(late_log()).curve(99)],
    "costs": [lambda: late.costs(late_log(), fold=-1)],
    "compare_bins": [
        lambda: late.compare_bins(late_log(), late_log(), n_bins=-1),
        lambda: late.compare_bins(late_log(), late_log(), n_bins="x"),
        lambda: late.compare_bins(late_log(), late_log(), binning="x"),
        lambda: late.compare_bins(late_log(), late_log(), at=[99]),
        lambda: late.compare_bins(late_log(), late_log(), alpha=2),
        lambda: late.compare_bins(late_log(), late_log(), side="x"),
        lambda: late.compare_bins(late_log(), late_log(), fold=-1),
        lambda: late.compare_bins(late_log(), late_log(), sides="a"),
        lambda: late.compare_bins(A, A),
    ],
    "sweep": [
        lambda: late.sweep(SEA, "nb", [1], seed=-1),
        lambda: late.sweep(SEA, "nb", [1], unit="x"),
        lambda: late.sweep(SEA, "nb", [1], measure=3),
        lambda: late.sweep(SEA, "nb", [1], protocol=3),
        lambda: late.sweep(SEA, "nb", [1], missing=[2]),
    ],
    "compare": [
        lambda: comparisons.compare(A, A, fold=-1),
        lambda: comparisons.compare(A, A, names=3),
        lambda: comparisons.compare(A, A, windows=3),
        lambda: comparisons.compare(A, FEWER),
    ],
    "compare_all": [
        lambda: comparisons.compare_all({"a": A, "b": A}, windows="ewma(0.1)"),
        lambda: comparisons.compare_all({"a": A, "b": A}, loss="x"),
        lambda: comparisons.compare_all({"a": A, "b": A}, cold_start="x"),
        lambda: comparisons.compare_all({"a": A, "b": FEWER}),
        lambda: comparisons.compare_all({"a": A, "b": REALS}),
        lambda: comparisons.compare_all({"a": A, "b": 3}),
    ],
    "compare_many": [
        lambda: comparisons.compare_many(ONE),
        lambda: comparisons.compare_many(ONE, test="nemenyi"),
        lambda: comparisons.compare_many(TABLE, alpha=2),
        lambda: comparisons.compare_many(TABLE, alpha="x"),
        lambda: comparisons.compare_many([A], window=3),
        lambda: comparisons.compare_many([], "kappa"),
    ],
    "scores": [lambda: comparisons.scores([A], window=3)],
    "friedman_test": [lambda: comparisons.friedman_test(ONE)],
    "nemenyi_test": [lambda: comparisons.nemenyi_test(ONE)],
    "wilcoxon_holm_test": [
        lambda: comparisons.wilcoxon_holm_test(ONE),
        lambda: comparisons.wilcoxon_holm_test(TABLE, zero_method="x"),
    ],
    "versus_control_test": [lambda: comparisons.versus_control_test(ONE)],
    "bayesian_signed_rank_test": [lambda: comparisons.bayesian_signed_rank_test(ONE)],
    "to_latex": [lambda: comparisons.to_latex(MANY, digits=-1)],
    "to_markdown": [lambda: comparisons.to_markdown(MANY, digits=99)],
    "bands": [
        lambda: comparisons.bands(A, "accuracy", windows=3),
        lambda: comparisons.bands(A, "accuracy", every=0),
        lambda: comparisons.bands(A, "accuracy", fold=-1),
    ],
    "Tournament": [
        lambda: Tournament("ab", loss="x"),
        lambda: Tournament("ab", bound=3),
        lambda: Tournament("ab").label(0, 1),
        lambda: duel_again(Tournament("ab")),
    ],
    "measure": [lambda: sg.measure(A, "accuracy", fold=-1)],
    "label_dependence": [lambda: diagnosis.label_dependence(SEA, seed=-1)],
    "quick_test": [lambda: diagnosis.quick_test(SEA, seed=-1)],
    "shuffle_and_rank": [lambda: diagnosis.shuffle_and_rank(SEA, {"a": 1, "b": 2}, seed=-1)],
    "diagnose": [
        lambda: sg.diagnose(SEA, lags=0),
        lambda: sg.diagnose(SEA, seed=-1),
        lambda: sg.diagnose(SEA, shuffles=10**6),
    ],
    "build": [
        lambda: report.build(A, every=0),
        lambda: report.build(A, bands=2.0),
    ],
    "save": [lambda: plots.save(None, "figure.txt")],
    "drifts": [lambda: streams.drifts([SEA], [])],
    "recurring": [lambda: streams.recurring(SEA, SEA, 10, 1, width=-1)],
}
"""Wrong calls of each function, most of them found wrong by a function that it calls."""


@pytest.mark.parametrize(
    ("who", "nth"), [(who, nth) for who, calls in CALLS.items() for nth in range(len(calls))]
)
def test_an_error_names_the_function_that_was_called(who, nth):
    with pytest.raises(StreamgaugeError) as caught:
        CALLS[who][nth]()
    assert str(caught.value).startswith(f"{who}: "), str(caught.value)


def test_a_report_names_itself(tmp_path):
    with pytest.raises(StreamgaugeError, match=r"^write_report: logs must be"):
        sg.write_report(tmp_path / "page.html", [])


def test_other_errors_stay_as_they_are():
    with pytest.raises(ValueError, match=r"^inner: wrong"), reported_by("outer", "inner"):
        raise ValueError("inner: wrong")
    with pytest.raises(StreamgaugeError, match=r"^SEA: wrong"), reported_by("outer", "inner"):
        raise StreamgaugeError("SEA: wrong")
