"""Folds: every protocol's timetable of several folds equals its twin's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import timetables as twin
from protocols.test_twins import SIZES, clocks, cut, rows_of
from samples.examples import examples
from streamgauge._core import uniforms
from streamgauge.errors import ParameterError
from streamgauge.protocols import (
    Chunks,
    Delayed,
    Holdout,
    Interleaved,
    KFold,
    OneFold,
    PeriodicHoldout,
    Prequential,
    Reevaluating,
)
from streamgauge.protocols.timetable import arrivals, walk
from streamgauge.seeds import child
from streamgauge.testing import check_timetable
from streamgauge.types import Kind, Op

SPLITS = ("cross", "split", "bootstrap")
SEED = 5


def drawn(split, folds, items, seed=SEED):
    """The twin's weights: one row per fold."""
    columns = [
        twin.weights_of(split, folds, lambda role, item=item: draw(role, item, seed))
        for item in items
    ]
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in range(folds)]


def draw(role, item, seed=SEED):
    return float(uniforms(child(seed, role), item, 1)[0])


def check(protocol, expected, time, label_time):
    if 0 < len(time) < protocol.folds:  # an error, which is tested below
        return
    for size in SIZES:
        made = walk(protocol.timetable(cut(time, label_time, size), seed=SEED))
        assert rows_of(made) == expected


@pytest.mark.parametrize("split", SPLITS)
@given(clock=clocks(late=False), folds=st.integers(2, 4), pretrain=st.sampled_from([0, 3, 20]))
@settings(max_examples=examples(25), deadline=None)
def test_prequential_folds_give_the_orders_of_the_twin(split, clock, folds, pretrain):
    weights = drawn(split, folds, range(len(clock[0])))
    expected = twin.shared(twin.test_then_train(*clock, pretrain), weights)
    check(Prequential(pretrain, folds=folds, split=split), expected, *clock)
    check(KFold(folds, split, pretrain=pretrain), expected, *clock)


@pytest.mark.parametrize("split", SPLITS)
@given(clock=clocks(late=False), folds=st.integers(2, 4))
@settings(max_examples=examples(25), deadline=None)
def test_folds_of_moa_are_in_turn_and_predict_every_item(split, clock, folds):
    columns = [
        twin.moa_weights_of(split, folds, item, lambda role, item=item: draw(role, item))
        for item in range(len(clock[0]))
    ]
    weights = [list(row) for row in zip(*columns, strict=True)] or [[] for _ in range(folds)]
    expected = twin.shared(twin.test_then_train(*clock, 0), weights, all_predict=True)
    check(KFold(folds, split, variant="moa"), expected, *clock)


@pytest.mark.parametrize("split", SPLITS)
@given(
    clock=clocks(late=False), folds=st.integers(2, 3), size=st.integers(1, 5), pretrain=st.just(2)
)
@settings(max_examples=examples(25), deadline=None)
def test_a_chunk_is_one_step_of_the_folds(split, clock, folds, size, pretrain):
    steps = [
        item if item < pretrain else item - (item - pretrain) % size
        for item in range(len(clock[0]))
    ]
    weights = drawn(split, folds, steps)
    expected = twin.shared(twin.chunks(*clock, size, pretrain), weights)
    check(Chunks(size, pretrain, folds=folds, split=split), expected, *clock)


HOLDOUT = {"size": st.integers(1, 4), "every": st.integers(1, 4), "replace": st.integers(2, 4)}


@given(clock=clocks(late=False), **HOLDOUT)
@settings(max_examples=examples(80), deadline=None)
def test_holdouts_give_the_orders_of_the_twin(clock, size, every, replace):
    labelled = sum(until is not None for until in clock[1])
    if 0 < labelled < size + every:
        return
    expected = twin.holdout(*clock, size, every, replace)
    check(PeriodicHoldout(size, every, replace), expected, *clock)
    fixed = twin.holdout(*clock, size, every, 0)
    check(PeriodicHoldout(size, every, 0), fixed, *clock)
    check(Holdout(size, every), fixed, *clock)


@pytest.mark.parametrize("split", SPLITS)
@given(clock=clocks(late=False), folds=st.integers(2, 3), **HOLDOUT)
@settings(max_examples=examples(25), deadline=None)
def test_every_fold_predicts_the_test_set(split, clock, folds, size, every, replace):
    labelled = sum(until is not None for until in clock[1])
    if 0 < labelled < size + every:
        return
    weights = drawn(split, folds, range(len(clock[0])))
    expected = twin.holdout(*clock, size, every, replace, weights)
    protocol = PeriodicHoldout(size, every, replace, folds=folds, split=split)
    check(protocol, expected, *clock)


