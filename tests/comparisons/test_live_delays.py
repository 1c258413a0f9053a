"""Labels whose delay depends on the class or on who is wrong are noticed live."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np
import pytest

from streamgauge.comparisons import Duel, Tournament
from streamgauge.comparisons._cohorts import Cohorts
from streamgauge.errors import DataError

NOTE = "The verdict is about the labels that have come."


def live(delay, items=4000, seed=0, per_class=(0.1, 0.3), **options):
    """A duel of learners that are equal overall; yields it after every 100 items.

    A is wrong on `per_class[label]` of the items of a class, B the other way round. `delay` gives
    the delay of a label from (label, loss of A, loss of B, random number).
    """
    rng = np.random.default_rng(seed)
    duel = Duel("a", "b", **options)
    due: list[tuple[int, int, int]] = []
    for item in range(items):
        label = int(rng.integers(0, 2))
        wrong = rng.random(2) < (per_class[label], per_class[1 - label])
        duel.observe(item, *np.where(wrong, 1 - label, label).tolist())
        heapq.heappush(due, (item + delay(label, *wrong, rng.random()), item, label))
        while due and due[0][0] <= item:
            _, late, y = heapq.heappop(due)
            duel.label(late, y)
        if item % 100 == 99:
            yield duel


DEPENDENT = {
    "by class": lambda label, a, b, u: int(20 * u) + 400 * label,
    "by class, with spread": lambda label, a, b, u: int(100 * u * (1 + label)),
    "by the error": lambda label, a, b, u: int(20 * u) + 300 * int(a and not b),
    "a class that never comes": lambda label, a, b, u: int(20 * u) + 10**6 * label,
}


@pytest.mark.parametrize("name", DEPENDENT)
@pytest.mark.parametrize("seed", range(3))
def test_delays_that_depend_on_class_or_error_are_noted_before_a_winner(name, seed):
    noted = None
    for duel in live(DEPENDENT[name], seed=seed):
        if noted is None and NOTE in duel.verdict().notes:
            noted = duel.n_labels
        if duel.ever_decided:
            break
    assert noted is not None
    assert not duel.ever_decided or noted < duel.first_decided_at


def test_the_note_says_which_labels_are_late():
    *_, duel = live(DEPENDENT["by class"])
    assert any("Labels of class 1 arrive later" in note for note in duel.verdict().notes)
    *_, duel = live(DEPENDENT["by the error"], per_class=(0.2, 0.2))
    assert any("Labels of items on which b lost less" in note for note in duel.verdict().notes)
    *_, duel = live(DEPENDENT["a class that never comes"])
    assert any("have no label yet" in note for note in duel.verdict().notes)


@pytest.mark.parametrize("spread", [0, 50, 700])
def test_delays_that_depend_on_nothing_are_not_noted(spread):
    noted = sum(
        NOTE in duel.verdict().notes
        for seed in range(5)
        for duel in live(lambda label, a, b, u: 5 + int(spread * u), seed=seed, items=2000)
    )
    assert noted == 0


def test_late_labels_of_items_that_are_left_out_are_not_noted():
    duel = Duel(cold_start="skip")
    due: list[tuple[int, int]] = []
    for item in range(4000):
        left_out = item % 4 == 0
        duel.observe(item, None if left_out else item % 3, item % 2)
        heapq.heappush(due, (item + (300 if left_out else item % 5), item))
        while due and due[0][0] <= item:
            duel.label(heapq.heappop(due)[1], 1)
    assert not any("lost the same" in note for note in duel.verdict().notes)


def test_a_tournament_notes_it_too():
    rng = np.random.default_rng(0)
    match = Tournament(["a", "b", "c"])
    due = []
    for item in range(1500):
        label = int(rng.integers(0, 2))
        match.observe(item, {name: int(rng.integers(0, 2)) for name in "abc"})
        heapq.heappush(due, (item + 200 * label, item, label))
        while due and due[0][0] <= item:
            _, late, y = heapq.heappop(due)
            match.label(late, y)
    assert NOTE in match.comparison().to_text()


def test_labels_count_when_most_of_their_cohort_are_known():
    cohorts = Cohorts("test", 0.9)
    counted = []
    for index in range(1, 90):
        counted += cohorts.add(index, (1.0, 0.0))
    assert counted == []
    assert len(cohorts.add(90, None)) == 89
    assert cohorts.add(91, (0.0, 1.0)) == [(0.0, 1.0)]
    assert cohorts.add(101, (0.0, 0.0)) == []
    ordered = Cohorts("test", 0.02)
    ordered.add(7, (7.0, 0.0))
    assert ordered.add(3, (3.0, 0.0)) == [(3.0, 0.0), (7.0, 0.0)]


def test_a_share_of_labels_removes_the_bias_of_late_classes():
    """A is better on class 0, whose labels come first; overall both are equal."""
    *_, at_once = live(DEPENDENT["by class"], per_class=(0.1, 0.5), spell=20)
    *_, later = live(DEPENDENT["by class"], per_class=(0.1, 0.5), spell=20, labelled_share=0.95)
    assert at_once.ever_decided
    assert not later.ever_decided
    assert later.n_labels < at_once.n_labels


def items_of_a_stream(count, seed):
    """Predictions of two learners and labels of three classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, count)
    return (*(np.where(rng.random(count) < 0.3, (y + 1) % 3, y) for _ in "ab"), y)


