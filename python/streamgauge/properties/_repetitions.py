"""Logs as repetitions of one learner on one stream."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.errors import ParameterError
from streamgauge.log import Log


def as_repetitions(who: str, logs: Log | Sequence[Log]) -> list[Log]:
    """One log or several; an error unless they are of one learner and one stream."""
    runs = [logs] if isinstance(logs, Log) else list(logs)
    if not runs or not all(isinstance(log, Log) for log in runs):
        raise ParameterError.of(who, "logs", "a log, or several, as returned by run", logs)
    for what in ("stream", "learner", "protocol"):
        names = dict.fromkeys(log.about.get(what, "") for log in runs)
        if len(names) > 1:
            raise ParameterError(
                f"{who}: logs must be repetitions, of one {what}, got {', '.join(names)}; "
                "call it for each"
            )
    return runs


def default_measure(log: Log, classification: str, regression: str) -> str:
    """The name of the measure of a task."""
    return classification if log.schema.task == "classification" else regression
