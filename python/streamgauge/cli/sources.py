"""The argument SOURCE of commands: a data file, a stream by name, or a log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamgauge.cli import options
from streamgauge.cli.safe_text import echo
from streamgauge.errors import DataError, LogError, ParameterError
from streamgauge.experiments._kept_cells import kept_note
from streamgauge.experiments._run_experiment import missing_cells, read_experiment
from streamgauge.files import existing
from streamgauge.log import Log, read_log, read_predictions
from streamgauge.log.card import NAME, check_cells
from streamgauge.names import make
from streamgauge.repetitions._by_learner import grouped, names_of
from streamgauge.streams import open_stream
from streamgauge.streams import take as first
from streamgauge.streams._named_stream import is_file
from streamgauge.types import Stream, Value
from streamgauge.types.values import numbers_of_texts


def source_stream(command: str, source: str, take: int | None, reading: dict[str, Any]) -> Stream:
    """Open the stream SOURCE: a file, read with these options, or a name."""
    parameters: dict[str, Any] = {
        k: options.split(v) if k in ("drop", "nominal") else v for k, v in reading.items()
    }
    parameters["classes"] = class_values(reading.get("classes", ""))
    given = {k: v for k, v in parameters.items() if v or v is False}
    if is_file(source):
        stream = open_stream(Path(source), **given)
    else:
        stream = open_stream(make("stream", source), impute=given.pop("impute", None))
        for parameter in given:
            flag = parameter.replace("_", "-")
            raise ParameterError(
                f"{command}: --{flag} is for files, got the stream {source!r}; leave it out"
            )
    return stream if take is None else first(stream, take)


def run_logs(command: str, folder: Path) -> list[Log]:
    """The logs of a run folder; an error if no cell has one yet."""
    experiment, logs = read_experiment(folder)
    if not logs:
        raise LogError(
            f"{command}: {folder} must have the log of at least one cell, got none; run it first"
        )
    for sentence in (missing_cells(experiment, folder), kept_note(experiment)):
        if sentence:
            echo(f"note: {sentence}", err=True)
    return logs


def logs_by_learner(
    command: str, sources: Sequence[Path], label: str | None = None, prediction: str | None = None
) -> dict[str, tuple[Log, ...]]:
    """Repetitions by learner, and by stream if there are several.

    Sources are folders of logs, run folders, or files with columns of labels and predictions.
    """
    logs: list[Log] = []
    for source in sources:
        if source.is_dir() and not (source / NAME).exists():
            logs += run_logs(command, source)
        else:
            logs.append(source_log(command, source, label, prediction))
    streams = dict.fromkeys(log.about.get("stream") for log in logs)
    named = {}
    for stream in streams:
        groups = grouped([log for log in logs if log.about.get("stream") == stream])
        for name, runs in zip(names_of([runs[0] for runs in groups]), groups, strict=True):
            named[f"{name}, {stream}" if len(streams) > 1 else name] = runs
    return named


def class_values(text: str) -> list[Value]:
    """The classes of an option: whole numbers if all are written canonically, otherwise texts."""
    return numbers_of_texts(options.split(text))


def source_log(
    command: str,
    source: Path,
    label: str | None,
    prediction: str | None,
    time: str | None = None,
    scores: str = "",
    classes: str = "",
    task: Any = None,
) -> Log:
    """Read the log SOURCE: a folder, or a file with columns of labels and predictions."""
    if source.is_dir():
        if not (source / NAME).exists() and (source / "cells").is_dir():
            check_cells(source)
            raise ParameterError(
                f"{command}: {source} must be one log, got a whole experiment; give one of the "
                f"folders in {source / 'cells'}"
            )
        log = read_log(source)
        if not log.complete:
            echo(
                f"note: {source}: is incomplete; what was logged before the interruption is used",
                err=True,
            )
    else:
        existing(source)
        if not label or not prediction:
            raise ParameterError(f"{command}: a file needs --label and --prediction, got {source}")
        log = read_predictions(
            source,
            label,
            prediction,
            time=time,
            scores=options.split(scores),
            classes=class_values(classes) or None,
            task=task,
        )
    if not any(len(pairs) for pairs in log.labelled_predictions()):
        raise DataError(f"{source}: must have labelled rows to {command}, got none")
    return log
