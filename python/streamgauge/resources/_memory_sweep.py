"""A score as a function of the memory that a learner may have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from streamgauge.engine import run
from streamgauge.errors import ParameterError, reported_by
from streamgauge.kinds import as_list, at_least
from streamgauge.learners._named_learners import named_learners
from streamgauge.measures._compute import measure as measured
from streamgauge.progress import Progress
from streamgauge.resources._ram_hours import ram_hours
from streamgauge.resources._vital_curves import vital_curves
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import Stream

ENVIRONMENTS = {"sensor": 100_000, "handheld": 32_000_000, "server": 400_000_000}
"""Environment -> bytes that a learner may have in it; the sizes are those of Kirkby's thesis."""

OnProgress = Callable[[str], Progress | bool]
"""Function from the name of a run to its progress: a `Progress`, or whether to show one."""


@dataclass(frozen=True, slots=True)
class MemoryPoint:
    """One learner under one limit.

    `limited` is False if the learner has no parameter for its memory: then it ran without a limit.
    `largest` is its largest sampled size in bytes, NaN if it is not known; `fits` is whether that
    is within the limit, None if it is not known.
    """

    learner: str
    limit: int
    limited: bool
    largest: float
    fits: bool | None
    ram_hours: float
    value: float


@dataclass(frozen=True, slots=True)
class MemorySweep:
    """Scores, one point per learner and limit."""

    stream: str
    measure: str
    points: tuple[MemoryPoint, ...]


@reported_by("memory_sweep", "run", "measure")
def memory_sweep(
    stream: Stream | str,
    learners: object,
    limits: Sequence[int] = tuple(ENVIRONMENTS.values()),
    *,
    parameter: str = "max_bytes",
    measure: str = "",
    seed: int = 0,
    progress: OnProgress | None = None,
) -> MemorySweep:
    """Evaluate learners with several limits to their memory.

    By default the limits are those of a sensor, a handheld computer and a server. A learner with
    the parameter `max_bytes` gets each limit; any other runs once, and each point states whether
    it would fit.

    Parameters
    ----------
    stream
        A stream.
    learners
        A learner or its name, several of these, or a mapping from names to learners.
    limits
        Numbers of bytes, or values of another `parameter`.
    parameter
        The parameter of a learner that limits its size: for example `window_size`, with numbers of
        items as `limits`; then `fits`, which compares bytes, is None. At least one of the learners
        must have it, unless it is `max_bytes`.
    measure
        By default `accuracy` or `mae`.
    seed
        The seed of all runs.
    progress
        Called with the name of each run; returns the `progress` of that run, as in `run`.

    Examples
    --------
    >>> found = memory_sweep("sea(items=2000)", ["ht(grace_period=50, tau=0.9)", "nb"], [4000])
    >>> [(point.limited, point.fits) for point in found.points]
    [(True, True), (False, True)]

    References
    ----------
    Gama, Sebastião, Rodrigues. On evaluating stream learning algorithms.
    Machine Learning 90 (2013), section 3.1.
    """
    limits = as_list("memory_sweep", "limits", limits, "a list of numbers")
    chosen = named_learners(learners)
    if not chosen or not limits:
        raise ParameterError("memory_sweep: learners and limits must not be empty")
    for limit in limits:
        at_least("memory_sweep", "limits", limit, 1)
    if parameter != "max_bytes" and not any(_takes(one, parameter) for one in chosen.values()):
        names = "; ".join(f"{name} has {_parameters(one)}" for name, one in chosen.items())
        must = f"a parameter of a learner, of which {names}"
        raise ParameterError.of("memory_sweep", "parameter", must, parameter)
    source: Stream = named_stream(stream)
    wanted = measure or ("accuracy" if source.schema.task == "classification" else "mae")
    points = []
    for name, learner in chosen.items():
        limited = _takes(learner, parameter)
        alone = None
        for limit in limits:
            if alone is None or limited:
                of: Any = learner
                if limited:
                    of = replace(of, **{parameter: int(limit)})
                title = f"{name}, {parameter} {limit:,}" if limited else name
                shown = False if progress is None else progress(title)
                log = run(source, of, seed=seed, progress=shown)
                stated = "bytes" in log.vitals().names
                sizes = vital_curves(log, ["bytes"])["bytes"].value if stated else None
                largest = float("nan") if sizes is None else float(sizes.max())
                value = measured(log, wanted).final if log.label_count() else float("nan")
                alone = largest, ram_hours(log), value
            largest, hours, value = alone
            known = parameter == "max_bytes" and not math.isnan(largest)
            fits = largest <= limit if known else None
            points.append(MemoryPoint(name, int(limit), limited, largest, fits, hours, value))
    return MemorySweep(source.name, wanted, tuple(points))


def _takes(learner: object, parameter: str) -> bool:
    """Whether a learner of ours has this parameter."""
    return is_dataclass(learner) and parameter in {f.name for f in fields(learner)}


def _parameters(learner: object) -> str:
    """The names of the parameters of a learner of ours."""
    names = [f.name for f in fields(learner)] if is_dataclass(learner) else []
    return ", ".join(names) or "none"
