"""What every learner promises, native, adapted or your own."""

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
"""How an object says that it cannot be pickled."""


def check_learner(
    make_learner: Callable[[], Learner],
    schema: Schema,
    *,
    count: int = 120,
    sizes: Sequence[int] = (1, 7),
    seed: int = 0,
) -> None:
    """Drive a learner over random items of `schema` and fail at the first broken promise.

    It answers before it was taught, or abstains; answering teaches nothing; a missing label
    teaches nothing; no weights are weights of 1; the items are not altered; neither the size of
    the batches nor whether it is driven at once or order by order matters; asking for scores does
    not change the answers; `fresh` knows nothing, and the same seed gives the same answers; it
    pickles with all it knows, or says why not.

    Parameters
    ----------
    make_learner
        Gives a learner bound to `schema` that knows nothing, a new one at each call.
    schema
        Of the items; labels and cells are drawn at random.
    count
        How many items.
    sizes
        Of the batches, besides all items at once.
    seed
        Of the items and of the learner.

    Examples
    --------
    >>> from streamgauge.adapters import adapt
    >>> from streamgauge.types import Feature
    >>> class Last:
    ...     said = None
    ...     def predict(self, x):
    ...         return self.said
    ...     def learn(self, x, y):
    ...         self.said = y
    >>> schema = Schema((Feature("a"), Feature("b", ("x", "y"))), classes=("no", "yes"))
    >>> check_learner(lambda: adapt(Last(), schema), schema)
    >>> class Eager(Last):
    ...     def predict(self, x):
    ...         self.said = 1 - (self.said or 0)
    ...         return self.said
    >>> check_learner(lambda: adapt(Eager(), schema), schema)
    Traceback (most recent call last):
    AssertionError: Eager: answering must teach nothing, got 0 at row 0 for 1
    """
    check = _Check(make_learner, schema, _items(schema, count, seed, make_learner()), seed)
    check.leaves_the_items_alone()  # the first one, while they are as they were made
    check.answers_at_any_time()
    check.learns_by_being_taught_only()
    check.does_not_care_for_batches(sizes)
    check.fresh_knows_nothing()
    check.scores_beside_the_answers()
    check.pickles_or_says_why_not()


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

    def answers_at_any_time(self) -> None:
        """Right kind, right number, in range: before the first label and after the last."""
        learner, rows = self.start(), self.items.rows
        for when in ("before it was taught", "after it was taught"):
            for said in (learner.answer(rows), learner.answer(rows[:1]), learner.answer(rows[:0])):
                self._right(said, when)
            self._same(len(learner.answer(rows)), len(rows), f"answers must be one a row {when}")
            self._right(self.driven(learner), "while it was tested and taught")

    def leaves_the_items_alone(self) -> None:
        learner, items = self.start(), self.items
        rows, labels, weights = items.rows.copy(), items.labels.copy(), np.ones(len(items))
        learner.test_then_train(0, rows, labels, weights)
        learner.answer(rows)
        known = _known(labels)
        learner.learn(rows[known], labels[known], weights[known])
        for kept, given in ((rows, items.rows), (labels, items.labels), (weights, weights * 0 + 1)):
            self._same(kept, given, "items must not be altered")

    def learns_by_being_taught_only(self) -> None:
        learner, nosy = self.start(), self.start()
        half = len(self.items) // 2
        past, rest = self.items.part(0, half), self.items.part(half, len(self.items))
        self.driven(learner, past)
        for low in range(0, half, 10):
            part = past.part(low, min(low + 10, half))
            nosy.answer(self.items.rows)
            self.driven(nosy, part, low)
            before = nosy.answer(part.rows, low)
            nosy.answer(self.items.rows[:1])
            self._same(nosy.answer(part.rows, low), before, "answering must teach nothing")
        self._same(
            self.driven(nosy, rest, half),
            self.driven(learner, rest, half),
            "answering must teach nothing",
        )
        untold = self.start()
        hidden = self.items.labels.copy()
        hidden[:] = np.nan if self.schema.classes is None else NONE
        said = self.driven(untold, _Items(self.items.rows, hidden))
        self._same(said, self.start().answer(self.items.rows), "a missing label must teach nothing")
        ones = self.start().test_then_train(
            0, self.items.rows, self.items.labels, np.ones(len(self.items))
        )
        self._same(ones, self.driven(self.start()), "no weights must mean weights of 1")

    def does_not_care_for_batches(self, sizes: Sequence[int]) -> None:
        expected, items = self.driven(self.start()), self.items
        for size in sizes:
            learner = self.start()
            said = [
                self.driven(learner, items.part(low, low + size), low)
                for low in range(0, len(items), size)
            ]
            self._same(np.concatenate(said), expected, f"batches of {size} must change nothing")
        learner = self.start()
        for i in range(len(items)):
            one = items.part(i, i + 1)
            self._same(
                learner.answer(one.rows, i), expected[i : i + 1], "orders one by one must agree"
            )
            if _known(one.labels)[0]:
                learner.learn(one.rows, one.labels, np.ones(1))
        known = _known(items.labels)
        at_once = self.start()
        at_once.learn(items.rows[known], items.labels[known], np.ones(int(known.sum())))
        self._same(
            at_once.answer(items.rows),
            learner.answer(items.rows),
            "learning many at once must be learning them one by one",
        )

    def fresh_knows_nothing(self) -> None:
        taught, before = self.start(), self.start().answer(self.items.rows)
        first = self.driven(taught)
        again = taught.fresh(self.seed)
        self._same(again.answer(self.items.rows), before, "fresh must know nothing")
        self._same(self.driven(again), first, "the same seed must give the same answers")
        untouched = self.start()
        other = untouched.fresh(self.seed)
        self.driven(other)
        self._same(untouched.answer(self.items.rows), before, "fresh copies must share nothing")

    def scores_beside_the_answers(self) -> None:
        learner = self.start()
        if self.schema.classes is None or not learner.has_scores:
            return
        count, classes = len(self.items), len(self.schema.classes)
        sheet = np.full((count, classes), -1.0)
        said = learner.test_then_train(0, self.items.rows, self.items.labels, None, sheet)
        self._same(said, self.driven(self.start()), "scores must not change the answers")
        given = learner.scores(self.items.rows)
        self._same(given.shape, (count, classes), "scores must be one a class and row")
        twin = self.start()
        for i in range(count):
            one = self.items.part(i, i + 1)
            self._same(
                twin.scores(one.rows, i)[0], sheet[i], "scores must be the same order by order"
            )
            self.driven(twin, one, i)

    def pickles_or_says_why_not(self) -> None:
        learner = self.start()
        self.driven(learner)
        try:
            parcel = pickle.dumps(learner)
        except UNPICKLABLE as why:
            if not str(why):
                self._fail("what does not pickle must say why", "an error without a word", "one")
            return
        twin = pickle.loads(parcel)
        self._same(
            self.driven(twin), self.driven(learner), "it must come out of a pickle as it went in"
        )

    def _right(self, said: Any, when: str) -> None:
        kind = np.float64 if self.schema.classes is None else np.int32
        if not isinstance(said, np.ndarray) or said.dtype != kind or said.ndim != 1:
            got = getattr(said, "dtype", type(said).__name__)
            self._fail(f"answers must be a column of {kind.__name__} {when}", got, kind.__name__)
        if self.schema.classes is not None:
            wrong = said[(said < NONE) | (said >= len(self.schema.classes))]
            if len(wrong):
                top = len(self.schema.classes) - 1
                self._fail(f"answers must be codes from -1 to {top} {when}", wrong[0], "a code")

    def _same(self, got: Any, want: Any, rule: str) -> None:
        got, want = np.asarray(got), np.asarray(want)
        if got.shape != want.shape:
            self._fail(rule, f"shape {got.shape}", f"shape {want.shape}")
        if got.dtype.kind == "f":
            # A library may add up in another order when it is asked about many rows at once.
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
    """Random items a learner can learn something from; every seventh label is missing."""
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
