"""Every combinator keeps every column: features, labels, times, label times, weights, updates."""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles.items import at_times, by_name, listed, numbered, without
from samples.examples import examples
from streamgauge import streams
from streamgauge.errors import DataError, ParameterError
from streamgauge.lazy import members
from streamgauge.names import UNNAMED
from streamgauge.types import Batch

NAMES = ("name", "group", "wait", "later")
"""An identifier of the item, a group of 0 or 1, and two columns for `revise`."""


def source(rng, n, first, timed, label_timed, weighted, updated):
    """Make a stream of n items with names `first`, `first` + 1, …, and some of the columns."""
    x = np.column_stack([first + np.arange(n), rng.integers(0, 2, n), rng.integers(0, 4, (n, 2))])
    y = np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 3, n))
    start = np.arange(n) // 2 + first  # with ties; at most the item's number if `first` is 0
    own = start if timed else np.arange(n)
    options = {"time": own} if timed else {}
    if label_timed:
        missing = rng.random(n) < 0.2
        options["label_time"] = np.where(missing, np.nan, own + rng.integers(0, 9, n))
    if weighted:
        options["weight"] = rng.integers(0, 5, n) / 4
    stream = streams.from_arrays(
        x.astype(float), y, names=NAMES, classes=[0, 1, 2], task="classification", **options
    )
    if updated and n:
        item = rng.integers(0, n, n)
        new = np.where(rng.random((n, 4)) < 0.3, np.nan, 100 + rng.integers(0, 9, (n, 4)))
        stream = streams.update(stream, item, own[item] + rng.integers(1, 9, n), new)
    return stream


def whole(stream, size):
    return Batch.concatenate(list(stream.batches(size)))


def unchanged(a, b, out):
    return a


def moved_within(a, b, out):
    """Expect labels, times and delays to stay; features, updates and weights to move."""
    sources = by_name(a, [item.x[0] for item in out])
    return [
        replace(target, x=source.x, weight=source.weight, updates=source.updates)
        for target, source in zip(a, sources, strict=True)
    ]


def taken(a, b, out):
    """Expect the items of both streams by name, with their new number as time."""
    return numbered(by_name(a + b, [item.x[0] for item in out]))


def left_out(a, b, out):
    """Expect a part of the items by name; without times, with their new number as time."""
    part = by_name(a, [item.x[0] for item in out])
    return part if timed(a) else numbered(part)


def in_place(a, b, out):
    return by_name(a + b, [item.x[0] for item in out])


def revised(a, b, out):
    """Expect `group` to become `later` after `wait`; an update of the same time is before it."""
    found = []
    for item in a:
        new = item.updates
        if item.x[2] > 0:
            change = (int(item.x[2]), (item.x[0], item.x[3], item.x[2], item.x[3]))
            new = tuple(sorted((*new, change), key=lambda update: update[0]))
        found.append(replace(item, updates=new))
    return without(found, (2, 3))


def updated(a, b, out):
    return [replace(i, updates=(*i.updates, (11, (*i.x[:3], 7.0)))) for i in a]


def more_updates(a, b):
    """Add an update after all others of an item: the last cell is 7, the others as at arrival."""
    (whole,) = a.batches()
    new = np.column_stack([whole.x[:, :3], np.full(len(whole), 7.0)])
    return streams.update(a, np.arange(len(whole)), whole.times + 11, new)


def exchanged(x):
    return (x[0], x[3], x[1], x[2])


def others(a, b, out):
    return without(a, (1, 3))


def once_known(a):
    """The stream without updates: a label has one value."""
    (whole,) = a.batches()
    return Held(a, replace(whole, updates=None))


def by_later(a, b, out):
    return without([replace(i, label=i.x[3], updates=()) for i in a], (3,))


class Held:
    """A stream of one batch."""

    def __init__(self, a, batch):
        self.name, self.schema, self.length, self.batch = a.name, a.schema, a.length, batch

    def batches(self, size=8192, seed=0):
        for start in range(0, len(self.batch), size):
            yield self.batch.slice(start, start + size)


def half(a):
    return a.length // 2


