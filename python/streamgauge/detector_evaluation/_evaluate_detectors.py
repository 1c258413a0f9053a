"""`evaluate_detectors`: detectors on streams with known drifts and on stationary ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, get_args

import numpy as np

from streamgauge.alarm_measures import AlarmMeasure, Matching, match_alarms
from streamgauge.alarm_measures._alarm_measure import check_alarm_measure, value_of
from streamgauge.detector_evaluation._notes import (
    infinite_notes,
    partial_notes,
    stream_notes,
    tolerance_note,
)
from streamgauge.detector_evaluation._observe import observe, random_items
from streamgauge.detector_evaluation._sources import (
    Losses,
    Source,
    named_sources,
    repetition_seed,
)
from streamgauge.detector_evaluation.evaluation import (
    DetectorEvaluation,
    DetectorValue,
    EvaluatedStream,
    pooled,
)
from streamgauge.detectors.external import adapt, detector_name
from streamgauge.detectors.losses import LossColdStart
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import at_least, at_most, check_seed, plain_numbers
from streamgauge.names import make, resolve
from streamgauge.progress import Progress, watcher
from streamgauge.repetitions._spread import LEVEL, Spread
from streamgauge.seeds import child
from streamgauge.types import I64
from streamgauge.windows._window import Window

MOST_REPETITIONS = 10_000
"""Largest number of runs per stream."""

MEASURES = (
    "recall",
    "precision",
    "f1",
    "lift",
    "mean_delay",
    "restricted_mean_delay",
    "false_alarms",
    "false_alarm_rate",
    "mtfa_exposure",
)
"""The measures by default."""

NEVER, ALWAYS, RANDOM = "never", "always", "random, as often as "
"""Names of the rows of the baselines; the last is followed by the name of a detector."""


@plain_numbers
@reported_by("evaluate_detectors", "match_alarms", "run", "Spread")
def evaluate_detectors(
    detectors: object,
    streams: object,
    tolerance: int,
    *,
    measures: Sequence[object] = MEASURES,
    learner: object = None,
    window: Window | str | None = None,
    repetitions: int = 30,
    seed: int = 0,
    cold_start: LossColdStart = "count_wrong",
    level: float = LEVEL,
    progress: Progress | bool = False,
) -> DetectorEvaluation:
    """Evaluate detectors on streams with known drifts and on stationary ones, over many seeds.

    All detectors get the same losses. Their alarms are matched to the known drifts one to one
    (`alarm_measures.match_alarms`), and each measure is a formula over this matching. Three kinds
    of baselines stand beside the detectors: one that never raises an alarm, one that always does,
    and for each detector one with as many alarms at random items.

    Parameters
    ----------
    detectors
        A detector or its name, several of these, or a mapping from names to detectors: ours, those
        of river and CapyMOA, or your own objects with `bind`.
    streams
        A stream or a sequence of losses, several of these, or a mapping from names to them: names
        (`"bernoulli(items=10000, at=(5000,))"`, `"sea(…)"`, a data file) or objects. Known drifts
        are those of the schema; `streams.inject` adds some to real data.
    tolerance
        W: an alarm counts for a drift from its start to its end plus so many items.
    measures
        Measures of `streamgauge.alarm_measures`, by name or as objects.
    learner
        The learner whose errors are observed on a stream (not on a sequence of losses); naive Bayes
        or recursive least squares by default.
    window
        The detectors observe the mean loss in this window, as in `detect`.
    repetitions
        Number of runs per stream, each with its own seed of stream, learner and detectors.
    seed
        The seed of all.
    cold_start
        How an item without a prediction counts, as in `detect`.
    level
        Level of the intervals of the means over the repetitions.
    progress
        True for a progress bar, or a function of the number of losses observed and the total.

    Examples
    --------
    >>> found = evaluate_detectors(
    ...     ["ddm", "adwin"], "bernoulli(items=4000, at=(2000,))", tolerance=1000, repetitions=10
    ... )
    >>> for detector in ("ddm", "adwin", "never", "always", "random, as often as adwin"):
    ...     recall, rate = (found.value(detector, m).mean for m in ("recall", "false_alarm_rate"))
    ...     print(f"{detector:26} {recall:.2f} {rate:7.2f}")
    ddm                        1.00    0.27
    adwin                      1.00    0.00
    never                      0.00    0.00
    always                     1.00 1000.00
    random, as often as adwin  0.80    0.87
    """
    at_least("evaluate_detectors", "tolerance", tolerance, 0)
    at_least("evaluate_detectors", "repetitions", repetitions, 1)
    at_most("evaluate_detectors", "repetitions", repetitions, MOST_REPETITIONS)
    check_seed("evaluate_detectors", seed)
    if not 0 < level < 1:
        raise ParameterError.of("evaluate_detectors", "level", "above 0 and below 1", level)
    if cold_start not in get_args(LossColdStart):
        must = " or ".join(map(repr, get_args(LossColdStart)))
        raise ParameterError.of("evaluate_detectors", "cold_start", must, cold_start)
    used: Window | None = make("window", window) if isinstance(window, str) else window
    chosen = _named_detectors(detectors, used)
    wanted = _measures(measures)
    sources = named_sources(streams, learner, cold_start)
    for source in sources:
        _check_drifts(source, wanted)
    watch = watcher("drift", unit="losses") if progress is True else progress or None
    work = _Evaluation(chosen, used, wanted, tolerance, repetitions, seed, level, watch)
    values: list[DetectorValue] = []
    matchings: dict[tuple[str, str], tuple[Matching, ...]] = {}
    evaluated: list[EvaluatedStream] = []
    notes: list[str] = []
    for nth, source in enumerate(sources):
        rows, identical = work.matchings_of(source, nth, len(sources))
        for name, runs in rows.items():
            matchings[source.name, name] = runs
            values += work.values_of(source.name, name, runs)
        one = rows[NEVER][0]
        evaluated.append(EvaluatedStream(source.name, one.items, one.drifts))
        notes += stream_notes(source.name, one, wanted, source.simulated, identical)
    notes += partial_notes(values)
    notes += infinite_notes(values)
    if sentence := tolerance_note(tolerance):
        notes.insert(0, sentence)
    return DetectorEvaluation(
        tuple(evaluated),
        tuple(chosen),
        tuple(map(str, wanted)),
        tuple(values),
        matchings,
        tolerance,
        repetitions,
        seed,
        level,
        tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """What is the same for every stream."""

    detectors: Mapping[str, object]
    window: Window | None
    measures: tuple[AlarmMeasure, ...]
    tolerance: int
    repetitions: int
    seed: int
    level: float
    progress: Progress | None

    def matchings_of(
        self, source: Source, nth: int, sources: int
    ) -> tuple[dict[str, tuple[Matching, ...]], bool]:
        """The matchings of each row by its name, and whether all repetitions have equal losses."""
        rows: dict[str, list[Matching]] = {}
        contents = set()
        for repetition in range(self.repetitions):
            losses = source.losses(repetition_seed(self.seed, source.name, repetition))
            contents.add(blake2b(losses.loss.data, digest_size=16).digest())
            for name, alarms in self._alarms(source, losses, repetition):
                found = match_alarms(alarms, source.drifts, losses.items, self.tolerance)
                rows.setdefault(name, []).append(found)
            if self.progress is not None:
                done = (nth * self.repetitions + repetition + 1) * losses.items
                self.progress(done, sources * self.repetitions * losses.items)
        items = losses.items
        for name, alarms in ((NEVER, np.empty(0, np.int64)), (ALWAYS, np.arange(items))):
            one = match_alarms(alarms, source.drifts, items, self.tolerance)
            rows[name] = [one] * self.repetitions
        identical = self.repetitions > 1 and len(contents) == 1
        return {name: tuple(rows[name]) for name in self._order()}, identical

    def _order(self) -> Iterator[str]:
        """Names of the rows: the detectors, then the baselines."""
        yield from self.detectors
        yield from (NEVER, ALWAYS)
        yield from (f"{RANDOM}{name}" for name in self.detectors)

    def _alarms(self, source: Source, losses: Losses, repetition: int) -> Iterator[tuple[str, I64]]:
        for name, detector in self.detectors.items():
            own = child(self.seed, "detector", f"{source.name}\x1e{name}", repetition)
            where = name, source.name, repetition
            alarms = observe(detector, self.window, losses, own, where)
            yield name, alarms
            drawn = child(own, "random items")
            yield f"{RANDOM}{name}", random_items(len(alarms), losses.items, drawn)

    def values_of(
        self, stream: str, name: str, runs: tuple[Matching, ...]
    ) -> Iterator[DetectorValue]:
        """The values of one row, one per measure."""
        constant = name in (NEVER, ALWAYS)
        baseline = name if constant else "random" if name.startswith(RANDOM) else ""
        for measure in self.measures:
            if constant:
                values = [value_of(measure, runs[0])] * len(runs)
            else:
                values = [value_of(measure, run) for run in runs]
            defined = tuple(value for value in values if not math.isnan(value))
            spread = None
            if defined:
                spread = Spread(defined, identical=constant, level=self.level)
            totals = [both for run in runs if (both := measure.totals(run)) is not None]
            yield DetectorValue(
                stream,
                name,
                str(measure),
                spread,
                len(defined),
                len(runs),
                baseline,
                sum(map(math.isinf, defined)),
                pooled(totals, self.level, constant) if totals else None,
            )


def _named_detectors(given: Any, window: Window | None) -> dict[str, object]:
    """Name -> detector; each is adapted once, so that a wrong one is refused at once."""
    if isinstance(given, Mapping):
        made = {str(name): resolve("detector", one) for name, one in given.items()}
    else:
        several = isinstance(given, Sequence) and not isinstance(given, str)
        detectors = [resolve("detector", one) for one in (given if several else [given])]
        made = {detector_name(one, window): one for one in detectors}
    if not made:
        raise ParameterError.of("evaluate_detectors", "detectors", "at least one", given)
    for name, detector in made.items():
        if name in (NEVER, ALWAYS) or name.startswith(RANDOM):
            must = "names that are not those of the baselines"
            raise ParameterError.of("evaluate_detectors", "detectors", must, name)
        adapt(detector, 0, window)
    return made


def _measures(given: Any) -> tuple[AlarmMeasure, ...]:
    several = isinstance(given, Sequence) and not isinstance(given, str)
    made = [
        check_alarm_measure(resolve("alarm_measure", one))
        for one in (given if several else [given])
    ]
    if not made:
        raise ParameterError.of("evaluate_detectors", "measures", "at least one", given)
    return tuple({str(measure): measure for measure in made}.values())


def _check_drifts(source: Source, measures: tuple[AlarmMeasure, ...]) -> None:
    """Raise if all measures need known drifts and the stream has none."""
    if not source.drifts and all(measure.needs_drifts for measure in measures):
        names = ", ".join(map(str, measures))
        raise ParameterError(
            f"evaluate_detectors: {source.name} must have known drifts for {names}, got none; "
            "add false_alarm_rate to the measures, or give a stream with drifts "
            "(streams.inject adds some)"
        )
