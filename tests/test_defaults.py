"""Default parameters of everything that has a name."""

from __future__ import annotations

import inspect

from streamgauge.comparisons import Duel
from streamgauge.names import find, known

EXPECTED = {
    "agrawal": {"function": 1, "perturbation": 0.05, "balance": False},
    "concatenate": {"drift": False},
    "drift": {"width": 1},
    "drifts": {"width": 1},
    "friedman": {"expansion": 0, "noise": 1.0},
    "hyper_distance": {
        "attributes": 4,
        "centred": False,
        "drifting": 2,
        "magnitude": 0.0,
        "reversal": 0.1,
        "noise": 0.0,
    },
    "hyperplane": {
        "attributes": 10,
        "drifting": 2,
        "magnitude": 0.0,
        "reversal": 0.1,
        "noise": 0.05,
    },
    "led": {"noise": 0.1, "irrelevant": True, "drifting": 0},
    "mixed": {"function": 1, "balance": False},
    "random_rbf": {"classes": 2, "attributes": 10, "centroids": 50, "speed": 0.0, "model_seed": 1},
    "random_tree": {
        "classes": 2,
        "nominals": 5,
        "numerics": 5,
        "values": 5,
        "max_depth": 5,
        "first_leaf_level": 3,
        "leaf_fraction": 0.15,
        "model_seed": 1,
    },
    "recurring": {"width": 1},
    "sea": {"function": 1, "noise": 0.1, "balance": False},
    "sine": {"function": 1, "irrelevant": True, "balance": False},
    "split_on": {"seed": 0},
    "stagger": {"function": 1, "balance": False},
    "waveform": {"noise": False, "drifting": 0},
    "chunks": {"size": 1000, "pretrain": 0, "ignore_delays": False},
    "delayed": {"folds": 1},
    "prequential": {"pretrain": 0, "ignore_delays": False},
    "reevaluating": {"every": 10, "first_at_zero": True, "folds": 1},
    "expected_calibration_error": {"bins": 10},
    "fbeta": {"beta": 1.0},
    "ewma": {"weight": 0.01},
}
"""Parameters with a number or flag as default, by name. `sea` in an old log or experiment must keep
its meaning, so a change of a default must be repeated here."""


def numbers(call: object) -> dict[str, float]:
    parameters = inspect.signature(call).parameters.values()
    return {p.name: p.default for p in parameters if isinstance(p.default, bool | int | float)}


def test_default_parameters_do_not_change():
    found = {
        name: numbers(find(family, name))
        for family in ("stream", "protocol", "measure", "window")
        for name in known(family)
    }
    defaults = {name: given for name, given in found.items() if given}
    assert defaults == EXPECTED, "add a new default to EXPECTED; a changed one changes old results"


def test_a_duel_has_the_default_level_of_comparisons():
    assert numbers(Duel) == {"alpha": 0.05}
