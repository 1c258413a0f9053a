"""Drifts injected into a stream."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.errors import ParameterError
from streamgauge.streams import Friedman, from_arrays, inject, open_stream, take
from streamgauge.types import Batch

X = np.arange(40.0).reshape(10, 4)
Y = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])


def whole(stream, size=8192, seed=0):
    return Batch.concatenate(list(stream.batches(size, seed)))


def test_classes_become_the_next_ones_after_each_drift():
    changed = whole(inject(from_arrays(X, Y), [4, 7]))
    assert changed.label.tolist() == [*Y[:4], *(Y[4:7] + 1) % 3, *(Y[7:] + 2) % 3]
    assert changed.x.tolist() == X.tolist()


def test_missing_labels_stay_missing():
    stream = from_arrays(X, np.array(["a", "b", None] * 3 + ["a"], object))
    labels = whole(inject(stream, 2)).label
    assert labels.tolist() == [0, 1, -1, 1, 0, -1, 1, 0, -1, 1]


def test_features_are_exchanged_without_a_fixed_point():
    stream = inject(from_arrays(X, Y), [4, 7], "permute_features")
    changed = whole(stream, seed=3)
    assert changed.x[:4].tolist() == X[:4].tolist()
    orders = []
    for rows in (slice(4, 7), slice(7, 10)):
        order = [int(v) % 4 for v in changed.x[rows][0]]
        assert sorted(order) == [0, 1, 2, 3]
        assert changed.x[rows].tolist() == X[rows][:, order].tolist()
        orders.append(order)
    before = [0, 1, 2, 3]
    for order in orders:
        assert all(a != b for a, b in zip(before, order, strict=True))
        before = order
    assert changed.label.tolist() == Y.tolist()


def test_only_features_of_one_kind_are_exchanged():
    columns = {"a": np.arange(6.0), "b": ["u", "v"] * 3, "c": -np.arange(6.0), "d": ["u", "w"] * 3}
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns | {"y": [0, 1] * 3})
    stream = open_stream(frame, target="y")
    changed, plain = whole(inject(stream, 3, "permute_features")), whole(stream)
    assert changed.x[3:, 0].tolist() == plain.x[3:, 2].tolist()
    assert changed.x[3:, 2].tolist() == plain.x[3:, 0].tolist()
    assert changed.x[:, [1, 3]].tolist() == plain.x[:, [1, 3]].tolist()


@pytest.mark.parametrize("change", ["cycle_classes", "permute_features"])
@pytest.mark.parametrize("width", [0, 4])
def test_items_do_not_depend_on_the_batches(change, width):
    stream = inject(from_arrays(np.tile(X, (20, 1)), np.tile(Y, 20)), [50, 120], change, width)
    one, other = whole(stream, seed=5), whole(stream, size=7, seed=5)
    assert one.x.tolist() == other.x.tolist()
    assert one.label.tolist() == other.label.tolist()


def test_a_gradual_drift_mixes_both_concepts_inside_its_span():
    n = 4000
    stream = inject(from_arrays(np.zeros((n, 1)), np.arange(n) % 2), 2000, width=400)
    [drift] = stream.schema.drifts
    new = whole(stream).label != np.arange(n) % 2
    assert (drift.kind, drift.centre) == ("gradual", 2000)
    assert not new[: drift.start - 200].any()
    assert new[drift.end + 200 :].all()
    assert 0.4 < new[1900:2100].mean() < 0.6


def test_the_drifts_of_the_stream_are_kept():
    stream = inject(inject(from_arrays(X, Y), 3), 6)
    assert [d.start for d in stream.schema.drifts] == [3, 6]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda s: inject(s, []), "inject: at must be increasing items, at least one, got ()"),
        (lambda s: inject(s, [5, 5]), "inject: at must be increasing items, at least one, got"),
        (lambda s: inject(s, 0), "inject: at must be at least 1, got 0"),
        (lambda s: inject(s, 10), "inject: at must be items before the end of"),
        (lambda s: inject(s, 5, "swap"), "inject: change must be 'cycle_classes' or"),
        (lambda s: inject(s, 5, width=-1), "inject: width must be at least 0, got -1"),
        (
            lambda s: inject(take(Friedman(), 10), 5),
            "inject: change must be 'permute_features' for",
        ),
        (
            lambda s: inject(from_arrays(X[:, :1], Y), 5, "permute_features"),
            "inject: change must be 'cycle_classes' for",
        ),
    ],
)
def test_a_wrong_parameter_is_named(make, sentence):
    with pytest.raises(ParameterError) as caught:
        make(from_arrays(X, Y))
    assert str(caught.value).startswith(sentence)
