"""What the rules of a report look at: the measured logs of one stream, baselines among them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import numpy as np

from streamgauge.log.pairs import previous_labels
from streamgauge.log.places import labels_before
from streamgauge.log.table import Log
from streamgauge.report.page import NOTHING, Kind, Severity, Table
from streamgauge.types import F64, I64, Axis, Codes, Curve, Drift, Flags, Schema, missing

PERSISTENT = ("persistent", "no_change", "no_change_classifier", "last_value")
MAJORITY = ("majority_class", "majority", "target_mean")
CHANCE = ("prior_random", "prior_classifier")
"""Names of the learners that only learn from labels, never from features."""


def plain_name(learner: str) -> str:
    """A learner's name without library, module, parameters and capitals.

    Examples
    --------
    >>> plain_name("river:dummy.NoChangeClassifier()"), plain_name("MajorityClass")
    ('no_change_classifier', 'majority_class')
    """
    name = learner.partition("(")[0].rpartition(":")[2].rpartition(".")[2].strip()
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@dataclass(frozen=True, slots=True)
class Counts:
    """What can be counted in a log without any measure.

    `asked` questions, of which `known` got a label; of these `answered` got an answer too.
    `labels` and `answers` are how often each class was true and said (empty for real targets).
    `repeats` of the `pairs` of neighbouring labels are equal. `varied`: were two answers
    ever different? `digest` is a checksum of the labelled items and their labels, in order.
    """

    asked: int
    known: int
    answered: int
    labels: I64
    answers: I64
    pairs: int
    repeats: int
    varied: bool
    digest: str

    @property
    def coverage(self) -> float:
        """The share of known labels that had been answered; NaN without labels."""
        return self.answered / self.known if self.known else float("nan")

    @property
    def missing(self) -> float:
        """The share of questions whose label never came; NaN if nothing was asked."""
        return 1 - self.known / self.asked if self.asked else float("nan")


def counted(log: Log) -> Counts:
    """Count a log, in one walk over its pairs and constant memory."""
    classes = len(log.schema.classes or ())
    labels, answers = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    known = answered = pairs = repeats = 0
    one: float | None = None
    varied = False
    digests = blake2b(digest_size=16), blake2b(digest_size=16)  # borders of batches do not show
    for batch, before in previous_labels(log.pairs()):
        said = is_there(batch.answer)
        known += len(batch)
        for digest, column in zip(digests, (batch.items, batch.label), strict=True):
            digest.update(np.ascontiguousarray(column).data)
        answered += int(said.sum())
        if classes:
            labels += np.bincount(batch.label, minlength=classes)
            answers += np.bincount(batch.answer[said], minlength=classes)
        if said.any() and not varied:
            one = float(batch.answer[said][0]) if one is None else one
            varied = bool((batch.answer[said] != one).any())
        paired = is_there(before)
        pairs += int(paired.sum())
        repeats += int((paired & (before == batch.label)).sum())
    asked = sum(int((said_rows.turn == 0).sum()) for said_rows in log.said())
    found = "".join(digest.hexdigest() for digest in digests)
    return Counts(asked, known, answered, labels, answers, pairs, repeats, varied, found)


def is_there(column: Codes | F64) -> Flags:
    """Where a column of labels or answers holds one."""
    return ~missing(column)


def half_width(items: float) -> float:
    """How far a share over so many items may be off, 95 times in 100, at the worst.

    Two standard errors of a share of one half: 1 / √n (Gama et al. 2013, section 3.3).

    Examples
    --------
    >>> half_width(10_000)
    0.01
    """
    return 1 / math.sqrt(items) if items > 0 else math.inf


def window_items(window: str) -> float:
    """How many items a window holds; for a fading one, as many as would vary as little.

    Examples
    --------
    >>> window_items("sliding(1000)"), window_items("fading(0.999)"), window_items("whole")
    (1000.0, 1999.0, inf)
    """
    kind, _, rest = window.partition("(")
    found = re.search(r"[0-9.e+-]+", rest)
    if not found or kind == "whole":
        return math.inf
    size = float(found.group())
    if kind == "fading":
        return round((1 + size) / (1 - size), 6) if size < 1 else math.inf
    return round((2 - size) / size, 6) if kind == "ewma" else size


@dataclass(frozen=True, slots=True)
class Seen:
    """What a rule saw: how grave, in plain words, and the numbers it rests on."""

    severity: Severity
    sentence: str
    evidence: Table = NOTHING


@dataclass(frozen=True, slots=True)
class Measured:
    """One learner's log on one stream: its counts, and its curves by measure and window.

    `bands` are the same curves at fewer points, with a band around each, if asked for.
    """

    name: str
    log: Log
    counts: Counts
    curves: Mapping[tuple[str, str], Curve]
    derived: bool = False
    bands: Mapping[tuple[str, str], Curve] = field(default_factory=dict)

    @property
    def plain_name(self) -> str:
        """Its name without library and parameters."""
        return plain_name(self.log.about.get("learner", self.name))

    @property
    def baseline(self) -> bool:
        """Is it one of those that learn from labels only?"""
        return self.plain_name in PERSISTENT + MAJORITY + CHANCE

    def fits(self, baseline: Measured) -> bool:
        """Was it run by the same protocol on the same labels?

        By another protocol a baseline may know other labels, and of another seed or stream of
        this name, or of a run that was cut off, the labels are others.
        """
        alike = self.log.about.get("protocol") == baseline.log.about.get("protocol")
        return alike and self.counts.digest == baseline.counts.digest

    def value(self, measure: str, window: str = "whole") -> float:
        """A measure at the end of the stream; NaN if it was not measured."""
        curve = self.curves.get((measure, window))
        return float("nan") if curve is None else curve.final


@dataclass(frozen=True, slots=True)
class Case:
    """One stream and everything that was run on it; `shown` are the measures of the page."""

    stream: str
    schema: Schema
    measured: tuple[Measured, ...]
    shown: tuple[str, ...]

    @property
    def classification(self) -> bool:
        """Are the labels classes?"""
        return self.schema.classes is not None

    @property
    def main(self) -> str:
        """The measure that learners are compared by."""
        return "accuracy" if self.classification else "mae"

    @property
    def kind(self) -> Kind:
        """How the values of that measure are shown."""
        return "share" if self.classification else "number"

    @property
    def learners(self) -> tuple[Measured, ...]:
        """Those that are to be judged."""
        return tuple(m for m in self.measured if not m.baseline)

    @property
    def baselines(self) -> tuple[Measured, ...]:
        """Those that they are to be judged against."""
        return tuple(m for m in self.measured if m.baseline)

    @property
    def persistent(self) -> Measured | None:
        """The baseline that says the last label again."""
        return next((m for m in self.measured if m.plain_name in PERSISTENT), None)

    @property
    def majority(self) -> Measured | None:
        """The baseline that says the most frequent class, or the mean, so far."""
        return next((m for m in self.measured if m.plain_name in MAJORITY), None)

    @property
    def fullest(self) -> Measured:
        """The log with most labels: what is said of the stream itself is read from it."""
        return max(self.measured, key=lambda m: m.counts.known)

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """Known drifts that lie inside what was measured, in order."""
        end = max(
            (int(c.at[-1]) for m in self.measured for c in m.curves.values() if len(c.at)),
            default=0,
        )
        return tuple(
            sorted((d for d in self.schema.drifts if d.start < end), key=lambda d: d.centre)
        )

    @property
    def axis(self) -> Axis:
        """What the curves are counted in; labels if one of them is."""
        axes = {c.axis for m in self.measured for c in m.curves.values()}
        return "labels" if "labels" in axes else "items"

    @property
    def marks(self) -> tuple[Drift, ...]:
        """The drifts as places on the axis: where labels are counted, those known by then."""
        if self.axis == "items" or not self.drifts:
            return self.drifts
        items = [item for d in self.drifts for item in (d.start, d.centre, d.end)]
        known = labels_before(self.fullest.log, items)
        return tuple(
            replace(d, start=known[3 * i], centre=known[3 * i + 1], end=known[3 * i + 2])
            for i, d in enumerate(self.drifts)
        )

    def ranked(self, measure: str) -> list[Measured]:
        """The learners for which it is defined, best first."""
        known = [m for m in self.learners if not math.isnan(m.value(measure))]
        return sorted(known, key=lambda m: m.value(measure), reverse=self.classification)

    def curves(self) -> list[Curve]:
        """Every curve of a measure that is shown."""
        held = [c for m in self.measured for c in m.curves.values()]
        return [c for c in held if c.measure in self.shown]

    def windows(self, measure: str) -> tuple[str, ...]:
        """The windows a measure was taken over."""
        return tuple(
            dict.fromkeys(w for m in self.measured for name, w in m.curves if name == measure)
        )
