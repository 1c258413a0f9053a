"""Counts of labels and predictions per class."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from streamgauge._core import Confusions
from streamgauge.errors import LogError, ParameterError
from streamgauge.log import LabelledPredictions, Log
from streamgauge.log._one_fold import check_fold
from streamgauge.summaries._builder import Snapshots, SummaryOptions, weights
from streamgauge.summaries._class_sum import class_sum
from streamgauge.types import F64, I64, Value

MOST_CLASSES = 4095
"""Largest number of classes: a row of a window holds label, prediction and previous label in bits
of one number (`Coder::MAX_CLASSES` of the core)."""


@dataclass(frozen=True)
class Confusion:
    """Counts of labels and predictions, or a stack of such counts.

    `counts` holds the parts that the measures need, by name. Counts per class have the class as
    their first axis; further axes are the stack. In an `ewma` window the counts are shares and
    `total` and `with_previous` are 1.

    Besides the properties below: `with_previous` (items whose previous label is known) and
    `repeats` (those whose label equals it); `first_repeats` (1 if the first label is the first
    class); `baseline_items` (items with any label before them), `majority_correct` (those whose
    label is the majority of the labels before) and `majority_correct_inclusive` (items whose label
    is the majority of the labels up to and including it).

    Examples
    --------
    >>> c = Confusion.of([[20, 5], [10, 15]])
    >>> float(c.total), float(c.correct), c.labels.tolist(), c.predictions.tolist()
    (50.0, 35.0, [25.0, 25.0], [30.0, 20.0])
    """

    classes: tuple[Value, ...]
    counts: Mapping[str, F64]

    @classmethod
    def of(cls, matrix: object, classes: tuple[Value, ...] | None = None) -> Confusion:
        """From a confusion matrix: one row per label, one column per prediction."""
        m = np.asarray(matrix, np.float64)
        true_positives = np.moveaxis(np.diagonal(m, axis1=-2, axis2=-1), -1, 0)
        counts = {
            "total": m.sum((-2, -1)),
            "correct": true_positives.sum(0),
            "true_positives": true_positives,
            "labels": np.moveaxis(m.sum(-1), -1, 0),
            "predictions": np.moveaxis(m.sum(-2), -1, 0),
            "matrix": np.moveaxis(m, (-2, -1), (0, 1)),
        }
        return cls(classes or tuple(range(m.shape[-1])), counts)

    @property
    def total(self) -> F64:
        """Number of items."""
        return self.counts["total"]

    @property
    def correct(self) -> F64:
        """Number of correct predictions."""
        return self.counts["correct"]

    @property
    def true_positives(self) -> F64:
        """Correct predictions of each class."""
        return self.counts["true_positives"]

    @property
    def labels(self) -> F64:
        """Labels of each class."""
        return self.counts["labels"]

    @property
    def predictions(self) -> F64:
        """Predictions of each class."""
        return self.counts["predictions"]

    @property
    def matrix(self) -> F64:
        """Predictions of each class (second axis) for each label (first axis)."""
        return self.counts["matrix"]

    @property
    def with_previous(self) -> F64:
        """Number of items whose previous label is known."""
        return self.counts["with_previous"]

    @property
    def repeats(self) -> F64:
        """Number of items whose label equals the previous one."""
        return self.counts["repeats"]

    @cached_property
    def abstained(self) -> F64:
        """Number of items that count although they have no prediction."""
        value: F64 = self.total - class_sum(self.predictions)
        return np.where(value < 1e-12 * self.total, 0.0, value)


def check_class_count(who: str, classes: int) -> None:
    """Raise if predictions of so many classes cannot be counted.

    Examples
    --------
    >>> check_class_count("run", 10_000)
    Traceback (most recent call last):
    streamgauge.errors.ParameterError: run: the target must have at most 4,095 classes, \
