"""Measured logs of one stream, baselines included: the input of the rules of a report."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from streamgauge.late._labels_before import labels_before
from streamgauge.log.labelled_predictions import previous_labels
from streamgauge.log.table import Log
from streamgauge.names import make
from streamgauge.repetitions._by_fold import overlap_of
from streamgauge.repetitions._by_learner import seed_of
from streamgauge.repetitions._spread import Spread
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report.page import NOTHING, Kind, Severity, Table
from streamgauge.types import F64, I64, Axis, Codes, Curve, Drift, Flags, Schema, missing

PERSISTENT = ("persistent", "no_change", "no_change_classifier", "last_value")
MAJORITY = ("majority_class", "majority", "target_mean")
CHANCE = ("prior_random", "prior_classifier")
"""Names of the baselines, which learn from labels and use no features."""


def plain_name(learner: str) -> str:
    """Name of a learner without library, module and parameters, in snake case.

    Examples
    --------
    >>> plain_name("river:dummy.NoChangeClassifier()"), plain_name("MajorityClass")
    ('no_change_classifier', 'majority_class')
    """
    name = learner.partition("(")[0].rpartition(":")[2].rpartition(".")[2].strip()
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def is_baseline(learner: str) -> bool:
    """Whether a learner, by its name, is a baseline, which uses labels only."""
    return plain_name(learner) in PERSISTENT + MAJORITY + CHANCE


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a log that need no measure.

    `items` is the number of predicted items; `known` of them have a label, and `covered` of these
    a prediction that is not an abstention. `labels` and `predictions` are the counts of each class
    (empty for real targets). `with_previous` labels come after another, `repeats` of them are equal
    to it. `varied` is whether two predictions differ. `digest` is a checksum of the labelled items
    and their labels, in order, `predicted` one of the predictions. The counts of repetitions are
    sums, of so many `repetitions`: a limit on a count is compared with `per_repetition`.
    """

    items: int
    known: int
    covered: int
    labels: I64
    predictions: I64
    with_previous: int
    repeats: int
    varied: bool
    digest: str
    predicted: str = ""
    repetitions: int = 1

    def per_repetition(self, count: int) -> float:
        """The mean over repetitions of one of these counts."""
        return count / self.repetitions

    @property
    def coverage(self) -> float:
        """Share of labelled items with a prediction; NaN without labels."""
        return self.covered / self.known if self.known else float("nan")

    @property
    def missing(self) -> float:
        """Share of predicted items without a label; NaN without items."""
        return 1 - self.known / self.items if self.items else float("nan")


def count_log(log: Log) -> Counts:
    """Count a log in one pass over its labels, in memory proportional to the pending items."""
    classes = len(log.schema.classes or ())
    labels, predictions = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    known = covered = with_previous = repeats = 0
    first: float | None = None
    varied = False
    # one per column: independent of batch borders
    digests = [blake2b(digest_size=16) for _ in range(3)]
    for batch, before in previous_labels(log.labelled_predictions()):
        predicted = present(batch.prediction)
        known += len(batch)
        columns = (batch.items, batch.label, batch.prediction)
        for digest, column in zip(digests, columns, strict=True):
            digest.update(np.ascontiguousarray(column).data)
        covered += int(predicted.sum())
        if classes:
            labels += np.bincount(batch.label, minlength=classes)
            predictions += np.bincount(batch.prediction[predicted], minlength=classes)
        if predicted.any() and not varied:
            first = float(batch.prediction[predicted][0]) if first is None else first
            varied = bool((batch.prediction[predicted] != first).any())
        paired = present(before)
        with_previous += int(paired.sum())
        repeats += int((paired & (before == batch.label)).sum())
    items = sum(int((rows.turn == 0).sum()) for rows in log.predictions())
    *of_labels, of_predictions = (digest.hexdigest() for digest in digests)
    checksums = "".join(of_labels), of_predictions
    return Counts(
        items, known, covered, labels, predictions, with_previous, repeats, varied, *checksums
    )


def sum_counts(counts: Sequence[Counts]) -> Counts:
    """Counts of all repetitions together; `varied` is whether those of each vary."""
    return Counts(
        sum(c.items for c in counts),
        sum(c.known for c in counts),
        sum(c.covered for c in counts),
        np.sum([c.labels for c in counts], axis=0, dtype=np.int64),
        np.sum([c.predictions for c in counts], axis=0, dtype=np.int64),
        sum(c.with_previous for c in counts),
        sum(c.repeats for c in counts),
        all(c.varied for c in counts),
        "".join(c.digest for c in counts),
        "".join(c.predicted for c in counts),
        len(counts),
    )


