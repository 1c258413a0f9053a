"""A learner whose scores are corrected by transition frequencies of the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from streamgauge.adapters import bind
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.learners import _wrapping as wrapping
from streamgauge.learners._history import History, Late, check
from streamgauge.learners._shape import shape
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.log.about import name_of
from streamgauge.names import resolve
from streamgauge.types import F64, NONE, U32, U64, Codes, Flags, Schema


@dataclass(frozen=True, slots=True)
class TemporalCorrection:
    r"""Any learner with scores, corrected by transition frequencies of the labels.

    .. math:: \hat y_t = \arg\max_i \;
              \frac{P(y_t = i \mid y_{t-1})}{P(y_t = i)} \, P(y_t = i \mid X_t)

    Both probabilities are relative frequencies of the labels learned so far. The fraction is 1
    where it is undefined: at the first item, after a label that has no successor yet, for a class
    not yet seen. If all corrected scores are 0, those of the learner inside are used. Of equal
    scores the first class is predicted. Scores are the corrected ones, divided by their sum.

    Parameters
    ----------
    learner
        The learner inside: a learner, a model of any library, or the name of one; with scores.
    late
        What replaces the label before while it is not known: `"label"`, the last known label;
        `"prediction"`, the prediction of that item; `"both"`, the mean of the two frequencies.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.learners import MajorityClass
    >>> learner = TemporalCorrection(MajorityClass()).bind(Schema((), "y", ("no", "yes")))
    >>> learner.test_then_train(0, np.empty((7, 0)), np.array([0, 1, 0, 1, 0, 1, 0], np.int32))
    array([-1,  0,  0,  1,  0,  1,  0], dtype=int32)

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("correction",)

    learner: Any = field(default_factory=NaiveBayes)
    late: Late = "label"

    def __post_init__(self) -> None:
        object.__setattr__(self, "learner", resolve("learner", self.learner))
        check(self, 1, self.late)

    @property
    def name(self) -> str:
        """Its name in tables."""
        given = [] if self.late == "label" else [f"late={self.late!r}"]
        return f"temporal_correction({', '.join([name_of(self.learner), *given])})"

    def bind(self, schema: Schema, seed: int = 0) -> CorrectedLearner:
        """Make the learner for a stream's columns and classes."""
        classes = shape(self, schema)[1]
        base = bind(self.learner, schema, seed)
        if not base.has_scores:
            raise ParameterError.of(self, "learner", "a learner with scores", name_of(self.learner))
        return CorrectedLearner(
            base, History(1, self.late), np.zeros(classes), np.zeros((classes, classes))
        )


