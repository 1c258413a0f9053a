"""Baselines nobody ran: what they would have predicted follows from the labels of a log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from streamgauge.late.stretches import Order, Stretch, order_of, stretches
from streamgauge.learners.last_value import LastValue
from streamgauge.learners.majority_class import MajorityClass
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.target_mean import TargetMean
from streamgauge.log.alarms import Alarms
from streamgauge.log.pairs import Pairs, pairs_of
from streamgauge.log.rows import Came, Said, Taught, Truth, of_fold
from streamgauge.log.table import Log
from streamgauge.report.again import Again
from streamgauge.report.states import States
from streamgauge.types import I64, nothing

BASELINES: dict[bool, dict[str, Any]] = {
    True: {"persistent": Persistent(), "majority_class": MajorityClass()},
    False: {"last_value": LastValue(), "target_mean": TargetMean()},
}
"""Are the labels classes? -> by name, the learners that every other is held against."""


def baselines(log: Log) -> dict[str, Log]:
    """By name, the logs of the baselines, had they been run as the learner of this log was.

    Each prediction is made from the labels that its copy had learned by then. None if the log
    does not tell which those are (`order_of`).

    Examples
    --------
    >>> from streamgauge.log.table import from_columns
    >>> from streamgauge.types import Feature, Schema
    >>> schema = Schema((Feature("x"),), classes=("no", "yes"))
    >>> label = np.array([1, 1, 0, 0, 0, 1], np.int32)
    >>> for name, derived in baselines(from_columns(schema, label, label)).items():
    ...     print(name, [p.answer.tolist() for p in derived.pairs()])
    persistent [[-1, 1, 1, 0, 0, 0]]
    majority_class [[-1, 1, 1, 1, 0, 0]]
    """
    order = order_of(log)
    if order is None:
        return {}
    return {
        name: replace(
            log,
            tables=FromLabels(log, order, learner),
            about={**log.about, "learner": name},
            resources={},
        )
        for name, learner in BASELINES[log.schema.classes is not None].items()
    }


@dataclass(frozen=True, slots=True)
class FromLabels:
    """The tables of a learner that only ever looked at the labels of `log`."""

    log: Log
    order: Order
    learner: Any

    @property
    def labels_in_order(self) -> bool:
        """As they came."""
        return self.log.tables.labels_in_order

    def alarms(self) -> Alarms:
        """None: there is no detector in it."""
        return Alarms()

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        """Labels beside what the baseline would have predicted first."""
        firsts = (rows for _, rows, _ in self._stretches(0))
        return pairs_of(of_fold(firsts, fold), self.true, self.labels_in_order)

    def labels(self) -> int:
        """As many as there are."""
        return self.log.labels()

    def said(self) -> Iterator[Said]:
        """First predictions, and later ones that differ from the one before."""
        every = int(self.log.about.get("asks_again", "0"))
        again = Again(every, self.log.about.get("first_at_zero") == "True")
        for part, firsts, states in self._stretches(every):
            yield again.said(part, firsts, states) if every else firsts

    def true(self) -> Iterator[Truth]:
        """The same labels."""
        return self.log.true()

    def taught(self) -> Iterator[Taught]:
        """The same lessons."""
        return self.log.taught()

    def arrivals(self) -> Iterator[Came]:
        """The same items."""
        return self.log.tables.arrivals()

    def _stretches(self, back: int) -> Iterator[tuple[Stretch, Said, States]]:
        """Stretches of the log, first predictions of the baseline, and its state by then."""
        states = States(lambda: self.learner.bind(self.log.schema), self.log.taught(), back)
        for part in stretches(self.log, self.order):
            if len(part.true):
                states.learn(part.true)
            yield part, _predicted(part.first, part.born, states), states


def _predicted(rows: Said, labels: I64, states: States) -> Said:
    """The same rows, as a learner would predict that knows so many labels."""
    made = np.full(len(rows), nothing(rows.answer), rows.answer.dtype)
    for fold in np.unique(rows.fold).tolist():
        own = rows.fold == fold
        made[own] = states.after(fold, labels[own], rows.answer)
    return replace(rows, answer=made, scores=None)
