"""Any rows of `Known` hold the same labels and previous labels as the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.log._previous import Known


def whole(n: int, written_out: bool, weighted: bool) -> Known:
    label = np.arange(10, 10 + n, dtype=np.int32)
    previous = np.arange(50, 50 + n, dtype=np.int32) if written_out else None
    weight = np.arange(n) / 2 if weighted else None
    item, time = np.arange(n, dtype=np.uint64), np.arange(n) * 3
    return Known(item, time, label, 100, 100 + n, np.array([7], np.int32), previous, weight)


@given(st.integers(0, 6), st.data(), st.booleans(), st.booleans())
def test_a_slice_is_the_slice_of_every_column(n, data, written_out, weighted):
    rows = whole(n, written_out, weighted)
    start = data.draw(st.integers(0, n))
    stop = data.draw(st.integers(start, n + 2))
    part = rows.slice(start, stop)
    assert (part.start, part.stop) == (100 + start, 100 + min(stop, n))
    for name in ("item", "time", "label", "written_out"):
        assert getattr(part, name).tolist() == getattr(rows, name)[start:stop].tolist(), name
    assert (part.weight is None) == (not weighted)
    if weighted:
        assert part.weight.tolist() == rows.weight[start:stop].tolist()


@pytest.mark.parametrize("rows", [[], [0], [1, 1, 3], [0, 2, 4]])
@pytest.mark.parametrize("written_out", [False, True])
def test_chosen_rows_keep_their_previous_labels(rows, written_out):
    known = whole(5, written_out, weighted=True)
    part = known.take(np.array(rows, np.int64))
    assert part.stop == (100 + rows[-1] + 1 if rows else 100)
    for name in ("item", "time", "label", "written_out", "weight"):
        assert getattr(part, name).tolist() == getattr(known, name)[rows].tolist(), name
