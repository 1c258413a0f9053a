"""Combinators compared with direct computation."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples.examples import examples
from streamgauge import streams
from streamgauge.errors import DataError, ParameterError
from streamgauge.lazy import members
from streamgauge.streams import (
    SEA,
    Friedman,
    concatenate,
    delay,
    drift,
    from_arrays,
    impute,
    inject,
    mix,
    relabel,
    shuffle,
    shuffle_within_class,
    skip,
    split_on,
    take,
)
from streamgauge.testing import check_stream
from streamgauge.testing._check_stream import read_items, same_items
from streamgauge.types import NEVER, Drift

FAST = settings(max_examples=examples(60), deadline=None)


def numbered(n, k=3, **options):
    """Make items whose only feature is their number, with alternating labels."""
    x = np.arange(float(n)).reshape(n, 1)
    return from_arrays(x, np.arange(n) % k, classes=range(k), **options)


def whole(stream, seed=0):
    return read_items(stream, None, 8192, seed)


def every_combinator():
    a = numbered(200, drifts=(Drift(50, 60, 70, "gradual"), Drift(120, 120, 120)))
    timed = numbered(200, time=np.arange(200) * 10, label_time=np.arange(200) * 10 + 35)
    gaps = from_arrays(
        np.where(np.random.default_rng(0).random((300, 2)) < 0.3, np.nan, 2.0),
        np.where(np.arange(300) % 7 == 0, np.nan, np.arange(300) / 2),
    )
    for stream in (a, timed):
        yield take(stream, 77)
        yield skip(stream, 77)
        yield shuffle(stream)
        yield shuffle(stream, seed=5)
        yield shuffle_within_class(stream)
        yield relabel(stream, "cyclic")
        yield relabel(stream, {0: 2})
        yield inject(stream, [50, 90], width=20)
        yield delay(stream, 30)
        yield mix(stream, relabel(stream, "invert"), width=40)
        yield from split_on(stream, "x0", at=99.5)
        yield impute(stream)
    yield concatenate(a, take(a, 10), a, drift=True)
    yield concatenate(take(SEA(), 100), take(SEA(2), 50))
    yield mix(take(SEA(), 500), take(SEA(3), 400), theta=math.pi / 30)
    yield shuffle(take(SEA(), 300))
    yield take(delay(SEA(), 10), 100)
    yield skip(take(delay(SEA(), 10), 100), 20)
    for how in ("mean", "last", "zero"):
        yield impute(gaps, how)
    yield relabel(gaps, "invert")
    yield shuffle(gaps)
    yield take(a, 0)
    yield skip(a, 1000)


@pytest.mark.parametrize("nth", range(len(list(every_combinator()))))
def test_every_combinator_passes_check_stream(nth):
    stream = list(every_combinator())[nth]
    check_stream(stream, sizes=(1, 7, 64))
    check_stream(stream, sizes=(10,), seed=3)
    assert stream.name


def test_no_module_has_the_name_of_a_public_function():
    """Importing streams.x binds x on the package, so a function must not have its module's name."""
    for name, module in members("streamgauge.streams").items():
        assert module.rpartition(".")[2] != name


@FAST
@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 50))
def test_take_and_skip_split_a_stream(n, cut, at):
    stream = numbered(50, drifts=(Drift(at, at, at),))
    head, tail = whole(take(stream, cut)), whole(skip(stream, cut))
    x = [row for part in (head, tail) if part is not None for row in part.x[:, 0]]
    assert x == list(range(50))
    assert take(stream, cut).schema.drifts == ((Drift(at, at, at),) if at < cut else ())
    left = (Drift(at - cut, at - cut, at - cut),) if at > cut or not cut else ()
    assert skip(stream, cut).schema.drifts == left
    assert take(skip(stream, cut), n).length == max(0, min(n, 50 - cut))


