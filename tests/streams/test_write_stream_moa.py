"""MOA reads the written ARFF files: the same attributes, the same items."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge import streams
from streamgauge.streams import from_arrays, write_stream
from streamgauge.testing._check_stream import read_items

pytestmark = pytest.mark.capymoa

CODES = np.array([[0, 1.5], [2, np.nan], [np.nan, -1e300], [1, 1 / 3]])
STREAMS = {
    "generated": lambda: streams.Agrawal(items=500),
    "missing cells, odd words": lambda: from_arrays(
        CODES, np.array([7, 5, 5, 7]), names=["zone, city", "it's"], target="the label",
        nominal={0: ["x y", "b", 'say "x"']}, classes=(7, 5),
    ),
    "a real target": lambda: from_arrays(CODES[:, 1:], np.array([0.1, -2, 3e-300, 1 / 3])),
}  # fmt: skip


@pytest.mark.parametrize("name", STREAMS)
def test_moa_reads_the_items_that_were_written(tmp_path, name):
    moa = pytest.importorskip("capymoa.stream")
    stream = STREAMS[name]()
    path = write_stream(stream, tmp_path / "s.arff", plain=True).path
    theirs = moa.ARFFStream(str(path))
    schema, items = theirs.get_schema(), read_items(stream, None, 8192, 0)
    assert schema.get_num_attributes() == len(stream.schema.features)
    if stream.schema.classes is not None:
        assert schema.get_label_values() == [str(value) for value in stream.schema.classes]
    rows, labels = [], []
    while theirs.has_more_instances():
        item = theirs.next_instance()
        rows.append(item.x)
        labels.append(item.y_value if stream.schema.classes is None else item.y_index)
    np.testing.assert_array_equal(rows, items.x)
    np.testing.assert_array_equal(labels, items.label)