@dataclass(slots=True)
class CorrectedLearner:
    """See `TemporalCorrection`. `seen[i]` labels i, `next[j, i]` of them right after a j."""

    learner: Any
    history: History
    seen: F64
    next: F64
    last: int = NONE

    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = True
    measured: ClassVar[bool] = False
    one_by_one: ClassVar[None] = None

    @property
    def has_alarms(self) -> bool:
        """True if there is a detector inside."""
        return bool(self.learner.has_alarms)

    @property
    def has_selections(self) -> bool:
        """True if the learner inside selects features."""
        return bool(self.learner.has_selections)

    @property
    def takes_missing(self) -> bool:
        """True if rows may have missing values."""
        return bool(self.learner.takes_missing)

    @property
    def has_scores(self) -> bool:
        """True if it has scores."""
        return True

    @property
    def about(self) -> dict[str, str]:
        """What is stored in the log about it."""
        return dict(self.learner.about)

    def predict(self, rows: F64, first: int = 0) -> Codes | F64:
        """Predict each row, with the labels known now."""
        return best(self._raw(rows, first))

    def scores(self, rows: F64, first: int = 0) -> F64:
        """The corrected scores of each row."""
        return normal(self._raw(rows, first))

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, and count the transitions of their labels."""
        rows, codes, weights, items = wrapping.labelled(rows, labels, weights, items)
        wrapping.learn_rows(self.learner, rows, codes, weights, items)
        self.history.learned(codes, items)
        self._count(codes)

    def predicted(self, first: int, predictions: Codes | F64) -> None:
        """Store the predictions of items whose labels are pending."""
        self.history.predicted(first, predictions)
        wrapping.predicted(self.learner, first, predictions)

    def alarms(self) -> list[tuple[int, str, str]]:
        """Signals of a detector inside since the last call."""
        return wrapping.alarms(self.learner)

    def selections(self) -> list[tuple[int, Sequence[int] | U32]]:
        """The changes of the selection inside since the last call."""
        return wrapping.selections(self.learner)

    def forget(self, keep_from: int) -> None:
        """Forget items below `keep_from`, which are neither predicted nor learned again."""
        self.history.forget(keep_from)
        wrapping.forget(self.learner, keep_from)

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Predict each item, then learn it unless its label is missing."""
        codes = np.asarray(labels, dtype=np.int32)
        sheet = np.full((len(codes), len(self.seen)), np.nan)
        stop: LearnerError | None = None
        try:
            self.learner.test_then_train(first, rows, codes, weights, sheet)
        except LearnerError as error:
            stop = error
        done = len(codes) if stop is None else len(stop.predictions)
        predictions = np.full(done, NONE, dtype=np.int32)
        for some, before in self.history.segments(first, codes[:done]):
            raw = corrected(sheet[some], self._factors(codes[some], before))
            predictions[some] = best(raw)
            if scores is not None:
                scores[some] = normal(raw)
            self._count(codes[some][codes[some] != NONE])
            if some.stop > some.start and codes[some.stop - 1] == NONE:
                last = first + some.stop - 1
                self.history.values.setdefault(last, int(predictions[some.stop - 1]))
        if stop is not None:
            stop.predictions = predictions
            raise stop
        return predictions

    def fresh(self, seed: int) -> CorrectedLearner:
        """An untrained copy, with its own seed."""
        return CorrectedLearner(
            self.learner.fresh(seed),
            History(1, self.history.late),
            np.zeros_like(self.seen),
            np.zeros_like(self.next),
        )

    def _raw(self, rows: F64, first: int) -> F64:
        given: F64 = self.learner.scores(rows, first)
        if self.history.late == "label":  # no label arrives while predicting: one factor for all
            return corrected(given, self._factor(self.history.before(first))[None])
        raw = np.empty_like(given)
        made: dict[int, int] = {}
        for i in range(len(rows)):
            before = self.history.before(first + i, made)
            raw[i] = corrected(given[i : i + 1], self._factor(before)[None])[0]
            made[first + i] = int(best(raw[i : i + 1])[0])
        return raw

    def _factor(self, before: list[int]) -> F64:
        """P(i | label before) / P(i), 1 where undefined; the mean over the labels before."""
        follows: F64 = self.next[[j for j in before if j != NONE]]
        follows = follows[follows.sum(axis=1) > 0]
        if not len(follows):
            return np.ones(len(self.seen))
        share: F64 = np.mean(follows / follows.sum(axis=1, keepdims=True), axis=0)
        return quotient(share, self.seen / self.seen.sum())

    def _factors(self, codes: Codes, before: Codes) -> F64:
        """The factors of consecutive items, each from the labels before it."""
        known = codes != NONE
        one = (codes[:, None] == np.arange(len(self.seen))).astype(np.float64)
        seen = self.seen + np.cumsum(one, axis=0) - one
        share = np.zeros_like(one)
        found = np.zeros((len(codes), 1))
        line = np.array([self.last, *codes[known]], np.int32)
        previous = line[np.cumsum(known) - known]
        for column in before.T:
            for j in np.unique(column[column != NONE]):
                predicted = np.flatnonzero(column == j)
                moves = np.flatnonzero(known & (previous == j))
                so_far = np.concatenate([np.zeros((1, one.shape[1])), np.cumsum(one[moves], 0)])
                rows = self.next[j] + so_far[np.searchsorted(moves, predicted)]
                total = rows.sum(axis=1, keepdims=True)
                share[predicted] += np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)
                found[predicted] += total > 0
        mean = np.divide(share, found, out=np.zeros_like(share), where=found > 0)
        total = seen.sum(axis=1, keepdims=True)
        prior = np.divide(seen, total, out=np.zeros_like(seen), where=total > 0)
        return np.where(found > 0, quotient(mean, prior), 1.0)

    def _count(self, codes: Codes) -> None:
        """Count labels and their transitions, in order."""
        if len(codes):
            line = np.array([self.last, *codes], np.int32)
            from_, to = (line[:-1], line[1:]) if self.last != NONE else (line[1:-1], line[2:])
            np.add.at(self.seen, codes, 1.0)
            np.add.at(self.next, (from_, to), 1.0)
            self.last = int(codes[-1])


def quotient(share: F64, prior: F64) -> F64:
    """Share by prior, 1 where the prior is 0."""
    whole: F64 = np.divide(share, prior, out=np.ones_like(share), where=prior > 0)
    return whole


def corrected(scores: F64, factors: F64) -> F64:
    """Scores times factors; the scores themselves where all are 0."""
    raw = scores * factors
    none: F64 = (raw == 0).all(axis=1, keepdims=True)
    whole: F64 = np.where(none, scores, raw)
    return whole


def best(raw: F64) -> Codes:
    """The class with the largest score, the first of equals; none where there are no scores."""
    lost: Flags = np.atleast_1d(np.isnan(raw).any(axis=1))
    predictions: Codes = np.where(lost, NONE, np.nan_to_num(raw).argmax(axis=1)).astype(np.int32)
    return predictions


def normal(raw: F64) -> F64:
    """Scores that sum to 1, where they can."""
    total = raw.sum(axis=1, keepdims=True)
    whole: F64 = np.divide(raw, total, out=raw.copy(), where=total > 0)
    return whole
