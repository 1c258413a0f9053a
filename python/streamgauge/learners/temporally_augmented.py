"""A learner whose columns include the labels before an item."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from streamgauge.adapters import bind
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.kinds import at_most, plain_numbers
from streamgauge.learners import _wrapping as wrapping
from streamgauge.learners._history import History, Late, check
from streamgauge.learners._shape import shape
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.log.about import name_of
from streamgauge.names import resolve
from streamgauge.types import F64, NONE, U64, Codes, Feature, Schema, Value

PAD = "(none)"
"""The value of a label that does not exist, by default."""

MOST_LABELS = 1_000
"""Largest order: each past label is a column, or one for each class."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class TemporallyAugmented:
    r"""Any learner, with the last labels as additional columns (temporally augmented).

    .. math:: \hat y_t = h(X_t, y_{t-1}, \ldots, y_{t-\ell})

    The features are first, then the last label, the one before it, and so on. An item is trained on
    the columns of its first prediction, even if its label arrives late.

    Parameters
    ----------
    learner
        The learner inside: a learner, a model of any library, or the name of one.
    order
        Number of past labels.
    late
        What replaces labels that are not known yet: `"label"`, the last known labels, however old;
        `"prediction"`, for each item before, its label or otherwise its prediction; `"both"`, the
        former and then the latter. No difference where every label arrives immediately.
    pad
        The class in place of a label that does not exist (MOA: the first class); None: a value of
        its own.
    columns
        `"nominal"`: one column per label. `"indicators"`: one column of 0 and 1 for each class,
        for models that take numbers only.

    Examples
    --------
    >>> import numpy as np
    >>> schema = Schema((), "y", ("no", "yes"))
    >>> learner = TemporallyAugmented(order=2).bind(schema)
    >>> labels = np.arange(400, dtype=np.int32) // 2 % 2  # no no yes yes no no …
    >>> predictions = learner.test_then_train(0, np.empty((400, 0)), labels)
    >>> float((predictions == labels)[100:].mean())
    1.0

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("augmented",)

    learner: Any = field(default_factory=NaiveBayes)
    order: int = 1
    late: Late = "label"
    pad: Value | None = None
    columns: Literal["nominal", "indicators"] = "nominal"

    def __post_init__(self) -> None:
        object.__setattr__(self, "learner", resolve("learner", self.learner))
        check(self, self.order, self.late)
        at_most(self, "order", self.order, MOST_LABELS)
        if self.columns not in ("nominal", "indicators"):
            raise ParameterError.of(self, "columns", "'nominal' or 'indicators'", self.columns)

    @property
    def name(self) -> str:
        """Its name in tables."""
        defaults = {"order": 1, "late": "label", "pad": None, "columns": "nominal"}
        given = [f"{k}={getattr(self, k)!r}" for k, v in defaults.items() if getattr(self, k) != v]
        return f"temporally_augmented({', '.join([name_of(self.learner), *given])})"

    def bind(self, schema: Schema, seed: int = 0) -> AugmentedLearner:
        """Make the learner for a stream's columns and classes."""
        shape(self, schema)
        classes = schema.classes or ()
        if self.pad is not None and self.pad not in classes:
            raise ParameterError.of(
                self, "pad", f"None or one of {', '.join(map(repr, classes))}", self.pad
            )
        pad = None if self.pad is None else classes.index(self.pad)
        blocks = ("label", "prediction") if self.late == "both" else ("label",)
        names = [f"{block}[t-{j + 1}]" for block in blocks for j in range(self.order)]
        if self.columns == "indicators":
            more = [Feature(f"{name}={value}") for name in names for value in classes]
        else:
            # Strings, so that a model that gets values does not treat them as numbers.
            values = tuple(map(str, classes)) + ((PAD,) if pad is None else ())
            more = [Feature(name, values) for name in names]
        wide = replace(schema, features=(*schema.features, *more))
        return AugmentedLearner(
            bind(self.learner, wide, seed),
            History(self.order, self.late),
            len(classes),
            pad,
            self.columns == "indicators",
        )


