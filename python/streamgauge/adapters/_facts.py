"""Facts about the models of other libraries: what each tells about its structure.

The names are those of native learners: `nodes`, `leaves`, `splits`, `depth`, `parameters` (numbers
that were learned and that predictions depend on), `nonzero_parameters`, `n_models`, `drifts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

RIVER = {
    "nodes": "n_nodes",
    "leaves": "n_leaves",
    "active_leaves": "n_active_leaves",
    "splits": "n_branches",
    "switches": "n_switch_alternate_trees",
}
"""Fact -> the attribute of a tree of river that has it."""

SKLEARN = (
    "coef_",
    "intercept_",
    "coefs_",
    "intercepts_",
    "theta_",
    "var_",
    "class_prior_",
    "feature_log_prob_",
    "class_log_prior_",
)
"""Attributes of estimators of scikit-learn that hold what `predict` uses."""

MOA = {
    "tree size (nodes)": "nodes",
    "tree size (leaves)": "leaves",
    "active learning leaves": "active_leaves",
    "tree depth": "depth",
    "ensemble size": "n_models",
    "Change detected": "drifts",
    "number of rules": "rules",
}
"""Measurement of MOA -> fact."""

OF_ALL = "[avg] "
"""The beginning of the name of a measurement that is a mean over the members of an ensemble."""


def river_facts(model: Any) -> dict[str, float]:
    """Facts about a model of river: of the last step of a pipeline, and of all ensemble members.

    Of an ensemble, counts are sums over its members and `depth` is the largest.

    Examples
    --------
    >>> from river import linear_model
    >>> model = linear_model.LogisticRegression()
    >>> model.learn_one({"a": 2.0, "b": 0.0}, True)
    >>> river_facts(model)
    {'parameters': 3.0, 'nonzero_parameters': 2.0}
    """
    while hasattr(model, "_last_step"):
        model = model._last_step
    members = _river_members(model)
    if members:
        return {"n_models": float(len(members)), **_summed(map(river_facts, members))} | _drifts(
            model
        )
    facts = {}
    for fact, attribute in RIVER.items():
        value = _number(model, attribute)
        if value is not None:
            facts[fact] = value
    if (height := _number(model, "height")) is not None:
        facts["depth"] = max(height - 1, 0.0)  # river counts nodes, others splits
    weights = getattr(model, "weights", None)
    if isinstance(weights, Mapping):
        intercept = getattr(model, "intercept", 0.0)
        values = [*weights.values(), *([intercept] if isinstance(intercept, float) else [])]
        facts["parameters"] = float(len(values))
        facts["nonzero_parameters"] = float(sum(value != 0 for value in values))
    return facts | _drifts(model)


def _river_members(model: Any) -> list[Any]:
    """The models of an ensemble of river, or of a model that holds one per class."""
    for name in ("models", "classifiers"):
        members = getattr(model, name, None)
        if isinstance(members, Mapping):
            members = list(members.values())
        if isinstance(members, list) and members:
            return [getattr(one, "model", one) for one in members]
    data = getattr(model, "data", None)  # forests of river are lists
    return [getattr(one, "model", one) for one in data] if isinstance(data, list) else []


def _drifts(model: Any) -> dict[str, float]:
    found = (_number(model, "n_drifts_detected"), _number(model, "n_warnings_detected"))
    names = ("drifts", "warnings")
    return {name: value for name, value in zip(names, found, strict=True) if value is not None}


def _number(model: Any, attribute: str) -> float | None:
    """A number that a model tells, as an attribute or by a method without arguments."""
    value = getattr(model, attribute, None)
    if callable(value):
        try:
            value = value()
        except (TypeError, NotImplementedError, KeyError):
            return None
    return float(value) if isinstance(value, int | float | np.number) else None


def _summed(all_facts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Facts of the members of an ensemble as one: the sum, and the largest depth."""
    total: dict[str, float] = {}
    for facts in all_facts:
        for name, value in facts.items():
            before = total.get(name, 0.0)
            total[name] = max(before, value) if name == "depth" else before + value
    return total


def sklearn_facts(model: Any) -> dict[str, float]:
    """Facts about an estimator of scikit-learn: numbers it has learned, and how many are not 0.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import SGDClassifier
    >>> model = SGDClassifier(random_state=0)
    >>> _ = model.partial_fit(np.array([[1.0, 0.0]]), [1], classes=[0, 1])
    >>> facts = sklearn_facts(model)
    >>> facts["parameters"], facts["nonzero_parameters"]
    (3.0, 2.0)
    """
    steps = getattr(model, "steps", None)
    if isinstance(steps, list) and steps:
        return sklearn_facts(steps[-1][1])
    members = getattr(model, "estimators_", None)
    if members is not None and len(members):
        inside = _summed(map(sklearn_facts, np.ravel(np.asarray(members, dtype=object))))
        return {"n_models": float(np.size(np.asarray(members, dtype=object))), **inside}
    facts: dict[str, float] = {}
    tree = getattr(model, "tree_", None)
    if tree is not None:
        facts["nodes"], facts["leaves"] = float(tree.node_count), float(tree.n_leaves)
        facts["splits"], facts["depth"] = facts["nodes"] - facts["leaves"], float(tree.max_depth)
    arrays = [part for name in SKLEARN for part in _arrays(getattr(model, name, None))]
    if arrays:
        facts["parameters"] = float(sum(part.size for part in arrays))
        facts["nonzero_parameters"] = float(sum(np.count_nonzero(part) for part in arrays))
    return facts


def _arrays(value: Any) -> Iterator[Any]:
    """The arrays in an attribute: none, one, or a list of them."""
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, np.ndarray) or np.isscalar(part):
            yield np.asarray(part)


def moa_facts(measurements: Mapping[str, float]) -> dict[str, float]:
    """Facts in the measurements that a model of MOA gives; a mean over members as their sum.

    Examples
    --------
    >>> moa_facts({"ensemble size": 2.0, "[avg] tree size (nodes)": 3.5, "model training": 9.0})
    {'n_models': 2.0, 'nodes': 7.0}
    """
    members = measurements.get("ensemble size", 1.0)
    facts = {}
    for name, value in measurements.items():
        fact = MOA.get(name.removeprefix(OF_ALL))
        if fact is not None:
            several = name.startswith(OF_ALL) and fact != "depth"
            facts[fact] = value * members if several else value
    return facts
