"""Processes: jobs side by side in processes of this machine."""

from __future__ import annotations

import multiprocessing
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from typing import Any, ClassVar

from pebble import ProcessExpired, ProcessPool

from streamgauge.executors._executor import POLL_SECONDS, Ended
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.processors import processors


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
        # Not fork: the threads of Arrow and of the compiled core do not survive it.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([call.__module__])
        pool: Any = ProcessPool(
            min(self.width, max(1, len(jobs))), max_tasks=int(self.fresh), context=context
        )
        done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        try:
            job_of = {}
            for job in jobs:
                future: Future[Any] = _scheduled(pool, call, job)
                job_of[future] = job
                future.add_done_callback(done.put)
            while job_of:
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
    if isinstance(error, BrokenExecutor):  # a process has ended while none had a job
        return Ended(job, died="the processes have ended")
    return Ended(job, error=error) if error is not None else Ended(job, future.result())


def _how(code: int) -> str:
    return (
        f"its process was ended by signal {-code}" if code < 0 else f"its process exited ({code})"
    )
