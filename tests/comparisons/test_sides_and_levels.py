"""Every public function with a `side` or an `alpha` refuses invalid ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from inspect import signature
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge import comparisons, late
from streamgauge.comparisons import Scores
from streamgauge.errors import ParameterError
from streamgauge.log import from_columns
from streamgauge.types import Schema

SIDES = ("two-sided", "greater", "A", "B", "", None, 1, ["a"])
LEVELS = (0, 1, 1.5, -0.1, float("nan"), "0.05", True, None)

TABLE = Scores("ab", "xyz", [[1, 2], [2, 1], [3, 1]])
CODES = np.tile(np.array([0, 1, 1], np.int32), 10)
A, B = (from_columns(Schema((), classes=("no", "yes")), CODES, p) for p in (CODES, 1 - CODES))
LOSSES = np.tile([0.0, 1.0, 1.0], 10)

CALLS: dict[str, Callable[..., Any]] = {
    "Duel": lambda **given: comparisons.Duel(**given),
    "Tournament": lambda **given: comparisons.Tournament("abc", **given),
    "compare": lambda **given: comparisons.compare(A, B, names=("a", "b"), **given),
    "compare_all": lambda **given: comparisons.compare_all({"a": A, "b": B}, **given),
    "compare_bins": lambda **given: late.compare_bins(A, B, **given),
    "compare_many": lambda **given: comparisons.compare_many(TABLE, **given),
    "diebold_mariano_test": lambda **given: comparisons.diebold_mariano_test(
        LOSSES, LOSSES[::-1], **given
    ),
    "items_needed": lambda **given: comparisons.items_needed(0.02, 0.3, **given),
    "friedman_test": lambda **given: comparisons.friedman_test(TABLE, **given),
    "mcnemar_p": lambda **given: comparisons.mcnemar_p(30, 60, **given),
    "nadeau_bengio_test": lambda **given: comparisons.nadeau_bengio_test(
        [0.8, 0.7, 0.9], [0.7, 0.8, 0.6], **given
    ),
    "nemenyi_test": lambda **given: comparisons.nemenyi_test(TABLE, **given),
    "versus_control_test": lambda **given: comparisons.versus_control_test(TABLE, "a", **given),
    "wilcoxon_holm_test": lambda **given: comparisons.wilcoxon_holm_test(TABLE, **given),
}


def with_parameter(name: str) -> list[str]:
    """Public functions, and classes that are no results, that have the parameter."""
    found = {
        public
        for family in (sg, comparisons, late)
        for public in dir(family)
        if callable(one := getattr(family, public))
        and not is_dataclass(one)
        and getattr(one, "__module__", "").startswith("streamgauge")
        and name in signature(one).parameters
    }
    return sorted(found)


def test_the_functions_with_a_side_or_a_level_are_the_listed_ones():
    found = {*with_parameter("side"), *with_parameter("alpha")}
    assert found == CALLS.keys()
    assert {"diebold_mariano_test", "mcnemar_p"} <= {*with_parameter("side")}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", with_parameter("side"))
def test_a_side_that_is_none_is_refused(name, side):
    with pytest.raises(ParameterError, match=f"^{name}: side must be one of either, a, b, got"):
        CALLS[name](side=side)


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("name", with_parameter("alpha"))
def test_a_level_out_of_its_range_is_refused(name, alpha):
    with pytest.raises(ParameterError, match=f"^{name}: alpha must be above 0 and below 1, got"):
        CALLS[name](alpha=alpha)


@pytest.mark.parametrize("bound", [0, -1, float("inf"), float("nan"), "1", True])
def test_a_bound_of_losses_is_positive_and_finite(bound):
    real = from_columns(Schema(()), LOSSES, LOSSES)
    for act in (
        lambda: comparisons.Duel(loss="absolute", bound=bound),
        lambda: comparisons.compare(real, real, bound=bound),
    ):
        with pytest.raises(ParameterError, match="bound must be above 0 and finite, got"):
            act()


@pytest.mark.parametrize(
    "levels", [[0.01, 0.02], [0.06, 0.07], [1.0], [-1.0], [float("nan")], ["x"], 3, "ab", [True]]
)
def test_levels_of_a_duel_decrease_to_alpha(levels):
    must = "Duel: levels must be numbers below 1 that do not increase down to alpha, got"
    with pytest.raises(ParameterError, match=must):
        comparisons.Duel(levels=levels)
    assert comparisons.Duel(levels=[0.3, 0.1, 0.05]).n_labels == 0


def test_runs_of_folds_are_a_whole_number():
    a, b = [0.8, 0.7, 0.9, 0.6, 0.7, 0.8], [0.7, 0.8, 0.6, 0.7, 0.5, 0.6]
    assert comparisons.nadeau_bengio_test(a, b, runs=2).folds == 6
    with pytest.raises(ParameterError, match=r"runs must be a whole number, got 1.5"):
        comparisons.nadeau_bengio_test(a, b, runs=1.5)
    with pytest.raises(ParameterError, match="runs must be at least 1, got 0"):
        comparisons.nadeau_bengio_test(a, b, runs=0)


def test_the_kind_of_blocks_is_checked():
    with pytest.raises(ParameterError, match=r"^block_length: kind must be one of stationary"):
        comparisons.block_length(LOSSES, kind="foo")