@dataclass(slots=True)
class AugmentedLearner:
    """See `TemporallyAugmented`; `learner` is bound to the columns and those of the labels."""

    learner: Any
    history: History
    classes: int
    pad: int | None
    indicators: bool

    numbered: ClassVar[bool] = False
    tracks_items: ClassVar[bool] = True
    has_selections: ClassVar[bool] = False  # the columns inside are not those of the stream
    measured: ClassVar[bool] = False
    one_by_one: ClassVar[None] = None

    @property
    def has_alarms(self) -> bool:
        """True if there is a detector inside."""
        return bool(self.learner.has_alarms)

    @property
    def takes_missing(self) -> bool:
        """True if rows may have missing values."""
        return bool(self.learner.takes_missing)

    @property
    def has_scores(self) -> bool:
        """True if it has scores."""
        return bool(self.learner.has_scores)

    @property
    def about(self) -> dict[str, str]:
        """What is stored in the log about it."""
        return dict(self.learner.about)

    def predict(self, rows: F64, first: int = 0) -> Codes | F64:
        """Predict each row, with the labels known now."""
        if self.history.late == "label":
            before = np.tile(np.array(self.history.before(first), np.int32), (len(rows), 1))
            predictions: Codes = self.learner.predict(self._wide(rows, before), first)
            return predictions
        return np.array([one for one, _ in self._one_by_one(rows, first)], dtype=np.int32)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number per class for each row."""
        if self.history.late == "label":
            before = np.tile(np.array(self.history.before(first), np.int32), (len(rows), 1))
            scores: F64 = self.learner.scores(self._wide(rows, before), first)
            return scores
        each = [
            self.learner.scores(wide, first + i)[0]
            for i, (_, wide) in enumerate(self._one_by_one(rows, first))
        ]
        return np.array(each).reshape(len(rows), self.classes)

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, each with the columns of its first prediction."""
        rows, codes, weights, items = wrapping.labelled(rows, labels, weights, items)
        wide = self._wide(rows, self.history.learned(codes, items))
        wrapping.learn_rows(self.learner, wide, codes, weights, items)

    def predicted(self, first: int, predictions: Codes | F64) -> None:
        """Store the predictions of items whose labels are pending."""
        self.history.predicted(first, predictions)
        wrapping.predicted(self.learner, first, predictions)

    def alarms(self) -> list[tuple[int, str, str]]:
        """Signals of a detector inside since the last call."""
        return wrapping.alarms(self.learner)

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
        predictions = np.full(len(codes), NONE, dtype=np.int32)
        for some, before in self.history.segments(first, codes):
            try:
                predictions[some] = self.learner.test_then_train(
                    first + some.start,
                    self._wide(rows[some], before),
                    codes[some],
                    None if weights is None else weights[some],
                    None if scores is None else scores[some],
                )
            except LearnerError as error:
                error.predictions = np.concatenate([predictions[: some.start], error.predictions])
                raise
            if some.stop > some.start and codes[some.stop - 1] == NONE:
                last = first + some.stop - 1
                self.history.values.setdefault(last, int(predictions[some.stop - 1]))
        return predictions

    def fresh(self, seed: int) -> AugmentedLearner:
        """An untrained copy, with its own seed."""
        history = History(self.history.order, self.history.late)
        return replace(self, learner=self.learner.fresh(seed), history=history)

    def _one_by_one(self, rows: F64, first: int) -> list[tuple[int, F64]]:
        """Predictions where each may depend on the one before, and their rows."""
        made: dict[int, int] = {}
        given = []
        for i in range(len(rows)):
            before = np.array([self.history.before(first + i, made)], np.int32)
            wide = self._wide(rows[i : i + 1], before)
            made[first + i] = int(self.learner.predict(wide, first + i)[0])
            given.append((made[first + i], wide))
        return given

    def _wide(self, rows: F64, before: Codes) -> F64:
        """The rows, followed by the labels before."""
        if self.pad is not None:
            before = np.where(before == NONE, self.pad, before)
        if self.indicators:
            more = before[:, :, None] == np.arange(self.classes)
            more = more.reshape(len(before), before.shape[1] * self.classes)
        else:
            more = np.where(before == NONE, self.classes, before)
        return np.concatenate([rows, more.astype(np.float64)], axis=1)
