"""What SOURCE stands for on the command line: a data file, or a stream by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamgauge.cli import options
from streamgauge.errors import ParameterError
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
