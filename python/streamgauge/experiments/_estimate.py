"""Estimates of the cost of cells, from short trials on the beginnings of their streams."""

from __future__ import annotations

import heapq
import json
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from streamgauge.engine._run import processors, run, run_cell
from streamgauge.errors import DiskError, StreamgaugeError, error_line
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._rerun import outside
from streamgauge.experiments.spec import stream_of
from streamgauge.log._folder_writer import compact_bytes
from streamgauge.names import make
from streamgauge.streams import take
from streamgauge.types import Stream

FIRST_ITEMS = 8
"""Items of the first, shortest trial."""

STEP = 4
"""Each trial has so many times as many items as the one before."""

TRIAL_SECONDS = 0.5
"""Seconds of all trials of one stream, learner and protocol."""

MAX_GROWTH = 2.0
"""Largest exponent of the growth of time with items; a larger one is noise."""

STEADY = 1.1
"""Smaller exponents are noise, or of a learner that warms up: the time per item is constant."""


class Trial(NamedTuple):
    """A run on the first items of a stream, in memory: their number, and what it took.

    `bytes` are those of its tables in a folder, `writing` the seconds that they take to write.
    `ended` is True at the end of the stream, False if the time was over before its items, and else
    None.
    """

    items: int
    seconds: float
    bytes: int
    writing: float = 0.0
    ended: bool | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected cost of a cell; NaN where it is unknown, and `why` it is.

    Time is a + b nᵖ for n items, with the exponent `growth` fitted to trials on up to `items`
    items. A learner that slows down later than that takes longer, and so does a processor that
    others use too.
    """

    seconds: float = math.nan
    items_per_second: float = math.nan
    bytes: float = math.nan
    growth: float = math.nan
    items: int = 0
    why: str = ""


class Costs(NamedTuple):
    """Sums over the cells whose cost is known: seconds one after the other and in parallel."""

    cells: int
    seconds: float
    parallel_seconds: float
    processors: int
    bytes: float


def estimates(grid: Sequence[Cell], seconds: float, imports: bool) -> Iterator[Estimate]:
    """The estimate of each cell, from trials that take about `seconds` altogether.

    Repetitions share their trials. Without `imports`, cells that need code outside streamgauge
    have none.
    """
    combinations = len({_key(cell) for cell in grid})
    known: dict[str, Estimate] = {}
    opened: dict[str, tuple[Stream, float]] = {}
    end = time.monotonic() + seconds
    folder = _folder_seconds()
    for cell in grid:
        if (key := _key(cell)) not in known:
            left = end - time.monotonic()
            share = min(TRIAL_SECONDS, left / (combinations - len(known)))
            known[key] = _estimate(cell, share, imports, opened, folder)
        yield known[key]


def costs(grid: Iterable[Estimate]) -> Costs:
    """The cost of all cells whose cost is known."""
    known = [one for one in grid if not math.isnan(one.seconds)]
    seconds = [one.seconds for one in known]
    parallel = makespan(seconds, processors())
    return Costs(
        len(known),
        sum(seconds),
        parallel,
        processors(),
        sum(one.bytes for one in known if not math.isnan(one.bytes)),
    )


def makespan(seconds: Iterable[float], workers: int) -> float:
    """When the last of some workers ends, if each takes the next cell as soon as it is free.

    Examples
    --------
    >>> makespan([4.0, 1.0, 1.0, 3.0], 2)
    5.0
    """
    free = [0.0] * workers
    for one in seconds:
        heapq.heapreplace(free, free[0] + one)
    return max(free)


def extrapolated(trials: Sequence[Trial], items: int) -> tuple[float, float]:
    """Expected seconds for so many items, and the exponent of the growth.

    a + b nᵖ through the last two trials. p is the smaller one of the exponents that the last four
    trials have, whose items grow by `STEP`: growth goes on, noise does not, and that of a learner
    with a window ends when it is full. With fewer trials p is 1, with a single one a is 0.

    Examples
    --------
    >>> line = [Trial(n, 1 + n / 100, 0) for n in (10, 40, 160, 640)]
    >>> extrapolated(line, 1000)
    (11.0, 1.0)
    >>> square = [Trial(n, 1 + n**2 / 1000, 0) for n in (10, 40, 160, 640)]
    >>> extrapolated(square, 1000)
    (1001.0, 2.0)
    """
    *_, last = trials
    rises = [later.seconds - sooner.seconds for sooner, later in pairwise(trials)]
    growth = 1.0
    if len(rises) >= 3 and min(rises[-3:]) > 0:
        growth = min(math.log(later / sooner, STEP) for sooner, later in pairwise(rises[-3:]))
        growth = 1.0 if growth < STEADY else min(growth, MAX_GROWTH)
    if not rises or rises[-1] <= 0:
        return last.seconds * items / last.items, growth
    slope = rises[-1] / (last.items**growth - trials[-2].items ** growth)
    return last.seconds + slope * (items**growth - last.items**growth), growth


def _folder_seconds() -> float:
    """Seconds that the folder of a cell takes on this disk, which syncs it."""
    with TemporaryDirectory(prefix="streamgauge-trial-") as folder:
        began = time.perf_counter()
        run("sea(items=8)", "majority_class", folder=Path(folder) / "log")
        return time.perf_counter() - began


def _key(cell: Cell) -> str:
    return json.dumps([cell.content["stream"], cell.learner, cell.protocol], sort_keys=True)


def _estimate(
    cell: Cell,
    seconds: float,
    imports: bool,
    opened: dict[str, tuple[Stream, float]],
    folder: float,
) -> Estimate:
    if seconds <= 0:
        return Estimate(why="the time of the trials was over before")
    if not imports and (names := outside(cell)):
        return Estimate(why=f"not tried, it would import {', '.join(names)}")
    try:
        source = json.dumps(cell.content["stream"], sort_keys=True)
        if source not in opened:
            began = time.perf_counter()
            stream = stream_of(cell.stream, cell.folder, imports)
            opened[source] = stream, time.perf_counter() - began
        stream, opening = opened[source]
        trials = _trials(cell, stream, seconds, imports)
    except DiskError:  # of this machine, not of the cell
        raise
    except Exception as error:  # noqa: BLE001 (the plan says that this cell would fail)
        ours = isinstance(error, StreamgaugeError)
        return Estimate(why=f"its trial failed: {error if ours else error_line(error)}")
    return _of_trials(trials, stream.length, opening + folder)


def _of_trials(trials: Sequence[Trial], length: int | None, fixed: float) -> Estimate:
    """The estimate for a stream of this length; `fixed` are seconds that do not depend on it."""
    last = trials[-1]
    if last.ended:
        rate = last.items / last.seconds if last.items else math.nan
        seconds = fixed + last.seconds + last.writing
        return Estimate(seconds, rate, float(last.bytes), 1.0, last.items)
    if not last.items:
        return Estimate(why="its trial had no time for a single item")
    if length is None:
        rate, growth = last.items / last.seconds, extrapolated(trials, last.items)[1]
        why = "the length of the stream is unknown"
        return Estimate(math.nan, rate, math.nan, growth, last.items, why)
    seconds, growth = extrapolated(trials, length)
    size = _bytes(trials, length)
    seconds += last.writing * length / last.items
    return Estimate(fixed + seconds, length / seconds, size, growth, last.items)


def _bytes(trials: Sequence[Trial], items: int) -> float:
    """Expected size of a log: a straight line through two trials; unknown from one alone."""
    last = trials[-1]
    if len(trials) < 2:
        return math.nan
    before = trials[-2]
    per_item = max(0.0, (last.bytes - before.bytes) / (last.items - before.items))
    return last.bytes + per_item * (items - last.items)


class _Clock:
    """Seconds since its beginning, without those in which others had the processor."""

    def __init__(self) -> None:
        self._began = time.perf_counter() - _waited()

    def seconds(self) -> float:
        return max(time.perf_counter() - _waited() - self._began, TICK)


TICK = 1e-9
"""Least number of seconds: a clock may stand still."""


def _waited() -> float:
    """Seconds that this thread was ready and had no processor; 0 where that is not known."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):  # not Linux
        return 0.0


