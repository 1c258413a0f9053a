"""Energy that the processors used, where the machine tells it (RAPL counters of Linux)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

COUNTERS = Path("/sys/class/powercap")
"""The folder of energy counters; on most machines only the administrator may read them."""

ZONES = "intel-rapl:*"
"""The counters; those whose `name` begins with `package` are of whole processors.

The others are of parts of them (`core`, `dram`) or of all together (`psys`).
"""

MICRO = 1e-6


@dataclass(slots=True)
class EnergyMeter:
    """Adds up the energy of all processors, from the first `update` on.

    The counters are of the machine: whatever else runs is in them. They begin again from 0 after
    some minutes, so `update` must be called more often than that. `joules` is None where no
    counter can be read.
    """

    folder: Path = field(default_factory=lambda: COUNTERS)
    joules: float | None = None
    _last: Mapping[Path, int] = field(default_factory=dict)

    def update(self) -> None:
        """Add the energy since the last call."""
        now = {}
        for zone in sorted(self.folder.glob(ZONES)):
            with suppress(OSError, ValueError):
                if not (zone / "name").read_text().startswith("package"):
                    continue
                now[zone] = int((zone / "energy_uj").read_text())
        if self._last and now.keys() == self._last.keys():
            used = 0
            for zone, value in now.items():
                step = value - self._last[zone]
                if step < 0:
                    with suppress(OSError, ValueError):
                        step += int((zone / "max_energy_range_uj").read_text())
                used += max(step, 0)
            self.joules = (self.joules or 0.0) + used * MICRO
        self._last = now
