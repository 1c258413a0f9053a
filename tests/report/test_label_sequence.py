"""Labels against a random order: the counter against its slow twin, in any batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import random_label_order as slow
from streamgauge.report import label_sequence as fast

labels = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.integers(0, k - 1), min_size=1, max_size=150)
)


def counted(y, classes, by):
    counter = fast.LabelSequenceCounter(classes)
    for low in range(0, len(y), by):
        counter.push(np.array([-1, *y[low : low + by]], np.int32))
    return counter.finish()


@pytest.mark.parametrize("block", [5, 20, 50])
@pytest.mark.parametrize("most", [1, 64])
@given(y=labels, times=st.integers(1, 3), by=st.sampled_from([1, 7, 400]))
def test_the_order_is_that_of_the_slow_twin(block, most, y, times, by):
    with pytest.MonkeyPatch.context() as patch:
        for module in (fast, slow):
            patch.setattr(module, "BLOCK", block)
            patch.setattr(module, "SPANS", 3)
            patch.setattr(module, "MOST_CLASSES", most)
        y = y * times
        found = counted(y, 4, by)
        assert found.counts.tolist() == [y.count(c) for c in range(4)]
        assert found.z_repeats == pytest.approx(slow.z_repeats(y), nan_ok=True)
        assert found.p_shares == pytest.approx(slow.p_shares(y))
        expected = sorted(slow.successions(y, 4))
        own = sorted((s.lag, s.before, s.after, s.rate, s.expected, s.p) for s in found.successions)
        assert [one[:3] for one in own] == [one[:3] for one in expected]
        for one, two in zip(own, expected, strict=True):
            assert one[3:] == pytest.approx(two[3:], rel=1e-6)
        for c in set(y):
            limit = slow.limit(y, c, 4) if y.count(c) >= 30 else np.nan
            assert found.limits[c] == pytest.approx(limit, nan_ok=True)
        starts, seen, _ = slow.succession(y, 1, y[0], y[0])
        assert found.rate_of_repeats(y[0]) == pytest.approx(
            seen / starts if starts else np.nan, nan_ok=True
        )