class _TimeOverError(Exception):
    """Ends a trial that takes too long."""


def _trials(cell: Cell, stream: Stream, seconds: float, imports: bool) -> list[Trial]:
    """Trials on longer and longer beginnings of a stream, while there is time for the next."""
    end = time.perf_counter() + seconds
    first = _trial(cell, stream, FIRST_ITEMS, end, imports)
    if first.ended is False or time.perf_counter() > end:
        return [first]
    found: list[Trial] = []  # without the first one, in which modules were imported
    items = FIRST_ITEMS
    while True:
        one = _trial(cell, stream, items, end, imports)
        if one.ended is False and found:
            return found
        found.append(one)
        if one.ended is not None or time.perf_counter() + STEP * one.seconds > end:
            return found
        items *= STEP


def _trial(cell: Cell, stream: Stream, items: int, end: float, imports: bool) -> Trial:
    """Run a cell on the first items; fewer if the stream or the time ends before."""
    done = 0

    def progress(count: int, total: int | None) -> None:
        nonlocal done
        done = count
        if time.perf_counter() > end:
            raise _TimeOverError

    whole = stream.length is not None and stream.length <= items
    learner = make("learner", cell.learner, imports=imports)
    protocol = make("protocol", cell.protocol, imports=imports)
    clock = _Clock()
    try:
        log, _ = run_cell(
            stream if whole else take(stream, items),
            learner,
            protocol,
            seed=cell.seed,
            scores=cell.scores,
            folder=None,
            progress=progress,
            threads=processors(),
        )
    except _TimeOverError:
        return Trial(done, clock.seconds(), 0, ended=False)
    seconds = clock.seconds()
    size = compact_bytes(log, cell.scores)
    writing = clock.seconds() - seconds
    return Trial(done, seconds, size, writing, True if done < items or whole else None)
