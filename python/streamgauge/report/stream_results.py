"""Measured logs of one stream, baselines included: the input of the rules of a report."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import numpy as np

from streamgauge.late._labels_before import labels_before
from streamgauge.log.pairs import previous_labels
from streamgauge.log.table import Log
from streamgauge.names import make
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
    (empty for real targets). `repeats` of the `pairs` of consecutive labels are equal. `varied` is
    whether two predictions differ. `digest` is a checksum of the labelled items and their labels,
    in order.
    """

    items: int
    known: int
    covered: int
    labels: I64
    predictions: I64
    pairs: int
    repeats: int
    varied: bool
    digest: str

    @property
    def coverage(self) -> float:
        """Share of labelled items with a prediction; NaN without labels."""
        return self.covered / self.known if self.known else float("nan")

    @property
    def missing(self) -> float:
        """Share of predicted items without a label; NaN without items."""
        return 1 - self.known / self.items if self.items else float("nan")


def count_log(log: Log) -> Counts:
    """Count a log in one pass over its pairs, in memory proportional to the pending items."""
    classes = len(log.schema.classes or ())
    labels, predictions = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    known = covered = pairs = repeats = 0
    first: float | None = None
    varied = False
    digests = (
        blake2b(digest_size=16),
        blake2b(digest_size=16),
    )  # one per column: independent of batch borders
    for batch, before in previous_labels(log.pairs()):
        predicted = present(batch.prediction)
        known += len(batch)
        for digest, column in zip(digests, (batch.items, batch.label), strict=True):
            digest.update(np.ascontiguousarray(column).data)
        covered += int(predicted.sum())
        if classes:
            labels += np.bincount(batch.label, minlength=classes)
            predictions += np.bincount(batch.prediction[predicted], minlength=classes)
        if predicted.any() and not varied:
            first = float(batch.prediction[predicted][0]) if first is None else first
            varied = bool((batch.prediction[predicted] != first).any())
        paired = present(before)
        pairs += int(paired.sum())
        repeats += int((paired & (before == batch.label)).sum())
    items = sum(int((rows.turn == 0).sum()) for rows in log.predictions())
    checksum = "".join(digest.hexdigest() for digest in digests)
    return Counts(items, known, covered, labels, predictions, pairs, repeats, varied, checksum)


def present(column: Codes | F64) -> Flags:
    """Mask of the rows of labels or predictions that are not missing."""
    return ~missing(column)


def half_width(items: float) -> float:
    """Largest half width of a 95 % interval around a proportion of this many items.

    Two standard errors of a proportion of one half: 1 / √n (Gama et al. 2013, section 3.3).

    Examples
    --------
    >>> half_width(10_000)
    0.01
    """
    return 1 / math.sqrt(items) if items > 0 else math.inf


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
    """One learner's log on one stream: its counts, and its curves by measure and window.

    `bands` are the same curves at fewer points, with a confidence band, if requested.
    """

    name: str
    log: Log
    counts: Counts
    curves: Mapping[tuple[str, str], Curve]
    derived: bool = False
    bands: Mapping[tuple[str, str], Curve] = field(default_factory=dict)

    @property
    def plain_name(self) -> str:
        """Name of the learner without library and parameters."""
        return plain_name(self.log.about.get("learner", self.name))

    @property
    def baseline(self) -> bool:
        """Whether the learner is a baseline, which uses labels only."""
        return is_baseline(self.plain_name)

    def comparable_with(self, baseline: MeasuredLog) -> bool:
        """Whether both were run by the same protocol on the same labels.

        Under another protocol a baseline may know other labels; labels also differ between seeds,
        between streams of the same name, and if a run is incomplete.
        """
        same_protocol = self.log.about.get("protocol") == baseline.log.about.get("protocol")
        return same_protocol and self.counts.digest == baseline.counts.digest

    def value(self, measure: str, window: str = "whole") -> float:
        """Value of a measure at the end of the stream; NaN if it was not measured."""
        curve = self.curves.get((measure, window))
        return float("nan") if curve is None else curve.final


@dataclass(frozen=True, slots=True)
class StreamResults:
    """Measured logs of one stream; `shown` are the measures of the page."""

    stream: str
    schema: Schema
    measured: tuple[MeasuredLog, ...]
    shown: tuple[str, ...]

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
        known = labels_before(self.most_labelled.log, items)
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
