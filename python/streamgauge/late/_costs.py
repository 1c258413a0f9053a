"""Costs of continuous re-evaluation as counts: repeated predictions and pending items, not time."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import reported_by
from streamgauge.kinds import at_least, at_most
from streamgauge.late._event_counts import event_counts
from streamgauge.log import Log
from streamgauge.types import F64, I64, Curve

MOST_EVENTS = 1_000_000
"""Largest number of events that `n_c` looks back."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Repeated predictions, counted after events (arrivals of items and of labels).

    `at` counts events. `repeated` is C, the number of repeated predictions so far, and
    `repeated_labelled` is C_L, those of labelled items among them; `pending` is the number of
    pending items that were predicted, and `most_pending` its maximum. `n_c`, the repeated
    predictions within the last `last_events` events, `n_b` and `n_r` are those of Grzenda et al.
    (2020).
    """

    at: I64
    time: I64
    repeated: I64
    repeated_labelled: I64
    labels: I64
    pending: I64
    n_c: I64
    most_pending: int = 0
    last_events: int = 100

    @property
    def n_b(self) -> I64:
        """N_B: repeated predictions of pending items."""
        return self.repeated - self.repeated_labelled

    @property
    def n_r(self) -> F64:
        """N_R: repeated predictions per labelled item; NaN before the first label."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.repeated_labelled / np.where(self.labels, self.labels, np.nan)

    def curves(self) -> tuple[Curve, ...]:
        """N_C, N_B and N_R over events."""
        formulas = {
            "n_c": f"repeated predictions within the last {self.last_events} events",
            "n_b": "repeated predictions of pending items",
            "n_r": "repeated predictions per labelled item",
        }
        return tuple(
            Curve(
                name,
                "whole",
                self.at,
                getattr(self, name).astype(np.float64),
                {"formula": formula},
                axis="events",
            )
            for name, formula in formulas.items()
        )


@reported_by("costs", "one_fold")
def costs(log: Log, last_events: int = 100, every: int = 1, fold: int | None = None) -> Costs:
    """Count repeated predictions, event by event.

    Computed from the arrival times of items and labels; no learner is run.

    Parameters
    ----------
    log
        A log of `Reevaluating`.
    last_events
        Number of events over which N_C counts.
    every
        Events between two points; there is one after the last event too.
    fold
        Count only predictions, and pending items, of this fold of the learner; labels of all items
        are events and count in N_R. All folds by default.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.MajorityClass(), sg.protocols.Reevaluating(every=10))
    >>> float(costs(log).n_r[-1])
    9.77
    """
    at_least("costs", "last_events", last_events, 1)
    at_most("costs", "last_events", last_events, MOST_EVENTS)
    at_least("costs", "every", every, 1)
    every = min(every, sys.maxsize)  # no log has as many events
    parts: list[tuple[I64, ...]] = []
    recent, labels, events, most = np.zeros(last_events, np.int64), 0, 0, 0
    end: tuple[I64, ...] = ()
    for part in event_counts(log, "costs", fold):
        repeated = np.concatenate([recent, part.repeated])
        known = labels + np.cumsum(part.is_label, dtype=np.int64)
        at = np.arange(events + 1, events + len(part) + 1)
        counts = (
            at,
            part.time,
            part.repeated,
            part.repeated_labelled,
            known,
            part.pending,
            part.repeated - repeated[:-last_events],
        )
        chosen = at % every == 0
        parts.append(tuple(column[chosen] for column in counts))
        end = tuple(column[-1:] for column in counts)
        most = max(most, int(part.pending.max()))
        recent, labels, events = repeated[-last_events:], int(known[-1]), events + len(part)
    if events % every:
        parts.append(end)
    none = np.empty(0, np.int64)
    columns = [np.concatenate([none, *(p[i] for p in parts)]) for i in range(7)]
    at, time, repeated, repeated_labelled, known, pending, n_c = columns
    return Costs(at, time, repeated, repeated_labelled, known, pending, n_c, most, last_events)