def present(column: Codes | F64) -> Flags:
    """Mask of the rows of labels or predictions that are not missing."""
    return ~missing(column)


def window_items(window: str) -> float:
    """Number of items in a window; for a fading one, the number with the same variance.

    Examples
    --------
    >>> window_items("sliding(1000)"), window_items("fading(0.999)"), window_items("whole")
    (1000.0, 1999.0, inf)
    """
    kind, size = make("window", window).spec
    if kind == "whole":
        return math.inf
    if kind == "fading":
        return round((1 + size) / (1 - size), 6) if size < 1 else math.inf
    return round((2 - size) / size, 6) if kind == "ewma" else float(size)


@dataclass(frozen=True, slots=True)
class Remark:
    """What a rule found on one stream: severity, sentence and the values it is based on."""

    severity: Severity
    sentence: str
    evidence: Table = NOTHING


@dataclass(frozen=True, slots=True)
class MeasuredLog:
    """One learner on one stream: its counts, and its curves by measure and window.

    `bands` are the same curves at fewer points, with a confidence band, if requested. `runs` are
    the repetitions, if there are several: then the counts are their sums, the curves their means,
    and `log` is that of the first. `tests` holds the comparisons with other logs that were made.
    """

    name: str
    log: Log
    counts: Counts
    curves: Mapping[tuple[str, str], Curve]
    derived: bool = False
    bands: Mapping[tuple[str, str], Curve] = field(default_factory=dict)
    runs: tuple[MeasuredLog, ...] = ()
    tests: dict[tuple[int, int], Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def plain_name(self) -> str:
        """Name of the learner without library and parameters."""
        return plain_name(self.log.about.get("learner", self.name))

    @property
    def baseline(self) -> bool:
        """Whether the learner is a baseline, which uses labels only."""
        return is_baseline(self.plain_name)

    @property
    def each(self) -> tuple[MeasuredLog, ...]:
        """The repetitions, or the one run."""
        return self.runs or (self,)

    @property
    def folds(self) -> bool:
        """Whether the runs are folds."""
        return any("fold" in run.log.about for run in self.runs)

    @property
    def known(self) -> float:
        """Number of labels of a run; their mean over repetitions."""
        return self.counts.known / len(self.runs) if self.runs else self.counts.known

    @property
    def complete(self) -> bool:
        """Whether the logs of all runs are complete."""
        return all(run.log.complete for run in self.each)

    @property
    def identical(self) -> bool:
        """Whether there are repetitions, all with the same labels and predictions."""
        contents = {(run.counts.digest, run.counts.predicted) for run in self.runs}
        return len(contents) == 1

    def comparable_with(self, baseline: MeasuredLog) -> bool:
        """Whether both were run by the same protocol on the same labels.

        Under another protocol a baseline may know other labels; labels also differ between seeds,
        between streams of the same name, and if a run is incomplete. Of repetitions, at least one
        must be comparable.
        """
        return bool(self.pairs_with(baseline))

    def pairs_with(self, other: MeasuredLog) -> list[tuple[MeasuredLog, MeasuredLog]]:
        """Comparable runs of both, paired by their seeds if there are repetitions."""
        if self.log.about.get("protocol") != other.log.about.get("protocol"):
            return []
        by_seed = {seed_of(run.log): run for run in other.each}
        pairs = (
            [(run, by_seed[seed_of(run.log)]) for run in self.each if seed_of(run.log) in by_seed]
            if self.runs or other.runs
            else [(self, other)]
        )
        return [(one, two) for one, two in pairs if one.counts.digest == two.counts.digest]

    def value(self, measure: str, window: str = "whole") -> float:
        """Value of a measure at the end of the stream; NaN if it was not measured.

        Of repetitions, the mean of their values.
        """
        return float(self.cell(measure, window))

    def cell(self, measure: str, window: str = "whole") -> float | Spread:
        """The value of one run, or the values of the repetitions."""
        if self.runs:
            values = tuple(run.value(measure, window) for run in self.runs)
            seeds = tuple(seed_of(run.log) or "" for run in self.runs)
            overlap = overlap_of(run.log for run in self.runs)
            return Spread(values, seeds, self.identical, overlap=overlap)
        curve = self.curves.get((measure, window))
        return float("nan") if curve is None else curve.final

    def difference(self, other: MeasuredLog, measure: str) -> float | Spread:
        """Value minus that of another learner, over paired runs; NaN if none is comparable."""
        pairs = self.pairs_with(other)
        if not pairs:
            return float("nan")
        both = [(one.value(measure), two.value(measure)) for one, two in pairs]
        # equal differences must be equal numbers: without the noise of the subtraction
        largest = max(abs(value) for values in both for value in values)
        digits = 13 - math.ceil(math.log10(largest)) if 0 < largest < math.inf else 13
        values = tuple(round(one - two, digits) for one, two in both)
        if not self.runs and not other.runs:
            return values[0]
        identical = self.identical and other.identical
        seeds = tuple(seed_of(one.log) or "" for one, _ in pairs)
        overlap = overlap_of(one.log for one, _ in pairs)
        return Spread(values, seeds, identical, overlap=overlap)


@dataclass(frozen=True, slots=True)
class StreamResults:
    """Measured logs of one stream; `shown` are the measures of the page."""

    stream: str
    schema: Schema
    measured: tuple[MeasuredLog, ...]
    shown: tuple[str, ...]
    terms: VerdictTerms = field(default_factory=VerdictTerms)

    @property
    def classification(self) -> bool:
        """Whether the labels are classes."""
        return self.schema.classes is not None

    @property
    def main_measure(self) -> str:
        """Measure by which learners are compared."""
        return "accuracy" if self.classification else "mae"

    @property
    def kind(self) -> Kind:
        """Format of the values of the main measure."""
        return "share" if self.classification else "number"

    @property
    def learners(self) -> tuple[MeasuredLog, ...]:
        """Measured logs of learners that are not baselines."""
        return tuple(m for m in self.measured if not m.baseline)

    @property
    def baselines(self) -> tuple[MeasuredLog, ...]:
        """Measured logs of baselines."""
        return tuple(m for m in self.measured if m.baseline)

    @property
    def persistent(self) -> MeasuredLog | None:
        """The baseline that predicts the last known label."""
        return next((m for m in self.measured if m.plain_name in PERSISTENT), None)

    @property
    def majority(self) -> MeasuredLog | None:
        """The baseline that predicts the most frequent class, or the mean, so far."""
        return next((m for m in self.measured if m.plain_name in MAJORITY), None)

    @property
    def most_labelled(self) -> MeasuredLog:
        """The log with the most labels; properties of the stream are computed from it."""
        return max(self.measured, key=lambda m: m.counts.known)

    @property
    def repetitions(self) -> list[StreamResults]:
        """The results of each repetition, paired by seeds; empty if there is one only."""
        if not any(m.runs for m in self.measured):
            return []
        runs = [run for m in self.measured for run in m.each]
        seeds = dict.fromkeys(seed_of(run.log) for run in runs)
        return [
            replace(self, measured=tuple(run for run in runs if seed_of(run.log) == seed))
            for seed in seeds
        ]

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """Known drifts inside the measured part of the stream, in order."""
        end = max(
            (int(c.at[-1]) for m in self.measured for c in m.curves.values() if len(c.at)),
            default=0,
        )
        return tuple(
            sorted((d for d in self.schema.drifts if d.start < end), key=lambda d: d.centre)
        )

    @property
    def axis(self) -> Axis:
        """Unit of the curves: labels if any curve counts labels, items otherwise."""
        axes = {c.axis for m in self.measured for c in m.curves.values()}
        return "labels" if "labels" in axes else "items"

    @property
    def drift_positions(self) -> tuple[Drift, ...]:
        """The drifts as positions on the axis of the curves."""
        if self.axis == "items" or not self.drifts:
            return self.drifts
        items = [item for d in self.drifts for item in (d.start, d.centre, d.end)]
        by_run = [labels_before(run.log, items) for run in self.most_labelled.each]
        known = [round(sum(numbers) / len(by_run)) for numbers in zip(*by_run, strict=True)]
        return tuple(
            replace(d, start=known[3 * i], centre=known[3 * i + 1], end=known[3 * i + 2])
            for i, d in enumerate(self.drifts)
        )

    def ranked(self, measure: str) -> list[MeasuredLog]:
        """Learners with a defined value, best first."""
        known = [m for m in self.learners if not math.isnan(m.value(measure))]
        return sorted(known, key=lambda m: m.value(measure), reverse=self.classification)

    def curves(self) -> list[Curve]:
        """Curves of the shown measures."""
        curves = [c for m in self.measured for c in m.curves.values()]
        return [c for c in curves if c.measure in self.shown]

    def windows(self, measure: str) -> tuple[str, ...]:
        """Windows in which a measure was computed."""
        return tuple(
            dict.fromkeys(w for m in self.measured for name, w in m.curves if name == measure)
        )
