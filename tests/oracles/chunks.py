"""Chunks of items for tests of learners: ordinary ones, and extreme but legal ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st


@dataclass(frozen=True)
class Chunk:
    """`columns` holds None for numeric, the number of declared values for nominal."""

    columns: list
    classes: int
    rows: np.ndarray
    labels: np.ndarray
    weights: np.ndarray | None


def cells(rng, kind, n, values):
    """A column of numbers (or codes, some undeclared) of one kind."""
    if values is not None:
        return rng.integers(0, values + (kind == "wild"), n).astype(float)
    if kind == "plain":
        return rng.normal(rng.normal(), rng.uniform(0.1, 10), n)
    if kind == "wild":
        return rng.choice([0.0, 1.0, -1.0, 1e-9, 1e9, 1e300, -1e300, 5e-324], n)
    return rng.integers(-2, 3, n).astype(float)


@st.composite
def chunks(draw, task="classification", kinds=("plain", "whole", "wild"), widest=12):
    """Any chunk: 0 to 60 rows, 0 to `widest` columns, 1 to 40 classes, holes, odd weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.sampled_from([0, 1, 2, 20, 60]))
    kind = draw(st.sampled_from(kinds))
    width = draw(st.integers(0, widest))
    nominal = draw(st.sampled_from([0.0, 0.5, 1.0]))
    columns = [int(rng.integers(1, 5)) if rng.random() < nominal else None for _ in range(width)]
    rows = np.empty((n, width))
    for j, values in enumerate(columns):
        constant = rng.random() < 0.15
        column = cells(rng, kind, n, values)
        rows[:, j] = column[:1] if constant and n else column
    holes = draw(st.sampled_from([0.0, 0.0, 0.2]))
    rows[rng.random(rows.shape) < holes] = np.nan
    classes = draw(st.sampled_from([1, 2, 2, 3, 7, 40]))
    if task == "classification":
        labels = rng.integers(0, classes, n).astype(np.int32)
        labels[rng.random(n) < draw(st.sampled_from([0.0, 0.3]))] = -1
    else:
        labels = cells(rng, kind, n, None)
        labels[rng.random(n) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    odd = draw(st.sampled_from([None, [0.0, 1.0], [0.5, 1.0, 3.0], [0.0, 1e6, 1.0]]))
    weights = None if odd is None else rng.choice(odd, n)
    return Chunk(columns, classes if task == "classification" else 0, rows, labels, weights)
