"""The time an item waits, cut into bins, and what it was told in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from streamgauge._core import waiting_bins
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_least
from streamgauge.late.asking import Askings, askings, asks_again
from streamgauge.late.scheduling import Births
from streamgauge.log import Alarms, Log, Pairs, one_fold
from streamgauge.log.rows import Came, Said, Taught, Truth
from streamgauge.types import F64, I64, Codes, missing

Binning: TypeAlias = Literal["displayed", "program"]
"""How the answers within a bin become one: by the time each was on display, or as the authors'
program does (`first_at_zero=False` goes with it)."""


ASKINGS = 1_000_000
"""So many askings, about, are written out at once."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """Into how many bins, how, and what stands for an answer that was not given."""

    bins: int = 50
    binning: Binning = "displayed"
    fill: float | None = None

    def __post_init__(self) -> None:
        at_least("bins", "bins", self.bins, 0)
        if self.binning not in get_args(Binning):
            raise ParameterError.of(
                "bins", "binning", " or ".join(map(repr, get_args(Binning))), self.binning
            )


def binned(log: Log, cut: Cutting, fold: int | None = None) -> Iterator[tuple[Pairs, Codes | F64]]:
    """Labels in the order they came (with first answers), and each one's answers bin by bin."""
    return ((pairs, table) for _, pairs, table in _binned(log, cut, fold))


def _binned(
    log: Log, cut: Cutting, fold: int | None
) -> Iterator[tuple[Askings, Pairs, Codes | F64]]:
    asks_again(log, "bins")
    births = Births(log, "bins") if cut.binning == "program" and cut.bins else None
    for rows, shown in _shown(log, cut, fold, births):
        table = waiting_bins(
            shown.starts,
            shown.time,
            packed(shown.answer),
            packed(shown.last),
            np.ascontiguousarray(rows.until),
            cut.bins,
            cut.binning == "program",
            None if log.schema.classes is None else len(log.schema.classes),
        )
        pairs = Pairs(
            int(rows.item[0]),
            rows.label,
            rows.first,
            item=rows.item,
            time=rows.until,
            previous=rows.previous,
            weight=rows.weight,
        )
        yield rows, pairs, table


def _shown(
    log: Log, cut: Cutting, fold: int | None, births: Births | None
) -> Iterator[tuple[Askings, Askings]]:
    """Labelled items, and with them what bins are made of."""
    for rows in askings(log, fold):
        filled = _filled(rows, cut.fill)
        if births is None:
            if len(rows):
                yield rows, filled
            continue
        born, heard = births.of(rows)
        turns = births.turns(born, heard)
        # Every asking is written out: not more at once than memory takes.
        ends = np.cumsum(turns + 1)
        low = 0
        while low < len(rows):
            done = int(ends[low - 1]) if low else 0
            high = max(low + 1, int(np.searchsorted(ends, done + ASKINGS, side="right")))
            some = _part(filled, low, high)
            yield (
                _part(rows, low, high),
                _every_asking(some, births, born[low:high], turns[low:high]),
            )
            low = high


def _part(rows: Askings, low: int, high: int) -> Askings:
    """Rows `low` to before `high`."""
    begin, end = rows.starts[low], rows.starts[high]
    own, shown = slice(low, high), slice(begin, end)
    return Askings(
        rows.item[own],
        rows.fold[own],
        rows.label[own],
        rows.until[own],
        rows.previous[own],
        rows.starts[low : high + 1] - begin,
        rows.time[shown],
        rows.answer[shown],
        rows.last[own],
        rows.turn[shown],
        None if rows.weight is None else rows.weight[own],
    )


def packed(column: Any) -> Any:
    """The same, cell beside cell."""
    return np.ascontiguousarray(column)


def _filled(rows: Askings, fill: float | None) -> Askings:
    if fill is None:
        return rows

    def full(answer: Codes | F64) -> Codes | F64:
        none = missing(answer)
        return np.where(none, answer.dtype.type(fill), answer)

    return replace(rows, answer=full(rows.answer), last=full(rows.last))


