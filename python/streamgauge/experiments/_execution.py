"""How the cells of a grid are run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from streamgauge.engine.checkpoint import EVERY_SECONDS
from streamgauge.errors import ParameterError
from streamgauge.executors._executor import Executor
from streamgauge.executors._reachable import check_reachable
from streamgauge.executors.dask import Dask
from streamgauge.executors.processes import Processes
from streamgauge.executors.ray import Ray
from streamgauge.kinds import at_least
from streamgauge.names import make


@dataclass(frozen=True, slots=True)
class Execution:
    """How the cells of a grid are run; the results do not depend on it.

    Parameters
    ----------
    executor
        Where the cells run: an executor of `streamgauge.executors`, or its name. By default
        processes, and serial for a single cell or a small grid without limits.
    time_limit
        Seconds after which a cell is stopped.
    memory_limit
        Bytes of memory beyond which a cell is stopped.
    retries
        How often a cell whose process dies is run again.
    checkpoint_seconds
        Seconds between the checkpoints inside a long cell.
    peak_memory
        Whether to record the largest memory of each cell, which then has a process of its own.
    """

    executor: Executor | str = ""
    time_limit: float | None = None
    memory_limit: int | None = None
    retries: int = 2
    checkpoint_seconds: float = EVERY_SECONDS
    peak_memory: bool = False

    def __post_init__(self) -> None:
        for what, least in (("time_limit", 0), ("memory_limit", 0), ("checkpoint_seconds", -1)):
            value = getattr(self, what)
            if value is not None and not value > least:
                raise ParameterError.of("run", what, f"above {least}", value)
        at_least("run", "retries", self.retries, 0)
        made = self.made(few=False)
        if isinstance(made, Ray | Dask) and made.address:  # before a folder is made
            check_reachable(type(made).__name__, made.address)
        if made.in_process and self._limited:
            raise ParameterError(
                "run: limits and peak memory must have an executor with processes of its own, got "
                f"{type(made).__name__.lower()}; take processes"
            )

    @property
    def _limited(self) -> bool:
        return self.time_limit is not None or self.memory_limit is not None or self.peak_memory

    def made(self, few: bool) -> Executor:
        """The executor for a grid, made of its name; `few`: the grid needs no processes."""
        text = self.executor or ("serial" if few and not self._limited else "processes")
        made: Executor = make("executor", text) if isinstance(text, str) else text
        if self.peak_memory and isinstance(made, Processes):
            return replace(made, fresh=True)
        return made
