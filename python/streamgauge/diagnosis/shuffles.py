"""Does the ranking of learners survive when the order of items is destroyed?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from streamgauge.diagnosis.labels import with_classes
from streamgauge.diagnosis.precision import window_precision
from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.kinds import plain_numbers
from streamgauge.log import Log
from streamgauge.measures._measuring import measure
from streamgauge.seeds import child
from streamgauge.streams.shuffling import shuffle
from streamgauge.streams.shuffling_within_class import shuffle_within_class
from streamgauge.types import Stream

How: TypeAlias = Literal["iid", "within_class"]
WAYS: dict[How, Callable[[Stream, int], Stream]] = {
    "iid": shuffle,
    "within_class": shuffle_within_class,
}
"""How a stream is shuffled: all items, or those of each class among the places of that class."""


@dataclass(frozen=True, slots=True)
class Shuffles:
    """The accuracy of each learner in the stream's own order and in shuffled ones.

    `shuffled[how][learner]` is the mean over the shuffles. A pair of learners has changed places
    if the sign of their difference has, and it is beyond what `items` can tell (1 / √n) in both.
    """

    items: int
    shuffles: int
    own: Mapping[str, float]
    shuffled: Mapping[How, Mapping[str, float]]

    def changed(self, how: How) -> tuple[tuple[str, str], ...]:
        """The pairs that have changed places: who was better, and who is now."""
        least = window_precision(self.items)
        now = self.shuffled[how]
        found = []
        for a, b in combinations(self.own, 2):
            was, is_ = self.own[a] - self.own[b], now[a] - now[b]
            if was * is_ < 0 and min(abs(was), abs(is_)) > least:
                found.append((a, b) if was > 0 else (b, a))
        return tuple(found)

    def ranking(self, how: How | None = None) -> tuple[str, ...]:
        """The learners, best first, in the stream's own order or shuffled."""
        scores = self.own if how is None else self.shuffled[how]
        return tuple(sorted(scores, key=lambda name: -scores[name]))

    def survives(self, how: How) -> bool:
        """Has no pair changed places?"""
        return not self.changed(how)


@plain_numbers
def shuffle_and_rank(
    stream: Stream,
    learners: Mapping[str, object],
    shuffles: int = 3,
    seed: int = 0,
    logs: Mapping[str, Log] | None = None,
) -> Shuffles:
    """Evaluate learners in a stream's own order and in shuffled ones.

    An i.i.d. shuffle destroys all order; a shuffle within classes keeps how labels follow each
    other and destroys the rest, drift included. A ranking that an i.i.d. shuffle overturns was
    about order, not about features.

    Parameters
    ----------
    stream
        With classes; it is held in memory.
    learners
        By name.
    shuffles
        How often each kind of shuffle is drawn; accuracies are averaged.
    seed
        Of runs and shuffles.
    logs
        Of the same learners in the stream's own order, if there are any.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.learners import MajorityClass, Persistent
    >>> from streamgauge.streams import from_arrays
    >>> stream = from_arrays(np.zeros((900, 1)), np.array(["a", "a", "b"] * 300).repeat(5)[:900])
    >>> two = {"persistent": Persistent(), "majority": MajorityClass()}
    >>> seen = shuffle_and_rank(stream, two, shuffles=1)
    >>> seen.ranking(), seen.ranking("iid"), seen.changed("iid")
    (('persistent', 'majority'), ('majority', 'persistent'), (('persistent', 'majority'),))
    """
    with_classes("shuffle_and_rank", stream)
    if not isinstance(shuffles, int) or shuffles < 1:
        raise ParameterError.of("shuffle_and_rank", "shuffles", "at least 1", shuffles)
    if len(learners) < 2:
        raise ParameterError.of("shuffle_and_rank", "learners", "at least 2", len(learners))
    told = logs or {}
    own_logs = {name: told.get(name) or run(stream, a, seed=seed) for name, a in learners.items()}
    shuffled: dict[How, dict[str, float]] = {}
    for how, mixed in WAYS.items():
        total = dict.fromkeys(learners, 0.0)
        for i in range(shuffles):
            other = mixed(stream, child(seed, "shuffles", how, i))
            for name, learner in learners.items():
                total[name] += _accuracy(run(other, learner, seed=seed)) / shuffles
        shuffled[how] = total
    own = {name: _accuracy(log) for name, log in own_logs.items()}
    items = min(log.labels() for log in own_logs.values())
    return Shuffles(items, shuffles, own, shuffled)


def _accuracy(log: Log) -> float:
    return measure(log, "accuracy", every=max(1, log.labels())).final
