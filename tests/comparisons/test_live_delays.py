"""Labels whose delay depends on the class or on who is wrong are noticed live."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from streamgauge.comparisons import Duel, Tournament
from streamgauge.comparisons._cohorts import Cohorts

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
            noted = duel.pairs
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
    assert later.pairs < at_once.pairs
