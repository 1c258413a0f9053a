"""Executors: where the cells of a grid run. One file each; one line here adds it."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.executors.dask import Dask as Dask
    from streamgauge.executors.processes import Processes as Processes
    from streamgauge.executors.ray import Ray as Ray
    from streamgauge.executors.serial import Serial as Serial
    from streamgauge.executors.threads import Threads as Threads
else:
    __getattr__, __dir__ = lazy_package(__name__)