COMBINATORS = {
    "take": (lambda a, b: streams.take(a, half(a)), lambda a, b, out: a[: len(a) // 2]),
    "skip": (
        lambda a, b: streams.skip(a, half(a)),
        lambda a, b, out: a[len(a) // 2 :] if timed(a) else numbered(a[len(a) // 2 :]),
    ),
    "concatenate": (
        lambda a, b: streams.concatenate(a, b),
        lambda a, b, out: a + (b if timed(b) else at_times(b, range(len(a), len(a) + len(b)))),
    ),
    "relabel": (
        lambda a, b: streams.relabel(a, "cyclic"),
        lambda a, b, out: [
            replace(i, label=None if i.label is None else (i.label + 1) % 3) for i in a
        ],
    ),
    "inject": (
        lambda a, b: streams.inject(a, half(a)),
        lambda a, b, out: [
            replace(i, label=None if i.label is None else (i.label + (n >= len(a) // 2)) % 3)
            for n, i in enumerate(a)
        ],
    ),
    "delay": (
        lambda a, b: streams.delay(a, 5),
        lambda a, b, out: [replace(i, late=None if i.late is None else i.late + 5) for i in a],
    ),
    "impute": (lambda a, b: streams.impute(a), unchanged),
    "shuffle": (
        lambda a, b: streams.shuffle(a),
        lambda a, b, out: at_times(in_place(a, [], out), [item.time for item in a]),
    ),
    "shuffle_within_class": (lambda a, b: streams.shuffle_within_class(a), moved_within),
    "mix": (lambda a, b: streams.mix(a, b, width=5), in_place),
    "drift": (lambda a, b: streams.drift(a, b, at=half(a), width=3), taken),
    "drifts": (lambda a, b: streams.drifts([a, b], at=[half(a)]), taken),
    "recurring": (
        lambda a, b: streams.recurring(a, b, every=max(1, half(a) // 2), times=2, width=1),
        taken,
    ),
    "split_on": (
        lambda a, b: streams.split_on(a, "group", at=0.5)[1],
        lambda a, b, out: (lambda part: part if timed(a) else numbered(part))(
            without([item for item in a if item.x[1] > 0.5], (1,))
        ),
    ),
    "part_of": (
        lambda a, b: streams.part_of(a, "group", "second", value=0),
        lambda a, b, out: (lambda part: part if timed(a) else numbered(part))(
            without([item for item in a if item.x[1] > 0.5], (1,))
        ),
    ),
    "complete": (lambda a, b: streams.complete(a), unchanged),
    "without": (lambda a, b: streams.without(a, ["group", "later"]), others),
    "retarget": (lambda a, b: streams.retarget(once_known(a), "later"), by_later),
    "reorder": (
        lambda a, b: streams.reorder(a, ["name", "later", "group", "wait"]),
        lambda a, b, out: [
            replace(i, x=exchanged(i.x), updates=tuple((t, exchanged(x)) for t, x in i.updates))
            for i in a
        ],
    ),
    "update": (more_updates, updated),
    "revise": (lambda a, b: streams.revise(a, after="wait", columns={"group": "later"}), revised),
    "perturb": (lambda a, b: streams.perturb(a, scale=0.0, nominal=1.0), unchanged),
    "outliers": (lambda a, b: streams.outliers(a, share=0.0), unchanged),
    "imbalance": (lambda a, b: streams.imbalance(a, [[0.2, 0.3, 0.5]]), left_out),
    "late_classes": (lambda a, b: streams.late_classes(a, {1: 3, 2: 5}), left_out),
}
"""Name -> a stream made of two others, and its expected items, given its items `out`."""


class Items(list):
    """Items of a stream, with whether it has times."""


def timed(items):
    return items.timed


def items_of(stream, is_timed):
    items = Items(listed(stream.batches()))
    items.timed = is_timed
    return items


TIMED = {"time_feature"}
"""Combinators of streams with dates, tested in tests/preprocessing."""


def test_the_table_lists_every_combinator():
    """A combinator is a function of `streams` with a stream as parameter."""
    found = set()
    for name in members("streamgauge.streams"):
        member = getattr(streams, name)
        if inspect.isfunction(member):
            kinds = [str(p.annotation) for p in inspect.signature(member).parameters.values()]
            if any("Stream" in kind for kind in kinds):
                found.add(name)
    assert found - set(UNNAMED) - TIMED == set(COMBINATORS)


@pytest.mark.parametrize("name", COMBINATORS)
@settings(max_examples=examples(25))
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 24),
    columns=st.tuples(*[st.tuples(*[st.booleans()] * 4)] * 2),
    size=st.sampled_from([1, 2, 3, 7, None]),
)
def test_every_combinator_keeps_every_column(name, seed, n, columns, size):
    rng = np.random.default_rng(seed)
    a = source(rng, n, 0, *columns[0])
    b = source(rng, n + 3, 100, *columns[1])
    build, expected = COMBINATORS[name]
    stream = build(a, b)
    out = listed(stream.batches(size or n))
    want = expected(items_of(a, columns[0][0]), items_of(b, columns[1][0]), out)
    assert out == list(want)
    assert len(out) == len({item.x[0] for item in out}), "no item occurs twice"
    assert out == listed(stream.batches())


def test_a_missing_cell_in_an_update_gets_the_imputed_value_of_its_item():
    x = np.array([[1.0], [np.nan], [np.nan]])
    stream = streams.delay(streams.from_arrays(x, np.arange(3.0)), 9)
    stream = streams.update(stream, [1, 2, 2], [4, 5, 6], [[np.nan], [7.0], [np.nan]])
    items = whole(streams.impute(stream, "last"), 2)
    assert items.x[:, 0].tolist() == [1.0, 1.0, 1.0]
    assert items.updates.x[:, 0].tolist() == [1.0, 7.0, 7.0]


def test_a_timed_stream_with_updates_cannot_be_delayed_by_items():
    day = np.array(["2024-01-01", "2024-01-02"], "datetime64[D]")
    stream = streams.from_arrays(np.zeros((2, 1)), np.arange(2.0), time=day)
    stream = streams.update(stream, [1], day[1:] + 1, [[1.0]])
    with pytest.raises(ParameterError, match=r"must have no updates .* got one for item 1; pass"):
        whole(streams.delay(stream, 2), 10)


def test_an_untimed_stream_after_a_timed_one_raises_an_error():
    untimed = streams.from_arrays(np.zeros((2, 1)), np.arange(2) % 2)
    late = streams.from_arrays(np.zeros((2, 1)), np.arange(2) % 2, time=np.array([50, 60]))
    with pytest.raises(DataError, match="time must not decrease, got 2 at the start of arrays"):
        whole(streams.concatenate(late, untimed), 10)
    assert whole(streams.concatenate(untimed, late), 10).times.tolist() == [0, 1, 50, 60]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("weighted", [(False, True), (True, False), (True, True)])
def test_weights_of_concatenated_streams_reach_the_learner(size, weighted):
    weights = [np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0, 6.0, 7.0])]
    parts = [
        streams.from_arrays(
            np.arange(len(w))[:, None] + 10.0 * nth,
            np.arange(len(w)) % 2,
            classes=[0, 1],
            **({"weight": w} if has else {}),
        )
        for nth, (w, has) in enumerate(zip(weights, weighted, strict=True))
    ]
    want = np.concatenate(
        [w if has else np.ones(len(w)) for w, has in zip(weights, weighted, strict=True)]
    )
    stream = streams.concatenate(*parts)
    for protocol in (sg.protocols.Chunks(size), sg.protocols.Prequential(), sg.protocols.Delayed()):
        log = sg.run(stream, sg.learners.NaiveBayes(), protocol)
        assert np.concatenate([t.weight for t in log.training()]).tolist() == want.tolist()


@pytest.mark.parametrize("late", [(False, True), (True, False)])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_times_and_updates_of_concatenated_streams_reach_the_log(late, size):
    """Only one of the two parts has label times and updates."""
    parts = []
    for nth, is_late in enumerate(late):
        time = np.arange(4) + 4 * nth
        options = {"label_time": time + 3, "time": time} if is_late else {}
        part = streams.from_arrays(np.zeros((4, 1)), np.arange(4) % 2, classes=[0, 1], **options)
        if is_late:
            part = streams.update(part, [1], time[1:2] + 1, [[5.0]])
        parts.append(part)
    stream = streams.concatenate(*parts)
    items = whole(stream, size)
    want = np.concatenate([np.arange(4) + 4 * n + 3 * is_late for n, is_late in enumerate(late)])
    assert items.label_times.tolist() == want.tolist()
    assert items.updates.item.tolist() == [1 + 4 * late.index(True)]
    log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(every=1))
    known = {
        int(item): int(at) for t in log.labels() for item, at in zip(t.item, t.time, strict=True)
    }
    assert [known[item] for item in range(8)] == want.tolist()