@pytest.mark.parametrize("share", [None, 0.02, 0.9, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_arrays_are_the_same_as_items_one_by_one(share, seed):
    """Also where some items come one by one, and where delays are thinned out."""
    rng = np.random.default_rng(seed)
    count = int(rng.choice([150, 5000, 20_000]))
    a, b, y = items_of_a_stream(count, seed)
    cuts = [0, *sorted(rng.choice(count, 4, replace=False).tolist()), count]
    one_by_one, arrays = (Duel(labelled_share=share) for _ in "12")
    for nth, (start, stop) in enumerate(pairwise(cuts)):
        for i in range(start, stop):
            one_by_one.observe(i, a[i].item(), b[i].item())
            one_by_one.label(i, y[i].item())
        if nth % 2:
            arrays.update(a[start:stop], b[start:stop], y[start:stop])
            continue
        for i in range(start, stop):
            arrays.observe(i, a[i].item(), b[i].item())
            arrays.label(i, y[i].item())
    assert arrays.n_labels == one_by_one.n_labels
    assert arrays._delays.__dict__ == one_by_one._delays.__dict__
    assert arrays.verdict().to_text() == one_by_one.verdict().to_text()


def test_overdue_labels_are_noted_where_the_others_come_at_once():
    duel = Duel()
    for item in range(2000):
        duel.observe(item, 0, item % 3 == 0)
        if item % 2:
            duel.label(item, 0)
    note = next(note for note in duel.verdict().notes if "no label yet" in note)
    assert note == (
        "50 % of the items observed before the last one have no label yet, while 95 % of the "
        "labels came at once."
    )


def test_arrays_that_one_pair_refuses_are_added_to_none():
    live = Tournament(["a", "b", "c"], loss="absolute")
    with pytest.raises(DataError, match="Tournament: predictions and labels must be numbers"):
        live.update({"a": [1.0], "b": [2.0], "c": ["x"]}, [1.0])
    assert [duel.n_labels for duel in live._duels.values()] == [0, 0, 0]


def test_a_decision_that_was_read_stays():
    """One between two checks of the test, which the next check does not confirm."""
    rng = np.random.default_rng(1)
    a, b = ((rng.random(2500) < rate).astype(int) for rate in (0.3, 0.34))
    y = np.zeros(2500, int)
    live = Tournament(["a", "b"], spell=20)
    live.update({"a": a[:1150], "b": b[:1150]}, y[:1150])
    decided = []
    for i in range(1150, 1170):
        live.update({"a": a[i : i + 1], "b": b[i : i + 1]}, y[i : i + 1])
        decided.append([(d.winner, d.at) for d in live.first_decisions])
    first = decided.index([("a", 1158)])
    assert decided[first:] == [[("a", 1158)]] * (len(decided) - first)


@pytest.mark.parametrize("percent", range(1, 101))
def test_a_cohort_counts_with_the_given_share(percent):
    cohorts = Cohorts("test", percent / 100)
    released = [len(cohorts.add(index, (1.0, 0.0))) for index in range(1, 101)]
    assert released == [0] * (percent - 1) + [percent] + [1] * (100 - percent)
