"""Every protocol's timetable equals its twin's, order by order and column by column."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import timetables as twin
from samples.examples import examples
from streamgauge.errors import TimetableError
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating
from streamgauge.protocols._folds import RandomAssignment
from streamgauge.protocols.timetable import arrivals, expand, in_words, walk
from streamgauge.types import NEVER, Arrivals, Op, Orders

COLUMNS = ("op", "item", "fold", "turn", "kind", "weight", "time")
SIZES = (1, 2, 3, 100)
"""The stream is cut into batches of so many items."""


@st.composite
def clocks(draw, late):
    """Times of items and of their labels; None: it never comes."""
    time = np.cumsum(draw(st.lists(st.integers(0, 2), max_size=12))).tolist()
    delays = st.integers(0, 6) if late else st.just(0)
    return time, [draw(st.one_of(st.none(), delays.map(t.__add__))) for t in time]


def cut(time, label_time, size, updates=(), own=True, known=True):
    """The arrivals in batches; without times of their own, or without times of labels."""
    clock = np.array(time, np.int64)
    until = np.array([NEVER if t is None else t for t in label_time], np.int64)
    for first in range(0, len(time), size):
        rows = slice(first, first + size)
        mine = [(item, at) for item, at in updates if first <= item < first + size]
        yield Arrivals(
            first,
            len(clock[rows]),
            clock[rows] if own else None,
            until[rows] if known else None,
            np.array([item for item, _ in mine], np.uint64) if mine else None,
            np.array([at for _, at in mine], np.int64) if mine else None,
        )


def rows_of(orders: Orders) -> list[tuple[float, ...]]:
    """Its rows; the turn of an update says only where its features are, and the last ones
    change nothing.
    """
    columns = {name: getattr(orders, name).tolist() for name in COLUMNS}
    columns["turn"] = [
        0 if op == Op.UPDATE else turn
        for op, turn in zip(columns["op"], columns["turn"], strict=True)
    ]
    rows = list(zip(*columns.values(), strict=True))
    while rows and rows[-1][0] == Op.UPDATE:
        rows.pop()
    return rows


def check(protocol, expected, time, label_time, **how):
    for size in SIZES:
        made = walk(protocol.timetable(cut(time, label_time, size, **how), seed=5))
        assert rows_of(made) == expected


@given(clock=clocks(late=False), pretrain=st.sampled_from([0, 1, 4, 20]))
@settings(max_examples=examples(60), deadline=None)
def test_prequential_gives_the_orders_of_the_twin(clock, pretrain):
    protocol = Prequential(pretrain=pretrain)
    check(protocol, twin.test_then_train(*clock, pretrain), *clock)


@given(
    clock=clocks(late=False), size=st.sampled_from([1, 2, 3, 20]), pretrain=st.sampled_from([0, 2])
)
@settings(max_examples=examples(60), deadline=None)
def test_chunks_give_the_orders_of_the_twin(clock, size, pretrain):
    check(Chunks(size, pretrain), twin.chunks(*clock, size, pretrain), *clock)


@given(clock=clocks(late=True))
@settings(max_examples=examples(30), deadline=None)
def test_ignored_delays_have_no_effect(clock):
    expected = twin.test_then_train(*clock, 1)
    check(Prequential(pretrain=1, ignore_delays=True), expected, *clock)
    check(Chunks(3, 1, ignore_delays=True), twin.chunks(*clock, 3, 1), *clock)


@pytest.mark.parametrize(
    "protocol", [Prequential(pretrain=2), Chunks(3, 2), Delayed(), Reevaluating()], ids=repr
)
def test_items_without_times_arrive_one_per_tick(protocol):
    numbers = list(range(8))
    for size in SIZES:
        with_times = walk(protocol.timetable(cut(numbers, numbers, size)))
        for known in (True, False):
            coming = cut(numbers, numbers, size, own=False, known=known)
            assert rows_of(walk(protocol.timetable(coming))) == rows_of(with_times)


def test_default_arrivals_are_one_per_tick_in_batches_of_any_size():
    for size in SIZES:
        batches = list(arrivals(7, size))
        assert [b.first for b in batches] == list(range(0, 7, size))
        assert sum(b.count for b in batches) == 7
        assert all(b.count <= size for b in batches)


TIES, TAILS = ("labels_first", "items_first"), ("flush", "drop")
LATE = [
    *(Delayed(*how) for how in product(TIES, TAILS)),
    *(Reevaluating(*how) for how in product((1, 2, 3), (True, False), TIES, TAILS)),
]


def expected_of(protocol, time, label_time, updates=()):
    how = protocol.options
    return twin.late(
        time,
        label_time,
        how.every,
        how.first_at_zero,
        how.predict_last,
        how.ties == "labels_first",
        how.tail == "flush",
        updates,
    )


@pytest.mark.parametrize("protocol", LATE, ids=repr)
@given(clock=clocks(late=True))
@settings(max_examples=examples(15), deadline=None)
def test_late_labels_give_the_orders_of_the_twin(protocol, clock):
    check(protocol, expected_of(protocol, *clock), *clock)


@pytest.mark.parametrize("protocol", [Delayed(), Reevaluating(2)], ids=repr)
def test_a_label_may_arrive_at_the_last_possible_time(protocol):
    clock = [0, 1], [NEVER - 1, 3]
    check(protocol, expected_of(protocol, *clock), *clock)


@pytest.mark.parametrize("every", [0, 2])
@given(clock=clocks(late=True), later=st.lists(st.integers(1, 5), max_size=5))
@settings(max_examples=examples(30), deadline=None)
def test_features_may_change_while_their_item_is_pending(every, clock, later):
    pairs = enumerate(zip(clock[0], later, strict=False))
    updates = [(item, arrival + more) for item, (arrival, more) in pairs]
    protocol = Reevaluating(every) if every else Delayed()
    check(protocol, expected_of(protocol, *clock, updates), *clock, updates=updates)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("protocol", [Delayed(), Reevaluating(2)], ids=repr)
def test_features_that_change_before_their_item_arrives_are_refused(protocol, known, own):
    """Even where every label comes at once and no update can matter."""
    numbers = list(range(5))
    for size, at in product(SIZES, (2, 3, 4)):
        how = {"updates": [(3, at)], "own": own, "known": known}
        coming = cut(numbers, numbers, size, **how)
        if at > 3:
            expected = expected_of(protocol, numbers, numbers)
            assert rows_of(walk(protocol.timetable(coming))) == expected
        else:
            with pytest.raises(
                TimetableError, match=f"an update at {at} for item 3, which arrives at 3"
            ):
                walk(protocol.timetable(coming))


@pytest.mark.parametrize("split", ["cross", "split", "bootstrap"])
@pytest.mark.parametrize("again", [False, True])
@given(clock=clocks(late=True), folds=st.integers(2, 4))
@settings(max_examples=examples(15), deadline=None)
def test_folds_share_the_items(split, again, clock, folds):
    kind = Reevaluating if again else Delayed
    protocol = kind(folds=folds, split=split)
    weights = RandomAssignment(folds, split, 5).weights(0, len(clock[0]))
    expected = twin.shared(expected_of(protocol, *clock), weights.tolist())
    for size in SIZES:
        made = rows_of(walk(protocol.timetable(cut(*clock, size), seed=5)))
        assert made == expected


def test_the_folds_that_learn_an_item_depend_on_its_number_and_the_seed_alone():
    for split in ("cross", "split", "bootstrap"):
        whole = RandomAssignment(3, split, 1).weights(0, 200)
        for first in (1, 7, 150):
            np.testing.assert_array_equal(
                RandomAssignment(3, split, 1).weights(first, 50), whole[:, first : first + 50]
            )
        assert (RandomAssignment(3, split, 2).weights(0, 200) != whole).any()


def test_an_item_is_predicted_by_one_fold_or_learned_by_one_or_drawn_for_each():
    learned = {
        split: RandomAssignment(4, split, 0).weights(0, 8000) for split in ("cross", "split")
    }
    assert set(learned["cross"].sum(0).tolist()) == {3}
    assert set(learned["split"].sum(0).tolist()) == {1}
    for shares in learned.values():
        of_each = shares.mean(1)
        np.testing.assert_allclose(of_each, of_each.mean(), atol=0.03)
    drawn = RandomAssignment(4, "bootstrap", 0).weights(0, 20_000)
    times = np.bincount(drawn.ravel(), minlength=5)[:5] / drawn.size
    np.testing.assert_allclose(times, [0.3679, 0.3679, 0.1839, 0.0613, 0.0153], atol=0.005)
    assert abs(np.corrcoef(drawn)[0, 1]) < 0.03


@pytest.mark.parametrize("protocol", [Prequential(2), Chunks(3, 2), *LATE[::3]], ids=repr)
@given(clock=clocks(late=True), size=st.sampled_from(SIZES))
@settings(max_examples=examples(15), deadline=None)
def test_an_item_is_released_as_soon_as_no_order_can_refer_to_it(protocol, clock, size):
    time, label_time = clock
    options = getattr(protocol, "options", None)
    if options is None:
        label_time = [None if t is None else now for now, t in zip(*clock, strict=True)]
    arrival, done = 0, set()

    def coming():
        nonlocal arrival
        for batch in cut(time, label_time, size):
            arrival += batch.count
            yield batch

    for chunk in protocol.timetable(coming()):
        orders = expand(chunk)
        done |= set(orders.item[orders.op == Op.LEARN].tolist())
        if options is None:
            assert orders.keep_from >= max(orders.item.tolist(), default=-1) + 1
            assert orders.keep_from <= arrival
            continue
        never = {item for item, t in enumerate(label_time) if t is None and not options.every}
        assert orders.keep_from == min(set(range(arrival)) - done - never, default=arrival)
        assert chunk.pending_after.tolist() == sorted(set(range(arrival)) - done - never)


def test_a_printed_timetable_shows_fold_and_weight():
    coming = [Arrivals(0, 3, None, np.array([1, 2, NEVER]))]
    protocol = Delayed(folds=2, split="bootstrap")
    weights = RandomAssignment(2, "bootstrap", 3).weights(0, 3)
    lines = list(in_words(protocol.timetable(coming, seed=3)))
    words = {Op.PREDICT: "predict", Op.REVEAL: "reveal", Op.LEARN: "learn"}
    expected = []
    for op, item, fold, _, _, weight, _ in rows_of(walk(protocol.timetable(coming, seed=3))):
        line = f"{words[op]} {item}"
        line += f" by {fold}" if op != Op.REVEAL else ""
        expected.append(line + (f" weight {weight:g}" if weight != 1 else ""))
    assert lines == expected
    assert any(weights[fold, item] > 1 for fold in range(2) for item in range(2))
