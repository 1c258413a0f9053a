"""Streams by name or file, wherever a function takes a stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamgauge.names import make
from streamgauge.streams._open_stream import open_stream
from streamgauge.types import Stream


def is_file(source: str) -> bool:
    """Whether text names a data file, and not a stream.

    Examples
    --------
    >>> is_file("elec.csv"), is_file("sea(noise=0.1)"), is_file("mine.streams:Pump")
    (True, False, False)
    """
    suffix = Path(source).suffix
    return Path(source).exists() or bool(suffix and "(" not in source and ":" not in suffix)


def named_stream(source: Any) -> Any:
    """Make the stream that text names, or open the file; return anything else as it is.

    Examples
    --------
    >>> named_stream("take(sea(), 100)").length
    100
    """
    if not isinstance(source, str):
        return source
    stream: Stream = open_stream(Path(source)) if is_file(source) else make("stream", source)
    return stream
