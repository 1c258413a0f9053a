"""Reference implementations of the generators: labels from features, as defined in the papers.

Each function maps one row to its noiseless label. Nothing is shared with the package.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Row = Sequence[float]


def sea(row: Row, function: int) -> int:
    theta = {1: 8, 2: 9, 3: 7, 4: 9.5}[function]
    return 0 if row[0] + row[1] <= theta else 1


def agrawal(row: Row, function: int) -> int:
    return 0 if _group_a(row, function) else 1


def _group_a(row: Row, function: int) -> bool:
    salary, commission, age, elevel, _car, _zipcode, hvalue, hyears, loan = row
    young, old = age < 40, age >= 60
    middle = not young and not old

    def between(low: float, value: float, high: float) -> bool:
        return low <= value <= high

    if function == 1:
        return young or old
    if function == 2:
        return (
            (young and between(50e3, salary, 100e3))
            or (middle and between(75e3, salary, 125e3))
            or (old and between(25e3, salary, 75e3))
        )
    if function == 3:
        return (
            (young and elevel in (0, 1))
            or (middle and elevel in (1, 2, 3))
            or (old and elevel in (2, 3, 4))
        )
    if function == 4:
        if young:
            if elevel in (0, 1):
                return between(25e3, salary, 75e3)
            return between(50e3, salary, 100e3)
        if middle:
            if elevel in (1, 2, 3):
                return between(50e3, salary, 100e3)
            return between(75e3, salary, 125e3)
        if elevel in (2, 3, 4):
            return between(50e3, salary, 100e3)
        return between(25e3, salary, 75e3)
    if function == 5:
        if young:
            if between(50e3, salary, 100e3):
                return between(100e3, loan, 300e3)
            return between(200e3, loan, 400e3)
        if middle:
            if between(75e3, salary, 125e3):
                return between(200e3, loan, 400e3)
            return between(300e3, loan, 500e3)
        if between(25e3, salary, 75e3):
            return between(300e3, loan, 500e3)
        return between(100e3, loan, 300e3)
    total = salary + commission
    if function == 6:
        return (
            (young and between(50e3, total, 100e3))
            or (middle and between(75e3, total, 125e3))
            or (old and between(25e3, total, 75e3))
        )
    if function == 7:
        return 2 * total / 3 - loan / 5 - 20e3 > 0
    if function == 8:
        return 2 * total / 3 - 5e3 * elevel - 20e3 > 0
    if function == 9:
        return 2 * total / 3 - 5e3 * elevel - loan / 5 - 10e3 > 0
    equity = hvalue * (hyears - 20) / 10 if hyears >= 20 else 0
    return 2 * total / 3 - 5e3 * elevel + equity / 5 - 10e3 > 0


SEGMENTS = ("1110111", "0010010", "1011101", "1011011", "0111010")
SEGMENTS += ("1101011", "1101111", "1010010", "1111111", "1111011")
"""The lit segments of the digits 0 to 9, from top to bottom."""


def led(row: Row, drifting: int = 0) -> int:
    """Return the digit; the first `drifting` segments are swapped with irrelevant bits."""
    segments = [*row[7 : 7 + drifting], *row[drifting:7]]
    return SEGMENTS.index("".join(str(int(bit)) for bit in segments))


def sine(row: Row, function: int) -> int:
    x, y = row[0], row[1]
    curve = math.sin(x) if function in (1, 2) else 0.5 + 0.3 * math.sin(3 * math.pi * x)
    below = y < curve
    positive = below if function in (1, 3) else not below
    return 0 if positive else 1


def stagger(row: Row, function: int) -> int:
    size = ("small", "medium", "large")[int(row[0])]
    color = ("red", "blue", "green")[int(row[1])]
    shape = ("circle", "square", "triangle")[int(row[2])]
    return int(
        {
            1: size == "small" and color == "red",
            2: color == "green" or shape == "circle",
            3: size in ("medium", "large"),
        }[function]
    )


def mixed(row: Row, function: int) -> int:
    v, w, x, y = row
    conditions = [v == 1, w == 1, y < 0.5 + 0.3 * math.sin(3 * math.pi * x)]
    positive = sum(conditions) >= 2
    return (0 if positive else 1) if function == 1 else (1 if positive else 0)


def friedman(row: Row, relevant: Sequence[int] = (0, 1, 2, 3, 4), expansion: int = 0) -> float:
    a, b, c, d, e = (row[i] for i in relevant)
    first = b < 0.3 and c < 0.3
    second = b > 0.7 and c > 0.7
    if expansion < 3:
        first, second = first and d > 0.7, second and d < 0.3
    if expansion < 2:
        first, second = first and e < 0.3, second and e > 0.7
    if expansion and first:
        return 10 * a * b + 20 * (c - 0.5) + 10 * d + 5 * e
    if expansion and second:
        return 10 * math.cos(a * b) + 20 * (c - 0.5) + math.exp(d) + 5 * e**2
    return 10 * math.sin(math.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e


def sigmoid(t: float, at: float, width: float) -> float:
    if width <= 1:
        return 1.0 if t >= at else 0.0
    try:
        return 1 / (1 + math.exp(-4 * (t - at) / width))
    except OverflowError:
        return 0.0
