"""The generated streams of the recovery study against what the paper reports of them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from streamgauge.streams.batches import collect

SCRIPT = Path(__file__).parents[2] / "examples" / "recovery" / "paper_streams.py"


@pytest.fixture(scope="module")
def paper():
    spec = importlib.util.spec_from_file_location("paper_streams", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def items_of(stream):
    return collect("test", stream, 0)


@pytest.mark.parametrize(("power", "low", "high"), [(1, 0.0388, 1.7016), (3, 0.0001, 4.9271)])
def test_the_labels_of_hyper_distance_have_the_range_of_table_2(paper, power, low, high):
    label = items_of(paper.hyper_distance(66, power)).label
    assert (round(label.min(), 4), round(label.max(), 4)) == (low, high)


def test_the_numbers_are_those_of_java(paper):
    # new java.util.Random(55): nextDouble(), nextInt(4), nextInt(5), nextInt(2), nextDouble()
    draws = paper.JavaRandom(55)
    drawn = [draws.uniform(), draws.below(4), draws.below(5), draws.below(2), draws.uniform()]
    assert drawn == [0.7292657486059237, 1, 4, 0, 0.12556206306454154]


def test_the_trees_agree_on_less_than_half_of_the_items(paper):
    old = items_of(paper.random_tree(55, 2))
    other = paper.tree(paper.JavaRandom(66), 2, [0.0] * 4, [1.0] * 4)
    assert np.mean(paper.labels(other, old.x) == old.label) == pytest.approx(0.45, abs=0.005)
