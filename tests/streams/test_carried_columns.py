"""Every combinator carries every column: features, labels, times, label times, weights, updates."""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles.items import at_times, by_name, listed, numbered, without
from streamgauge import streams
from streamgauge.doors import members
from streamgauge.errors import DataError, ParameterError
from streamgauge.names import CALLED
from streamgauge.types import Batch

NAMES = ("name", "group", "wait", "later")
"""What tells items apart, a group of 0 or 1, and two columns for `revise`."""


def source(rng, n, first, timed, label_timed, weighted, updated):
    """A stream of n items that are called `first`, `first` + 1, …, with some of the columns."""
    x = np.column_stack([first + np.arange(n), rng.integers(0, 2, n), rng.integers(0, 4, (n, 2))])
    y = np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 3, n))
    start = np.arange(n) // 2 + first  # equal times, none above the item's number for `first` 0
    own = start if timed else np.arange(n)
    said = {"time": own} if timed else {}
    if label_timed:
        lost = rng.random(n) < 0.2
        said["label_time"] = np.where(lost, np.nan, own + rng.integers(0, 9, n))
    if weighted:
        said["weight"] = rng.integers(0, 5, n) / 4
    stream = streams.from_arrays(
        x.astype(float), y, names=NAMES, classes=[0, 1, 2], task="classification", **said
    )
    if updated and n:
        item = rng.integers(0, n, n)
        new = np.where(rng.random((n, 4)) < 0.3, np.nan, 100 + rng.integers(0, 9, (n, 4)))
        stream = streams.update(stream, item, own[item] + rng.integers(1, 9, n), new)
    return stream


def whole(stream, size):
    return Batch.concatenate(list(stream.batches(size)))


def only(a, b, out):
    return a


def moved_within(a, b, out):
    """Labels, times and delays stay, features, updates and weights move."""
    sources = by_name(a, [item.x[0] for item in out])
    return [
        replace(stays, x=moves.x, weight=moves.weight, updates=moves.updates)
        for stays, moves in zip(a, sources, strict=True)
    ]


def taken(a, b, out):
    """Each from the stream that has one of its name, timed by its new number."""
    return numbered(by_name(a + b, [item.x[0] for item in out]))


def in_place(a, b, out):
    return by_name(a + b, [item.x[0] for item in out])


def revised(a, b, out):
    """`group` becomes `later` after `wait`; an update of the same time comes first."""
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
    """After all others of an item; the last cell is 7, all others are as when it came."""
    (whole,) = a.batches()
    new = np.column_stack([whole.x[:, :3], np.full(len(whole), 7.0)])
    return streams.update(a, np.arange(len(whole)), whole.times + 11, new)


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
    "delay": (
        lambda a, b: streams.delay(a, 5),
        lambda a, b, out: [replace(i, late=None if i.late is None else i.late + 5) for i in a],
    ),
    "impute": (lambda a, b: streams.impute(a), only),
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
    "update": (more_updates, updated),
    "revise": (lambda a, b: streams.revise(a, after="wait", columns={"group": "later"}), revised),
}
"""Name -> a stream made of two others, and what items it must have; `out` are those it has."""


class Items(list):
    """Items of a stream that may have a clock of its own."""


def timed(items):
    return items.timed


def of(stream, is_timed):
    items = Items(listed(stream.batches()))
    items.timed = is_timed
    return items


def test_the_table_has_every_combinator():
    """A function of `streams` that takes a stream and makes one."""
    found = set()
    for name in members("streamgauge.streams"):
        thing = getattr(streams, name)
        if inspect.isfunction(thing):
            kinds = [str(p.annotation) for p in inspect.signature(thing).parameters.values()]
            if any("Stream" in kind for kind in kinds):
                found.add(name)
    assert found - set(CALLED) == set(COMBINATORS)


@pytest.mark.parametrize("name", COMBINATORS)
@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 24),
    columns=st.tuples(*[st.tuples(*[st.booleans()] * 4)] * 2),
    size=st.sampled_from([1, 2, 3, 7, None]),
)
def test_every_combinator_carries_every_column(name, seed, n, columns, size):
    rng = np.random.default_rng(seed)
    a = source(rng, n, 0, *columns[0])
    b = source(rng, n + 3, 100, *columns[1])
    build, expected = COMBINATORS[name]
    stream = build(a, b)
    out = listed(stream.batches(size or n))
    want = expected(of(a, columns[0][0]), of(b, columns[1][0]), out)
    assert out == list(want)
    assert len(out) == len({item.x[0] for item in out}), "no item is there twice"
    assert out == listed(stream.batches())


def test_a_missing_cell_in_an_update_is_filled_in_as_its_item_was():
    x = np.array([[1.0], [np.nan], [np.nan]])
    stream = streams.delay(streams.from_arrays(x, np.arange(3.0)), 9)
    stream = streams.update(stream, [1, 2, 2], [4, 5, 6], [[np.nan], [7.0], [np.nan]])
    items = whole(streams.impute(stream, "last"), 2)
    assert items.x[:, 0].tolist() == [1.0, 1.0, 1.0]
    assert items.updates.x[:, 0].tolist() == [1.0, 7.0, 7.0]


def test_a_stream_with_updates_is_not_put_on_the_clock_of_its_items():
    day = np.array(["2024-01-01", "2024-01-02"], "datetime64[D]")
    stream = streams.from_arrays(np.zeros((2, 1)), np.arange(2.0), time=day)
    stream = streams.update(stream, [1], day[1:] + 1, [[1.0]])
    with pytest.raises(ParameterError, match=r"must have no updates .* got one for item 1; give"):
        whole(streams.delay(stream, 2), 10)


def test_an_untimed_stream_after_a_timed_one_does_not_step_back_in_silence():
    untimed = streams.from_arrays(np.zeros((2, 1)), np.arange(2) % 2)
    late = streams.from_arrays(np.zeros((2, 1)), np.arange(2) % 2, time=np.array([50, 60]))
    with pytest.raises(DataError, match="time must not step back, got 2 at the start of arrays"):
        whole(streams.concatenate(late, untimed), 10)
    assert whole(streams.concatenate(untimed, late), 10).times.tolist() == [0, 1, 50, 60]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("weighted", [(False, True), (True, False), (True, True)])
def test_weights_reach_the_learner_under_chunks_whichever_stream_has_them(size, weighted):
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
        assert np.concatenate([t.weight for t in log.taught()]).tolist() == want.tolist()


@pytest.mark.parametrize("late", [(False, True), (True, False)])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_times_and_updates_of_concatenated_streams_reach_the_log(late, size):
    """Either part may be without label times and updates; batches are joined in both orders."""
    parts = []
    for nth, is_late in enumerate(late):
        time = np.arange(4) + 4 * nth
        said = {"label_time": time + 3, "time": time} if is_late else {}
        part = streams.from_arrays(np.zeros((4, 1)), np.arange(4) % 2, classes=[0, 1], **said)
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
        int(item): int(at) for t in log.true() for item, at in zip(t.item, t.time, strict=True)
    }
    assert [known[item] for item in range(8)] == want.tolist()
