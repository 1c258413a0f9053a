"""Ray: jobs on a Ray cluster, one of this machine's own or a running one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from streamgauge.errors import MissingExtraError, ParameterError, error_line
from streamgauge.executors._executor import POLL_SECONDS, Ended
from streamgauge.kinds import at_least, plain_numbers
from streamgauge.processors import processors

STORE_BYTES = 100 * 2**20
"""Size of the object store of a cluster of our own: results are small, logs go to the disk."""

AHEAD = 2
"""Jobs that are submitted per processor, so that no worker is idle."""


@plain_numbers
@dataclass(frozen=True, slots=True)
class Ray:
    """Runs cells on a Ray cluster. Needs `pip install 'streamgauge[ray]'`.

    The run folder, the data files and streamgauge of the same version must be at the same place on
    every machine of the cluster.

    Parameters
    ----------
    address
        Address of a running cluster (`"auto"`, `"127.0.0.1:6379"`); by default a cluster of this
        machine is started, and stopped at the end.
    workers
        Number of processors of a cluster that is started; those of this machine by default.
    """

    address: str = ""
    workers: int | None = None
    in_process: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.workers is not None:
            at_least(self, "workers", self.workers, 1)
            if self.address:
                raise ParameterError(
                    "Ray: workers must be left out for a running cluster, which has its own, got "
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
        ray = _ray()
        _connect(ray, self.address, self.width)
        try:
            most = AHEAD * int(ray.cluster_resources().get("CPU", 1))
            remote = ray.remote(num_cpus=1, max_retries=0)(call)
            waiting = list(reversed(jobs))
            job_of: dict[Any, Any] = {}
            while waiting or job_of:
                while waiting and len(job_of) < most:
                    job = waiting.pop()
                    job_of[remote.remote(job)] = job
                ready, _ = ray.wait(list(job_of), timeout=POLL_SECONDS)
                for reference in ready:
                    yield _ended(ray, job_of.pop(reference), reference)
                idle()
        finally:
            ray.shutdown()


def _ray() -> Any:
    # A cluster that is started reports its use to its makers, unless this is set.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return import_module("ray")
    except ImportError as error:
        raise MissingExtraError("ray", "ray") from error


def _connect(ray: Any, address: str, width: int) -> None:
    """Start a cluster, or connect to a running one."""
    options = {"include_dashboard": False, "object_store_memory": STORE_BYTES, "num_cpus": width}
    # Never without an address: a file that a killed cluster has left would be believed.
    chosen: dict[str, Any] = {"address": address} if address else {"address": "local", **options}
    try:
        ray.init(**chosen, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = address or "a cluster of this machine"
        raise ParameterError(
            f"Ray: {where} must be a cluster that can be reached, got {error_line(error)}; if it "
            "asks for a token, set RAY_AUTH_MODE=token as on its machines"
        ) from error


def _ended(ray: Any, job: Any, reference: Any) -> Ended:
    try:
        return Ended(job, ray.get(reference))
    except ray.exceptions.RayTaskError as error:
        return Ended(job, error=error.cause if error.cause is not None else error)
    except ray.exceptions.RayError as error:
        return Ended(job, died=f"its process ended ({type(error).__name__})")
