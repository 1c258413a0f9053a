"""Run the cells of a grid on an executor, and put each in place when it is finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from streamgauge.experiments._attempts import NAME as ATTEMPTS
from streamgauge.experiments._attempts import (
    PROGRESS,
    STOPPED,
    attempts_of,
    put_in_place,
    remove_attempts_of,
)
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._events import append_event
from streamgauge.experiments._execution import Execution
from streamgauge.experiments._experiment import Experiment
from streamgauge.experiments._grid_progress import GridProgress
from streamgauge.experiments._small_grid import is_small
from streamgauge.experiments._worker import CellJob, CellRun, read_progress, run_job
from streamgauge.locks import NAME as LOCK
from streamgauge.log.card import NAME as CARD
from streamgauge.processors import processors

OnNote = Callable[[str], None]
"""Function that is called with each note, a sentence."""


def run_grid(
    missing: Sequence[Cell],
    experiment: Experiment,
    folder: Path,
    execution: Execution,
    note: OnNote | None,
    quiet: bool,
) -> dict[str, str]:
    """Run cells; returns the sentence of each that failed, by id.

    A cell whose process dies is run again after the others, so that one that kills its process
    holds up nothing.
    """
    waiting = list({cell.id: cell for cell in missing}.values())
    progress = GridProgress(len(waiting), quiet)
    few = len(waiting) == 1 or (not execution.executor and is_small(waiting))
    grid = _Grid(folder.absolute(), experiment, execution, few, len(waiting), note, progress)
    try:
        for attempt in range(execution.retries + 1):
            waiting = grid.round(waiting, last=attempt == execution.retries)
            if not waiting:
                break
    finally:
        grid.progress.close()
    return grid.failures


class _Grid:
    """The cells that run, and those that failed."""

    def __init__(
        self,
        folder: Path,
        experiment: Experiment,
        execution: Execution,
        few: bool,
        count: int,
        note: OnNote | None,
        progress: GridProgress,
    ) -> None:
        self.folder, self.experiment, self.execution = folder, experiment, execution
        self.progress = progress
        self.failures: dict[str, str] = {}
        self._note = note or (lambda sentence: None)
        self._executor = execution.made(few)
        self._started: set[Path] = set()
        self._cells: dict[str, Cell] = {}
        self._several = count > 1

    def round(self, waiting: Sequence[Cell], last: bool) -> list[Cell]:
        """Run cells; returns those whose process died."""
        self._cells = {cell.id: cell for cell in waiting}
        died = []
        jobs = list(map(self._job, waiting))
        for ended in self._executor.run(run_job, jobs, self._look):
            cell = ended.job.cell
            if ended.error is not None:
                raise ended.error
            if ended.died:
                why, again = self._why(cell, ended.died)
                self._forget(cell)
                append_event(self.folder, "die", cell=cell.id, error=why)
                if again and not last:
                    self._note(f"{cell.title}: {why}; it is run again")
                    died.append(cell)
                else:
                    self._fail(cell, why)
            else:
                self._end(cell, ended.result)
        return died

    def _job(self, cell: Cell) -> CellJob:
        execution, executor = self.execution, self._executor
        owner = (self.folder / LOCK).read_text(encoding="ascii", errors="replace")
        return CellJob(
            cell,
            self.folder,
            owner,
            threads=max(1, processors() // executor.width),
            seconds=execution.time_limit,
            memory=execution.memory_limit,
            every=execution.checkpoint_seconds,
            peak=execution.peak_memory,
            measures=tuple(self.experiment.measures),
            windows=tuple(self.experiment.windows),
            progress=self.progress.of(cell.id, cell.title) if executor.in_process else None,
        )

    def _end(self, cell: Cell, ran: CellRun) -> None:
        """Put the attempt of a cell in place."""
        self._start(cell, ran.attempt, ran.began)
        if ran.items:
            self._note(f"{cell.title} went on from item {ran.items:,}")
        if ran.refused:
            self._note(f"{cell.title} began again: its checkpoint could not be loaded")
        if not ran.error or (ran.attempt / CARD).is_file():
            put_in_place(ran.attempt, self.folder / "cells" / cell.id)
        if ran.error:
            append_event(self.folder, "fail", cell=cell.id, error=ran.error)
            self._fail(cell, ran.error)
        else:
            append_event(self.folder, "finish", cell=cell.id, seconds=round(ran.seconds, 3))
            self.progress.finished(cell.id)
        remove_attempts_of(self.folder, cell.id)

    def _fail(self, cell: Cell, why: str) -> None:
        self.failures[cell.id] = why
        if self._several:  # that of a single cell is the error of the run
            self._note(f"{cell.title} failed: {why}")
        self.progress.finished(cell.id)

    def _forget(self, cell: Cell) -> None:
        """Remove what the attempts of a cell whose process died state about their progress."""
        for attempt in attempts_of(self.folder, cell.id):
            attempt.with_name(attempt.name + PROGRESS).unlink(missing_ok=True)
        self.progress.stopped(cell.id)

    def _start(self, cell: Cell, attempt: Path, began: float) -> None:
        """Record the start of an attempt, once."""
        if attempt not in self._started:
            self._started.add(attempt)
            when = datetime.fromtimestamp(began, UTC).isoformat(timespec="milliseconds")
            append_event(self.folder, "start", cell=cell.id, began=when)

    def _look(self) -> None:
        """Show the progress that the workers have written."""
        for path in (self.folder / ATTEMPTS).glob(f"*{PROGRESS}"):
            attempt = path.with_suffix("")
            cell = self._cells.get(attempt.name.rpartition(".")[0])
            found = read_progress(path)
            if cell is not None and found is not None:
                began, done, total = found
                self._start(cell, attempt, began)
                self.progress.of(cell.id, cell.title)(done, total or None)
        self.progress.show()

    def _why(self, cell: Cell, how: str) -> tuple[str, bool]:
        """Why the process of a cell ended, and whether it is worth another attempt."""
        for attempt in reversed(attempts_of(self.folder, cell.id)):
            stopped = attempt.with_name(attempt.name + STOPPED)
            if stopped.is_file():
                why = stopped.read_text(encoding="utf-8")
                stopped.unlink()
                return f"{why} and was stopped", False
            found = read_progress(attempt.with_name(attempt.name + PROGRESS))
            limit = self.execution.time_limit
            if limit is not None and found is not None:
                now = datetime.now(UTC).timestamp()
                if now - found[0] >= limit:
                    return f"it took longer than {limit:g} s and was stopped", False
        return how, True
