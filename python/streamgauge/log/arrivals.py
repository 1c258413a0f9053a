"""Arrivals of items: from first predictions, and from the table of items without one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from streamgauge.log._join import Pending
from streamgauge.log.rows import Arrived, Predictions


def arrivals_of(
    predictions: Iterator[Predictions], unpredicted: Iterator[Arrived]
) -> Iterator[Arrived]:
    """Every item that arrived, once and in order, batch by batch.

    At equal times predictions may be sorted by fold, so items of the last time read are held.
    """
    others = Pending(unpredicted)
    held: list[Arrived] = []
    for rows in predictions:
        first = rows.turn == 0
        item, time = rows.item[first], rows.time[first]
        if not len(item):
            continue
        cut = int(np.searchsorted(time, time[-1]))
        if cut or (held and held[0].time[0] != time[-1]):
            held += [Arrived(item[:cut], time[:cut]), *_before(others, int(time[-1]))]
            yield _each_once(held)
            held = []
        held.append(Arrived(item[cut:], time[cut:]))
    while others.read() is not None:
        pass
    rest = others.rows
    if held or rest is not None:
        yield _each_once([*held, *(() if rest is None else (rest,))])


def _before(others: Pending[Arrived], time: int) -> Iterator[Arrived]:
    """Remove and return the pending items that arrived before a time."""
    while (part := others.part(0)) is not None:
        rows = int(np.searchsorted(part.time, time))
        if rows:
            yield others.head(rows)
        if rows < len(part):
            return


def _each_once(parts: list[Arrived]) -> Arrived:
    arrived = Arrived.concatenate(parts)
    if bool((arrived.item[1:] > arrived.item[:-1]).all()):
        return arrived
    item, row = np.unique(arrived.item, return_index=True)
    return Arrived(item, arrived.time[row])
