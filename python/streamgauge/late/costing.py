"""What asking again costs: how many answers, and how many are kept waiting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.kinds import at_least
from streamgauge.late.scheduling import Schedule, schedule
from streamgauge.log import Log
from streamgauge.types import F64, I64, Curve


@dataclass(frozen=True, slots=True)
class Costs:
    """Askings again, after each event (an item that came, or a label).

    `made` is C, how many there were so far; `over` of labelled items, C_L; `waiting` how many
    items wait. `n_c`, `n_b` and `n_r` are the paper's.
    """

    time: I64
    made: I64
    over: I64
    labels: I64
    waiting: I64
    last: int = 100

    @property
    def n_c(self) -> I64:
        """N_C: askings again within the last so many events."""
        before = np.concatenate([np.zeros(min(self.last, len(self.made)), np.int64), self.made])
        recent: I64 = self.made - before[: len(self.made)]
        return recent

    @property
    def n_b(self) -> I64:
        """N_B: askings again of items that still wait."""
        return self.made - self.over

    @property
    def n_r(self) -> F64:
        """N_R: askings again a labelled item; NaN before the first label."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.over / np.where(self.labels, self.labels, np.nan)

    def curves(self) -> tuple[Curve, ...]:
        """N_C, N_B and N_R after each event."""
        at = np.arange(1, len(self.made) + 1)
        said = {
            "n_c": f"answers to items asked again within the last {self.last} events",
            "n_b": "answers to items asked again that still wait",
            "n_r": "answers to items asked again, a labelled item",
        }
        return tuple(
            Curve(name, "whole", at, getattr(self, name).astype(np.float64), {"formula": words})
            for name, words in said.items()
        )


def costs(log: Log, last: int = 100) -> Costs:
    """Count, event by event, how often items were asked about again.

    Made anew from when items and labels came; nothing is asked for it.

    Parameters
    ----------
    log
        A log of `Reevaluating`.
    last
        N_C counts the askings within so many events.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.MajorityClass(), sg.protocols.Reevaluating(every=10))
    >>> float(costs(log).n_r[-1])
    9.77
    """
    at_least("costs", "last", last, 1)
    plan = schedule(log, "costs")
    labels = np.cumsum(plan.labelled, dtype=np.int64)
    at_label = _asked_at(plan)
    made = np.concatenate([[0], np.cumsum(at_label)])[labels]
    turns = plan.turns() * plan.copies
    gone = np.zeros(len(plan.label_time), np.int64)
    gone[plan.heard[plan.known]] = turns[plan.known]
    over = np.concatenate([[0], np.cumsum(gone)])[labels]
    waiting = np.cumsum(np.where(plan.labelled, -1, 1))
    return Costs(plan.time, made, over, labels, waiting, last)


def _asked_at(plan: Schedule) -> I64:
    """How many items were asked about again at each label: those of one rest, row by row."""
    labels, every = len(plan.label_time), plan.every
    if not labels or not every:
        return np.zeros(labels, np.int64)
    if every > labels:  # at most one asking each
        asked = plan.turns() > 0
        first = plan.born[asked] + (0 if plan.at_zero else every)
        return _counted(first, plan.copies[asked], labels)[:labels]
    first = plan.born + (0 if plan.at_zero else every)
    stop = first + plan.turns() * every
    rows = -(-(labels + every) // every) + 1
    asked = plan.turns() > 0
    size, copies = rows * every + every, plan.copies[asked]
    change = _counted(first[asked], copies, size) - _counted(stop[asked], copies, size)
    whole = change[: rows * every].reshape(rows, every)
    counts: I64 = whole.cumsum(0).reshape(-1)[:labels]
    return counts


def _counted(at: I64, copies: I64, size: int) -> I64:
    """How many copies stand at each place."""
    return np.bincount(at, copies, minlength=size).astype(np.int64)
