"""A measure as a function of the delay of labels and of the share of missing labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.delays import Never
from streamgauge.engine import run
from streamgauge.errors import ParameterError, reported_by
from streamgauge.learners._named_learners import named_learners
from streamgauge.measures._compute import measure as measured
from streamgauge.names import make, resolve
from streamgauge.progress import Progress, watcher
from streamgauge.protocols import Delayed
from streamgauge.streams import delay
from streamgauge.streams._named_stream import named_stream
from streamgauge.types import EvaluationProtocol, Stream

OnProgress = Callable[[str], Progress | bool]
"""Function from the name of a run to its progress: a `Progress`, or whether to show one."""


@dataclass(frozen=True, slots=True)
class Point:
    """One learner under one delay and one share of missing labels."""

    learner: str
    delay: str
    missing: float
    value: float
    labels: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """Values of a measure, one point per learner, delay and share; `best` is the best possible."""

    stream: str
    measure: str
    unit: str
    best: float
    points: tuple[Point, ...]

    def scores_of(self, learner: str, missing: float = 0.0) -> dict[str, float]:
        """Delay -> score of one learner."""
        return {
            p.delay: p.value for p in self.points if p.learner == learner and p.missing == missing
        }


@reported_by("sweep", "run", "measure", "delay", "Never")
def sweep(
    stream: Stream | str,
    learners: object,
    delays: Sequence[Any] = (0, 10, 100, 1000),
    missing: Sequence[float] = (0.0,),
    *,
    measure: str = "",
    unit: str = "item",
    protocol: EvaluationProtocol | str | None = None,
    seed: int = 0,
    progress: OnProgress | bool = False,
) -> Sweep:
    """Evaluate learners on a stream under several delays and shares of missing labels.

    All learners get the same items, delays and missing labels. Other labels are missing under
    another delay or share, and a generator without a seed of its own gives other items there. Items
    without a label are not measured.

    Parameters
    ----------
    stream
        A stream without delays.
    learners
        A learner or its name, several of these, or a mapping from names to learners.
    delays
        Numbers, or delays of `streamgauge.delays`.
    missing
        Shares of labels that never arrive, each from 0 to 1.
    measure
        By default `accuracy` or `mae`.
    unit
        The unit of delays, as in `streams.delay`.
    protocol
        By default `Delayed()`.
    seed
        The seed of all runs.
    progress
        True: the progress of each run is shown, as in `run`. Or a function that is called with the
        name of each run and returns the `progress` of that run.

    Examples
    --------
    >>> import streamgauge as sg
    >>> found = sweep(sg.streams.take(sg.streams.SEA(), 2000), ["naive_bayes"], [0, 500])
    >>> {delay: round(score, 2) for delay, score in found.scores_of("naive_bayes").items()}
    {'0': 0.86, '500': 0.64}
    """
    chosen = named_learners(learners)
    if not chosen or not delays or not missing:
        raise ParameterError("sweep: learners, delays and missing must not be empty")
    if not isinstance(progress, bool) and not callable(progress):
        raise ParameterError.of("sweep", "progress", "True, False or a function", progress)
    source: Stream = named_stream(stream)
    wanted = measure or ("accuracy" if source.schema.task == "classification" else "mae")
    delayed = {}
    for share in missing:
        for by in (resolve("delay", by) for by in delays):
            late = by if share == 0 else Never(share, by)
            delayed[str(by), float(share)] = delay(source, late, unit)
    points = []
    for (by, share), late in delayed.items():
        for name, learner in chosen.items():
            title = f"{name}, delay {by}, missing {share:g}"
            shown = progress(title) if callable(progress) else progress and watcher(title)
            log = run(late, learner, protocol or Delayed(), seed=seed, progress=shown)
            score = measured(log, wanted).final if log.label_count() else float("nan")
            points.append(Point(name, by, share, score, log.label_count()))
    best = float(np.asarray(make("measure", wanted).best))
    return Sweep(source.name, wanted, unit, best, tuple(points))
