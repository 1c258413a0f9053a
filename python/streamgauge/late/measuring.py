"""How good the answers were in each part of the time items waited: Lambda(T, b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.late.binning import Binning, Cutting, binned, packed
from streamgauge.log import Log
from streamgauge.measures._measure import Measure
from streamgauge.measures._measuring import check_terms
from streamgauge.measures._pass import FOLDINGS
from streamgauge.summaries.folding import ColdStart, Terms
from streamgauge.types import F64, I64, Curve
from streamgauge.windows import Whole
from streamgauge.windows._window import Window

POINTS = 50
"""So many points in time, about, when nobody says `every`."""


@dataclass(frozen=True, slots=True)
class Bins:
    """A measure in each bin, after every so many labels.

    `value[i, b]` is Lambda(T, b) when `at[i]` labels had come, at time `time[i]`; b from 0 (the
    first answer) over 1 to `bins` (the time between) to `bins` + 1 (the last answer).
    """

    measure: str
    window: str
    bins: int
    at: I64
    time: I64
    value: F64
    best: float
    definition: Mapping[str, str] = field(default_factory=dict)

    @property
    def final(self) -> F64:
        """Lambda(T, b) of all bins when the last label had come; NaN for an empty log."""
        return self.value[-1] if len(self.at) else np.full(self.bins + 2, np.nan)

    def until(self, time: int) -> F64:
        """Lambda(T, b) of all bins at the last point up to a time: labels at it count."""
        at = int(np.searchsorted(self.time, time, side="right")) - 1
        return self.value[at] if at >= 0 else np.full(self.bins + 2, np.nan)

    def over_time(self, bin: int) -> Curve:
        """One bin as labels come."""
        if not 0 <= bin <= self.bins + 1:
            raise ParameterError.of("bins", "bin", f"from 0 to {self.bins + 1}", bin)
        said = {**self.definition, "bin": str(bin)}
        return Curve(self.measure, self.window, self.at, self.value[:, bin], said, axis="labels")


def bins(
    log: Log,
    measure: str | Measure[Any] = "",
    bins: int = 50,
    *,
    binning: Binning = "displayed",
    window: str | Window | None = None,
    every: int | None = None,
    cold_start: ColdStart | None = None,
    fold: int | None = None,
) -> Bins:
    r"""Measure a log of `Reevaluating` bin by bin.

    .. math:: \Lambda(T, b) = \lambda(\{(y_k, \hat y_{k,b}) : \tilde t_k \le T\})

    The time from an item's coming to its label's is cut into B equal parts. Bin 0 is the first
    answer and bin B + 1 the one given when the label came. The bins between are what was on
    display in that part: the class displayed longest (of equals the most recent one), in
    regression the mean over time. Every labelled item counts once in every bin.

    Parameters
    ----------
    log
        A log of `Reevaluating`; it holds all that is needed, for any number of bins.
    measure
        Any measure that is not about scores; `accuracy` or `mae` if none is given.
    bins
        B, from 0 on.
    binning
        `"displayed"` (the definition), or `"program"`: as the authors' program does, for
        comparison with printed tables.
    window
        The labels that count at each point in time; all so far unless given.
    every
        A point after so many labels, and one after the last; about 50 points unless given.
    cold_start
        What becomes of an item to which nothing was said, as in `measure`. With
        `"default_class"` it is filled in before bins are made.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 3000), 200)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=10))
    >>> found = sg.late.bins(log, "accuracy", bins=4)
    >>> found.final.round(2).tolist()
    [0.82, 0.82, 0.84, 0.85, 0.86, 0.87]

    References
    ----------
    Grzenda, Gomes, Bifet. Delayed labelling evaluation for data streams.
    Data Mining and Knowledge Discovery 34 (2020).
    """
    wanted = measure or ("accuracy" if log.schema.task == "classification" else "mae")
    chosen, through, policy = check_terms(log, wanted, window or Whole(), cold_start)
    if chosen.summary in ("losses", "ranking"):
        raise ParameterError(
            f"{chosen}: is about scores, and what is on display in a bin are answers; "
            "take a measure of answers"
        )
    cut = Cutting(bins, binning, 0 if policy == "default_class" else None)
    labels = log.labels()
    step = max(1, -(-labels // POINTS)) if every is None else every
    if isinstance(step, bool) or not isinstance(step, int | np.integer) or step < 1:
        raise ParameterError.of("bins", "every", "a whole number, at least 1", every)
    terms = Terms(log.schema, (through.spec,), int(step), policy, room=labels // int(step) + 2)
    folded = [FOLDINGS[chosen.summary](terms, chosen.parts()) for _ in range(bins + 2)]
    times, done, last = [np.empty(0, np.int64)], 0, np.empty(0, np.int64)
    for pairs, table in binned(log, cut, fold):
        time = last if pairs.time is None else pairs.time
        times.append(time[(-done - 1) % step :: step].copy())  # not a view, which holds all
        done, last = done + len(time), time[-1:].copy()
        for b, folding in enumerate(folded):
            folding.push(replace(pairs, answer=packed(table[:, b])))
    covered, silent = folded[0].coverage()
    stacks = [folding.finish()[0] for folding in folded]
    at = stacks[0].at
    known = np.concatenate([*times, last] if done % step else times)
    value = np.stack([np.atleast_1d(chosen.over(s.stack)) for s in stacks], axis=1)
    definition = {
        "measure": str(chosen),
        "formula": chosen.formula,
        "window": str(through),
        "bins": str(bins),
        "binning": binning,
        "asks_again": log.about["asks_again"],
        "cold_start": folded[0].cold_start,
        "coverage": f"{1 - silent / covered:.6g}" if covered else "nan",
        "items": str(covered),
    }
    return Bins(
        str(chosen), str(through), bins, at, known,
        value, chosen.best, definition,
    )  # fmt: skip


def names(bins: int) -> Sequence[str]:
    """What the bins are called in tables."""
    return ["first", *map(str, range(1, bins + 1)), "last"]
