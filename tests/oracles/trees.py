"""Comparison of trees of JSON, number by number."""

from __future__ import annotations

import math
from typing import Any

import pytest


def leaves(tree: Any, path: str = "") -> dict[str, Any]:
    """Path -> number, for every number in a tree; texts too where they are cells of a table."""
    if isinstance(tree, dict):
        return {p: v for key, one in tree.items() for p, v in leaves(one, f"{path}/{key}").items()}
    if isinstance(tree, list | tuple):
        return {p: v for i, one in enumerate(tree) for p, v in leaves(one, f"{path}/{i}").items()}
    number = isinstance(tree, int | float) and not isinstance(tree, bool)
    if isinstance(tree, float) and not math.isfinite(tree):
        return {} if math.isnan(tree) else {path: str(tree)}
    infinite = tree in ("inf", "-inf")
    return (
        {path: tree} if number or infinite or (isinstance(tree, str) and "/cells/" in path) else {}
    )


def same(found: Any, expected: Any) -> None:
    """The same numbers in the same places, and no others."""
    here, there = leaves(found), leaves(expected)
    assert here.keys() - there.keys() == set(), "numbers nobody worked out again"
    assert there.keys() - here.keys() == set(), "numbers that are not there"
    for path, value in there.items():
        if isinstance(value, str):
            assert here[path] == value, path
        else:
            assert here[path] == pytest.approx(value, rel=1e-7, abs=1e-9), path
