"""Dask: jobs on a Dask cluster, one of this machine's own or a running one."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from streamgauge.errors import MissingExtraError, ParameterError, error_line
from streamgauge.executors._executor import POLL_SECONDS, Ended
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.processors import processors

CONNECT_SECONDS = 10
"""How long a running cluster is tried."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class Dask:
    """Runs cells on a Dask cluster. Needs `pip install 'streamgauge[dask]'`.

    The run folder, the data files and streamgauge of the same version must be at the same place on
    every machine of the cluster.

    Parameters
    ----------
    address
        Address of a running scheduler (`"tcp://127.0.0.1:8786"`); by default a cluster of this
        machine is started, and stopped at the end.
    workers
        Number of processes of a cluster that is started; that of the processors by default.
    """

    address: str = ""
    workers: int | None = None
    in_process: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.workers is not None:
            at_least(self, "workers", self.workers, 1)
            if self.address:
                raise ParameterError(
                    "Dask: workers must be left out for a running cluster, which has its own, got "
                    f"{self.workers}"
                )

    @property
    def width(self) -> int:
        """The number of jobs that run at the same time on this machine."""
        return self.workers or processors()

    def run(
        self, call: Callable[[Any], Any], jobs: Sequence[Any], idle: Callable[[], None]
    ) -> Iterator[Ended]:
        """Call a function with each job."""
        distributed = _distributed()
        with self._client(distributed) as client:
            done: queue.SimpleQueue[Any] = queue.SimpleQueue()
            job_of: dict[str, Any] = {}
            futures = {}
            for job in jobs:
                future = client.submit(call, job, pure=False)
                job_of[future.key], futures[future.key] = job, future
                future.add_done_callback(done.put)
            while job_of:
                try:
                    future = done.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    idle()
                    continue
                ended = _ended(distributed, job_of.pop(future.key), future)
                # A result that is kept would be computed again if its worker died.
                futures.pop(future.key).release()
                yield ended
                idle()

    def _client(self, distributed: Any) -> Any:
        # Jobs whose worker dies are repeated by the run, which counts them.
        import_module("dask").config.set({"distributed.scheduler.allowed-failures": 0})
        try:
            if self.address:
                return distributed.Client(self.address, timeout=CONNECT_SECONDS)
            return distributed.Client(
                n_workers=self.width,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=None,
            )
        except (OSError, ValueError, TimeoutError) as error:
            where = self.address or "a cluster of this machine"
            raise ParameterError(
                f"Dask: {where} must be a cluster that can be reached, got {error_line(error)}"
            ) from error


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtraError("distributed", "dask") from error


def _ended(distributed: Any, job: Any, future: Any) -> Ended:
    if future.status == "finished":
        return Ended(job, future.result())
    error = future.exception() if future.status == "error" else None
    if error is None or isinstance(error, distributed.KilledWorker):
        return Ended(job, died="its worker ended")
    return Ended(job, error=error)
