"""The costs of a run, each with how it was obtained."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.log.table import Log
from streamgauge.resources._ram_hours import ram_hours
from streamgauge.resources._vital_curves import vital_curves

CLOCK = "wall clock of this machine, under whatever else it did"

COPIES = (
    "median over copies of the learner, made during the run, that predicted 50 to 500 items in one "
    "call and then learned them in another; wall clock"
)

PARTS = {
    "seconds": ("s", f"{CLOCK}; with the time before a checkpoint that the run went on from"),
    "cpu_seconds": ("s", "processor time of the process, all threads"),
    "read_seconds": ("s", "wall clock while the stream made or read its batches"),
    "log_seconds": ("s", "wall clock while rows were passed to the log"),
    "predict_seconds_per_item": ("s", COPIES),
    "learn_seconds_per_item": ("s", COPIES),
    "peak_bytes": ("B", "largest resident memory of a process that ran nothing else"),
    "resident_bytes": ("B", "resident memory of the process at the end of the run"),
    "energy_joules": ("J", "energy counters of the processor (RAPL), everything that ran"),
}
"""Cost in the card of a log -> its unit, and how it was obtained."""

SIZES = {
    "river": "Python objects that can be reached from the model, each once",
    "scikit-learn": "Python objects that can be reached from the model, each once",
    "capymoa": "as MOA measures it",
}
"""Library in the origin of a log -> how the size of its models is obtained."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost of a run: its value in a unit, and how it was obtained."""

    name: str
    value: float
    unit: str
    how: str


def size_method(log: Log) -> str:
    """How the size of the learner of a log was obtained."""
    return next((how for key, how in SIZES.items() if key in log.about), "memory it allocated")


def resources(log: Log) -> tuple[Cost, ...]:
    """The costs of a run, each with its unit and how it was obtained.

    What is not known of a run is left out. Sizes that were obtained in different ways do not
    compare, nor do times of different machines.

    Examples
    --------
    >>> import streamgauge as sg
    >>> costs = {cost.name: cost for cost in resources(sg.run("sea(items=2000)", "nb"))}
    >>> costs["final_bytes"].value, costs["final_bytes"].unit, costs["final_bytes"].how
    (816.0, 'B', 'memory it allocated')
    >>> costs["items_per_second"].value > 1000
    True
    """
    return tuple(cost for cost in _costs(log) if not math.isnan(cost.value))


def _costs(log: Log) -> Iterator[Cost]:
    found = log.resources
    items, seconds = found.get("items", 0.0), found.get("seconds", math.nan)
    if items and seconds:
        how = "items of the run by its seconds, with reading and writing"
        yield Cost("items_per_second", items / seconds, "1/s", how)
    for name, (unit, how) in PARTS.items():
        if name in found:
            yield Cost(name, found[name], unit, how)
    predict, learn = (found.get(f"{verb}_seconds_per_item", math.nan) for verb in PER_ITEM)
    if predict + learn > 0:
        yield Cost("fastest_rate", 1 / (predict + learn), "1/s", "1 / (predict + learn)")
    if "bytes" in log.vitals().names:
        sizes, how = vital_curves(log, ["bytes"])["bytes"].value, size_method(log)
        yield Cost("final_bytes", float(sizes[-1]), "B", how)
        yield Cost("largest_bytes", float(sizes.max()), "B", f"{how}; the largest sample")
        yield Cost("ram_hours", ram_hours(log), "GiB h", "sampled sizes times the time between")


PER_ITEM = ("predict", "learn")
