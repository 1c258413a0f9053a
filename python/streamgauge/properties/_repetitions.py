"""Logs as repetitions of one learner on one stream."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.errors import ParameterError
from streamgauge.kinds import as_list
from streamgauge.log import Log


def as_repetitions(who: str, logs: Log | Sequence[Log]) -> list[Log]:
    """One log or several; an error unless they are of one learner and one stream."""
    must = "a log, or several, as returned by run"
    runs = [logs] if isinstance(logs, Log) else as_list(who, "logs", logs, must)
    if not runs or not all(isinstance(log, Log) for log in runs):
        raise ParameterError.of(who, "logs", must, logs)
    for what in ("stream", "learner", "protocol"):
        names = dict.fromkeys(log.about.get(what, "") for log in runs)
        if len(names) > 1:
            raise ParameterError(
                f"{who}: logs must be repetitions, of one {what}, got {', '.join(names)}; "
                "call it for each"
            )
    seeds = [log.about.get("seed") or None for log in runs]
    for nth, (log, seed) in enumerate(zip(runs, seeds, strict=True)):
        if any(log is other for other in runs[:nth]) or (seed and seed in seeds[:nth]):
            got = f"seed {seed} twice" if seed else "one log twice"
            raise ParameterError(
                f"{who}: logs must be repetitions, with seeds of their own, got {got}; give each "
                "log once"
            )
    return runs


def default_measure(log: Log, classification: str, regression: str) -> str:
    """The name of the measure of a task."""
    return classification if log.schema.task == "classification" else regression
