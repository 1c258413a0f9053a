"""Changes of bytes, of texts and of JSON values."""

from __future__ import annotations

import random
from typing import Any

ODD_NUMBERS = (
    0,
    -1,
    1,
    2,
    255,
    2**31 - 1,
    2**31,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64,
    -(2**63),
    1e308,
)
ODD_TEXTS = (
    "", " ", "?", "NA", "nan", "inf", "-inf", "1e999", "007", "1,5", "0x10", "١٢", "é", "\u202e",
    "a" * 300, "'", '"', "`", "\\", "\n", "\x00", "{", "}", "%", "@data", "2024-02-30",
    "2024-05-31T12:00:00Z", "True", "None", "-0", "1_000", "$\\frac{$", "=1+1", "<b>", "../x",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, *ODD_NUMBERS, 0.5, float("nan"), float("inf"), *ODD_TEXTS, [], {}, [[]],
    [None], {"a": 1}, ["a", "a"],
)  # fmt: skip
WORDS = b"\x00\x01\x7f\x80\xff"


def changed_bytes(draw: random.Random, content: bytes, times: int | None = None) -> bytes:
    """A few bytes changed, removed, repeated or cut off."""
    data = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 4)) if times is None else times):
        if not data:
            break
        at = _place(draw, len(data))
        match draw.randrange(8):
            case 0 | 1:
                data[at] ^= 1 << draw.randrange(8)
            case 2:
                data[at] = draw.choice(WORDS)
            case 3:
                word = draw.choice(ODD_NUMBERS[:12])
                size = draw.choice((2, 4, 8))
                data[at : at + size] = (int(word) % 2 ** (8 * size)).to_bytes(size, "little")
            case 4:
                del data[at : at + draw.randint(1, 16)]
            case 5:
                data[at:at] = data[at : at + draw.randint(1, 16)]
            case 6:
                other = draw.randrange(len(data))
                size = draw.randint(1, 16)
                data[at : at + size] = data[other : other + size]
            case _:
                if draw.random() < 0.3:
                    del data[at:]
                else:
                    data[at] = (data[at] + draw.choice((1, 255))) % 256
    return bytes(data)


def _place(draw: random.Random, length: int) -> int:
    """A place anywhere, or near the beginning or the end, where formats keep their tables."""
    match draw.randrange(4):
        case 0:
            return min(int(draw.expovariate(1 / 64)), length - 1)
        case 1:
            return max(length - 1 - int(draw.expovariate(1 / 128)), 0)
        case _:
            return draw.randrange(length)


def changed_text(draw: random.Random, text: str, marks: str) -> str:
    """One letter, line or word changed; `marks` are letters that the format gives a meaning."""
    at = draw.randrange(len(text) + 1)
    match draw.randrange(8):
        case 0:
            return text[:at] + draw.choice(marks) + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[:at] + draw.choice(ODD_TEXTS) + text[at:]
        case 3:
            return text[:at] + draw.choice(marks) + text[at + 1 :]
        case 4 | 5:
            lines = text.splitlines(keepends=True) or [""]
            nth = draw.randrange(len(lines))
            match draw.randrange(3):
                case 0:
                    del lines[nth]
                case 1:
                    lines.insert(nth, draw.choice(lines))
                case _:
                    lines[nth] = lines[nth].rstrip("\r\n") + draw.choice(("\r\n", "\r", "\n\n", ""))
            return "".join(lines)
        case 6:
            return text[:at]
        case _:
            to = at + draw.randrange(12)
            return text[:at] + text[to:]


def changed_json(draw: random.Random, value: Any) -> Any:
    """A JSON value with one change somewhere inside."""
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(sorted(value))
        match draw.randrange(8):
            case 0:
                return {k: v for k, v in value.items() if k != key}
            case 1:
                return {**value, draw.choice(("", "extra", key + " ", key.upper())): value[key]}
            case 2:
                return {**value, key: value[draw.choice(sorted(value))]}
            case _:
                return {**value, key: changed_json(draw, value[key])}
    if isinstance(value, list) and value and draw.random() < 0.85:
        at = draw.randrange(len(value))
        match draw.randrange(6):
            case 0:
                return [*value[:at], *value[at + 1 :]]
            case 1:
                return [*value, value[at]]
            case 2:
                return [*value[:at], draw.choice(ODD_VALUES), *value[at:]]
            case _:
                return [*value[:at], changed_json(draw, value[at]), *value[at + 1 :]]
    if isinstance(value, bool) and draw.random() < 0.5:
        return not value
    if isinstance(value, int) and draw.random() < 0.5:
        return draw.choice((value + 1, value - 1, -value, float(value), str(value)))
    if isinstance(value, str) and draw.random() < 0.5:
        return changed_text(draw, value, "(),=.'\"[]{}: 0a")
    return draw.choice(ODD_VALUES)
