"""`Adaptation`: what is known of a learner at the drifts of a stream."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least
from streamgauge.properties._aligned import AlignedCurve
from streamgauge.repetitions._spread import Spread
from streamgauge.types import Drift

Outcome: TypeAlias = Literal["restored", "restored after the next drift", "not restored", ""]
"""How a drift ended; empty if the restoration time is undefined."""


@dataclass(frozen=True, slots=True)
class DriftAdaptation:
    """One drift in one fold of one run.

    `repetition` is the index of the log, `fold` the number of the fold. `at` is the number of the
    first item after the drift. `before` is the mean of the measure in the
    window before it, `dpd` the mean after it minus that. `drt` is the number of items until the
    measure is as good again: infinity if it never is, NaN if the window before the drift is not
    complete; `steps` is the same in steps. `overlaps`: the windows reach another drift.
    """

    drift: Drift
    at: int
    repetition: int
    seed: str
    fold: int
    before: float
    dpd: float
    drt: float
    steps: float
    outcome: Outcome
    overlaps: bool


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The adaptation of a learner to known drifts, over all drifts and repetitions.

    `drifts` has one row per repetition, fold and drift. `dpd` and `drt` are over repetitions. The
    value of a fold is its mean over the drifts for which it is defined, the value of a repetition
    the mean of its folds that have one; the time is infinite if the measure was not restored after
    one of the drifts in one of the folds. `restored` is the number of rows that were restored
    before the next drift, of `defined`. `curves` are aligned at the drift: for all drifts together
    first, then for each; those of the folds of a repetition are averaged. `notes` are sentences
    about windows that are not complete or reach another drift.
    `definition` holds everything the values depend on.
    """

    measure: str
    best: float
    drifts: tuple[DriftAdaptation, ...]
    dpd: Spread
    drt: Spread
    restored: int
    defined: int
    curves: tuple[AlignedCurve, ...]
    notes: tuple[str, ...]
    definition: Mapping[str, str]

    def of_drift(self, number: int) -> tuple[DriftAdaptation, ...]:
        """The rows of one drift, by repetition and fold; drifts are numbered from 0, in order."""
        places = sorted({row.at for row in self.drifts})
        at_least("of_drift", "number", number, 0)
        if number >= len(places):
            must = f"below {len(places)}, the number of drifts"
            raise ParameterError.of("of_drift", "number", must, number)
        return tuple(row for row in self.drifts if row.at == places[number])

    def over_folds(self, number: int, what: Literal["before", "dpd", "drt"]) -> tuple[float, ...]:
        """A value of one drift, one per repetition: the mean of the folds that have it."""
        rows = self.of_drift(number)
        return tuple(
            defined_mean(
                [float(getattr(row, what)) for row in rows if row.repetition == repetition]
            )
            for repetition in dict.fromkeys(row.repetition for row in rows)
        )


def defined_mean(values: Sequence[float]) -> float:
    """The mean of the values that are defined; NaN if none is.

    Examples
    --------
    >>> defined_mean([1.0, math.nan, 2.0]), defined_mean([math.nan])
    (1.5, nan)
    """
    there = [value for value in values if not math.isnan(value)]
    return sum(there) / len(there) if there else math.nan
