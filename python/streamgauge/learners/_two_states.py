"""State files of learners with two parts: the learner inside, and what is driven with it."""

from __future__ import annotations

from struct import Struct
from zlib import crc32

from streamgauge.errors import ParameterError

VERSION = 1
HEAD = Struct("<8s6Q")
"""Header of a saved state: a magic text, the version, a checksum, two numbers, and the bytes of the
two parts. The states of these follow, each in a frame of its own."""


def sealed(magic: bytes, numbers: tuple[int, int], first: bytes, second: bytes) -> bytes:
    """A state file: see `HEAD`."""
    parts = *numbers, len(first), len(second)
    inside = first + second
    head = HEAD.pack(magic, VERSION, 0, *parts)
    return HEAD.pack(magic, VERSION, crc32(inside, crc32(head)), *parts) + inside


def opened(magic: bytes, state: bytes) -> tuple[tuple[int, int], bytes, bytes]:
    """The two numbers and the two parts, if the file is complete."""
    if len(state) < HEAD.size:
        raise _refused("a whole state file", f"{len(state)} bytes")
    found, version, _, one, other, size, rest = HEAD.unpack_from(state)
    if found != magic:
        raise _refused("what `save` gave", "other bytes")
    if version != VERSION:
        raise _refused(f"of version {VERSION}", f"version {version}")
    if len(state) != HEAD.size + size + rest:
        raise _refused("a whole state file", f"{len(state)} bytes")
    first, second = state[HEAD.size : HEAD.size + size], state[HEAD.size + size :]
    if sealed(magic, (one, other), first, second)[: HEAD.size] != state[: HEAD.size]:
        raise _refused("as it was saved", "bytes that were changed since")
    return (one, other), first, second


def _refused(must: str, got: str) -> ParameterError:
    return ParameterError.of("learner", "state", must, got)
