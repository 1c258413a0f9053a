"""The interface of executors: jobs go in, how each ended comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

POLL_SECONDS = 0.2
"""How often an executor calls `idle` while jobs run."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job ended: with a result, with an error that it raised, or with its process.

    `died` says how the process ended: killed from outside, out of memory, crashed.
    """

    job: Any
    result: Any = None
    error: BaseException | None = None
    died: str = ""


class Executor(Protocol):
    """Runs jobs, each in one process; the results do not depend on where.

    `in_process`: it runs them in the calling process, so they cannot be stopped from outside.
    """

    @property
    def in_process(self) -> bool:
        """Whether jobs run in the calling process."""

    @property
    def width(self) -> int:
        """The number of jobs that run at the same time on this machine."""

    def run(
        self, call: Callable[[Any], Any], jobs: Sequence[Any], idle: Callable[[], None]
    ) -> Iterator[Ended]:
        """Call a function of a module with each job; yields jobs as they end.

        `idle` is called every now and then. Closing the iterator stops what runs.
        """
