"""When some workers have done all cells, counted in steps of one second."""

from __future__ import annotations


def makespan(seconds: list[int], workers: int) -> int:
    """Each second, free workers take the next cells, and every cell at work gets shorter."""
    waiting, working, now = list(seconds), [], 0
    while waiting or working:
        while waiting and len(working) < workers:
            working.append(waiting.pop(0))
            working = [left for left in working if left]  # a cell of no seconds takes none
        if not working:
            break
        working = [left - 1 for left in working]
        working = [left for left in working if left]
        now += 1
    return now
