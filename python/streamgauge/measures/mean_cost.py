"""Mean cost of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.measures._measure import Measure
from streamgauge.summaries import Confusion
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64, Schema

MOST_CLASSES = 200
"""Largest number of classes: the matrix of counts is kept for every point of a curve."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class MeanCost(Measure[Confusion]):
    r"""Mean cost of the predictions, by a matrix of costs.

    .. math:: \frac{1}{N} \sum_{i,j} C_{ij} \, n_{ij}

    where :math:`n_{ij}` is the number of items of the window with label i and prediction j, and
    :math:`C_{ij}` the cost of each. 0 is best. An item without a prediction that counts costs
    `abstention`.

    Parameters
    ----------
    costs
        One row per label, one column per prediction, in the order of the classes; numbers from 0
        on. By default 0 for a correct and 1 for a wrong prediction: then it is the error rate.
    abstention
        The cost of no prediction; by default the largest cost for the label (1 without `costs`).

    Examples
    --------
    A false alarm costs 1, a missed one 5:

    >>> from streamgauge.summaries import Confusion
    >>> float(MeanCost([[0, 1], [5, 0]]).over(Confusion.of([[20, 5], [10, 15]])))
    1.1

    References
    ----------
    Elkan. The foundations of cost-sensitive learning. IJCAI (2001).
    """

    costs: Sequence[Sequence[float]] | None = None
    abstention: float | None = None

    best: ClassVar[float] = 0.0
    span: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    formula: ClassVar[str] = "sum of cost(label, prediction) / items"
    needs: ClassVar[frozenset[str]] = frozenset({"labels", "matrix"})
    averages: ClassVar[Literal["items"]] = "items"

    def __post_init__(self) -> None:
        if self.costs is not None:
            rows = self.costs if isinstance(self.costs, list | tuple) else ()
            square = all(isinstance(row, list | tuple) and len(row) == len(rows) for row in rows)
            if not rows or not square:
                must = "one row per label, each with one number per prediction"
                raise ParameterError.of(self, "costs", must, self.costs)
            for cost in (cost for row in rows for cost in row):
                _check_cost(self, "costs", "numbers from 0 on", cost)
            costs = tuple(tuple(map(float, row)) for row in rows)
            object.__setattr__(self, "costs", costs)
        if self.abstention is not None:
            _check_cost(self, "abstention", "a number from 0 on", self.abstention)

    def check(self, schema: Schema) -> None:
        """Raise ParameterError unless the costs are for the classes of the schema."""
        classes = schema.classes or ()
        if len(classes) > MOST_CLASSES:
            must = f"for at most {MOST_CLASSES} classes"
            raise ParameterError.of(self, "costs", must, len(classes))
        if self.costs is not None and len(self.costs) != len(classes):
            listed = ", ".join(map(repr, classes[:8])) + (", …" if len(classes) > 8 else "")
            must = f"{len(classes)} rows and columns, one per class ({listed})"
            raise ParameterError.of(self, "costs", must, len(self.costs))

    def value(self, summary: Confusion) -> F64:
        """The costs times the counts, divided by the number of items."""
        classes = len(summary.labels)
        absent: F64
        if self.costs is None:
            costs, absent = 1.0 - np.eye(classes), np.ones(classes)
        else:
            costs = np.array(self.costs, np.float64)
            absent = costs.max(axis=1)
        if self.abstention is not None:
            absent = np.full(classes, float(self.abstention))
        none = summary.labels - summary.matrix.sum(axis=1)
        none = np.where(none < 1e-12 * summary.labels, 0.0, none)
        cost: F64 = np.einsum("ij,ij...->...", costs, summary.matrix) + class_sum(
            (none.T * absent).T
        )
        return cost / summary.total


def _check_cost(measure: MeanCost, what: str, must: str, cost: object) -> None:
    number = isinstance(cost, int | float) and not isinstance(cost, bool)
    if not number or not isfinite(cost) or cost < 0:  # type: ignore[arg-type,operator]
        raise ParameterError.of(measure, what, must, cost)