def test_a_drift_in_progress_is_truncated():
    stream = numbered(100, drifts=(Drift(20, 30, 40, "gradual"),))
    assert take(stream, 25).schema.drifts == (Drift(20, 25, 25, "gradual"),)
    assert skip(stream, 25).schema.drifts == (Drift(0, 5, 15, "gradual"),)
    assert skip(stream, 40).schema.drifts == ()


def test_delays_in_items_are_kept_when_items_are_renumbered():
    stream = skip(delay(numbered(20), 5), 8)
    items = whole(stream)
    assert items.label_time.tolist() == [i + 5 for i in range(12)]


def test_concatenate_shifts_drifts_and_marks_boundaries():
    a = numbered(100, drifts=(Drift(20, 30, 40, "gradual"),))
    b = numbered(50, drifts=(Drift(10, 10, 10),))
    assert [d.centre for d in concatenate(a, b, a).schema.drifts] == [30, 110, 180]
    assert [d.centre for d in concatenate(a, b, a, drift=True).schema.drifts] == [
        30, 100, 110, 150, 180,
    ]  # fmt: skip
    x = whole(concatenate(a, b)).x[:, 0].tolist()
    assert x == [*range(100), *range(50)]
    with pytest.raises(ParameterError, match="classes must be equal in all streams"):
        concatenate(a, numbered(50, k=2))
    with pytest.raises(
        ParameterError, match=r"but the last must have a known length, got SEA; pass take"
    ):
        concatenate(SEA(), SEA())
    with pytest.raises(ParameterError, match="streams must be at least one, got 0"):
        concatenate()
    late, early = (numbered(5, time=np.arange(5) + t) for t in (100, 0))
    with pytest.raises(DataError, match=r"time must not decrease, got 0 at the start of arrays"):
        whole(concatenate(late, early))
    assert len(whole(concatenate(early, late))) == 10


def test_concatenated_generators_have_different_seeds():
    twice = whole(concatenate(take(SEA(), 50), take(SEA(), 50)))
    assert not np.array_equal(twice.x[:50], twice.x[50:])
    once = whole(take(SEA(), 50))
    assert np.array_equal(twice.x[:50], once.x)


def test_a_shuffle_is_a_permutation_determined_by_the_seed():
    stream = numbered(1000)
    one, same, other = (whole(shuffle(stream, seed=s)).x[:, 0] for s in (1, 1, 2))
    assert sorted(one) == list(range(1000))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    fixed = shuffle(stream, seed=1)
    assert same_items(whole(fixed, seed=8), whole(fixed, seed=9))
    assert not same_items(whole(shuffle(stream), seed=8), whole(shuffle(stream), seed=9))
    items = whole(shuffle(stream, seed=1))
    assert np.array_equal(items.label, items.x[:, 0].astype(int) % 3)


def test_shuffles_are_uniform():
    """Chi-square test of the 6 orders of three items, 5 degrees of freedom."""
    orders = Counter(tuple(whole(shuffle(numbered(3), seed=s)).x[:, 0]) for s in range(6000))
    assert len(orders) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5  # p = 0.001


def test_a_shuffle_keeps_times_and_moves_delays():
    delay = np.arange(50) * 3
    time = np.arange(50) * 10
    items = whole(shuffle(numbered(50, time=time, label_time=time + delay), seed=4))
    assert np.array_equal(items.time, time)
    assert np.array_equal(items.label_time - items.time, items.x[:, 0] * 3)


def test_a_shuffle_within_class_keeps_the_order_of_labels():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 500).astype(float)
    y[rng.random(500) < 0.1] = np.nan
    stream = from_arrays(np.arange(500.0).reshape(-1, 1), y, task="classification")
    before, after = whole(stream), whole(shuffle_within_class(stream, seed=2))
    assert np.array_equal(before.label, after.label)
    assert sorted(after.x[:, 0]) == list(range(500))
    moved = after.x[:, 0].astype(int)
    assert np.array_equal(before.label[moved], before.label)
    assert np.array_equal(after.x[before.label == -1], before.x[before.label == -1])
    assert (moved != np.arange(500)).mean() > 0.8
    one = numbered(40, k=1)
    assert sorted(whole(shuffle_within_class(one)).x[:, 0]) == list(range(40))
    with pytest.raises(ParameterError, match="the target must be a class"):
        shuffle_within_class(from_arrays(np.zeros((2, 1)), np.array([0.5, 1.5])))


