"""Positions of items among labels: events at equal times, in the order the protocol declares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from oracles import reevaluation as oracle
from samples.examples import examples
from streamgauge.late._labels_before import labels_before
from streamgauge.protocols import Chunks, Delayed


@st.composite
def arrivals(draw):
    """(time, label time or None) of items, with many ties."""
    steps = draw(st.lists(st.sampled_from([0, 0, 1, 3]), min_size=1, max_size=12))
    delays = [draw(st.sampled_from([0, 0, 1, 2, 5, None])) for _ in steps]
    time = np.cumsum(steps).tolist()
    return [(t, None if d is None else t + d) for t, d in zip(time, delays, strict=True)]


def run(items, protocol):
    y = np.arange(len(items)) % 2
    stream = sg.streams.from_arrays(
        np.zeros((len(items), 1)),
        y,
        classes=(0, 1),
        task="classification",
        time=np.array([t for t, _ in items]),
        label_time=np.array([np.nan if until is None else until for _, until in items]),
    )
    return sg.run(stream, sg.learners.MajorityClass(), protocol, seed=1)


@pytest.mark.parametrize("split", [None, "cross", "split", "bootstrap"])
@pytest.mark.parametrize("ties", ["labels_first", "items_first"])
@given(items=arrivals())
@settings(max_examples=examples(40), deadline=None)
def test_the_number_of_labels_before_an_item_is_that_of_the_events(split, ties, items):
    log = run(items, Delayed(ties=ties, folds=1 if split is None else 3, split=split))
    events = oracle.in_order([(t, 0, 0, until, []) for t, until in items], ties == "labels_first")
    known, before = 0, {}
    for what, k, *_ in events:
        before[k] = before.get(k, known)
        known += what == "label"
    predicted = {int(item) for part in log.predictions() for item in part.item}
    expected = []
    for item in range(len(items) + 2):
        after = [k for k in predicted if k >= item]
        expected.append(before[min(after)] if after else known)
    assert labels_before(log, range(len(items) + 2)) == expected


def test_labels_of_a_burst_are_known_before_the_item_of_the_same_time():
    stream = sg.streams.delay(sg.streams.SEA(items=500), sg.delays.Bursts(100))
    log = sg.run(stream, sg.learners.NaiveBayes(), Delayed())
    # Item 0 has its label at once; the first delivery has those of items 1 to 99.
    assert labels_before(log, [0, 1, 99, 100, 101, 200]) == [0, 1, 1, 100, 101, 200]


def test_labels_of_a_chunk_follow_its_items():
    log = sg.run(sg.streams.SEA(items=50), sg.learners.NaiveBayes(), Chunks(20))
    assert labels_before(log, [0, 19, 20, 39, 40, 50]) == [0, 0, 20, 20, 40, 50]


@pytest.mark.parametrize("fold", [None, 1])
def test_items_of_one_bin_arrive_when_they_arrived_in_the_log(fold):
    stream = sg.streams.delay(sg.streams.SEA(items=500), 60)
    log = sg.run(stream, sg.learners.NaiveBayes(), sg.protocols.Reevaluating(folds=2))
    items = range(0, 500, 7)
    expected = labels_before(log, items)
    assert labels_before(sg.late.at_bin(log, 51, fold=fold), items) == expected
    assert expected[-1] < log.label_count()
