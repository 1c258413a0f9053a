"""Rankings of learners on a stream and on shuffles of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from streamgauge.comparisons._holm import holm
from streamgauge.diagnosis.labels import with_classes
from streamgauge.engine import run
from streamgauge.errors import ParameterError
from streamgauge.kinds import at_most, check_seed, plain_numbers
from streamgauge.log import Log
from streamgauge.measures._compute import measure
from streamgauge.report.paired_tests import (
    ALPHA,
    LEAST_SPELL,
    SPELL,
    PairedTest,
    compared_logs,
    mean_test,
)
from streamgauge.seeds import child
from streamgauge.streams._named_stream import named_stream
from streamgauge.streams._shuffle import shuffle
from streamgauge.streams._shuffle_within_class import shuffle_within_class
from streamgauge.types import Stream

How: TypeAlias = Literal["iid", "within_class"]
Pair: TypeAlias = tuple[str, str]

MOST_SHUFFLES = 1_000
"""Largest number of shuffles; each is a run of every learner."""

SHUFFLES: dict[How, Callable[[Stream, int], Stream]] = {
    "iid": shuffle,
    "within_class": shuffle_within_class,
}
"""How a stream is shuffled: all items, or the items within each class."""


@dataclass(frozen=True, slots=True)
class Shuffles:
    """Accuracy of each learner in the original order and in shuffled ones.

    `shuffled[how][learner]` is the mean over the shuffles. The order of a pair of learners changes
    if the sign of their difference does and both differences are significant in the long run, at
    5 % over all pairs (Holm). `p` and `shuffled_p[how]` are the p-values of the pairs, in the order
    of the learners, for errors that may come in bursts (`LongRun`); over shuffles, twice the
    median.
    """

    items: int
    shuffles: int
    original: Mapping[str, float]
    shuffled: Mapping[How, Mapping[str, float]]
    p: Mapping[Pair, float]
    shuffled_p: Mapping[How, Mapping[Pair, float]]

    def changed(self, how: How) -> tuple[Pair, ...]:
        """The pairs whose order changes: the better one in the original order, then the other."""
        return self._significant(how, same=False)

    def confirmed(self, how: How) -> tuple[Pair, ...]:
        """The pairs whose order is significant and the same, the better one first."""
        return self._significant(how, same=True)

    def _significant(self, how: How, same: bool) -> tuple[Pair, ...]:
        now, pairs = self.shuffled[how], list(self.p)
        both = holm([max(self.p[pair], self.shuffled_p[how][pair]) for pair in pairs])
        found = []
        for (a, b), p in zip(pairs, both, strict=True):
            was, is_ = self.original[a] - self.original[b], now[a] - now[b]
            if p <= ALPHA and (was * is_ > 0 if same else was * is_ < 0):
                found.append((a, b) if was > 0 else (b, a))
        return tuple(found)

    def ranking(self, how: How | None = None) -> tuple[str, ...]:
        """The learners, best first, in the original order or shuffled."""
        scores = self.original if how is None else self.shuffled[how]
        return tuple(sorted(scores, key=lambda name: -scores[name]))

    def is_unchanged(self, how: How) -> bool:
        """Whether the order of no pair changes significantly."""
        return not self.changed(how)


@plain_numbers
def shuffle_and_rank(
    stream: Stream,
    learners: Mapping[str, object],
    shuffles: int = 3,
    seed: int = 0,
    logs: Mapping[str, Log] | None = None,
) -> Shuffles:
    """Evaluate learners in the original order of a stream and in shuffled ones.

    An i.i.d. shuffle removes all order; a shuffle within classes keeps the sequence of labels and
    removes the rest, drift included. A ranking that an i.i.d. shuffle changes is due to the order,
    not to the features.

    Parameters
    ----------
    stream
        A stream with classes; it is held in memory.
    learners
        By name.
    shuffles
        Number of shuffles of each kind; accuracies are averaged.
    seed
        Of runs and shuffles.
    logs
        Logs of the same learners in the original order, if available.

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
    stream = named_stream(stream)
    with_classes("shuffle_and_rank", stream)
    if not isinstance(shuffles, int) or shuffles < 1:
        raise ParameterError.of("shuffle_and_rank", "shuffles", "at least 1", shuffles)
    at_most("shuffle_and_rank", "shuffles", shuffles, MOST_SHUFFLES)
    check_seed("shuffle_and_rank", seed)
    if len(learners) < 2:
        raise ParameterError.of("shuffle_and_rank", "learners", "at least 2", len(learners))
    known_logs = logs or {}
    own_logs = {
        name: known_logs.get(name) or run(stream, a, seed=seed) for name, a in learners.items()
    }
    pairs = list(combinations(learners, 2))
    shuffled: dict[How, dict[str, float]] = {}
    shuffled_p: dict[How, dict[Pair, float]] = {}
    for how, shuffled_by in SHUFFLES.items():
        total = dict.fromkeys(learners, 0.0)
        tests: dict[Pair, list[PairedTest]] = {pair: [] for pair in pairs}
        for i in range(shuffles):
            other = shuffled_by(stream, child(seed, "shuffles", how, i))
            made = {name: run(other, learner, seed=seed) for name, learner in learners.items()}
            for name, log in made.items():
                total[name] += _accuracy(log) / shuffles
            for a, b in pairs:
                # errors in random order come in no spells
                spell = LEAST_SPELL if how == "iid" else SPELL
                tests[a, b].append(compared_logs(made[a], made[b], spell))
        shuffled[how] = total
        shuffled_p[how] = {pair: mean_test(of).p for pair, of in tests.items()}
    own = {name: _accuracy(log) for name, log in own_logs.items()}
    p = {(a, b): compared_logs(own_logs[a], own_logs[b]).p for a, b in pairs}
    items = next(iter(own_logs.values())).label_count()  # all learners get the same labels
    return Shuffles(items, shuffles, own, shuffled, p, shuffled_p)


def _accuracy(log: Log) -> float:
    return measure(log, "accuracy", every=max(1, log.label_count())).final
