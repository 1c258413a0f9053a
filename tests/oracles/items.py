"""Items one by one, and what combinators make of lists of them: slow and obvious."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

NEVER = 2**63 - 1


@dataclass(frozen=True)
class Item:
    """One item; `late` and the times of `updates` count from its own time; late None: never."""

    x: tuple
    label: int | None
    time: int
    late: int | None
    weight: float
    updates: tuple = ()


def listed(batches):
    """The items of batches; each batch is held to what it promises about its updates."""
    items = []
    for batch in batches:
        assert batch.first == len(items)
        times, known, weights = batch.times, batch.label_times, batch.weights
        updates = {}
        if batch.updates is not None:
            assert (np.diff(batch.updates.time) >= 0).all(), "updates are in the order of time"
            rows = zip(batch.updates.item, batch.updates.time, batch.updates.x, strict=True)
            for item, time, x in rows:
                row = int(item) - batch.first
                assert 0 <= row < len(batch), "updates are of the batch's own items"
                updates.setdefault(row, []).append((int(time - times[row]), tuple(x.tolist())))
        for row in range(len(batch)):
            items.append(
                Item(
                    tuple(batch.x[row].tolist()),
                    None if batch.label[row] < 0 else int(batch.label[row]),
                    int(times[row]),
                    None if known[row] == NEVER else int(known[row] - times[row]),
                    float(weights[row]),
                    tuple(updates.get(row, ())),
                )
            )
    return items


def numbered(items):
    """Timed by their numbers, as late as before."""
    return [replace(item, time=number) for number, item in enumerate(items)]


def at_times(items, times):
    """At the times given, as late as before."""
    return [replace(item, time=time) for item, time in zip(items, times, strict=True)]


def by_name(items, names):
    """The items whose first cells are `names`."""
    known = {item.x[0]: item for item in items}
    return [known[name] for name in names]


def without(items, columns):
    """Without some columns, in updates too."""

    def narrow(x):
        return tuple(cell for number, cell in enumerate(x) if number not in columns)

    return [
        replace(i, x=narrow(i.x), updates=tuple((after, narrow(x)) for after, x in i.updates))
        for i in items
    ]
