"""What a run cost (time, memory, RAM-Hours, energy, size), and scores where these are limited."""

from typing import TYPE_CHECKING

from streamgauge.lazy import lazy_package

if TYPE_CHECKING:
    from streamgauge.resources._dropped import dropped as dropped
    from streamgauge.resources._load_sweep import LoadSweep as LoadSweep
    from streamgauge.resources._load_sweep import load_sweep as load_sweep
    from streamgauge.resources._measure_seconds import measure_seconds as measure_seconds
    from streamgauge.resources._memory_sweep import ENVIRONMENTS as ENVIRONMENTS
    from streamgauge.resources._memory_sweep import MemorySweep as MemorySweep
    from streamgauge.resources._memory_sweep import memory_sweep as memory_sweep
    from streamgauge.resources._ram_hours import ram_hours as ram_hours
    from streamgauge.resources._resources import Cost as Cost
    from streamgauge.resources._resources import resources as resources
    from streamgauge.resources._vital_curves import complexity_curves as complexity_curves
    from streamgauge.resources._vital_curves import vital_curves as vital_curves
else:
    __getattr__, __dir__ = lazy_package(__name__)