@given(
    clock=clocks(late=False),
    train=st.integers(1, 4),
    test=st.integers(1, 4),
    folds=st.sampled_from([1, 2, 3]),
    split=st.sampled_from(SPLITS),
)
@settings(max_examples=examples(80), deadline=None)
def test_interleaved_gives_the_orders_of_the_twin(clock, train, test, folds, split):
    if 0 < len(clock[0]) <= train:
        return
    weights = None if folds == 1 else drawn(split, folds, range(len(clock[0])))
    protocol = Interleaved(train, test, folds=folds, split=None if folds == 1 else split)
    check(protocol, twin.interleaved(*clock, train, test, weights), *clock)


def test_an_item_of_the_test_set_is_never_learned_and_leaves_first_in_first_out():
    orders = walk(PeriodicHoldout(3, every=4, replace=5).timetable(arrivals(60)))
    tested = set(orders.item[orders.op == Op.PREDICT].tolist())
    learned = set(orders.item[orders.op == Op.LEARN].tolist())
    assert not tested & learned
    last = orders.item[(orders.op == Op.PREDICT)][-3:].tolist()
    assert last == sorted(last)
    assert set(orders.kind[orders.op == Op.PREDICT].tolist()) == {Kind.FIRST, Kind.TEST}


EVERY_PROTOCOL = [
    Prequential(folds=3),
    Prequential(2, folds=3, split="bootstrap"),
    KFold(3, "split"),
    KFold(3, variant="moa"),
    Chunks(4, folds=3, split="split"),
    Holdout(3, 4),
    Holdout(3, 4, folds=2),
    PeriodicHoldout(3, 4, 2),
    PeriodicHoldout(3, 4, 2, folds=3, split="bootstrap"),
    Interleaved(5, 3),
    Interleaved(5, 3, folds=2, split="split"),
    Delayed(folds=3),
    Reevaluating(2, folds=2, split="bootstrap"),
]


@pytest.mark.parametrize("protocol", EVERY_PROTOCOL, ids=repr)
def test_no_fold_peeks(protocol):
    check_timetable(protocol, count=100)
    check_timetable(protocol, count=0)
    for fold in range(protocol.folds):
        check_timetable(OneFold(protocol, fold), count=60)


@pytest.mark.parametrize("protocol", EVERY_PROTOCOL, ids=repr)
def test_one_fold_has_its_orders_and_all_labels(protocol):
    whole = walk(protocol.timetable(arrivals(50), seed=2))
    for fold in range(protocol.folds):
        alone = walk(OneFold(protocol, fold).timetable(arrivals(50), seed=2))
        own = (whole.fold == fold) | (whole.op == Op.REVEAL)
        assert rows_of(alone) == rows_of(whole.take(np.flatnonzero(own)))


@pytest.mark.parametrize(
    ("split", "share"), [("cross", 1 / 10), ("split", 9 / 10), ("bootstrap", math.exp(-1))]
)
@pytest.mark.parametrize("variant", ["default", "moa"])
def test_the_share_of_tests_of_a_fold(split, share, variant):
    n, k = 20_000, 10
    orders = walk(KFold(k, split, variant).timetable(arrivals(n), seed=1))
    tests = np.bincount(orders.fold[orders.op == Op.PREDICT], minlength=k) / n
    learned = np.bincount(orders.fold[orders.op == Op.LEARN], minlength=k) / n
    np.testing.assert_allclose(learned, 1 - share, atol=0.015)
    if variant == "moa":
        assert set(tests.tolist()) == {1.0}
    else:
        np.testing.assert_allclose(tests, share, atol=0.015)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: KFold(1),
            r"KFold: k must be at least 2 with split='cross', got 1, .* never learn",
        ),
        (lambda: KFold(0), "KFold: k must be at least 1, got 0"),
        (lambda: KFold(3, "thirds"), "KFold: split must be None or 'cross'"),
        (lambda: KFold(3, variant="weka"), "variant must be 'default' or 'moa', got 'weka'"),
        (
            lambda: Prequential(variant="moa"),
            "Prequential: folds must be at least 2 with variant='moa', got 1",
        ),
        (
            lambda: Chunks(folds=1, split="split"),
            "Chunks: folds must be at least 2 with split='split', got 1, .* never predict",
        ),
        (lambda: Prequential(folds=65_536), "Prequential: folds must be at most 65,535"),
        (lambda: Interleaved(train=0), "Interleaved: train must be at least 1, got 0"),
        (lambda: Interleaved(test=0), "Interleaved: test must be at least 1, got 0"),
        (lambda: Holdout(size=0), "Holdout: size must be at least 1, got 0"),
        (lambda: Holdout(every=0), "Holdout: every must be at least 1, got 0"),
        (
            lambda: PeriodicHoldout(replace=1),
            "PeriodicHoldout: replace must be at least 2, got 1",
        ),
        (lambda: OneFold(KFold(3), 3), "OneFold: fold must be below 3, .*, got 3"),
        (lambda: OneFold(KFold(3), -1), "OneFold: fold must be at least 0, got -1"),
    ],
)
def test_bad_parameters_fail_at_construction(make, words):
    with pytest.raises(ParameterError, match=words):
        make()
