"""What SOURCE stands for on the command line: a data file, a stream by name, or a log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamgauge.cli import options
from streamgauge.errors import DataError, ParameterError
from streamgauge.files import existing
from streamgauge.log import Log, read_log, read_predictions
from streamgauge.log.card import NAME
from streamgauge.names import make
from streamgauge.streams import open_stream
from streamgauge.streams import take as first
from streamgauge.types import Stream


def source_stream(who: str, source: str, take: int | None, reading: dict[str, Any]) -> Stream:
    """The stream that SOURCE stands for: a file that is read so, or a name."""
    words: dict[str, Any] = {
        k: options.split(v) if k in ("drop", "nominal", "classes") else v
        for k, v in reading.items()
    }
    given = {k: v for k, v in words.items() if v or v is False}
    looks_like_file = Path(source).suffix and "(" not in source
    if Path(source).exists() or looks_like_file:
        stream = open_stream(Path(source), **given)
    else:
        stream = open_stream(make("stream", source), impute=given.pop("impute", None))
        for word in given:
            flag = word.replace("_", "-")
            raise ParameterError(
                f"{who}: --{flag} is for files, got the stream {source!r}; leave it out"
            )
    return stream if take is None else first(stream, take)


def source_log(
    who: str,
    source: Path,
    label: str | None,
    answer: str | None,
    time: str | None = None,
    scores: str = "",
    classes: str = "",
    task: Any = None,
) -> Log:
    """The log that SOURCE stands for: its folder, or a file with columns of labels and answers."""
    if source.is_dir():
        if not (source / NAME).exists() and (source / "cells").is_dir():
            raise ParameterError(
                f"{who}: {source} must be one log, got a whole experiment; give one of the "
                f"folders in {source / 'cells'}"
            )
        log = read_log(source)
    else:
        existing(source)
        if not label or not answer:
            raise ParameterError(f"{who}: a file must come with --label and --answer, got {source}")
        log = read_predictions(
            source,
            label,
            answer,
            time=time,
            scores=options.split(scores),
            classes=options.split(classes) or None,
            task=task,
        )
    if not any(len(pairs) for pairs in log.pairs()):
        raise DataError(f"{source}: must have labelled rows to {who}, got none")
    return log