def test_relabel_is_cyclic_inverse_or_by_a_mapping():
    stream = from_arrays(np.zeros((5, 1)), np.array(["b", "a", "c", None, "a"], dtype=object))
    assert whole(relabel(stream, "cyclic")).label.tolist() == [2, 1, 0, -1, 1]
    assert whole(relabel(stream, "invert")).label.tolist() == [1, 2, 0, -1, 2]
    assert whole(relabel(stream, {"a": "b", "b": "a"})).label.tolist() == [0, 1, 2, -1, 1]
    real = from_arrays(np.zeros((4, 1)), np.array([1.0, 5.0, np.nan, 2.5]))
    inverted = whole(relabel(real, "invert")).label
    assert inverted[[0, 1, 3]].tolist() == [5.0, 1.0, 3.5]
    assert math.isnan(inverted[2])
    with pytest.raises(ParameterError, match="'invert' for a real target"):
        relabel(real, "cyclic")
    with pytest.raises(ParameterError, match=r"of classes among 'a', 'b', 'c', got 'q'"):
        relabel(stream, {"a": "q"})
    with pytest.raises(ParameterError, match="'invert', 'cyclic' or a mapping"):
        relabel(stream, "reverse")


def test_split_on_separates_the_items_and_drops_the_attribute():
    x = np.array([[0, 10], [1, 11], [1, 12], [0, 13], [1, 14]], dtype=float)
    stream = from_arrays(
        x, np.arange(5.0), names=["smoker", "age"], drifts=(Drift(2, 3, 5, "gradual"),)
    )
    no, yes = split_on(stream, "smoker")
    assert whole(no).x.tolist() == [[10], [13]]
    assert whole(yes).x.tolist() == [[11], [12], [14]]
    assert (no.length, yes.length) == (2, 3)
    assert no.schema.names == ("age",)
    assert no.schema.drifts == (Drift(1, 1, 2, "gradual"),)
    assert yes.schema.drifts == (Drift(1, 2, 3, "gradual"),)
    young, old = split_on(stream, "age", at=12)
    assert whole(young).label.tolist() == [0, 1, 2]
    assert whole(old).x.tolist() == [[0], [1]]
    one, rest = split_on(stream, "age", value=12)
    assert (one.length, rest.length) == (1, 4)
    with pytest.raises(ParameterError, match=r"'age' must have two values, got more; pass value="):
        split_on(stream, "age")
    with pytest.raises(DataError, match=r"must be one of its columns, got 'agee'; did you"):
        split_on(stream, "agee")
    with pytest.raises(ParameterError, match="the stream must end"):
        split_on(SEA(), "attrib1")


def test_split_on_accepts_nominal_values():
    cities = {"city": ["a", "b", "c"]}
    x = np.array([[0.0], [1.0], [2.0]])
    stream = from_arrays(x, np.arange(3.0), names=["city"], nominal=cities)
    b, others = split_on(stream, "city", value="b")
    assert whole(b).label.tolist() == [1.0]
    assert whole(others).label.tolist() == [0.0, 2.0]
    with pytest.raises(ParameterError, match=r"value must be one of 'a', 'b', 'c', got 'z'"):
        split_on(stream, "city", value="z")
    gap = from_arrays(np.array([[0.0], [np.nan]]), np.arange(2.0))
    with pytest.raises(DataError, match=r"'x0' must be known, got a missing cell .* item 1"):
        split_on(gap, "x0", at=1)


