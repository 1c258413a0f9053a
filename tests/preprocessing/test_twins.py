"""Every transformer equals its twin, which computes its statistics from all rows learned."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oracles import preprocessing as slow
from streamgauge.lazy import members
from streamgauge.preprocessing import (
    DateParts,
    Imputer,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)
from streamgauge.types import Feature, Schema

CELLS = st.one_of(
    st.sampled_from([np.nan, 0.0, -0.0, 1.0, 1e300, -1e300, 1e-300]),
    st.integers(-4, 4).map(float),
    st.floats(-1e3, 1e3),
)
WEIGHTS = st.sampled_from([1.0, 1.0, 0.5, 3.0, 1e6])


@dataclass(frozen=True)
class Rows:
    columns: list[int | None]
    rows: np.ndarray
    weights: list[float]

    @property
    def schema(self):
        values = [None if k is None else tuple(f"v{i}" for i in range(k)) for k in self.columns]
        return Schema(tuple(Feature(f"x{i}", v) for i, v in enumerate(values)))


@st.composite
def tables(draw, extreme=True):
    columns = draw(st.lists(st.sampled_from([None, None, 1, 3]), max_size=11))
    numbers = CELLS if extreme else st.one_of(st.just(np.nan), st.floats(-1e3, 1e3))
    cell = [
        numbers if k is None else st.sampled_from([np.nan, *map(float, range(k)), float(k)])
        for k in columns
    ]
    rows = draw(st.lists(st.tuples(*cell), max_size=12))
    table = np.array(rows, np.float64).reshape(len(rows), len(columns))
    weights = draw(st.lists(WEIGHTS, min_size=len(rows), max_size=len(rows)))
    return Rows(columns, table, weights)


PAIRS = {
    "standard_scaler": (StandardScaler(), slow.StandardScaler, {}),
    "min_max_scaler": (MinMaxScaler(), slow.MinMaxScaler, {}),
    "min_max_scaler, clip": (MinMaxScaler(clip=True), slow.MinMaxScaler, {"clip": True}),
    "robust_scaler": (RobustScaler(), slow.RobustScaler, {}),
    "robust_scaler, short": (
        RobustScaler(window_size=3, q_inf=0.1, q_sup=1.0),
        slow.RobustScaler,
        {"window_size": 3, "q_inf": 0.1, "q_sup": 1.0},
    ),
    "imputer": (Imputer(fill_value=7.5), slow.Imputer, {"fill_value": 7.5}),
    "imputer, constant": (
        Imputer("constant", fill_value=-1),
        slow.Imputer,
        {"strategy": "constant", "fill_value": -1.0},
    ),
    **{
        f"imputer, {strategy}": (
            Imputer(strategy, window_size=4),
            slow.Imputer,
            {"strategy": strategy, "window_size": 4},
        )
        for strategy in ("median", "most_frequent")
    },
    "one_hot_encoder": (OneHotEncoder(), slow.OneHotEncoder, {}),
}


def test_every_transformer_has_a_twin():
    made = {type(spec).__name__ for spec, _, _ in PAIRS.values()} | {"DateParts"}
    interfaces = {"Transformer", "BoundTransformer"}
    assert made == set(members("streamgauge.preprocessing")) - interfaces


@pytest.mark.parametrize("name", PAIRS)
@given(given_rows=tables())
def test_it_equals_its_twin_at_every_moment(name, given_rows):
    spec, kind, options = PAIRS[name]
    bound, twin = spec.bind(given_rows.schema), kind(given_rows.columns, **options)
    for row, weight in zip(given_rows.rows, given_rows.weights, strict=True):
        before = bound.transform(row[None])[0]
        assert_same(before, twin.transform(row.tolist()), twin)
        np.testing.assert_array_equal(bound.transform(row[None])[0], before)
        bound.learn(row, weight)
        twin.learn(row.tolist(), weight)
        assert_same(bound.transform(row[None])[0], twin.transform(row.tolist()), twin)
    assert bound.schema.names == tuple(dict.fromkeys(bound.schema.names))
    assert bound.transform(given_rows.rows).shape[1] == len(bound.schema.features)


def assert_same(found, expected, twin):
    """Equal up to rounding; a mean of large values of both signs has an error of their size."""
    largest = 1.0
    if isinstance(twin, slow.Imputer):
        cells = [x for row, _ in twin.learned for x in row if not np.isnan(x)]
        largest = max((abs(slow.clipped(x)) for x in cells), default=1.0)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * max(1.0, largest))


@given(given_rows=tables(extreme=False))
def test_several_in_a_chain_learn_what_the_one_before_makes(given_rows):
    specs = [Imputer("median"), StandardScaler(), OneHotEncoder(), MinMaxScaler()]
    kinds = [slow.Imputer, slow.StandardScaler, slow.OneHotEncoder, slow.MinMaxScaler]
    options = [{"strategy": "median"}, {}, {}, {}]
    schema, bound, twins = given_rows.schema, [], []
    for spec, kind, option in zip(specs, kinds, options, strict=True):
        columns = [None if f.values is None else len(f.values) for f in schema.features]
        bound.append(spec.bind(schema))
        twins.append(kind(columns, **option))
        schema = bound[-1].schema
    chain = slow.Chain(twins)
    for row, weight in zip(given_rows.rows, given_rows.weights, strict=True):
        before = after = row[None]
        for one in bound:
            before, after = one.transform_and_learn(
                before, after, np.array([True]), np.array([weight])
            )
        # a column of a few nearly equal values has a deviation of the size of its rounding
        np.testing.assert_allclose(before[0], chain.transform(row.tolist()), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(
            after[0], chain.learn(row.tolist(), weight), rtol=1e-6, atol=1e-6
        )


PARTS = ("year", "month", "day", "day_of_year", "weekday", "hour", "minute", "second")


@given(
    when=st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), column=st.sampled_from([0, 1, 2])
)
@example(when=datetime(2000, 2, 29, 23, 59, 59, 999999), column=0)
@example(when=datetime(1900, 3, 1), column=1)
@example(when=datetime(1969, 12, 31, 23, 59, 59, 999999), column=2)
@example(when=datetime(2024, 12, 31), column=0)
def test_parts_of_a_time_are_those_of_the_calendar(when, column):
    ticks = float((when - datetime(1970, 1, 1)) // (datetime.resolution))
    row = [3.0, 4.0, 5.0]
    row[column] = ticks
    schema = Schema(tuple(Feature(name) for name in "abc"))
    bound = DateParts("abc"[column], PARTS).bind(schema)
    if abs(ticks) > 2**53:
        assert np.isnan(bound.transform(np.array([row]))[0][2:]).all()
        return
    twin = slow.DateParts([None] * 3, at=column, parts=PARTS)
    assert bound.transform(np.array([row]))[0].tolist() == twin.transform(row)


def test_a_unit_of_times_and_a_column_that_is_kept():
    schema = Schema((Feature("t"), Feature("x")))
    for unit, by in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        bound = DateParts("t", ["second", "hour"], unit=unit, keep=True).bind(schema)
        assert bound.schema.names == ("t", "x", "t.second", "t.hour")
        row = np.array([[7205.0 * by + 0.5, 1.0], [np.nan, 2.0]])
        made = bound.transform(row)
        np.testing.assert_array_equal(made[:, :2], row)
        np.testing.assert_array_equal(made[:, 2:], [[5.0, 2.0], [np.nan, np.nan]])


@pytest.mark.parametrize("kind", [StandardScaler, MinMaxScaler, RobustScaler])
def test_only_the_named_columns_are_scaled(kind):
    schema = Schema((Feature("a"), Feature("b"), Feature("c")))
    rows = np.random.default_rng(0).normal(size=(20, 3))
    some, every = kind(columns=["c", "a"]).bind(schema), kind().bind(schema)
    for row in rows:
        some.learn(row)
        every.learn(row)
    expected = every.transform(rows)
    expected[:, 1] = rows[:, 1]
    np.testing.assert_array_equal(some.transform(rows), expected)
