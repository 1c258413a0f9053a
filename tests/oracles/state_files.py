"""The frame of a learner's state file, written a second time: to break it with care."""

from __future__ import annotations

import random

WORD = (1 << 64) - 1
ODD = (0, 1, WORD, 1 << 63, 0x7FF0 << 48, 0x7FF8 << 48, 1 << 32, (1 << 31) - 1)
"""Words likely to fail: no items, all bits, infinity, not a number, more than fits in memory."""


def mix(z: int) -> int:
    """The finaliser of splitmix64."""
    z = (z + 0x9E3779B97F4A7C15) & WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def sealed(words: list[int]) -> bytes:
    """Words with the checksum that fits them."""
    total = len(words)
    for word in words:
        total = mix(total ^ word)
    return b"".join(word.to_bytes(8, "little") for word in [*words, total])


def broken(state: bytes, draw: random.Random) -> bytes:
    """The state with something wrong in it; most often under a checksum that fits.

    Without such a checksum every change is found at once, and nothing behind it is tried.
    """
    kind = draw.random()
    if kind < 0.1:
        at = draw.randrange(len(state))
        return state[:at] + bytes([state[at] ^ (1 << draw.randrange(8))]) + state[at + 1 :]
    if kind < 0.2:
        return state[: draw.randrange(len(state))]
    words = [int.from_bytes(state[i : i + 8], "little") for i in range(0, len(state) - 8, 8)]
    header = 3 + -(-words[2] // 8)  # the frame's own words are tried by the kinds above
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(min(header, len(words) - 1), len(words))
        change = draw.random()
        if change < 0.3:
            words[at] ^= 1 << draw.randrange(64)
        elif change < 0.5:
            words[at] = draw.choice(ODD)
        elif change < 0.7:
            words[at] = (words[at] + draw.choice((-1, 1))) & WORD
        elif change < 0.8:
            words[at] = draw.choice(words)
        elif change < 0.9 and at > header:
            del words[at]
        else:
            words.insert(at, draw.getrandbits(64))
    return sealed(words)


def refusal(learner, state: bytes) -> str | None:
    """The error with which a state is refused, or None."""
    try:
        learner.load(state)
    except ValueError as error:
        return str(error)
    return None
