"""When items came: read from their first predictions, and noted where nobody predicted them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from streamgauge.log._join import Pending
from streamgauge.log.rows import Came, Said


def arrivals_of(said: Iterator[Said], unpredicted: Iterator[Came]) -> Iterator[Came]:
    """Every item that came, once and in order, batch by batch.

    At one time items may be predicted copy by copy, so those of the last time read are held.
    """
    silent = Pending(unpredicted)
    held: list[Came] = []
    for rows in said:
        first = rows.turn == 0
        item, time = rows.item[first], rows.time[first]
        if not len(item):
            continue
        cut = int(np.searchsorted(time, time[-1]))
        if cut or (held and held[0].time[0] != time[-1]):
            held += [Came(item[:cut], time[:cut]), *_before(silent, int(time[-1]))]
            yield _each_once(held)
            held = []
        held.append(Came(item[cut:], time[cut:]))
    while silent.read() is not None:
        pass
    rest = silent.rows
    if held or rest is not None:
        yield _each_once([*held, *(() if rest is None else (rest,))])


def _before(silent: Pending[Came], time: int) -> Iterator[Came]:
    """The items noted that came before a time; they are then no longer pending."""
    while (part := silent.part(0)) is not None:
        rows = int(np.searchsorted(part.time, time))
        if rows:
            yield silent.head(rows)
        if rows < len(part):
            return


def _each_once(parts: list[Came]) -> Came:
    came = Came.concatenate(parts)
    if bool((came.item[1:] > came.item[:-1]).all()):
        return came
    item, row = np.unique(came.item, return_index=True)
    return Came(item, came.time[row])
