"""A learner that is shown the labels before an item as well."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from streamgauge.errors import LearnerError, ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.learners import _wrapping as wrapping
from streamgauge.learners._history import History, Late, check
from streamgauge.learners._shape import shape
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.types import F64, NONE, U64, Codes, Feature, Schema, Value

PAD = "(none)"
"""The value of a label that is not there, unless a class is told to stand in for it."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class TemporallyAugmented:
    r"""Any learner, shown the last labels beside the features (temporally augmented).

    .. math:: \hat y_t = h(X_t, y_{t-1}, \ldots, y_{t-\ell})

    The features come first, then the last label, the one before it, and so on. An item is
    trained on the columns it was first asked with, even if its label comes late.

    Parameters
    ----------
    base
        The learner inside: a learner, a model of any library, or the name of one.
    order
        How many labels back.
    late
        What is shown while labels are late: `"label"`, the last labels that have come, however
        old; `"answer"`, for each item before, its label or else the answer given to it; `"both"`,
        the one and then the other. All the same where every label comes at once.
    pad
        The class that stands in for a label that is not there (MOA: the first class); None: a
        value of its own.
    columns
        `"nominal"`: one column a label. `"indicators"`: one column of 0 and 1 for each class,
        for models that take numbers only.

    Examples
    --------
    >>> import numpy as np
    >>> schema = Schema((), "y", ("no", "yes"))
    >>> learner = TemporallyAugmented(order=2).bind(schema)
    >>> labels = np.arange(400, dtype=np.int32) // 2 % 2  # no no yes yes no no …
    >>> answers = learner.test_then_train(0, np.empty((400, 0)), labels)
    >>> float((answers == labels)[100:].mean())
    1.0

    References
    ----------
    Žliobaitė, Bifet, Read, Pfahringer, Holmes. Evaluation methods and decision theory for
    classification of streaming data with temporal dependence. Machine Learning 98 (2015).
    """

    task: ClassVar[Literal["classification"]] = "classification"
    aliases: ClassVar[tuple[str, ...]] = ("augmented",)

    base: Any = field(default_factory=NaiveBayes)
    order: int = 1
    late: Late = "label"
    pad: Value | None = None
    columns: Literal["nominal", "indicators"] = "nominal"

    def __post_init__(self) -> None:
        check(self, self.order, self.late)
        if self.columns not in ("nominal", "indicators"):
            raise ParameterError.of(self, "columns", "'nominal' or 'indicators'", self.columns)

    @property
    def name(self) -> str:
        """What tables call it."""
        usual = {"order": 1, "late": "label", "pad": None, "columns": "nominal"}
        told = [f"{k}={getattr(self, k)!r}" for k, v in usual.items() if getattr(self, k) != v]
        return f"temporally_augmented({', '.join([wrapping.named(self.base), *told])})"

    def bind(self, schema: Schema, seed: int = 0) -> AugmentedLearner:
        """Make the learner for a stream's columns and classes."""
        shape(self, schema)
        classes = schema.classes or ()
        if self.pad is not None and self.pad not in classes:
            raise ParameterError.of(
                self, "pad", f"None or one of {', '.join(map(repr, classes))}", self.pad
            )
        pad = None if self.pad is None else classes.index(self.pad)
        blocks = ("label", "said") if self.late == "both" else ("label",)
        names = [f"{block}[t-{j + 1}]" for block in blocks for j in range(self.order)]
        if self.columns == "indicators":
            more = [Feature(f"{name}={value}") for name in names for value in classes]
        else:
            # Words, so that a model which is shown own values never takes them for numbers.
            values = tuple(map(str, classes)) + ((PAD,) if pad is None else ())
            more = [Feature(name, values) for name in names]
        wide = replace(schema, features=(*schema.features, *more))
        return AugmentedLearner(
            wrapping.bound(self.base, wide, seed),
            History(self.order, self.late),
            len(classes),
            pad,
            self.columns == "indicators",
        )


