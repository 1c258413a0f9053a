"""Result of an evaluation of detectors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from streamgauge.alarm_measures import Matching
from streamgauge.alarm_measures._alarm_measure import ratio
from streamgauge.alarm_measures.lift import chances
from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.repetitions import Spread
from streamgauge.types import Drift


@dataclass(frozen=True, slots=True)
class Pooled:
    """Items per false alarm over all repetitions, and its interval."""

    mean: float
    low: float
    high: float


def pooled(totals: Sequence[tuple[float, float]], level: float, identical: bool) -> Pooled | None:
    """The sum of the numerators divided by that of the denominators; None if both are 0.

    The bounds are the reciprocals of those of the mean quotient of denominator and numerator.

    Examples
    --------
    >>> found = pooled([(100, 0), (100, 2), (100, 1)], 0.95, False)
    >>> found.mean, found.low, found.high
    (100.0, 28.71, inf)
    """
    items, alarms = (sum(part) for part in zip(*totals, strict=True))
    rates = tuple(false / watched for watched, false in totals if watched)
    if not rates:
        return None
    rate = Spread(rates, identical=identical, level=level)
    high = 1 / rate.low if rate.low > 0 else math.nan if math.isnan(rate.low) else math.inf
    return Pooled(ratio(items, alarms), 1 / rate.high if rate.high else math.inf, high)


@dataclass(frozen=True, slots=True)
class DetectorValue:
    """One measure of one detector on one stream, over the repetitions.

    `spread` is over the `n` repetitions in which the measure is defined, out of `repetitions`; it
    is None if there are none. `infinite` is the number of repetitions in which it is infinite.
    `baseline` is the kind of a row that is no detector: `"never"`, `"always"` or `"random"`.

    Items per false alarm (`mtfa_exposure`, `bifet_mtfa`) are infinite in a repetition without a
    false alarm. Such a measure is `pooled`: the items of all repetitions divided by the false
    alarms of all, infinite only if there is none in any. Its interval is that of its reciprocal,
    the mean number of false alarms per item, and it has no standard deviation.
    """

    stream: str
    detector: str
    measure: str
    spread: Spread | None
    n: int
    repetitions: int
    baseline: str = ""
    infinite: int = 0
    pooled: Pooled | None = None

    @property
    def mean(self) -> float:
        """The mean over the repetitions with a value, or the pooled value; NaN if there is none."""
        return self._part("mean")

    @property
    def sd(self) -> float:
        """The standard deviation over the repetitions with a value; NaN for a pooled value."""
        return math.nan if self.pooled is not None else self._part("sd")

    @property
    def low(self) -> float:
        """The lower bound of the interval of the mean."""
        return self._part("low")

    @property
    def high(self) -> float:
        """The upper bound of the interval of the mean."""
        return self._part("high")

    def _part(self, name: str) -> float:
        whole = self.spread if self.pooled is None else self.pooled
        return math.nan if whole is None else float(getattr(whole, name))


@dataclass(frozen=True, slots=True)
class EvaluatedStream:
    """A stream of an evaluation: its number of items and its known drifts."""

    name: str
    items: int
    drifts: tuple[Drift, ...]


@dataclass(frozen=True, slots=True)
class DriftAlarms:
    """What a detector found of one drift, over the repetitions.

    `found` is the share of repetitions in which the drift has an alarm in its window, `chance` that
    of a detector with as many alarms at random items, `lift` their ratio. `delays` are those of the
    repetitions in which an alarm is matched to the drift.
    """

    stream: str
    detector: str
    drift: Drift
    found: float
    chance: float
    delays: tuple[int, ...]

    @property
    def lift(self) -> float:
        """How many times as often as by chance; NaN without alarms."""
        return self.found / self.chance if self.chance else math.nan


@dataclass(frozen=True, slots=True)
class DetectorEvaluation:
    """Detectors on streams: values over repetitions, and the alarms they are computed from.

    Parameters
    ----------
    streams
        The streams.
    detectors
        Names of the detectors, without the rows of the baselines.
    measures
        Names of the measures.
    values
        One per stream, detector or baseline, and measure.
    matchings
        (stream, detector) -> the matching of each repetition: alarms, drifts and delays. Those of
        the baselines `"never"` and `"always"` are the same in each.
    tolerance
        W: items after the end of a drift up to which an alarm counts for it.
    repetitions, seed, level
        Number of repetitions, their seed, and the level of the intervals.
    notes
        Sentences that a reader must know.
    """

    streams: tuple[EvaluatedStream, ...]
    detectors: tuple[str, ...]
    measures: tuple[str, ...]
    values: tuple[DetectorValue, ...]
    matchings: Mapping[tuple[str, str], tuple[Matching, ...]] = field(repr=False)
    tolerance: int
    repetitions: int
    seed: int
    level: float
    notes: tuple[str, ...] = ()

    def value(self, detector: str, measure: str, stream: str | None = None) -> DetectorValue:
        """The value of one detector or baseline; `stream` may be left out if there is one."""
        if stream is None:
            if len(self.streams) > 1:
                names = ", ".join(s.name for s in self.streams)
                raise ParameterError.of("value", "stream", f"one of {names}", stream)
            stream = self.streams[0].name
        for found in self.values:
            if (found.detector, found.measure, found.stream) == (detector, measure, stream):
                return found
        rows = list(dict.fromkeys(v.detector for v in self.values))
        for kind, name, known in (
            ("stream", stream, [s.name for s in self.streams]),
            ("detector of the evaluation", detector, rows),
            ("measure of the evaluation", measure, self.measures),
        ):
            if name not in known:
                raise UnknownNameError(kind, name, known)
        raise AssertionError

    def by_drift(self) -> Iterator[DriftAlarms]:
        """What each detector found of each drift."""
        drifts = {s.name: s.drifts for s in self.streams}
        for (stream, detector), runs in self.matchings.items():
            for nth, drift in enumerate(drifts[stream]):
                delays = [run.delays[nth] for run in runs]
                yield DriftAlarms(
                    stream,
                    detector,
                    drift,
                    float(np.mean([run.first_in_window[nth] >= 0 for run in runs])),
                    float(np.mean([chances(run)[nth] for run in runs])),
                    tuple(int(delay) for delay in delays if not math.isnan(delay)),
                )
