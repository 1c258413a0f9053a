"""The interface between the engine and learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from streamgauge.types.columns import F64, U32, U64, Codes

DECLARED = (
    "takes_missing",
    "has_scores",
    "numbered",
    "tracks_items",
    "has_alarms",
    "has_selections",
    "measured",
    "one_by_one",
    "about",
)
"""The properties every learner declares."""


class Learner(Protocol):
    """A learner that the engine can run: bound to a schema, untrained.

    Rows are float64 arrays, one row per item, with codes for nominal values and NaN for missing
    ones; labels are class codes or reals. `first` is the number of the first item: learners that
    draw random numbers by item need it, and errors name it. Optional abilities are declared by
    the properties. `streamgauge.testing.check_learner` tests the contract.
    """

    @property
    def takes_missing(self) -> bool:
        """Whether rows may have missing values."""

    @property
    def has_scores(self) -> bool:
        """Whether `scores` can be called."""

    @property
    def numbered(self) -> bool:
        """Whether `predict` and `scores` take `items`, one item number per row, in any order."""

    @property
    def tracks_items(self) -> bool:
        """Whether it implements `TracksItems`."""

    @property
    def has_alarms(self) -> bool:
        """Whether it implements `HasAlarms`."""

    @property
    def has_selections(self) -> bool:
        """Whether it implements `HasSelections`."""

    @property
    def measured(self) -> bool:
        """Whether it has `memory()`, its size in bytes, and `vitals()`, named facts about it."""

    @property
    def one_by_one(self) -> object | None:
        """The `ModelDriver` of a model that is called item by item; None for other learners."""

    @property
    def about(self) -> Mapping[str, str]:
        """Facts for the log: versions, and choices made by an adapter."""

    def predict(self, rows: F64, first: int = 0) -> Codes | F64:
        """Class codes or reals, `NONE` or NaN to abstain. The learner does not change."""

    def scores(self, rows: F64, first: int = 0) -> F64:
        """One number from 0 to 1 per class for each row; all NaN if there are none yet."""

    def learn(self, rows: F64, labels: Codes | F64, weights: F64 | None = None) -> None:
        """Learn labelled items, in order. `weights` None: every weight is 1."""

    def test_then_train(
        self,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        scores: F64 | None = None,
    ) -> Codes | F64:
        """Predict each item, then learn it unless its label is missing; fill `scores` if given."""

    def fresh(self, seed: int) -> Learner:
        """An untrained copy with this seed."""


@runtime_checkable
class TracksItems(Protocol):
    """A learner that keeps data of an item from its first prediction until its label is learned.

    For example, one whose features include the previous labels: an item with a late label must be
    learned with the features it was predicted with. It declares `tracks_items`, and `learn` gets
    the item numbers.
    """

    def predicted(self, first: int, predictions: Codes | F64) -> None:
        """Called after the first prediction of consecutive items, numbered from `first`."""

    def learn(
        self,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None = None,
        items: U64 | None = None,
    ) -> None:
        """Learn labelled items, in order; `items` are their numbers, by default the next ones."""

    def forget(self, keep_from: int) -> None:
        """Forget items below `keep_from`: they will not be predicted or learned again."""


@runtime_checkable
class HasAlarms(Protocol):
    """A learner with a detector inside; its signals are recorded in the log (`log.alarms()`)."""

    def alarms(self) -> list[tuple[int, str, str]]:
        """(item, detector, kind) of each signal since the last call, in order.

        `kind` is `"alarm"`, or `"warning"` at the start of a warning.
        """


@runtime_checkable
class HasSelections(Protocol):
    """A learner that selects features; its selections are in the log (`log.selections()`)."""

    def selections(self) -> list[tuple[int, Sequence[int] | U32]]:
        """(item, features) of each change of the selection since the last call, in order.

        `item` is the item that was learned when it changed, or the first one that is predicted or
        learned with a selection made before. The features are numbers of columns, from 0.
        """
