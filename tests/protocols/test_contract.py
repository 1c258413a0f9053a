"""Every protocol, over any arrivals: it cannot peek."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples.examples import examples
from streamgauge.errors import ParameterError, TimetableError
from streamgauge.names import find, known
from streamgauge.protocols import Chunks, Delayed, Prequential, Reevaluating, Shedding
from streamgauge.protocols.timetable import arrivals, expand, walk
from streamgauge.testing import check_timetable
from streamgauge.types import NEVER, Arrivals, Op, Orders, Pattern, Timetable

PROTOCOLS = [
    Prequential(),
    Prequential(pretrain=5),
    Prequential(pretrain=1000),
    Chunks(size=1),
    Chunks(size=7),
    Chunks(size=7, pretrain=3),
    Chunks(size=1000),
    Shedding(rate=1.0, service=1.0),
    Shedding(rate=3.0, service=1.0, buffer=2),
]


ELSEWHERE = {
    "holdout": "test_folds.py",
    "interleaved": "test_folds.py",
    "k_fold": "test_folds.py",
    "one_fold": "test_folds.py",
    "periodic_holdout": "test_folds.py",
    "delayed": "late/test_twin.py",
    "reevaluating": "late/test_twin.py",
    "perturbed": "properties/test_stability.py",
}
"""The protocols whose timetables other files check."""


def test_every_protocol_is_checked() -> None:
    here = {type(protocol) for protocol in PROTOCOLS}
    left = {name for name in known("protocol") if find("protocol", name) not in here}
    assert left == ELSEWHERE.keys(), "a new protocol needs a row in PROTOCOLS"


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=repr)
@given(
    steps=st.lists(st.integers(0, 3), max_size=40),
    missing=st.lists(st.booleans(), min_size=40, max_size=40),
)
@settings(max_examples=examples(30), deadline=None)
def test_no_protocol_peeks(protocol, steps, missing):
    time = np.cumsum(np.array(steps, dtype=np.int64))
    label_time = np.where(missing[: len(steps)], NEVER, time)
    orders = check_timetable(protocol, time, label_time, sizes=(1, 7, 1024))
    predicted = orders.item[orders.op == Op.PREDICT]
    assert len(np.unique(predicted)) == len(predicted)
    learned = orders.item[orders.op == Op.LEARN].tolist()
    known = np.flatnonzero(label_time != NEVER).tolist()
    assert set(learned) <= set(known), "a label that never arrives is learned"
    if isinstance(protocol, Prequential | Chunks):
        assert sorted(learned) == known, "every known label is learned once"


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=repr)
def test_items_with_their_own_clock_pass_too(protocol):
    check_timetable(protocol, count=100)
    check_timetable(protocol, count=0)


@dataclass(frozen=True)
class Tampered:
    """A protocol whose orders are made worse on the way."""

    how: str
    folds: int = 1

    def timetable(self, coming: Iterable[Arrivals], seed: int = 0) -> Timetable:
        for n, chunk in enumerate(Prequential().timetable(coming, seed)):
            yield self.spoil(expand(chunk), n)

    def spoil(self, o: Orders, n: int) -> Orders:
        if self.how == "learned first":
            return replace(o, op=o.op[::-1].copy(), item=o.item[::-1].copy())
        if self.how == "the future":
            return replace(o, item=o.item + np.uint64(1))
        if self.how == "twice":
            return replace(o, op=np.where(o.op == Op.LEARN, np.uint8(Op.REVEAL), o.op))
        if self.how == "no such fold":
            return replace(o, fold=o.fold + np.uint16(1))
        if self.how == "let go":
            return replace(o, keep_from=int(o.item[-1]) + 2)
        if self.how == "clock":
            return replace(o, time=o.time - 2 * o.item.astype(np.int64))
        return replace(o, weight=o.weight + n)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("learned first", "predicted after it was learned"),
        ("the future", "has not arrived"),
        ("twice", "revealed twice"),
        ("no such fold", "fold 1 does not exist"),
        ("let go", "was released"),
        ("clock", "predicted before its arrival|time decreases"),
        ("differs", "depend on the batch size"),
    ],
)
def test_a_protocol_that_peeks_is_detected(how, words):
    with pytest.raises(TimetableError, match=words):
        check_timetable(Tampered(how), count=20)


def test_a_late_label_cannot_be_learned_with_its_item():
    time = np.arange(5, dtype=np.int64)
    with pytest.raises(
        TimetableError, match=r"Prequential: .* arrives 3 items after item 0; take Delayed"
    ):
        check_timetable(Prequential(), time, time + 3)
    with pytest.raises(TimetableError, match="before its label is known"):
        check_timetable(Prequential(ignore_delays=True), time, time + 3)


def test_an_item_whose_label_never_arrives_is_only_predicted():
    never = np.array([0, NEVER, 2], dtype=np.int64)
    orders = check_timetable(Prequential(), np.arange(3, dtype=np.int64), never)
    assert orders.item[orders.op == Op.PREDICT].tolist() == [0, 1, 2]
    assert orders.item[orders.op == Op.LEARN].tolist() == [0, 2]


def test_pretraining_is_one_pattern_for_any_batches():
    for size in (1, 4, 100):
        first = next(iter(Chunks(size=3, pretrain=10).timetable(arrivals(20, size))))
        assert isinstance(first, Pattern)
        assert (first.kind, first.first, first.stop) == ("learn", 0, 10)


def test_an_empty_stream_is_legal():
    assert len(walk(Prequential().timetable(iter(())))) == 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Chunks(size=0), "Chunks: size must be at least 1, got 0"),
        (lambda: Chunks(pretrain=-1), "Chunks: pretrain must be at least 0, got -1"),
        (lambda: Prequential(pretrain=-1), "Prequential: pretrain must be at least 0, got -1"),
    ],
)
def test_bad_parameters_fail_at_construction(make, words):
    with pytest.raises(ParameterError, match=words):
        make()


@pytest.mark.parametrize("kind", [Delayed, Reevaluating])
def test_folds_are_numbered_in_sixteen_bits(kind) -> None:
    assert kind(folds=65_535).folds == 65_535
    with pytest.raises(ParameterError, match=r"folds must be at most 65,535, got 65536"):
        kind(folds=65_536)