@dataclass(slots=True)
class AugmentedLearner:
    """See `TemporallyAugmented`; `base` is bound to the columns and those of the labels."""

    base: Any
    history: History
    classes: int
    pad: int | None
    indicators: bool

    numbered: ClassVar[bool] = False
    remembers: ClassVar[bool] = True
    measured: ClassVar[bool] = False
    one_by_one: ClassVar[None] = None

    @property
    def watches(self) -> bool:
        """Is there a detector inside?"""
        return bool(self.base.watches)

    @property
    def takes_missing(self) -> bool:
        """May a row have missing values?"""
        return bool(self.base.takes_missing)

    @property
    def has_scores(self) -> bool:
        """Can it be asked for scores?"""
        return bool(self.base.has_scores)

    @property
    def about(self) -> dict[str, str]:
        """What a log should say of it."""
        return dict(self.base.about)

    def answer(self, rows: F64, first: int = 0) -> Codes | F64:
        """Ask about each row, with the labels known now."""
        if self.history.late == "label":
            before = np.tile(np.array(self.history.before(first), np.int32), (len(rows), 1))
            answers: Codes = self.base.answer(self._wide(rows, before), first)
            return answers
        return np.array([said for said, _ in self._one_by_one(rows, first)], dtype=np.int32)

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number a class for each row."""
        if self.history.late == "label":
            before = np.tile(np.array(self.history.before(first), np.int32), (len(rows), 1))
            scores: F64 = self.base.scores(self._wide(rows, before), first)
            return scores
        each = [
            self.base.scores(wide, first + i)[0]
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
        """Learn labelled items, each with the columns it was first asked with."""
        rows, codes, weights, items = wrapping.labelled(rows, labels, weights, items)
        wide = self._wide(rows, self.history.taught(codes, items))
        wrapping.teach(self.base, wide, codes, weights, items)

    def asked(self, first: int, answers: Codes | F64) -> None:
        """Be told what was said to items whose labels come later."""
        self.history.asked(first, answers)
        wrapping.tell(self.base, first, answers)

    def alarms(self) -> list[tuple[int, str, str]]:
        """What a detector inside said since it was last asked."""
        return wrapping.alarms(self.base)

    def let_go(self, keep_from: int) -> None:
        """Forget items below `keep_from`: they will neither be asked nor taught again."""
        self.history.let_go(keep_from)
        wrapping.let_go(self.base, keep_from)

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Answer each item, then learn it unless its label is missing."""
        codes = np.asarray(labels, dtype=np.int32)
        answers = np.full(len(codes), NONE, dtype=np.int32)
        for some, before in self.history.walked(first, codes):
            try:
                answers[some] = self.base.test_then_train(
                    first + some.start,
                    self._wide(rows[some], before),
                    codes[some],
                    None if weights is None else weights[some],
                    None if scores is None else scores[some],
                )
            except LearnerError as error:
                error.answers = np.concatenate([answers[: some.start], error.answers])
                raise
            if some.stop > some.start and codes[some.stop - 1] == NONE:
                last = first + some.stop - 1
                self.history.values.setdefault(last, int(answers[some.stop - 1]))
        return answers

    def fresh(self, seed: int) -> AugmentedLearner:
        """A copy that knows nothing, with its own seed."""
        history = History(self.history.order, self.history.late)
        return replace(self, base=self.base.fresh(seed), history=history)

    def _one_by_one(self, rows: F64, first: int) -> list[tuple[int, F64]]:
        """Answers where each may hang on the one before, and the rows they were given to."""
        said: dict[int, int] = {}
        given = []
        for i in range(len(rows)):
            before = np.array([self.history.before(first + i, said)], np.int32)
            wide = self._wide(rows[i : i + 1], before)
            said[first + i] = int(self.base.answer(wide, first + i)[0])
            given.append((said[first + i], wide))
        return given

    def _wide(self, rows: F64, before: Codes) -> F64:
        """The rows and, behind them, the labels before."""
        if self.pad is not None:
            before = np.where(before == NONE, self.pad, before)
        if self.indicators:
            more = before[:, :, None] == np.arange(self.classes)
            more = more.reshape(len(before), before.shape[1] * self.classes)
        else:
            more = np.where(before == NONE, self.classes, before)
        return np.concatenate([rows, more.astype(np.float64)], axis=1)
