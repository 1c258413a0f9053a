"""`revise` counts in the unit it is given."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.errors import DataError
from streamgauge.streams import delay, from_arrays, revise
from streamgauge.streams.columns import TICKS, column_number


@pytest.mark.parametrize("unit", [u for u in TICKS if u != "tick"])
def test_an_update_comes_as_many_units_later_as_its_column_has(unit):
    day = TICKS["day"]
    x = np.array([[1.0, 2.0, 3.0], [4.0, 3.0, 5.0]])
    start = np.array([0, 1]) * 40 * day
    stream = from_arrays(
        x, np.array([0.0, 1.0]), names=["a", "after", "later"], time=start.astype("datetime64[us]")
    )
    late = delay(stream, 30 * 24, unit="h")
    (batch,) = revise(late, after="after", columns={"a": "later"}, unit=unit).batches()
    np.testing.assert_array_equal(batch.updates.time - start, np.array([2, 3]) * TICKS[unit])


def test_up_to_twenty_columns_are_all_listed():
    for columns, tail in ((19, ""), (20, ""), (21, ", … (21 in all)")):
        names = [f"c{i}" for i in range(columns)]
        with pytest.raises(DataError) as caught:
            column_number("t.csv", "target", "zzz", names)
        assert str(caught.value).endswith("columns: " + ", ".join(names[:20]) + tail)
