"""Serial: one job after the other, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from streamgauge.executors._executor import Ended
from streamgauge.kinds import plain_numbers


@plain_numbers
@dataclass(frozen=True, slots=True)
class Serial:
    """Runs cells one after the other, in this process.

    Nothing is started, so it is the quickest for a few small cells, and the one to debug with. A
    cell that hangs or takes all memory takes the run with it: limits need another executor.

    Examples
    --------
    >>> [ended.result for ended in Serial().run(abs, [-1, 2], lambda: None)]
    [1, 2]
    """

    in_process: ClassVar[bool] = True
    width: ClassVar[int] = 1

    def run(
        self, call: Callable[[Any], Any], jobs: Sequence[Any], idle: Callable[[], None]
    ) -> Iterator[Ended]:
        """Call a function with each job; its errors are raised."""
        for job in jobs:
            yield Ended(job, call(job))
            idle()
