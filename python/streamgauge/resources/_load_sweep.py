"""A score as a function of the rate at which items arrive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgauge.engine import run
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import as_list, check_number
from streamgauge.learners._named_learners import named_learners
from streamgauge.measures._compute import measure as measured
from streamgauge.progress import Progress
from streamgauge.protocols import Shedding
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import Stream

OnProgress = Callable[[str], Progress | bool]
"""Function from the name of a run to its progress: a `Progress`, or whether to show one."""


@dataclass(frozen=True, slots=True)
class LoadPoint:
    """One learner at one rate: the share of the items that it served, and its score on them."""

    learner: str
    rate: float
    service: float
    served: float
    value: float


@dataclass(frozen=True, slots=True)
class LoadSweep:
    """Scores, one point per learner and rate."""

    stream: str
    measure: str
    points: tuple[LoadPoint, ...]


@reported_by("load_sweep", "run", "measure", "Shedding")
def load_sweep(
    stream: Stream | str,
    learners: object,
    rates: Sequence[float],
    *,
    service: float | None = None,
    buffer: int = 0,
    arrivals: Literal["regular", "poisson"] = "regular",
    measure: str = "",
    seed: int = 0,
    progress: OnProgress | None = None,
) -> LoadSweep:
    """Evaluate learners at several arrival rates; items that come too fast are dropped.

    Each run is a simulation (`protocols.Shedding`). The score is that of the items that were
    served: beyond the rate that a learner can follow it learns from fewer of them.

    Parameters
    ----------
    stream
        A stream without delays.
    learners
        A learner or its name, several of these, or a mapping from names to learners.
    rates
        Items per second.
    service
        Seconds that a learner needs per item. By default that of each learner, measured in a run
        before on this machine, so that results differ from run to run.
    buffer, arrivals
        As in `protocols.Shedding`.
    measure
        By default `accuracy` or `mae`.
    seed
        The seed of all runs.
    progress
        Called with the name of each run; returns the `progress` of that run, as in `run`.

    Examples
    --------
    >>> found = load_sweep("sea(items=2000)", "nb", [500, 2000], service=0.001)
    >>> [(point.rate, point.served) for point in found.points]
    [(500.0, 1.0), (2000.0, 0.5)]
    """
    rates = as_list("load_sweep", "rates", rates, "a list of numbers")
    for rate in rates:
        check_number("load_sweep", "rates", rate, "a list of numbers")
    if service is not None:
        check_number("load_sweep", "service", service, "a number of seconds, above 0")
    chosen = named_learners(learners)
    if not chosen or not rates:
        raise ParameterError("load_sweep: learners and rates must not be empty")
    source: Stream = named_stream(stream)
    wanted = measure or ("accuracy" if source.schema.task == "classification" else "mae")
    points = []
    for name, learner in chosen.items():

        def shown(what: str, name: str = name) -> Progress | bool:
            return False if progress is None else progress(f"{name}, {what}")

        needs = service
        if needs is None:
            alone = run(source, learner, seed=seed, progress=shown("timing")).resources
            keys = ("predict_seconds_per_item", "learn_seconds_per_item")
            whole = alone["seconds"] / max(alone["items"], 1.0)
            needs = sum(alone[key] for key in keys) if all(k in alone for k in keys) else whole
        for rate in map(float, rates):
            protocol = Shedding(rate, needs, buffer, arrivals)
            log = run(source, learner, protocol, seed=seed, progress=shown(f"{rate:g} per second"))
            items = log.resources["items"]
            served = sum(map(len, log.predictions())) / items if items else float("nan")
            value = measured(log, wanted).final if log.label_count() else float("nan")
            points.append(LoadPoint(name, rate, needs, served, value))
    return LoadSweep(source.name, wanted, tuple(points))