def _every_asking(rows: Askings, births: Births, born: I64, turns: I64) -> Askings:
    """The same with all askings, not only those that changed something."""
    first = born + (0 if births.at_zero else births.every)
    starts = np.concatenate([[0], np.cumsum(turns + 1)])
    row = np.repeat(np.arange(len(rows)), turns + 1)
    turn = np.arange(starts[-1]) - starts[row]
    label = first[row] + (turn - 1) * births.every
    again = turn > 0
    time = rows.came[row]
    time[again] = births.time(label[again])
    # At each asking, what had been said by then: changes of mind are at askings.
    change = np.repeat(np.arange(len(rows)), np.diff(rows.starts))
    order = np.lexsort((rows.turn, change))
    width = int(max(turns.max(initial=0), rows.turn.max(initial=0))) + 2
    key = change[order] * width + rows.turn[order]
    latest = np.searchsorted(key, row * width + turn, side="right") - 1
    return replace(
        rows, starts=starts.astype(np.int64), time=time, answer=rows.answer[order][latest]
    )


def at_bin(
    log: Log,
    bin: int,
    bins: int = 50,
    binning: Binning = "displayed",
    fill: float | None = None,
    fold: int | None = None,
) -> Log:
    """The log as if only the answers of one bin had been given.

    Everything that takes a log takes this one: `measure`, `compare`, `detect`, …

    Parameters
    ----------
    log
        A log of `Reevaluating`.
    bin
        0 is the first answer, 1 to `bins` what was on display in that part of the time the item
        waited, `bins` + 1 the answer when the label came.
    bins
        B: into how many bins the time is cut.
    binning
        `"displayed"`: of the answers within a bin the one displayed longest counts (in
        regression their mean over time). `"program"`: as the authors' program does.
    fill
        What stands for an answer that was not given, before bins are made.
    fold
        Which copy of the learner, where there are several; all of them by default.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.delay(sg.streams.take(sg.streams.SEA(), 2000), 100)
    >>> log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating())
    >>> late = sg.late.at_bin(log, 51)
    >>> sg.measure(late, "accuracy").final > sg.measure(log, "accuracy").final
    True
    """
    cut = Cutting(bins, binning, fill)
    if isinstance(bin, bool) or not isinstance(bin, int | np.integer) or not 0 <= bin <= bins + 1:
        raise ParameterError.of("at_bin", "bin", f"from 0 to {bins + 1}", bin)
    asks_again(log, "at_bin")
    about: Mapping[str, str] = {**log.about, "bin": f"{int(bin)} of {bins}, {binning}"}
    return one_fold(replace(log, tables=_OneBin(log, int(bin), cut), about=about), fold)


@dataclass(frozen=True, slots=True)
class _OneBin:
    """The tables of a log, with the answers of one bin."""

    log: Log
    bin: int
    cut: Cutting

    @property
    def labels_in_order(self) -> bool:
        return self.log.tables.labels_in_order

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        for pairs, table in binned(self.log, self.cut, fold):
            yield replace(pairs, answer=packed(table[:, self.bin]))

    def said(self) -> Iterator[Said]:
        for rows, _, table in _binned(self.log, self.cut, None):
            none = np.zeros(len(rows), np.uint8)
            answer = packed(table[:, self.bin])
            yield Said(rows.item, rows.fold, none.astype(np.uint32), none, rows.until, answer)

    def true(self) -> Iterator[Truth]:
        return self.log.tables.true()

    def taught(self) -> Iterator[Taught]:
        return self.log.tables.taught()

    def arrivals(self) -> Iterator[Came]:
        return self.log.tables.arrivals()

    def labels(self) -> int:
        return self.log.tables.labels()

    def alarms(self) -> Alarms:
        return self.log.tables.alarms()
