"""A closed log: read-only, the input of every measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from streamgauge.errors import LogError
from streamgauge.escapes import in_html
from streamgauge.log._tests import labelled_predictions_of_tests, last_test_of
from streamgauge.log.alarms import Alarms, concatenate_alarms
from streamgauge.log.arrivals import arrivals_of
from streamgauge.log.labelled_predictions import LabelledPredictions, join_labels
from streamgauge.log.rows import (
    Arrived,
    FoldRows,
    Labels,
    Perturbed,
    Predictions,
    Rows,
    SimpleRows,
    TableRows,
    Training,
    of_fold,
)
from streamgauge.log.selections import Selections, concatenate_selections
from streamgauge.log.side_tables import SideTable
from streamgauge.log.vitals import Vitals, concatenate_vitals
from streamgauge.types import F64, NONE, Codes, Schema, missing
from streamgauge.types.scores import impossible_score, must_be_score

LEARNS_EACH = {"learns_every": "1"}
"""The entry of `about` if each item is learned before the next one is predicted."""


class Tables(Protocol):
    """The tables of a log, in memory or in a folder."""

    @property
    def labels_in_order(self) -> bool:
        """Whether all labels arrived in the order of the items."""

    def predictions(self) -> Iterator[Predictions]:
        """The predictions, batch by batch, in order."""

    def labels(self) -> Iterator[Labels]:
        """The labels, batch by batch, in the order they became known."""

    def training(self) -> Iterator[Training]:
        """The training rows, batch by batch, in order."""

    def arrivals(self) -> Iterator[Arrived]:
        """When each item arrived, batch by batch, in order."""

    def label_count(self) -> int:
        """The number of known labels."""

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        """Labels with their predictions, in the order the labels became known."""

    def alarms(self) -> Alarms:
        """The signals of detectors, in order."""

    def perturbed(self) -> Iterator[Perturbed]:
        """The predictions of perturbed copies, batch by batch, in order."""

    def vitals(self) -> Vitals:
        """The sampled facts about the learner, in order."""

    def selections(self) -> Selections:
        """The features that the learner selected, in order."""


@dataclass(frozen=True, slots=True)
class InMemory:
    """The tables of a log in memory."""

    rows: Sequence[Rows] = ()
    labels_in_order: bool = True
    side_tables: Sequence[SideTable] = ()

    def predictions(self) -> Iterator[Predictions]:
        """The predictions."""
        return (r.predictions for r in self.rows)

    def predictions_of(self, fold: int) -> Iterator[Predictions]:
        """The predictions of one fold."""
        for r in self.rows:
            if isinstance(r, FoldRows):
                yield r.predictions_of(fold)
            else:
                yield from of_fold(iter((r.predictions,)), fold)

    def labels(self) -> Iterator[Labels]:
        """The labels."""
        return (r.labels for r in self.rows)

    def training(self) -> Iterator[Training]:
        """The training rows."""
        return (r.training for r in self.rows)

    def arrivals(self) -> Iterator[Arrived]:
        """When each item arrived."""
        arrived = (r.unpredicted for r in self.rows)
        return arrivals_of(self.predictions(), (rows for rows in arrived if rows is not None))

    def label_count(self) -> int:
        """The number of known labels."""
        return sum(_labels(r) for r in self.rows)

    def alarms(self) -> Alarms:
        """The signals of detectors."""
        return concatenate_alarms(s for s in self.side_tables if isinstance(s, Alarms))

    def vitals(self) -> Vitals:
        """The sampled facts about the learner."""
        return concatenate_vitals(s for s in self.side_tables if isinstance(s, Vitals))

    def selections(self) -> Selections:
        """The features that the learner selected."""
        return concatenate_selections(s for s in self.side_tables if isinstance(s, Selections))

    def perturbed(self) -> Iterator[Perturbed]:
        """The predictions of perturbed copies."""
        return (r.perturbed for r in self.rows if r.perturbed is not None)

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        """Labels with their predictions; plain rows are not copied."""
        if fold is not None and all(isinstance(r, FoldRows) and r.complete for r in self.rows):
            yield from self._of_complete_rows(fold)
            return
        if not all(isinstance(r, SimpleRows) for r in self.rows):
            made = self.predictions() if fold is None else self.predictions_of(fold)
            yield from join_labels(made, self.labels, self.labels_in_order)
            return
        if fold:  # plain rows are of fold 0
            return
        for r in self.rows:
            if not isinstance(r, SimpleRows) or r.prediction is None or not len(r):
                continue
            time = r.time if r.label_time is None else r.label_time
            if r.known is None:
                yield LabelledPredictions(
                    r.first, r.label, r.prediction, r.scores, time=time, weight=r.weight
                )
            elif r.known.any():
                yield LabelledPredictions(
                    r.first,
                    r.label[r.known],
                    r.prediction[r.known],
                    None if r.scores is None else r.scores[r.known],
                    item=r.items[r.known],
                    time=None if time is None else time[r.known],
                    weight=None if r.weight is None else r.weight[r.known],
                )

    def _of_complete_rows(self, fold: int) -> Iterator[LabelledPredictions]:
        """Those of a fold that predicts every item; all labels are known in order."""
        for r in self.rows:
            if isinstance(r, FoldRows) and fold < len(r.times_learned):
                made = r.prediction[fold :: len(r.times_learned)]
                yield LabelledPredictions(r.first, r.label, made, time=r.time, weight=r.weight)


def _labels(rows: Rows) -> int:
    if isinstance(rows, TableRows):
        return len(rows.labels)
    if isinstance(rows, FoldRows):
        return len(rows.label)
    if rows.prediction is None:
        return 0
    return len(rows) if rows.known is None else int(rows.known.sum())


@dataclass(frozen=True, slots=True)
class Log:
    """The log of a run: predictions, labels and training. Functions take it as their input.

    `about` holds its origin: stream, learner, protocol, seed, versions. `complete` is False if the
    run was interrupted; the log can be measured up to that point. `resources` are the costs of
    the run; they do not matter for the equality of two logs.
    """

    schema: Schema
    tables: Tables = field(repr=False)
    about: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True
    resources: Mapping[str, float] = field(default_factory=dict)

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        """Every known label with its first prediction, batch by batch.

        One row per label and fold, or only those of `fold`. Memory is proportional to the pending
        items. If the protocol has a test set, one row per prediction of a test, test by test.
        """
        if "test_set" in self.about:
            return labelled_predictions_of_tests(
                of_fold(self.predictions(), fold), self.labels, self.about
            )
        return (
            self.tables.labelled_predictions()
            if fold is None
            else self.tables.labelled_predictions(fold)
        )

    def last_test(self) -> Iterator[LabelledPredictions]:
        """Those of the last test; all labelled predictions if the protocol has no test set."""
        return (
            last_test_of(self.labelled_predictions())
            if "test_set" in self.about
            else self.labelled_predictions()
        )

    def label_count(self) -> int:
        """The number of known labels, without reading them if possible."""
        return self.tables.label_count()

    def predictions(self) -> Iterator[Predictions]:
        """The predictions, batch by batch."""
        return self.tables.predictions()

    def labels(self) -> Iterator[Labels]:
        """The labels, batch by batch."""
        return self.tables.labels()

    def training(self) -> Iterator[Training]:
        """The training rows, batch by batch."""
        return self.tables.training()

    def alarms(self) -> Alarms:
        """The signals of detectors inside the learner; empty if it has none."""
        return self.tables.alarms()

    def perturbed(self) -> Iterator[Perturbed]:
        """The predictions of perturbed copies, batch by batch (see `protocols.Perturbed`)."""
        return self.tables.perturbed()

    def vitals(self) -> Vitals:
        """Facts about the learner (size, nodes, …), sampled; empty if it has or tells none."""
        return self.tables.vitals()

    def selections(self) -> Selections:
        """The features that the learner selected, a row per change; empty if it selects none."""
        return self.tables.selections()

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<tr><th>{in_html(k)}</th><td>{in_html(v)}</td></tr>" for k, v in self.about.items()
        )
        state = "" if self.complete else "<p>incomplete: the run was interrupted</p>"
        return f"{state}<table>{facts}</table>"


def _checked_codes(schema: Schema, what: str, column: Codes | F64) -> Codes | F64:
    """A column of codes as int32; an error if one is not that of a class. Reals are not changed."""
    if schema.classes is None:
        return column
    if column.dtype.kind not in "iu":
        raise LogError(
            f"from_columns: {what} must be class codes, which are integers, got {column.dtype}; "
            "convert it"
        )
    wrong = np.flatnonzero((column < NONE) | (column >= len(schema.classes)))
    if len(wrong):
        raise LogError(
            f"from_columns: row {wrong[0]:,}, {what} must be the code of one of the "
            f"{len(schema.classes)} classes or {NONE}, got {column[wrong[0]]}; correct it"
        )
    return column.astype(np.int32)


def from_columns(
    schema: Schema,
    label: Codes | F64,
    prediction: Codes | F64,
    scores: F64 | None = None,
    about: Mapping[str, str] | None = None,
) -> Log:
    """A log from two columns, for runs of other tools.

    By default each label is known and learned before the next item is predicted (see `about`).
    Codes are int32 (`NONE` if missing), reals float64 (NaN if missing).

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.types import Feature, Schema
    >>> schema = Schema((Feature("x"),), classes=("no", "yes"))
    >>> log = from_columns(schema, np.array([0, 1], np.int32), np.array([0, 0], np.int32))
    >>> [len(p) for p in log.labelled_predictions()]
    [2]
    """
    if len(label) != len(prediction):
        raise LogError(
            f"from_columns: prediction must have {len(label)} rows, as label, got {len(prediction)}"
        )
    wrong = None if scores is None else impossible_score(scores)
    if wrong is not None:
        raise LogError(f"from_columns: row {wrong[0]}, {must_be_score(wrong[1])}")
    label, prediction = (
        _checked_codes(schema, what, column)
        for what, column in (("label", label), ("prediction", prediction))
    )
    infinite = np.flatnonzero(np.isinf(label))
    if len(infinite):
        raise LogError(
            f"from_columns: row {infinite[0]:,}, label must be finite, got {label[infinite[0]]}; "
            "correct it"
        )
    known = ~missing(label)
    held = None if scores is None else scores.copy()  # copies: the arrays may be reused
    row = SimpleRows(0, label.copy(), prediction.copy(), held, None if known.all() else known)
    return Log(schema, InMemory((row,)), {**LEARNS_EACH, **(about or {})})
