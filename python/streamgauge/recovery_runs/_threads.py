"""Threads: jobs side by side in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, ClassVar

from streamgauge.executors._executor import POLL_SECONDS, Ended
from streamgauge.processors import processors


@dataclass(frozen=True, slots=True)
class Threads:
    """Runs jobs in threads of this process, as many at a time as there are processors.

    Native learners run outside of the interpreter's lock, so that they use all processors without
    the second that processes take to start. Models of other libraries gain nothing here.
    """

    in_process: ClassVar[bool] = True

    @property
    def width(self) -> int:
        """The number of jobs that run at the same time."""
        return processors()

    def run(
        self, call: Callable[[Any], Any], jobs: Sequence[Any], idle: Callable[[], None]
    ) -> Iterator[Ended]:
        """Call a function with each job; its errors are raised."""
        pool = ThreadPoolExecutor(self.width)
        try:
            job_of: dict[Future[Any], Any] = {pool.submit(call, job): job for job in jobs}
            while job_of:
                done, _ = wait(job_of, POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    yield Ended(job_of.pop(future), future.result())
                idle()
        finally:
            pool.shutdown(cancel_futures=True)
