"""Pairs of pure streams for a recovery analysis, and their mixture."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import recovery as twin
from samples.examples import examples
from streamgauge import streams
from streamgauge._core import uniforms
from streamgauge.errors import DataError, ParameterError
from streamgauge.names import make
from streamgauge.seeds import child
from streamgauge.streams import from_arrays, mix
from streamgauge.streams.sigmoid import share_of_old, span_of_old, width_of_angle
from streamgauge.testing import check_stream
from streamgauge.testing._check_stream import read_items


def table():
    """Two nominal features of one kind, two numeric ones, and classes."""
    columns = {
        "wet": ["no", "yes", "no", "yes"],
        "red": ["yes", "no", "no", "yes"],
        "low": [5.0, 7.0, 9.0, 3.0],
        "high": [6.0, 8.0, None, 4.0],
        "label": ["a", "b", "a", "b"],
    }
    return streams.open_stream(pa.table(columns), target="label")


def whole(stream):
    return read_items(stream, None, 8192, 0)


@given(
    n=st.integers(1, 60),
    seed=st.integers(0, 2**32),
    width=st.sampled_from([0.0, 1e-300, 0.5, 3.0, 20.0, 1e9]),
    t0=st.sampled_from([None, 1.0, 7.0, 12.5, -3.0, 100.0]),
)
@settings(max_examples=examples(80), deadline=None)
def test_the_mixture_agrees_with_its_slow_definition(n, seed, width, t0):
    a, b = (from_arrays(np.arange(n)[:, None] + first, np.zeros(n)) for first in (0.0, 1000.0))
    centre = n / 2 if t0 is None else t0
    draws = uniforms(child(seed, "mix", "draw"), 0, n).tolist()
    expected = twin.mixture([*range(n)], [*range(1000, 1000 + n)], draws, centre, width)
    found = read_items(mix(a, b, width=width, t0=t0), None, 7, seed)
    assert found.x[:, 0].tolist() == expected


@given(
    t=st.integers(1, 10**6),
    t0=st.sampled_from([1.0, 500.0, 62_500.0, 10.5]),
    width=st.sampled_from([0.0, 1e-300, 1e-3, 7.0, 3e4]),
)
@settings(max_examples=examples(200), deadline=None)
def test_the_share_agrees_with_its_slow_definition(t, t0, width):
    found = float(share_of_old(np.array([t]), t0, width)[0])
    assert found == pytest.approx(twin.share_of_old(t, t0, width), abs=1e-12)


def test_an_angle_of_a_quarter_turn_is_a_step_and_the_others_follow_the_tangent():
    for theta in (math.pi / 75, math.pi / 30, math.pi / 2):
        assert width_of_angle(theta, 8124) == twin.width_of(theta, 8124)


@given(t0=st.integers(1, 500), width=st.integers(0, 300))
@settings(max_examples=examples(100), deadline=None)
def test_outside_of_its_span_a_drift_is_almost_not_there(t0, width):
    start, end = span_of_old(t0, width)
    assert all(twin.share_of_old(t, t0, width) > 0.99 for t in range(1, start + 1))
    assert all(twin.share_of_old(t, t0, width) < 0.0101 for t in range(end + 2, end + 50))


@pytest.mark.parametrize(
    "text",
    [
        "part_of(sea(items=80, seed=1), 'attrib1', at=5.0)",
        "part_of(sea(items=80, seed=1), 'attrib1', 'second', at=5.0)",
        "part_of(stagger(items=80, seed=1), 'color', value=['green', 'red'])",
        "retarget(stagger(items=80, seed=1), 'shape', remove=['size'])",
        "retarget(sea(items=80, seed=1), 'attrib2')",
        "without(sea(items=80, seed=1), ['attrib1', 'attrib3'])",
        "reorder(sea(items=80, seed=1))",
        "reorder(sea(items=80, seed=1), ['attrib3', 'attrib1', 'attrib2'])",
        "reorder(sea(items=80, seed=1), moved=2, seed=4)",
        "complete(sea(items=80, seed=1))",
        "relabel(friedman(items=80, seed=1), 'invert')",
        "relabel(random_tree(classes=5, items=80, seed=1), 'cyclic')",
    ],
)
def test_pure_streams_can_be_named_by_text(text):
    stream = make("stream", text)
    check_stream(stream, sizes=(1, 7, 64))
    assert stream.name


def test_both_parts_of_a_split_are_the_whole():
    stream = streams.Stagger(items=90, seed=1)
    parts = [
        streams.part_of(stream, "color", part, value=["green", "red"])
        for part in ("first", "second")
    ]
    assert sum(part.length for part in parts) == 90
    assert {part.schema.names for part in parts} == {("size", "shape")}
    values = stream.schema.features[stream.schema.names.index("color")].values
    green = np.isin(
        whole(stream).x[:, stream.schema.names.index("color")],
        [values.index("green"), values.index("red")],
    )
    assert parts[0].length == green.sum() > 0


def test_two_targets_are_in_neither_of_the_inputs():
    a = streams.retarget(table(), "wet", remove=["red"])
    b = streams.retarget(table(), "red", remove=["wet"])
    assert a.schema == b.schema
    assert a.schema.names == ("low", "high")
    assert whole(a).label.tolist() == [0, 1, 0, 1]
    assert whole(b).label.tolist() == [1, 0, 0, 1]
    real = streams.retarget(table(), "high")
    assert real.schema.classes is None
    assert np.isnan(whole(real).label[2])


def test_reordered_features_have_the_values_of_others_of_their_kind():
    x, moved = whole(table()).x, whole(streams.reorder(table())).x
    assert np.array_equal(moved[:, [1, 0, 3, 2]], x, equal_nan=True)
    two = streams.reorder(streams.RandomTree(nominals=0, numerics=6, items=9), moved=3, seed=2)
    assert sum(two.columns() != np.arange(6)) == 3


def test_items_with_missing_cells_are_left_out():
    found = whole(streams.complete(table()))
    assert found.x[:, 2].tolist() == [5.0, 7.0, 3.0]
    assert found.label.tolist() == [0, 1, 1]
    with pytest.raises(ParameterError, match="complete: the stream must have no known drifts"):
        streams.complete(streams.drift(streams.SEA(), streams.SEA(3), at=5, items=9))


def test_streams_that_do_not_fit_are_refused_in_one_sentence():
    with pytest.raises(ParameterError, match="mix: features must be equal in all streams, got"):
        mix(streams.SEA(items=9), streams.Stagger(items=9), width=1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: streams.part_of(table(), "wet", "third"), "part_of: part must be 'first' or"),
        (lambda: streams.part_of(table(), "wett"), "part_of: attribute must be one of its columns"),
        (
            lambda: streams.part_of(table(), "wet", value="maybe"),
            "part_of: value must be one of 'no', 'yes', got 'maybe'",
        ),
        (
            lambda: streams.part_of(table(), "low", value="5"),
            "part_of: value must be a number for 'low', got '5'",
        ),
        (lambda: streams.part_of(table(), "wet", value=[]), "part_of: value must be at least one"),
        (lambda: streams.without(table(), "lo"), "without: features must be one of its columns"),
        (lambda: streams.without(table(), []), "without: features must be different names"),
        (lambda: streams.retarget(table(), "lo"), "retarget: feature must be one of its columns"),
        (
            lambda: streams.retarget(table(), "low", remove="low"),
            "retarget: remove must be different features other than the target",
        ),
        (lambda: streams.reorder(table(), ["wet"]), "reorder: order must be every feature once"),
        (
            lambda: streams.reorder(table(), ["low", "red", "wet", "high"]),
            "reorder: order must exchange features of one kind, got 'low' for 'wet'",
        ),
        (lambda: streams.reorder(table(), moved=3), "reorder: moved must be at most 2"),
        (lambda: streams.reorder(table(), moved=1), "reorder: moved must be at least 2"),
        (
            lambda: streams.reorder(table(), ["red", "wet", "low", "high"], moved=2),
            "reorder: moved must be omitted with an order",
        ),
        (
            lambda: streams.reorder(from_arrays(np.zeros((2, 1)), np.zeros(2))),
            "must have two features of one kind",
        ),
    ],
)
def test_wrong_parameters_are_refused(call, sentence):
    with pytest.raises((ParameterError, DataError), match=sentence):
        call()
