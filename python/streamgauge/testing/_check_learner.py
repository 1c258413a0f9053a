"""Contract of learners: native, adapted or your own."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from streamgauge.errors import StreamgaugeError
from streamgauge.types import F64, NONE, Codes, Learner, Schema, missing

UNPICKLABLE = (
    pickle.PicklingError,
    TypeError,
    AttributeError,
    NotImplementedError,
    StreamgaugeError,
)
"""Errors raised by objects that cannot be pickled."""


def check_learner(
    make_learner: Callable[[], Learner],
    schema: Schema,
    *,
    count: int = 120,
    sizes: Sequence[int] = (1, 7),
    seed: int = 0,
) -> None:
    """Run a learner on random items of `schema` and fail at the first violation of its contract.

    It predicts or abstains before it has learned; predicting does not change it; a missing label
    does not change it; no weights are weights of 1; items are not modified; results depend neither
    on the batch size nor on whether orders are executed singly; scores do not change predictions;
    `fresh` has learned nothing, and the same seed gives the same predictions; it can be pickled
    with its state, or the error states why not.

    Parameters
    ----------
    make_learner
        Returns a new untrained learner bound to `schema`.
    schema
        Schema of the items; labels and cells are random.
    count
        Number of items.
    sizes
        Batch sizes, besides one batch of all items.
    seed
        Seed of the items and of the learner.

    Examples
    --------
    >>> from streamgauge.adapters import adapt
    >>> from streamgauge.types import Feature
    >>> class Last:
    ...     label = None
    ...     def predict(self, x):
    ...         return self.label
    ...     def learn(self, x, y):
    ...         self.label = y
    >>> schema = Schema((Feature("a"), Feature("b", ("x", "y"))), classes=("no", "yes"))
    >>> check_learner(lambda: adapt(Last(), schema), schema)
    >>> class Changing(Last):
    ...     def predict(self, x):
    ...         self.label = 1 - (self.label or 0)
    ...         return self.label
    >>> check_learner(lambda: adapt(Changing(), schema), schema)
    Traceback (most recent call last):
    AssertionError: Changing: predicting must not change the learner, got 0 at row 0 for 1
    """
    check = _Check(make_learner, schema, _items(schema, count, seed, make_learner()), seed)
    check.does_not_modify_items()  # first, while the items are unmodified
    check.predicts_at_any_time()
    check.learns_by_learn_only()
    check.is_independent_of_batches(sizes)
    check.fresh_has_learned_nothing()
    check.scores_beside_the_predictions()
    check.pickles_or_states_why_not()


@dataclass(frozen=True, slots=True)
class _Items:
    rows: F64
    labels: Codes | F64

    def __len__(self) -> int:
        return len(self.labels)

    def part(self, low: int, high: int) -> _Items:
        return _Items(self.rows[low:high], self.labels[low:high])


@dataclass(frozen=True, slots=True)
class _Check:
    make: Callable[[], Learner]
    schema: Schema
    items: _Items
    seed: int

    def start(self) -> Any:
        return self.make().fresh(self.seed)

    def driven(self, learner: Any, items: _Items | None = None, first: int = 0) -> Any:
        items = self.items if items is None else items
        return learner.test_then_train(first, items.rows, items.labels, None)

    def predicts_at_any_time(self) -> None:
        """Predictions have the right type, number and range before and after learning."""
        learner, rows = self.start(), self.items.rows
        for when in ("before learning", "after learning"):
            for predicted in (
                learner.predict(rows),
                learner.predict(rows[:1]),
                learner.predict(rows[:0]),
            ):
                self._check_type(predicted, when)
            self._same(
                len(learner.predict(rows)), len(rows), f"predictions must be one per row {when}"
            )
            self._check_type(self.driven(learner), "in test-then-train")

    def does_not_modify_items(self) -> None:
        learner, items = self.start(), self.items
        rows, labels, weights = items.rows.copy(), items.labels.copy(), np.ones(len(items))
        learner.test_then_train(0, rows, labels, weights)
        learner.predict(rows)
        known = _known(labels)
        learner.learn(rows[known], labels[known], weights[known])
        for kept, given in ((rows, items.rows), (labels, items.labels), (weights, weights * 0 + 1)):
            self._same(kept, given, "items must not be modified")

    def learns_by_learn_only(self) -> None:
        learner, predicting = self.start(), self.start()
        half = len(self.items) // 2
        past, rest = self.items.part(0, half), self.items.part(half, len(self.items))
        self.driven(learner, past)
        for low in range(0, half, 10):
            part = past.part(low, min(low + 10, half))
            predicting.predict(self.items.rows)
            self.driven(predicting, part, low)
            before = predicting.predict(part.rows, low)
            predicting.predict(self.items.rows[:1])
            self._same(
                predicting.predict(part.rows, low), before, "predicting must not change the learner"
            )
        self._same(
            self.driven(predicting, rest, half),
            self.driven(learner, rest, half),
            "predicting must not change the learner",
        )
        unlabelled = self.start()
        hidden = self.items.labels.copy()
        hidden[:] = np.nan if self.schema.classes is None else NONE
        predicted = self.driven(unlabelled, _Items(self.items.rows, hidden))
        self._same(
            predicted,
            self.start().predict(self.items.rows),
            "a missing label must not change the learner",
        )
        ones = self.start().test_then_train(
            0, self.items.rows, self.items.labels, np.ones(len(self.items))
        )
        self._same(ones, self.driven(self.start()), "no weights must equal weights of 1")

    def is_independent_of_batches(self, sizes: Sequence[int]) -> None:
        expected, items = self.driven(self.start()), self.items
        for size in sizes:
            learner = self.start()
            parts = [
                self.driven(learner, items.part(low, low + size), low)
                for low in range(0, len(items), size)
            ]
            self._same(np.concatenate(parts), expected, f"batches of {size} must change nothing")
        learner = self.start()
        for i in range(len(items)):
            one = items.part(i, i + 1)
            self._same(
                learner.predict(one.rows, i),
                expected[i : i + 1],
                "single orders must give the same",
            )
            if _known(one.labels)[0]:
                learner.learn(one.rows, one.labels, np.ones(1))
        known = _known(items.labels)
        together = self.start()
        together.learn(items.rows[known], items.labels[known], np.ones(int(known.sum())))
        self._same(
            together.predict(items.rows),
            learner.predict(items.rows),
            "learning items together must equal learning them one by one",
        )

    def fresh_has_learned_nothing(self) -> None:
        trained, before = self.start(), self.start().predict(self.items.rows)
        first = self.driven(trained)
        again = trained.fresh(self.seed)
        self._same(again.predict(self.items.rows), before, "fresh must have learned nothing")
        self._same(self.driven(again), first, "the same seed must give the same predictions")
        untouched = self.start()
        other = untouched.fresh(self.seed)
        self.driven(other)
        self._same(untouched.predict(self.items.rows), before, "fresh learners must share no state")

    def scores_beside_the_predictions(self) -> None:
        learner = self.start()
        if self.schema.classes is None or not learner.has_scores:
            return
        count, classes = len(self.items), len(self.schema.classes)
        recorded = np.full((count, classes), -1.0)
        predicted = learner.test_then_train(0, self.items.rows, self.items.labels, None, recorded)
        self._same(predicted, self.driven(self.start()), "scores must not change the predictions")
        given = learner.scores(self.items.rows)
        self._same(given.shape, (count, classes), "scores must be one per row and class")
        copy = self.start()
        for i in range(count):
            one = self.items.part(i, i + 1)
            self._same(
                copy.scores(one.rows, i)[0], recorded[i], "scores of single orders must be the same"
            )
            self.driven(copy, one, i)

    def pickles_or_states_why_not(self) -> None:
        learner = self.start()
        self.driven(learner)
        try:
            pickled = pickle.dumps(learner)
        except UNPICKLABLE as why:
            if not str(why):
                self._fail("an error of pickling must have a message", "none", "one")
            return
        copy = pickle.loads(pickled)
        self._same(self.driven(copy), self.driven(learner), "a pickled learner must keep its state")

    def _check_type(self, predicted: Any, when: str) -> None:
        kind = np.float64 if self.schema.classes is None else np.int32
        if not isinstance(predicted, np.ndarray) or predicted.dtype != kind or predicted.ndim != 1:
            got = getattr(predicted, "dtype", type(predicted).__name__)
            self._fail(
                f"predictions must be a column of {kind.__name__} {when}", got, kind.__name__
            )
        if self.schema.classes is not None:
            wrong = predicted[(predicted < NONE) | (predicted >= len(self.schema.classes))]
            if len(wrong):
                top = len(self.schema.classes) - 1
                self._fail(f"predictions must be codes from -1 to {top} {when}", wrong[0], "a code")

    def _same(self, got: Any, want: Any, rule: str) -> None:
        got, want = np.asarray(got), np.asarray(want)
        if got.shape != want.shape:
            self._fail(rule, f"shape {got.shape}", f"shape {want.shape}")
        if got.dtype.kind == "f":
            # A library may sum in another order for many rows.
            same = np.isclose(got, want, rtol=1e-9, atol=1e-12, equal_nan=True)
        else:
            same = got == want
        if not same.all():
            at = tuple(int(i) for i in np.argwhere(~same)[0]) if same.ndim else ()
            self._fail(rule, f"{got[at]} at row {at[0] if at else 0}", want[at])

    def _fail(self, rule: str, got: object, want: object) -> NoReturn:
        learner = self.make()
        name = getattr(learner, "name", type(learner).__name__)
        raise AssertionError(f"{name}: {rule}, got {got} for {want}")


def _known(labels: Codes | F64) -> Any:
    return ~missing(labels)


def _items(schema: Schema, count: int, seed: int, learner: Learner) -> _Items:
    """Random items whose labels depend on the features; every seventh label is missing."""
    rng = np.random.default_rng(seed)
    rows = np.empty((count, len(schema.features)))
    signal = np.zeros(count)
    for column, feature in enumerate(schema.features):
        if feature.values is None:
            rows[:, column] = rng.normal(size=count)
            signal += rows[:, column]
        else:
            rows[:, column] = rng.integers(len(feature.values), size=count)
            signal += rows[:, column] / max(1, len(feature.values))
    labels: Codes | F64 = signal.copy()
    if schema.classes is not None:
        edges = np.quantile(signal, np.linspace(0, 1, len(schema.classes) + 1)[1:-1])
        labels = np.digitize(signal, edges).astype(np.int32)
    labels[::7] = np.nan if schema.classes is None else NONE
    if learner.takes_missing:
        rows[rng.random(rows.shape) < 0.05] = np.nan
    return _Items(rows, labels)
