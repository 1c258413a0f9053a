"""Base of the measures of alarms: a formula over a matching of alarms to known drifts."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from streamgauge.alarm_measures._matching import Matching
from streamgauge.errors import ParameterError, StreamgaugeError, error_line
from streamgauge.names import description, refuse_unnamed


class AlarmMeasure(ABC):
    """A number about the alarms of a detector on a stream with or without known drifts.

    A subclass states, as class attributes,

    `best`
        The best value: 0 if lower is better, 1 or infinity if higher is; NaN for a value that does
        not judge the detector.
    `formula`
        The formula as one line of text.
    `kind`
        `"share"`, `"count"` or `"number"`: how a value is shown.

    `needs_drifts`
        Whether it is undefined on every stream without known drifts; False by default.

    and implements `value(matching)`. An undefined value is NaN, never 0.

    Examples
    --------
    The share of alarms in the second half of the stream:

    >>> from dataclasses import dataclass
    >>> from streamgauge.alarm_measures import match_alarms
    >>> @dataclass(frozen=True)
    ... class Late(AlarmMeasure):
    ...     best = float("nan")
    ...     formula = "alarms in the second half / alarms"
    ...     def value(self, matching):
    ...         return float((matching.alarms >= matching.items / 2).mean())
    >>> Late().value(match_alarms([10, 60, 70, 80], [], items=100, tolerance=10))
    0.75
    """

    __slots__ = ()

    best: ClassVar[float]
    formula: ClassVar[str]
    kind: ClassVar[Literal["share", "count", "number"]] = "number"
    needs_drifts: ClassVar[bool] = False
    aliases: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def value(self, matching: Matching) -> float:
        """The value; NaN if it is undefined."""

    def totals(self, matching: Matching) -> tuple[float, float] | None:
        """Numerator and denominator of a measure that is infinite where the latter is 0.

        Over repetitions such a measure is the sum of the one divided by the sum of the other. None,
        the default, is a measure whose values are averaged.
        """
        return None

    def better(self) -> Literal["high", "low"] | None:
        """Whether high or low values are better; None if neither."""
        if math.isnan(self.best):
            return None
        return "low" if self.best == 0 else "high"

    def __str__(self) -> str:
        """Its name, with the non-default parameters."""
        return description("alarm_measure", self)


def check_alarm_measure(measure: object) -> AlarmMeasure:
    """The measure; raises ParameterError if it does not keep the contract."""
    if not isinstance(measure, AlarmMeasure):
        must = "a name, or an object of a class derived from alarm_measures.AlarmMeasure"
        raise ParameterError.of("evaluate_detectors", "measures", must, measure)
    refuse_unnamed(measure, AlarmMeasure)
    for name, kinds in (("best", int | float), ("formula", str)):
        if not isinstance(getattr(measure, name, None), kinds):
            must = "a number" if name == "best" else "text"
            raise ParameterError.of(measure, name, must, getattr(measure, name, None))
    return measure


def value_of(measure: AlarmMeasure, matching: Matching) -> float:
    """The value of a measure; errors of the user's own are stated in one sentence."""
    try:
        return float(measure.value(matching))
    except StreamgaugeError:
        raise
    except (Exception, SystemExit) as error:
        if type(measure).__module__.startswith("streamgauge."):
            raise
        who = type(measure).__name__
        raise ParameterError(f"{who}: value failed: {error_line(error)}") from error


def ratio(numerator: float, denominator: float) -> float:
    """A quotient: NaN for 0/0, infinite for another number over 0.

    Examples
    --------
    >>> ratio(1, 2), ratio(0, 0), ratio(3, 0)
    (0.5, nan, inf)
    """
    if denominator:
        return numerator / denominator
    return float("inf") if numerator > 0 else float("nan")
