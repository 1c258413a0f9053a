"""Threads: jobs side by side in threads of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, ClassVar

from streamgauge.executors._executor import POLL_SECONDS, Ended
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.processors import processors


@plain_numbers
@dataclass(frozen=True, slots=True)
class Threads:
    """Runs cells in threads of this process, as many at a time as there are processors.

    Native learners run outside of the interpreter's lock, so that they use all processors without
    the second that processes take to start. Models of other libraries gain nothing here. As with
    `Serial`, a cell that hangs or takes all memory takes the run with it.

    Parameters
    ----------
    workers
        Number of threads; that of the processors by default.

    Examples
    --------
    >>> sorted(ended.result for ended in Threads(workers=2).run(abs, [-1, 2], lambda: None))
    [1, 2]
    """

    workers: int | None = None
    in_process: ClassVar[bool] = True

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
