"""What the engine drives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from streamgauge.types.columns import F64, U64, Codes

DECLARED = (
    "takes_missing",
    "has_scores",
    "numbered",
    "remembers",
    "watches",
    "measured",
    "one_by_one",
    "about",
)
"""What every learner declares of itself."""


class Learner(Protocol):
    """A learner the engine can drive: bound to a schema, knowing nothing yet.

    Rows are float64 with nominal codes and NaN for missing; labels are codes or reals. `first`
    is the number of the first item, for learners that draw by item and for errors that name it.
    `streamgauge.testing.check_learner` is the contract. What a learner can do besides, it
    declares.
    """

    @property
    def takes_missing(self) -> bool:
        """May a row have missing values?"""

    @property
    def has_scores(self) -> bool:
        """Can it give scores?"""

    @property
    def numbered(self) -> bool:
        """Do `answer` and `scores` take `items`, the numbers of items in any order?"""

    @property
    def remembers(self) -> bool:
        """Is it a `Remembering` learner?"""

    @property
    def watches(self) -> bool:
        """Is it a `Watchful` learner?"""

    @property
    def measured(self) -> bool:
        """Has it `memory()`, the bytes it holds, and `vitals()`, named facts about it?"""

    @property
    def one_by_one(self) -> object | None:
        """How a model that predicts one item at a time is driven; None for others."""

    @property
    def about(self) -> Mapping[str, str]:
        """What a log should say of it: versions, and what an adapter decided."""

    def answer(self, rows: F64, first: int = 0) -> Codes | F64:
        """Class codes (`NONE` for no answer) or reals (NaN for no answer). Teaches nothing."""

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number a class for each row; NaN before it knows anything."""

    def learn(self, rows: F64, labels: Codes | F64, weights: F64 | None = None) -> None:
        """Learn labelled items, in order. None: every weight is 1."""

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Answer each item, then learn it unless its label is missing; fill `scores` if given."""

    def fresh(self, seed: int) -> Learner:
        """A copy that knows nothing, with its own seed."""


@runtime_checkable
class Remembering(Protocol):
    """A learner that trains on what it was asked with, or wants to know what it said.

    Such as one that is shown the labels before an item: when its label comes late, it must be
    learned with the columns it was predicted with. It declares `remembers`, and is given the
    items' numbers when it learns.
    """

    def asked(self, first: int, answers: Codes | F64) -> None:
        """Be told what was said to consecutive items, from number `first` on, when it was said."""

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, in order; `items` are their numbers, None: those that follow."""

    def let_go(self, keep_from: int) -> None:
        """Forget items below `keep_from`: they will neither be asked about nor taught again."""


@runtime_checkable
class Watchful(Protocol):
    """A learner with a detector inside; what it says goes into the log (`log.alarms()`)."""

    def alarms(self) -> list[tuple[int, str, str]]:
        """(item, detector, kind) of each signal since it was last asked, in order.

        `kind` is `"alarm"`, or `"warning"` where one begins.
        """
