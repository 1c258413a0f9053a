"""Test whether a stream is endless."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from streamgauge.errors import ParameterError
from streamgauge.streams._generated import Generated
from streamgauge.streams.incremental import Incremental
from streamgauge.types import Stream


def is_endless(stream: Stream) -> bool:
    """Return whether a stream is endless; a combined stream is if its last input is.

    Examples
    --------
    >>> from streamgauge.streams import SEA, skip, take
    >>> is_endless(SEA()), is_endless(skip(SEA(), 10)), is_endless(take(SEA(), 10))
    (True, True, False)
    """
    if stream.length is not None:
        return False
    if isinstance(stream, Generated | Incremental):
        return True
    inner = list(_inner(stream))
    return bool(inner) and is_endless(inner[-1])


def refuse_endless(who: str, stream: Stream) -> None:
    """Raise ParameterError if a stream is endless; one of unknown length may end."""
    if is_endless(stream):
        raise ParameterError(
            f"{who}: the stream must end, got {stream.name}; pass take({stream.name}, n)"
        )


def _inner(stream: object) -> Iterator[Stream]:
    """Yield the input streams of a combined stream."""
    if not is_dataclass(stream):
        return
    for field in fields(stream):
        value = getattr(stream, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Stream):
                yield part