@FAST
@given(
    st.integers(2, 400),
    st.one_of(st.just(0.0), st.floats(1e-300, 1e6)),
    st.none() | st.floats(-10, 500),
)
def test_item_t_of_a_mixture_is_item_t_of_a_stream(n, width, t0):
    a = numbered(n)
    b = from_arrays(-1.0 - np.arange(n + 10.0).reshape(-1, 1), np.arange(n + 10) % 3)
    stream = mix(a, b, width=width, t0=t0)
    items = whole(stream)
    place = np.arange(n)
    of_a = items.x[:, 0] >= 0
    assert np.array_equal(np.where(of_a, items.x[:, 0], -1 - items.x[:, 0]), place)
    centre = n / 2 if t0 is None else t0
    t = place + 1
    if width == 0:
        assert of_a[t < centre].all()
        assert not of_a[t > centre].any()
    share = stream.share(place)
    with np.errstate(over="ignore"):
        slow = 1 / (1 + np.exp(4 * (t - centre) / width)) if width else share
    np.testing.assert_allclose(share, slow, atol=1e-12)
    own = stream.schema.drifts[0]
    assert (share[: own.start] >= 0.99 - 1e-9).all()
    assert (share[own.end :] <= 0.01 + 1e-9).all()


def test_a_step_has_probability_one_half_at_its_centre():
    stream = mix(numbered(10), relabel(numbered(10), "cyclic"), theta=math.pi / 2)
    assert stream.share(np.arange(10)).tolist() == [1, 1, 1, 1, 0.5, 0, 0, 0, 0, 0]
    assert stream.schema.drifts == (Drift(4, 4, 5, "abrupt"),)


def test_the_width_follows_from_the_angle():
    stream = mix(numbered(1000), numbered(1000), theta=math.pi / 75)
    width = 1000 / (100 * math.tan(math.pi / 75))
    other = mix(numbered(1000), numbered(1000), width=width)
    np.testing.assert_array_equal(stream.share(np.arange(1000)), other.share(np.arange(1000)))


def test_the_fractions_of_a_mixture_follow_the_sigmoid():
    n = 20_000
    stream = mix(numbered(n), from_arrays(np.full((n, 1), -1.0), np.arange(n) % 3), width=4000)
    of_a = whole(stream).x[:, 0] >= 0
    share = stream.share(np.arange(n))
    for part in np.array_split(np.arange(n), 10):
        sd = math.sqrt((share[part] * (1 - share[part])).sum()) / len(part)
        assert abs(of_a[part].mean() - share[part].mean()) <= 4 * sd + 1e-9


def test_invalid_parameters_of_mix_raise_an_error():
    a = numbered(10)
    for options, words in (
        ({}, "width, theta must be given one of the two"),
        ({"width": 3, "theta": 1}, "width, theta must be given one of the two"),
        ({"width": -1}, "width must be a number of at least 0, got -1"),
        ({"theta": 2}, "theta must be above 0 and at most pi/2, got 2"),
    ):
        with pytest.raises(ParameterError, match=words):
            mix(a, a, **options)
    with pytest.raises(ParameterError, match="a stream must end, or t0 and width be given"):
        mix(SEA(), SEA(2), theta=1)
    assert mix(SEA(), SEA(2), width=10, t0=100).length is None
    with pytest.raises(ParameterError, match="classes must be equal"):
        mix(a, numbered(10, k=2), width=1)


def test_delay_delays_labels_and_leaves_missing_ones_never():
    y = np.array([0.5, np.nan, 1.5])
    stream = delay(from_arrays(np.zeros((3, 1)), y), 7)
    assert whole(stream).label_time.tolist() == [7, NEVER, 9]
    assert whole(delay(stream, 3)).label_time.tolist() == [10, NEVER, 12]
    time = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "datetime64[D]")
    timed = from_arrays(np.zeros((3, 1)), y, time=time)
    hour = whole(delay(timed, 2, "h"))
    assert (hour.label_time - hour.time)[[0, 2]].tolist() == [7_200_000_000] * 2
    on_items = whole(delay(timed, 2))
    assert (on_items.time, on_items.label_time.tolist()) == (None, [2, NEVER, 4])
    with pytest.raises(ParameterError, match="must have no label times to be delayed by items"):
        whole(delay(delay(timed, 2, "h"), 2))
    with pytest.raises(ParameterError, match="unit must be one of 'item', 'us', 'ms'"):
        delay(timed, 2, "week")
    with pytest.raises(ParameterError, match="unit must be one of 'item'"):
        delay(numbered(3), 2, "h")
    with pytest.raises(ParameterError, match="by must be at least 0, got -1"):
        delay(numbered(3), -1)


