"""The job of a cell: what a worker gets, does and returns."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from streamgauge.checksums import sealed
from streamgauge.engine._run import run_cell
from streamgauge.engine.checkpoint import EVERY_SECONDS, Checkpoints
from streamgauge.errors import StreamgaugeError, error_line
from streamgauge.experiments._attempts import PROGRESS, STOPPED, attempts_of, new_attempt
from streamgauge.experiments._cells import NAME as CELL
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._checkpoints import AttemptStore, remove_checkpoint
from streamgauge.experiments._interrupts import noted_interrupts
from streamgauge.experiments._limits import limited
from streamgauge.experiments._values import store_values
from streamgauge.files import synced_at_end, write_text
from streamgauge.names import make, own_code
from streamgauge.progress import Progress

REPORT_SECONDS = 0.5
"""How often a worker writes its progress."""


@dataclass(frozen=True, slots=True)
class CellJob:
    """A cell to run into a run folder, whose lock file contains `owner`.

    The final values of `measures` in `windows` are kept beside its log.

    `progress` is for a job in the process of the run; others write a file.
    """

    cell: Cell
    run: Path
    owner: str
    threads: int = 1
    seconds: float | None = None
    memory: int | None = None
    every: float = EVERY_SECONDS
    peak: bool = False
    measures: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class CellRun:
    """A cell that was run: its attempt, when it began, and the error if it failed.

    `items` is the number of items of the checkpoint that it went on from, `refused` whether there
    was one that could not be loaded; `unsaved` says why it has no checkpoints.
    """

    attempt: Path
    began: float
    seconds: float
    error: str = ""
    items: int = 0
    refused: bool = False
    unsaved: str = ""


def run_job(job: CellJob) -> CellRun:
    """Run a cell into a new attempt."""
    earlier = tuple(attempts_of(job.run, job.cell.id))
    attempt = new_attempt(job.run, job.cell.id)
    stopped = attempt.with_name(attempt.name + STOPPED)
    own_process = job.progress is None
    limits = (
        limited(job.run, job.owner, stopped, job.seconds, job.memory)
        if own_process
        else nullcontext()
    )
    began = time.time()
    report = job.progress or _FileProgress(attempt.with_name(attempt.name + PROGRESS), began)
    checkpoints = Checkpoints(AttemptStore(attempt, earlier), job.every)
    done = CellRun(attempt, began, 0.0)
    with limits, noted_interrupts() as interrupts, synced_at_end(attempt):
        try:
            report(0, None)
            log, _ = run_cell(
                job.cell.open(),
                make("learner", job.cell.learner),
                make("protocol", job.cell.protocol),
                seed=job.cell.seed,
                scores=job.cell.scores,
                folder=attempt,
                progress=report,
                threads=job.threads,
                vitals_every=job.cell.vitals_every,
                cell=job.cell.id,
                checkpoints=checkpoints,
                peak=job.peak,
            )
            write_text(attempt / CELL, sealed(job.cell.content))
            store_values(attempt, log, job.measures, job.windows)
        except StreamgaugeError as error:
            done = replace(done, error=str(error))
        except MemoryError:
            done = replace(done, error="there is not enough memory for it")
        except (Exception, KeyboardInterrupt) as error:
            if interrupts or not (where := own_code(error)):
                raise
            done = replace(done, error=f"{where}: failed: {error_line(error)}")
    remove_checkpoint(attempt)  # while its name leads to it
    return replace(
        done,
        seconds=time.time() - began,
        items=checkpoints.items,
        refused=checkpoints.refused,
        unsaved=checkpoints.why,
    )


@dataclass(slots=True)
class _FileProgress:
    """Writes the progress of a cell to a file, for the process of the run."""

    path: Path
    began: float
    last: float = field(default=float("-inf"))

    def __call__(self, done: int, total: int | None) -> None:
        now = time.monotonic()
        if now - self.last < REPORT_SECONDS:
            return
        self.last = now
        self.path.write_text(f"{self.began} {done} {total or 0}", encoding="ascii")


def read_progress(path: Path) -> tuple[float, int, int] | None:
    """When a cell began, its number of finished items and of all (0: unknown)."""
    try:
        began, done, total = path.read_text(encoding="ascii").split()
        return float(began), int(done), int(total)
    except (OSError, ValueError):  # not written yet, or being written
        return None
