"""Which streams never end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from streamgauge.streams._generated import Generated
from streamgauge.streams.incremental import Incremental
from streamgauge.types import Stream


def endless(stream: Stream) -> bool:
    """Does it go on for ever? A stream made of others does if the last of them does.

    Examples
    --------
    >>> from streamgauge.streams import SEA, skip, take
    >>> endless(SEA()), endless(skip(SEA(), 10)), endless(take(SEA(), 10))
    (True, True, False)
    """
    if stream.length is not None:
        return False
    if isinstance(stream, Generated | Incremental):
        return True
    inner = list(_inner(stream))
    return bool(inner) and endless(inner[-1])


def _inner(stream: object) -> Iterator[Stream]:
    """The streams a stream is made of."""
    if not is_dataclass(stream):
        return
    for field in fields(stream):
        value = getattr(stream, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Stream):
                yield part
