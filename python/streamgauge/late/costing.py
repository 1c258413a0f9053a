"""What asking again costs: how many answers, and how many are kept waiting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamgauge.kinds import at_least
from streamgauge.late.scheduling import schedule
from streamgauge.log import Log
from streamgauge.types import F64, I64, Curve


@dataclass(frozen=True, slots=True)
class Costs:
    """Askings again, after events (an item that came, or a label).

    `at` counts events. `made` is C, how many askings again there were so far; `over` those of
    labelled items, C_L; `waiting` how many items wait, and `most_waiting` the most that ever
    did. `n_c`, the askings again within the last
    so many (`last`) events, `n_b` and `n_r` are the paper's.
    """

    at: I64
    time: I64
    made: I64
    over: I64
    labels: I64
    waiting: I64
    n_c: I64
    most_waiting: int = 0
    last: int = 100

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
        """N_C, N_B and N_R over events."""
        said = {
            "n_c": f"answers to items asked again within the last {self.last} events",
            "n_b": "answers to items asked again that still wait",
            "n_r": "answers to items asked again, a labelled item",
        }
        return tuple(
            Curve(
                name,
                "whole",
                self.at,
                getattr(self, name).astype(np.float64),
                {"formula": words},
                axis="events",
            )
            for name, words in said.items()
        )


def costs(log: Log, last: int = 100, every: int = 1, fold: int | None = None) -> Costs:
    """Count, event by event, how often items were asked about again.

    Made anew from when items and labels came; nothing is asked for it.

    Parameters
    ----------
    log
        A log of `Reevaluating`.
    last
        N_C counts the askings within so many events.
    every
        A point after so many events, and one after the last.
    fold
        Which copy of the learner; only what it predicted arrives. All of them by default.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.MajorityClass(), sg.protocols.Reevaluating(every=10))
    >>> float(costs(log).n_r[-1])
    9.77
    """
    at_least("costs", "last", last, 1)
    at_least("costs", "every", every, 1)
    parts: list[tuple[I64, ...]] = []
    recent, labels, events, most = np.zeros(last, np.int64), 0, 0, 0
    end: tuple[I64, ...] = ()
    for part in schedule(log, "costs", fold):
        made = np.concatenate([recent, part.made])
        known = labels + np.cumsum(part.labelled, dtype=np.int64)
        at = np.arange(events + 1, events + len(part) + 1)
        columns = at, part.time, part.made, part.over, known, part.waiting, part.made - made[:-last]
        chosen = at % every == 0
        parts.append(tuple(column[chosen] for column in columns))
        end = tuple(column[-1:] for column in columns)
        most = max(most, int(part.waiting.max()))
        recent, labels, events = made[-last:], int(known[-1]), events + len(part)
    if events % every:
        parts.append(end)
    none = np.empty(0, np.int64)
    whole = [np.concatenate([none, *(p[i] for p in parts)]) for i in range(7)]
    at, time, made, over, known, waiting, n_c = whole
    return Costs(at, time, made, over, known, waiting, n_c, most, last)
