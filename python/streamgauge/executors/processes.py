"""Processes: jobs side by side in processes of this machine."""

from __future__ import annotations

import multiprocessing
import queue
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import Any, ClassVar

from pebble import ProcessExpired, ProcessPool

from streamgauge.executors._executor import POLL_SECONDS, Ended
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.processors import processors

RESULT_SECONDS = 2.0
"""How long the result of a process that has ended is waited for."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class Processes:
    """Runs cells in processes of this machine, as many at a time as there are processors.

    A cell whose process dies costs that cell only.

    Parameters
    ----------
    workers
        Number of processes; that of the processors by default.
    fresh
        Whether each cell has a new process, so that its peak memory is its own. By default a
        process runs one cell after the other.

    Examples
    --------
    >>> sorted(ended.result for ended in Processes(workers=2).run(abs, [-1, 2], lambda: None))
    [1, 2]
    """

    workers: int | None = None
    fresh: bool = False
    in_process: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.workers is not None:
            at_least(self, "workers", self.workers, 1)

    @property
    def width(self) -> int:
        """The number of jobs that run at the same time."""
        return self.workers or processors()

    def run(
        self, call: Callable[[Any], Any], jobs: Sequence[Any], idle: Callable[[], None]
    ) -> Iterator[Ended]:
        """Call a function with each job."""
        _start_tracker()
        # Not fork: the threads of Arrow and of the compiled core do not survive it.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([call.__module__])
        pool: Any = ProcessPool(
            min(self.width, max(1, len(jobs))), max_tasks=int(self.fresh), context=context
        )
        done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        ended_well = _EndedWell(pool)
        try:
            job_of = {}
            for job in jobs:
                future: Future[Any] = _scheduled(pool, call, job)
                job_of[future] = job
                future.add_done_callback(done.put)
            while job_of:
                ended_well.look()
                try:
                    future = done.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    idle()
                    continue
                yield _ended(job_of.pop(future), future)
                idle()
            pool.close()
        finally:
            pool.stop()
            pool.join()


def _start_tracker() -> None:
    """Start the process of Python that removes what a killed run leaves (semaphores).

    It does not warn about that: a run that is killed is resumed.
    """
    before = sys.warnoptions[:]
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions[:] = before


class _ExitedError(Exception):
    """A process has exited with code 0 before its job had a result."""


class _EndedWell:
    """Ends the jobs whose process has exited with code 0.

    For pebble such a process has finished its work, and its job would never end.
    """

    def __init__(self, pool: Any) -> None:
        self._manager = pool._pool_manager
        self._since: dict[int, float] = {}

    def look(self) -> None:
        """Look which jobs have lost their process, and end those that have no result since."""
        processes, now = self._manager.worker_manager.workers, time.monotonic()
        for task in self._manager.task_manager.tasks.copy().values():
            process = task.worker_id
            if not process or process in processes:
                self._since.pop(task.id, None)
            elif now - self._since.setdefault(task.id, now) > RESULT_SECONDS:
                self._manager.task_manager.task_problem(task.id, _ExitedError())


def _scheduled(pool: Any, call: Callable[[Any], Any], job: Any) -> Future[Any]:
    """The future of a job; one of a pool that has broken meanwhile has its error."""
    try:
        scheduled: Future[Any] = pool.schedule(call, args=(job,))
    except RuntimeError as error:
        scheduled = Future()
        scheduled.set_exception(BrokenExecutor(str(error)))
    return scheduled


def _ended(job: Any, future: Future[Any]) -> Ended:
    error = future.exception()
    if isinstance(error, ProcessExpired):
        return Ended(job, died=_how(error.exitcode))
    if isinstance(error, _ExitedError):
        return Ended(job, died=_how(0))
    if isinstance(error, BrokenExecutor):  # a process has ended while none had a job
        return Ended(job, died="the processes have ended")
    return Ended(job, error=error) if error is not None else Ended(job, future.result())


def _how(code: int) -> str:
    return (
        f"its process was ended by signal {-code}" if code < 0 else f"its process exited ({code})"
    )
