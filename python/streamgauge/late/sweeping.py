"""What waiting costs: a score against the delay of labels and the share that never comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.log.about import name_of
from streamgauge.measures._measuring import measure as measured
from streamgauge.names import make
from streamgauge.progress import Progress
from streamgauge.protocols import Delayed
from streamgauge.streams import delay
from streamgauge.types import EvaluationProtocol, Stream
from streamgauge.waits import Never

Watch = Callable[[str], Progress | bool]


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
    """Scores, a point a learner, delay and share; `best` is the measure's best value."""

    stream: str
    measure: str
    unit: str
    best: float
    points: tuple[Point, ...]

    def of(self, learner: str, missing: float = 0.0) -> dict[str, float]:
        """Delay -> score of one learner."""
        return {
            p.delay: p.value for p in self.points if p.learner == learner and p.missing == missing
        }


def sweep(
    stream: Stream,
    learners: Sequence[Any] | Mapping[str, Any],
    delays: Sequence[Any] = (0, 10, 100, 1000),
    missing: Sequence[float] = (0.0,),
    *,
    measure: str = "",
    unit: str = "item",
    protocol: EvaluationProtocol | None = None,
    seed: int = 0,
    watch: Watch | None = None,
) -> Sweep:
    """Evaluate learners on a stream whose labels come later and later, or not at all.

    Which labels are missing depends on the seed and the items alone, so that all learners miss the
    same ones; what is missing is not measured either.

    Parameters
    ----------
    stream
        A stream whose labels come at once.
    learners
        Learners or their names; or by the name they are to have.
    delays
        Numbers, or waits of `streamgauge.waits`.
    missing
        Shares of labels that never come, each from 0 to 1.
    measure
        `accuracy` or `mae` unless given.
    unit
        What a delay counts; as in `delay`.
    protocol
        `Delayed()` unless given.

    Examples
    --------
    >>> import streamgauge as sg
    >>> found = sweep(sg.streams.take(sg.streams.SEA(), 2000), ["naive_bayes"], [0, 500])
    >>> {wait: round(score, 2) for wait, score in found.of("naive_bayes").items()}
    {'0': 0.86, '500': 0.64}
    """
    if not learners or not delays or not missing:
        raise ParameterError("sweep: learners, delays and missing must have one member at least")
    if not isinstance(learners, Mapping):
        made = [make("learner", one) if isinstance(one, str) else one for one in learners]
        learners = {
            given if isinstance(given, str) else name_of(one): one
            for given, one in zip(learners, made, strict=True)
        }
    wanted = measure or ("accuracy" if stream.schema.task == "classification" else "mae")
    delayed = {}
    for share in missing:
        for by in delays:
            wait = by if share == 0 else Never(share, by)
            delayed[str(by), float(share)] = delay(stream, wait, unit)
    points = []
    for (by, share), late in delayed.items():
        for name, learner in learners.items():
            told = False if watch is None else watch(f"{name}, delay {by}, missing {share:g}")
            log = run(late, learner, protocol or Delayed(), seed=seed, progress=told)
            score = measured(log, wanted).final if log.labels() else float("nan")
            points.append(Point(name, by, share, score, log.labels()))
    best = float(np.asarray(make("measure", wanted).best))
    return Sweep(stream.name, wanted, unit, best, tuple(points))
