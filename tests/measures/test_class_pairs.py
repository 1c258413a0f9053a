"""The class pairs of the ranking summary."""

from __future__ import annotations

from itertools import permutations

import pytest

from streamgauge.summaries.ranking import class_pairs_of


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_each_part_of_the_summary_has_all_its_pairs(classes):
    against_all = [(c, None) for c in range(classes)]
    assert class_pairs_of(frozenset({"each"}), classes) == against_all
    rest = against_all if classes > 2 else [(1, None)]
    assert class_pairs_of(frozenset({"rest"}), classes) == rest
    pairs = list(permutations(range(classes), 2))
    assert class_pairs_of(frozenset({"pairs"}), classes) == pairs
    assert class_pairs_of(frozenset(), classes) == []
