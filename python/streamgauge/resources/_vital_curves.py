"""Vitals of a log as curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.log.table import Log
from streamgauge.types import F64, Curve

COMPLEXITY = ("splits", "depth", "leaves", "rules", "nonzero_parameters", "parameters")
"""Facts that state the complexity of a model, which is linked to how well it can be interpreted."""

SUMMED = ("bytes",)
"""Facts that of several folds are added; others are averaged."""


def vital_curves(log: Log, names: Sequence[str] = ()) -> dict[str, Curve]:
    """The sampled facts about the learner of a log over the items, by name.

    A point is the state of the learner after so many items had arrived and before the next one was
    predicted. Of several folds, sizes in bytes are added, other facts are their mean.

    Parameters
    ----------
    log
        The log of a run.
    names
        The facts; by default all in the log.

    Examples
    --------
    >>> import streamgauge as sg
    >>> log = sg.run("sea(items=3000)", "ht(grace_period=100, tau=0.5)", vitals_every=1000)
    >>> curves = vital_curves(log, ["leaves"])
    >>> curves["leaves"].at.tolist(), curves["leaves"].value.tolist()
    ([1000, 2000, 3000], [8.0, 16.0, 21.0])
    """
    vitals = log.vitals()
    for name in names:
        if name not in vitals.names:
            stated = ", ".join(vitals.names) or "nothing"
            raise ParameterError.of(
                "vital_curves", "names", f"facts in the log, which has {stated}", name
            )
    found = {}
    fact = np.array(vitals.name, dtype=np.str_)
    for name in names or vitals.names:
        own = fact == name
        at, inverse = np.unique(vitals.item[own].astype(np.int64), return_inverse=True)
        value: F64 = np.bincount(inverse, vitals.value[own], len(at)).astype(np.float64)
        if name not in SUMMED:
            value = value / np.bincount(inverse, minlength=len(at))
        definition = {"measure": name, "window": "sampled"}
        found[name] = Curve(name, "sampled", at + 1, value, definition)
    return found


def complexity_curves(log: Log) -> dict[str, Curve]:
    """The complexity of the model over the items: its splits, depth, leaves, rules, parameters.

    The fewer there are, the easier a model is to interpret; the numbers of models of different
    families (trees and linear models) do not compare. Facts that the learner does not tell are
    left out.

    Examples
    --------
    >>> import streamgauge as sg
    >>> list(complexity_curves(sg.run("sea(items=100)", "perceptron")))
    ['nonzero_parameters', 'parameters']

    References
    ----------
    Haug, Tramountani, Kasneci. Standardized evaluation of machine learning methods for evolving
    data streams. 2022, section 5.1.5.
    """
    stated = log.vitals().names
    return vital_curves(log, names) if (names := [n for n in COMPLEXITY if n in stated]) else {}
