"""Windows, recounted: which rows are in one, and how much each weighs."""

from __future__ import annotations


def points(kind: str, size: float, every: int, rows: int) -> list[int]:
    """After how many rows a window has a point: each step, and the end."""
    step = int(size) if kind == "tumbling" else every
    found = [at for at in range(1, rows + 1) if at % step == 0]
    if rows and (not found or found[-1] != rows):
        found.append(rows)
    return found


def weights(kind: str, size: float, at: int) -> dict[int, float]:
    """Row -> its weight, in the window that ends before row `at`."""
    if kind == "whole":
        return dict.fromkeys(range(at), 1.0)
    if kind == "sliding":
        return {i: 1.0 for i in range(at) if i >= at - size}
    if kind == "tumbling":
        begun = (at - 1) // int(size) * int(size)
        return dict.fromkeys(range(begun, at), 1.0)
    if kind == "fading":
        return {i: size ** (at - 1 - i) for i in range(at)}
    raise ValueError(kind)


def smoothed(
    rows: list[tuple[int, int | None]], classes: int, weight: float, counted: list[bool]
) -> list[dict[str, object]]:
    """Algorithm 1 of Zliobaite et al., line by line, with its lost `else`s.

    The state after each row. Rows that do not count change nothing but the last label.
    """
    p = 0.0
    prior = [1.0 / classes] * classes
    made = [1.0 / classes] * classes
    stays = [1.0 / classes] * classes
    before = 0
    states: list[dict[str, object]] = []
    for (label, prediction), counts in zip(rows, counted, strict=True):
        if counts:
            p = weight * (prediction == label) + (1 - weight) * p
            for i in range(classes):
                prior[i] = weight * (label == i) + (1 - weight) * prior[i]
                made[i] = weight * (prediction == i) + (1 - weight) * made[i]
                if label == i:
                    stays[i] = weight * (before == i) + (1 - weight) * stays[i]
        before = label
        states.append({"p": p, "prior": prior[:], "made": made[:], "stays": stays[:]})
    return states