@FAST
@given(
    st.lists(st.lists(st.none() | st.floats(-1e9, 1e9), min_size=2, max_size=2), max_size=30),
    st.sampled_from(["mean", "last", "zero"]),
    st.integers(1, 9),
)
def test_missing_cells_are_imputed_from_earlier_items_only(rows, how, size):
    n = len(rows)
    codes = [[math.nan if c is None else c for c in row] for row in rows]
    x = np.array(codes).reshape(n, 2)
    x[:, 1] = np.where(np.isnan(x[:, 1]), np.nan, np.abs(x[:, 1]) % 3 // 1)
    stream = from_arrays(x, np.zeros(n), nominal={1: ["a", "b", "c"]}, task="regression")
    filled = read_items(impute(stream, how), None, size, 0)
    if filled is None:
        assert n == 0
        return
    for column, nominal in ((0, False), (1, True)):
        past = []
        for row in range(n):
            want = x[row, column]
            if math.isnan(want):
                want = 0.0
                if past and how == "last":
                    want = past[-1]
                elif past and how == "mean":
                    if nominal:
                        want = max(range(3), key=lambda v: (past.count(v), -v))
                    else:
                        total = 0.0
                        for value in past:
                            total += value
                        want = total / len(past)
            else:
                past.append(want)
            assert filled.x[row, column] == want


def test_every_stream_has_the_same_default_batch_size():
    found = set()
    for module in walk_packages(streams.__path__, "streamgauge.streams."):
        for kind in vars(import_module(module.name)).values():
            if inspect.isclass(kind) and "batches" in vars(kind):
                defaults = inspect.signature(kind.batches).parameters
                found.add((defaults["size"].default, defaults["seed"].default))
    assert found - {(inspect.Parameter.empty,) * 2} == {(8192, 0)}


def test_streams_with_columns_can_be_compared() -> None:
    """The columns take no part: comparing arrays has no single result."""
    one, other = (
        streams.update(streams.take(streams.SEA(), 3), [1, 2], [5, 6], np.zeros((2, 3)) + n)
        for n in (0, 1)
    )
    assert one == other
    assert one != streams.update(streams.take(streams.SEA(), 4), [1, 2], [5, 6], np.zeros((2, 3)))


@pytest.mark.parametrize("how", [shuffle, shuffle_within_class])
def test_a_stream_of_random_length_that_ends_is_shuffled(how):
    ends = drift(SEA(items=300), SEA(function=2, items=300), at=150, width=50)
    assert ends.length is None
    items = whole(ends)
    mixed = whole(how(ends, seed=1))
    np.testing.assert_array_equal(np.sort(mixed.x, axis=0), np.sort(items.x, axis=0))
    assert mixed.x.tolist() != items.x.tolist()
    with pytest.raises(
        ParameterError, match=r"^shuffle\w*: the stream must end, got SEA; pass take"
    ):
        list(how(SEA()).batches())


def test_a_stream_of_random_length_that_ends_is_split_and_inverted():
    ends = drift(SEA(items=300), SEA(function=2, items=300), at=150, width=50)
    low, high = split_on(ends, "attrib1", at=5.0)
    assert low.length + high.length == len(whole(ends))
    real = drift(Friedman(items=300), Friedman(items=300), at=150, width=50)
    label = whole(real).label
    np.testing.assert_allclose(
        whole(relabel(real, "invert")).label, label.min() + label.max() - label
    )
    with pytest.raises(ParameterError, match="a stream with a real target must end"):
        relabel(Friedman(), "invert")
