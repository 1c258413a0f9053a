"""Result of an evaluation of detectors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from streamgauge.alarm_measures import Matching
from streamgauge.alarm_measures.lift import chances
from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.repetitions import Spread
from streamgauge.types import Drift


@dataclass(frozen=True, slots=True)
class DetectorValue:
    """One measure of one detector on one stream, over the repetitions.

    `spread` is over the `n` repetitions in which the measure is defined, out of `repetitions`; it
    is None if there are none. `baseline` is the kind of a row that is no detector: `"never"`,
    `"always"` or `"random"`.
    """

    stream: str
    detector: str
    measure: str
    spread: Spread | None
    n: int
    repetitions: int
    baseline: str = ""

    @property
    def mean(self) -> float:
        """The mean over the repetitions with a value; NaN if there are none."""
        return math.nan if self.spread is None else self.spread.mean

    @property
    def sd(self) -> float:
        """The standard deviation over the repetitions with a value."""
        return math.nan if self.spread is None else self.spread.sd

    @property
    def low(self) -> float:
        """The lower bound of the interval of the mean."""
        return math.nan if self.spread is None else self.spread.low

    @property
    def high(self) -> float:
        """The upper bound of the interval of the mean."""
        return math.nan if self.spread is None else self.spread.high


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
