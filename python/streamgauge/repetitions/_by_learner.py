"""Logs by learner: those that differ only in their seeds are repetitions of one learner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np

from streamgauge.errors import ParameterError
from streamgauge.log import Log
from streamgauge.log.about import learner_name


def by_learner(logs: Iterable[Log]) -> dict[str, tuple[Log, ...]]:
    """The logs of one stream by learner; those of one learner are its repetitions.

    Logs are repetitions of one learner if learner, protocol and classes are the same and the seeds
    are different. Names are those of reports: that of the learner, with its protocol if there are
    several. A log without a seed is no repetition.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.streams.SEA(items=500)
    >>> learners = sg.learners.NaiveBayes(), sg.learners.Perceptron()
    >>> logs = [sg.run(stream, learner, seed=s) for learner in learners for s in (1, 2, 3)]
    >>> {name: len(runs) for name, runs in by_learner(logs).items()}
    {'naive_bayes': 3, 'perceptron': 3}
    """
    logs = list(logs)
    if not all(isinstance(log, Log) for log in logs):
        raise ParameterError.of("by_learner", "logs", "Log objects", logs)
    streams = dict.fromkeys(log.about.get("stream", "stream") for log in logs)
    if len(streams) > 1:
        raise ParameterError.of("by_learner", "logs", "of one stream", ", ".join(streams))
    groups = grouped(logs)
    return dict(zip(names_of([group[0] for group in groups]), groups, strict=True))


def grouped(logs: Sequence[Log]) -> list[tuple[Log, ...]]:
    """Logs of one stream in groups of repetitions, in the order of their first logs."""
    groups: dict[object, list[Log]] = {}
    used: Counter[object] = Counter()
    for nth, log in enumerate(logs):
        about, seed = log.about, seed_of(log)
        what = about.get("learner"), learner_name(about), about.get("protocol"), log.schema.classes
        # neither a second log of one seed nor a log without a seed is a repetition
        separate = used[what, seed] if seed is not None else f"log {nth}"
        used[what, seed] += 1
        groups.setdefault((what, separate), []).append(log)
    return [tuple(group) for group in groups.values()]


def seed_of(log: Log) -> str | None:
    """The seed of a log, by which repetitions are paired; None if it states none."""
    return log.about.get("seed")


def names_of(logs: Sequence[Log]) -> list[str]:
    """Unique name of each log: learner, then protocol, then a number.

    An experiment may give a learner another name (`name`).
    """
    names = [learner_name(log.about) for log in logs]
    protocols = [log.about.get("protocol") for log in logs]
    if len(set(names)) < len(names) and len(set(protocols)) > 1:
        names = [
            name if protocol is None else f"{name}, protocol {protocol}"
            for name, protocol in zip(names, protocols, strict=True)
        ]
    used: Counter[str] = Counter()
    for i, name in enumerate(names):
        used[name] += 1
        names[i] = name if used[name] == 1 else f"{name} #{used[name]}"
    return names


def content_of(log: Log) -> str:
    """A checksum of the labelled items of a log with their labels and predictions, in order."""
    digests = [blake2b(digest_size=16) for _ in range(3)]  # independent of batch borders
    for batch in log.labelled_predictions():
        columns = (batch.items, batch.label, batch.prediction)
        for digest, column in zip(digests, columns, strict=True):
            digest.update(np.ascontiguousarray(column).data)
    return "".join(digest.hexdigest() for digest in digests)
