"""`Profile`: all properties of several learners on one stream, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from streamgauge.errors import UnknownNameError
from streamgauge.repetitions._spread import Spread

Value: TypeAlias = float | Spread
"""Value of a property: of one run, or of repetitions."""

LARGEST_RATIO = 1000.0
"""Ratio to the cheapest learner from which on a cost has the score 0."""

DECIMALS = 2
"""Decimals of a score; scores that agree in them are equal for `ProfileAxis.constant`."""


def linear_score(value: float, zero: float, one: float) -> float:
    """Score of a value between two reference values; NaN if the value is.

    Examples
    --------
    >>> linear_score(0.8, 0.0, 1.0), linear_score(300.0, 400.0, 0.0), linear_score(-1.0, 0.0, 1.0)
    (0.8, 0.25, 0.0)
    """
    if math.isnan(value):
        return math.nan
    if math.isinf(value):
        return float((value > 0) == (one > zero))
    return min(1.0, max(0.0, (value - zero) / (one - zero)))


def ratio_score(ratio: float) -> float:
    """Score of a cost by its ratio to the lowest: 1 for 1, 0 for `LARGEST_RATIO` and above.

    Examples
    --------
    >>> ratio_score(1.0), ratio_score(10.0), ratio_score(5000.0)
    (1.0, 0.667, 0.0)
    """
    if math.isnan(ratio):
        return math.nan
    return min(1.0, max(0.0, 1 - math.log(ratio) / math.log(LARGEST_RATIO)))


@dataclass(frozen=True, slots=True)
class ProfileAxis:
    """One property of the learners, and its score from 0 to 1: the higher, the better.

    Parameters
    ----------
    key, title
        Short name, and name as shown.
    definition
        What the value is.
    better
        Whether high or low values are better.
    kind
        Format of the values.
    zero, one
        In words, the values with the scores 0 and 1.
    values, scores
        By learner; NaN if not known of a learner. Values are those of repetitions, scores those of
        their mean.
    ratios
        Of a cost, how many times that of the cheapest learner; otherwise empty.
    baselines
        Names of the learners that do not read features.
    """

    key: str
    title: str
    definition: str
    better: Literal["high", "low"]
    kind: Literal["share", "points", "index", "number"]
    zero: str
    one: str
    values: Mapping[str, Value]
    scores: Mapping[str, float]
    ratios: Mapping[str, float] = field(default_factory=dict)
    baselines: tuple[str, ...] = ()

    @property
    def constant(self) -> tuple[str, ...]:
        """Baselines whose score is the best of all or, rounded, equal to it.

        Such an axis does not show that a learner learned something from the features.
        """
        known = [round(score, DECIMALS) for score in self.scores.values() if not math.isnan(score)]
        return tuple(
            name
            for name in self.baselines
            if round(self.scores.get(name, math.nan), DECIMALS) == max(known, default=math.nan)
        )

    @property
    def baselines_known(self) -> bool:
        """Whether the value of a baseline is known."""
        return any(not math.isnan(self.scores.get(name, math.nan)) for name in self.baselines)


@dataclass(frozen=True, slots=True)
class Profile:
    """All properties of several learners on one stream.

    `learners` are the names of all, `baselines` of those that do not read features. `missing` are
    the properties that the logs do not show, with the reason.
    """

    stream: str
    learners: tuple[str, ...]
    baselines: tuple[str, ...]
    axes: tuple[ProfileAxis, ...]
    missing: Mapping[str, str]

    def axis(self, key: str) -> ProfileAxis:
        """The axis of a key; an unknown one is refused with those that there are."""
        for axis in self.axes:
            if axis.key == key:
                return axis
        raise UnknownNameError("axis of the profile", str(key), [axis.key for axis in self.axes])
