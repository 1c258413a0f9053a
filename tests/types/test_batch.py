"""Every verb of a batch carries every column, whichever it has and whatever its first number."""

from __future__ import annotations

from dataclasses import fields
from inspect import isfunction
from itertools import product

import numpy as np
import pytest

from streamgauge.types import NEVER, Batch
from streamgauge.types.batch import Updates

COLUMNS = ("time", "label_time", "weight", "updates")
HELD = list(product((False, True), repeat=len(COLUMNS)))
"""Every choice of the optional columns."""


def batch(first, rows, held, seed=0):
    """Items with some of the optional columns; cells are all different."""
    rng = np.random.default_rng([seed, first])
    x = 1000.0 * seed + 10 * np.arange(first, first + rows)[:, None] + np.arange(2)
    timed, late, weighted, updated = held
    own = 50 + 3 * np.arange(first, first + rows) if timed else np.arange(first, first + rows)
    known = np.where(rng.random(rows) < 0.3, NEVER, own + rng.integers(0, 9, rows))
    new = None
    if updated:
        item = rng.integers(0, rows, 2 * rows)
        at = np.sort(own[item] + rng.integers(1, 9, 2 * rows))
        cells = rng.random((2 * rows, 2))
        new = Updates((first + item).astype(np.uint64), at, cells)
    return Batch(
        first,
        x,
        rng.integers(-1, 3, rows).astype(np.int32),
        own if timed else None,
        known if late else None,
        rng.random(rows) if weighted else None,
        new,
    )


def items(of):
    """One tuple an item: number, cells, label, times, weight, and its updates in order."""
    new = {}
    if of.updates is not None:
        assert len(of.updates) == len(of.updates.time) == len(of.updates.x)
        assert (np.diff(of.updates.time) >= 0).all()
        for item, at, x in zip(of.updates.item, of.updates.time, of.updates.x, strict=True):
            assert of.first <= item < of.stop
            new.setdefault(int(item), []).append((int(at), tuple(x)))
    columns = (of.x.tolist(), of.label, of.times, of.label_times, of.weights)
    return [
        (number, *row, tuple(new.get(number, ())))
        for number, row in enumerate(zip(*columns, strict=True), of.first)
    ]


def renumbered(item, number, timed, late, moved):
    """Without times of its own an item is timed by its number; what else is moved along?"""
    old, x, label, time, known, weight, new = item
    by = 0 if timed else number - old
    if (moved or not late) and known != NEVER:
        known += by
    if moved:
        new = tuple((at + by, cells) for at, cells in new)
    return (number, x, label, time + by, known, weight, new)


def sliced(held, first):
    whole = batch(first, 6, held)
    for start, stop in product(range(6), range(1, 7)):
        if start < stop:
            yield whole.slice(start, stop), items(whole)[start:stop], [whole]


def taken(held, first):
    whole = batch(first, 6, held)
    for rows in ([4, 0, 5], [2], [5, 4, 3, 2, 1, 0]):
        want = [
            renumbered(items(whole)[row], 30 + nth, held[0], held[1], moved=False)
            for nth, row in enumerate(rows)
        ]
        yield whole.take(np.array(rows), 30), want, [whole]
    flags = np.array([True, False, True, True, False, True])
    want = [
        renumbered(items(whole)[row], nth, held[0], held[1], moved=False)
        for nth, row in enumerate(np.flatnonzero(flags))
    ]
    yield whole.take(flags, 0), want, [whole]


def moved_to(held, first):
    whole = batch(first, 6, held)
    for to in (0, first, 40):
        want = [
            renumbered(item, to + nth, held[0], held[1], moved=True)
            for nth, item in enumerate(items(whole))
        ]
        yield whole.renumber(to), want, [whole]


def joined(held, first):
    for other in HELD:
        parts = [batch(first, 3, held), batch(first + 3, 2, other), batch(first + 5, 1, held)]
        # Items are timed as the first are, or times would step back.
        if len({part.time is None for part in parts}) == 1:
            for some in (parts, parts[:2], parts[:1]):
                yield Batch.concatenate(some), [row for part in some for row in items(part)], some


def chosen(held, first):
    for other in HELD:
        a, b = batch(first, 6, held, 1), batch(first, 6, other, 2)
        for which in ([True] * 6, [False] * 6, [True, False, False, True, False, True]):
            rows = zip(which, items(a), items(b), strict=True)
            made = Batch.choose(np.array(which), a, b)
            yield made, [one if mine else two for mine, one, two in rows], [a, b]


VERBS = {
    "slice": sliced,
    "take": taken,
    "renumber": moved_to,
    "concatenate": joined,
    "choose": chosen,
}
"""Verb -> what it makes, the items that must have, and what it was made of."""


def test_the_table_has_every_method_and_every_column():
    made = {n for n, v in vars(Batch).items() if isfunction(getattr(v, "__func__", v))}
    assert {n for n in made if not n.startswith("_")} == set(VERBS)
    assert {f.name for f in fields(Batch)} == {"first", "x", "label", *COLUMNS}


@pytest.mark.parametrize("first", [0, 7])
@pytest.mark.parametrize("held", HELD, ids=lambda held: "".join("-x"[h] for h in held))
@pytest.mark.parametrize("verb", VERBS)
def test_every_method_keeps_every_column(verb, held, first):
    for made, want, sources in VERBS[verb](held, first):
        assert items(made) == want
        for column in COLUMNS[:3]:
            absent = all(getattr(source, column) is None for source in sources)
            assert (getattr(made, column) is None) == absent
        assert made.x.dtype == np.float64
        assert made.label.dtype == np.int32


def test_what_is_not_written_out_has_its_default():
    plain = batch(4, 3, (False,) * 4)
    assert plain.times.tolist() == plain.label_times.tolist() == [4, 5, 6]
    assert plain.weights.tolist() == [1, 1, 1]
    assert (len(plain), plain.stop) == (3, 7)


@pytest.mark.parametrize("late", [False, True])
def test_a_missing_label_is_never_known(late):
    whole = batch(2, 30, (True, late, False, False))
    absent = whole.label < 0
    assert 0 < absent.sum() < 30
    assert (whole.known_times[absent] == NEVER).all()
    assert whole.known_times[~absent].tolist() == whole.label_times[~absent].tolist()
    full = whole.take(~absent, 0)
    assert full.known_times is full.label_time
    assert (full.known_times is None) != late


def test_updates_of_one_time_are_in_the_order_of_items():
    a, b = (Updates(np.array([n], np.uint64), np.array([5]), np.full((1, 1), n)) for n in (3, 2))
    both = Updates.concatenate([a, None, b, a.take(np.zeros(1, bool))])
    assert (both.item.tolist(), both.time.tolist(), both.x.tolist()) == ([2, 3], [5, 5], [[2], [3]])
    assert Updates.concatenate([None, a.take(np.zeros(1, bool))]) is None


def test_a_slice_copies_nothing():
    whole = batch(3, 6, (True, True, True, True))
    assert whole.slice(0, 6) is whole.slice(-1, 7) is whole
    for part in (whole.slice(0, 5), whole.slice(1, 6)):
        for column in ("x", "label", "time", "label_time", "weight"):
            assert np.shares_memory(getattr(part, column), getattr(whole, column))