got 10,000; merge rare classes, or declare a real target
    """
    if classes > MOST_CLASSES:
        raise ParameterError(
            f"{who}: the target must have at most {MOST_CLASSES:,} classes, got {classes:,}; "
            "merge rare classes, or declare a real target"
        )


class ConfusionBuilder:
    """Counts labels and predictions over many windows, in one pass."""

    def __init__(self, options: SummaryOptions, parts: frozenset[str]) -> None:
        check_class_count("measure", options.classes)
        self.cold_start = options.cold_start
        self._options = options
        self._core = Confusions(
            options.classes,
            list(options.windows),
            options.every,
            sorted(parts),
            options.cold_start,
            options.weighted,
            options.expected_snapshots,
        )
        self._layout = self._core.layout()

    def push(self, batch: LabelledPredictions) -> int:
        """Add a batch; returns how many of its labels are known."""
        return self._core.push(
            np.ascontiguousarray(batch.label, np.int32),
            np.ascontiguousarray(batch.prediction, np.int32),
            None if batch.previous is None else np.ascontiguousarray(batch.previous, np.int32),
            weights(batch) if self._options.weighted else None,
        )

    def coverage(self) -> tuple[int, int]:
        """Number of known labels, and how many of those items have no prediction."""
        return self._core.coverage()

    def take(self) -> list[Snapshots[Confusion]]:
        """The snapshots of each window since the last call."""
        return self._snapshots(self._core.take())

    def finish(self) -> list[Snapshots[Confusion]]:
        """The remaining snapshots."""
        return self._snapshots(self._core.finish())

    def _snapshots(self, stacks: list[tuple[I64, F64]]) -> list[Snapshots[Confusion]]:
        classes = self._options.schema.classes or ()
        return [
            Snapshots(
                at,
                Confusion(
                    classes, _ewma_shares(stack) if kind == "ewma" else named(self._layout, stack)
                ),
            )
            for (kind, _), (at, stack) in zip(self._options.windows, stacks, strict=True)
        ]


def named(layout: list[tuple[str, int]], stack: F64) -> dict[str, F64]:
    """The parts of a stack by name; counts per class keep their axis."""
    parts: dict[str, F64] = {}
    start = 0
    for name, size in layout:
        part = stack[start : start + size]
        if name == "matrix":
            classes = math.isqrt(size)
            part = part.reshape(classes, classes, *stack.shape[1:])
        elif name not in ("true_positives", "labels", "predictions"):
            part = stack[start]
        parts[name] = part
        start += size
    return parts


def _ewma_shares(stack: F64) -> dict[str, F64]:
    """The state of Algorithm 1 of Žliobaitė et al. (2015) as counts of 1 item.

    It holds p, P(i), P_h(i) and P(i|i); p_per is the sum of P(i) P(i|i) over the classes.
    """
    labels, predictions, repeats_given_label = np.split(stack[1:], 3)
    one = np.ones(())
    return {
        "total": one,
        "correct": stack[0],
        "labels": labels,
        "predictions": predictions,
        "with_previous": one,
        "repeats": class_sum(labels * repeats_given_label),
    }


def confusion_matrix(log: Log, fold: int | None = None) -> I64:
    """Number of predictions of each class for each label: one row per label.

    Columns are the predicted classes; the last one counts items without a prediction. With
    `fold`, of that fold alone.

    Examples
    --------
    >>> from streamgauge.log import from_columns
    >>> from streamgauge.types import Schema
    >>> label, prediction = np.array([0, 0, 1, 1], np.int32), np.array([-1, 0, 0, 1], np.int32)
    >>> log = from_columns(Schema((), classes=("no", "yes")), label, prediction)
    >>> confusion_matrix(log).tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    if log.schema.classes is None:
        raise LogError("confusion_matrix: log must be of classification, got one of regression")
    check_fold("confusion_matrix", log, fold)
    k = len(log.schema.classes)
    cells = np.zeros(k * (k + 1), np.int64)
    for batch in log.labelled_predictions(fold):
        known = batch.label >= 0
        label = batch.label[known].astype(np.int64)
        prediction = batch.prediction[known].astype(np.int64)
        cell = label * (k + 1) + np.where(prediction < 0, k, prediction)
        cells += np.bincount(cell, minlength=len(cells))
    return cells.reshape(k, k + 1)
