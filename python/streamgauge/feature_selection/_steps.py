"""The selection after each item learned, and how often each feature is in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least
from streamgauge.log import Log
from streamgauge.log._one_fold import check_fold
from streamgauge.log.selections import Selections
from streamgauge.measures._compute import round_step
from streamgauge.names import resolve
from streamgauge.repetitions._mean_curve import mean_curve
from streamgauge.types import I64, U64, Axis, Curve, Schema
from streamgauge.windows import Whole
from streamgauge.windows._window import Window, check_window


@dataclass(frozen=True, slots=True)
class Steps:
    """The selections of a fold: one per item learned, from the first known selection on.

    Row i of `rows` holds for the steps from `start[i]` on, counted from 0, until the next row.
    `learned` is the number of items learned, one step each; `axis` is what steps count.
    """

    schema: Schema
    rows: Selections
    start: I64
    learned: int
    axis: Axis

    @property
    def features(self) -> int:
        """Number of features of the stream."""
        return len(self.schema.features)

    def counts(self, times: I64) -> I64:
        """How many of the first `times[i]` steps have each feature selected: one row per time.

        Times are ascending. Only sums are held, however often the selection changes.
        """
        ends = np.append(self.start[1:], self.learned)
        out = np.zeros((len(times), self.features), np.int64)
        total = np.zeros(self.features, np.int64)
        row = 0
        for i, time in enumerate(times.tolist()):
            upto = int(np.searchsorted(ends, time, side="right"))
            if upto > row:
                total = total + self._sum(row, upto, ends)
                row = upto
            out[i] = total
            if row < len(ends) and (part := time - int(self.start[row])) > 0:
                out[i, self.rows.chosen[self.rows.offset[row] : self.rows.offset[row + 1]]] += part
        return out

    def _sum(self, low: int, high: int, ends: I64) -> I64:
        """The steps of the rows from `low` to `high` in which each feature is selected."""
        offset = self.rows.offset[low : high + 1]
        steps = np.repeat(ends[low:high] - self.start[low:high], np.diff(offset))
        chosen = self.rows.chosen[offset[0] : offset[-1]]
        found = np.bincount(chosen, weights=steps, minlength=self.features)
        whole: I64 = np.rint(found).astype(np.int64)  # exact below 2**53
        return whole


def selecting_folds(who: str, log: Log, fold: int | None) -> list[int]:
    """The folds with selections, ascending; or the one that is given."""
    if not isinstance(log, Log):
        raise ParameterError.of(who, "log", "a log, as returned by run", log)
    check_fold(who, log, fold)
    if fold is not None:
        return [fold]
    return [int(one) for one in np.unique(log.selections().fold)] or [0]


def mean_over_folds(who: str, log: Log, fold: int | None, curve: Callable[[int], Curve]) -> Curve:
    """The curve of a fold; by default the mean of the curves of all folds, if there are several."""
    return mean_curve([curve(one) for one in selecting_folds(who, log, fold)])


def steps_of(who: str, log: Log, fold: int) -> Steps:
    """The selections of one fold; raises if the log has none."""
    rows = log.selections().of_fold(fold)
    if not len(rows):
        raise ParameterError.of(
            who, "log", "one with selected features, as of learners.Selecting", "one without"
        )
    parts = [t.item[(t.fold == fold) & (t.weight > 0)] for t in log.training()]
    learned: U64 = np.concatenate([np.empty(0, np.uint64), *parts])
    order = np.argsort(learned, kind="stable")
    at = np.searchsorted(learned[order], rows.item)
    known = at < len(learned)
    known[known] = learned[order[at[known]]] == rows.item[known]
    if not known.all():  # not learned by the end: a run that was stopped
        rows, at = rows.take(np.flatnonzero(known)), at[known]
    start = order[at].astype(np.int64)
    first = int(start[0]) if len(start) else len(learned)
    in_order = bool((learned == np.arange(len(learned), dtype=np.uint64)).all())
    return Steps(
        log.schema, rows, start - first, len(learned) - first, "items" if in_order else "labels"
    )


def window_of(who: str, window: str | Window | None) -> Window:
    """The window of a function of selections: all steps, the last ones, or blocks."""
    made = Whole() if window is None else resolve("window", window)
    if not isinstance(made, Window):
        raise ParameterError.of(who, "window", "a window or its name", made)
    if not type(made).__module__.startswith("streamgauge."):
        check_window(made)
    if made.spec[0] not in ("whole", "sliding", "tumbling"):
        raise ParameterError.of(who, "window", "whole, sliding or tumbling", str(made))
    return made


def windows_of(steps: Steps, window: Window, every: int | None, who: str) -> tuple[I64, I64]:
    """The first steps and the ends of the windows with a value, as ascending times."""
    kind, size = window.spec
    if every is not None:
        at_least(who, "every", every, 1)
    step = round_step(steps.learned, (window,)) if every is None else int(every)
    if kind == "tumbling":
        step = int(size)
    ends: I64 = np.append(np.arange(step, steps.learned, step), steps.learned).astype(np.int64)
    if steps.learned == 0:
        ends = ends[:0]
    if kind == "whole":
        return np.zeros_like(ends), ends
    if kind == "tumbling":
        return (ends - 1) // step * step, ends
    return np.maximum(ends - int(min(size, 2**53)), 0), ends


def counts_between(steps: Steps, starts: I64, ends: I64) -> I64:
    """How many steps of each window have each feature selected: one row per window."""
    times, back = np.unique(np.concatenate([starts, ends]), return_inverse=True)
    counts = steps.counts(times)
    found: I64 = counts[back[len(starts) :]] - counts[back[: len(starts)]]
    return found
