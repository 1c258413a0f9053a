"""Drift: its position is shown by labels that flip, item by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import draws
from oracles import generators as oracle
from samples.examples import examples
from streamgauge.errors import DataError, ParameterError
from streamgauge.names import make
from streamgauge.streams import (
    LED,
    SEA,
    Arrow,
    Drifting,
    HyperDistance,
    Hyperplane,
    Incremental,
    RandomTree,
    Sine,
    Stagger,
    drift,
    drifts,
    recurring,
)
from streamgauge.streams.sigmoid import sigmoid, span_of
from streamgauge.types import NEVER, Batch, Drift, Feature, Schema, Stream


@dataclass(frozen=True)
class Numbered:
    """A stream whose features identify stream and item: x = (mark, number)."""

    mark: float
    length: int | None
    late: int | None = None
    weight: float | None = None
    known: tuple[Drift, ...] = ()
    clock: str = "item"

    @property
    def name(self) -> str:
        return f"numbered {self.mark:g}"

    @property
    def schema(self) -> Schema:
        features = (Feature("mark"), Feature("number"))
        return Schema(features, classes=("no", "yes"), drifts=self.known, clock=self.clock)  # type: ignore[arg-type]

    def batches(self, size: int = 8192, seed: int = 0) -> Iterator[Batch]:
        size = max(1, size // 3)  # a batch may be smaller than requested
        for first in range(0, self.length if self.length is not None else 10**9, size):
            stop = first + size if self.length is None else min(first + size, self.length)
            number = np.arange(first, stop)
            x = np.column_stack([np.full(len(number), self.mark), number.astype(float)])
            label = np.full(len(number), int(self.mark) % 2, np.int32)
            due = None
            if self.late is not None:
                due = np.where(number % 5 == 4, NEVER, number + self.late)
                label[number % 5 == 4] = -1
            weight = None if self.weight is None else np.full(len(number), self.weight)
            yield Batch(first, x, label, None, due, weight)


def whole(stream: Stream, count: int | None = None, size: int = 1000, seed: int = 0) -> Batch:
    """Return the first items of a stream (all if None) as one batch."""
    parts: list[Batch] = []
    for batch in stream.batches(size, seed):
        assert batch.first == sum(map(len, parts))
        parts.append(batch)
        if count is not None and sum(map(len, parts)) >= count:
            break
    columns = [
        None if any(getattr(p, f) is None for p in parts) else
        np.concatenate([getattr(p, f) for p in parts])[:count]
        for f in ("x", "label", "label_time", "weight")
    ]  # fmt: skip
    return Batch(0, columns[0], columns[1], None, columns[2], columns[3])  # type: ignore[arg-type]


# Position


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 600), st.sampled_from([0, 1]), st.integers(1, 700), st.integers(0, 2**63))
def test_an_abrupt_drift_flips_every_label_from_its_first_item_on(
    at: int, width: int, size: int, seed: int
) -> None:
    stream = drift(Sine(3), Sine(4), at, width, items=601)
    batch = whole(stream, size=size, seed=seed)
    old = [oracle.sine(row, 3) for row in batch.x.tolist()]
    agrees = batch.label == old
    assert agrees.tolist() == [True] * at + [False] * (601 - at)
    assert stream.schema.drifts == (Drift(at, at, at, "abrupt"),)


def test_concepts_change_at_the_given_items() -> None:
    stream = drifts([SEA(f, noise=0.0) for f in (1, 2, 3, 4)], at=[500, 1200, 1201], items=2000)
    batch = whole(stream)
    concept = [1] * 500 + [2] * 700 + [3] + [4] * 799
    assert batch.label.tolist() == [
        oracle.sea(row, f) for row, f in zip(batch.x.tolist(), concept, strict=True)
    ]


def test_drifting_segments_of_led_move_at_the_drift() -> None:
    batch = whole(drift(LED(noise=0.0), LED(noise=0.0, drifting=3), at=300, items=600))
    digits = [oracle.led(row, 0 if t < 300 else 3) for t, row in enumerate(batch.x.tolist())]
    assert batch.label.tolist() == digits


def test_the_fraction_of_new_items_follows_the_sigmoid() -> None:
    at, width, runs = 400, 200, 300
    shares = np.zeros(800)
    for seed in range(runs):
        batch = whole(drift(Sine(1), Sine(2), at, width, items=800), seed=seed)
        old = np.where(batch.x[:, 1] < np.sin(batch.x[:, 0]), 0, 1)
        shares += (batch.label != old) / runs
    expected = np.array([oracle.sigmoid(t, at, width) for t in range(800)])
    error = np.sqrt(expected * (1 - expected) / runs) + 1e-9
    z = (shares - expected) / error
    inner = (expected > 0.05) & (expected < 0.95)
    assert np.abs(z[inner]).max() < 5
    assert abs(z[inner].mean()) < 0.3
    assert z[inner].std() == pytest.approx(1, abs=0.15)
    assert shares[:100].max() < 0.03
    assert shares[-100:].min() > 0.97


@given(st.integers(0, 10**7), st.integers(0, 10**6))
def test_the_known_drift_spans_one_to_ninety_nine_percent(at: int, width: int) -> None:
    start, end = span_of(at, width)
    if width <= 1:
        assert (start, end) == (at, at)
    else:
        assert oracle.sigmoid(start, at, width) >= 0.01 - 1e-12
        assert start == 0 or oracle.sigmoid(start - 1, at, width) < 0.01 + 1e-12
        assert oracle.sigmoid(end, at, width) >= 0.99 - 1e-12 > oracle.sigmoid(end - 1, at, width)


@given(
    st.floats(-1e12, 1e12), st.floats(0, 1e9), st.floats(0, 1e9) | st.sampled_from([0.0, 1.0, 1.5])
)
def test_the_sigmoid_equals_its_definition_for_any_argument(
    t: float, at: float, width: float
) -> None:
    got = float(sigmoid(np.array([t]), at, width)[0])
    assert got == pytest.approx(oracle.sigmoid(t, at, width), abs=1e-12)


# Items


def test_a_stream_advances_only_when_an_item_is_taken() -> None:
    batch = whole(drift(Numbered(0, None), Numbered(1, None), 300, 200), 800)
    for mark in (0, 1):
        numbers = batch.x[batch.x[:, 0] == mark, 1]
        assert numbers.tolist() == list(range(len(numbers)))
    assert 100 < (batch.x[:500, 0] == 1).sum() < 300


def test_items_before_the_drift_are_those_of_the_old_stream() -> None:
    a, b = Stagger(1), Stagger(2)
    alone, mixed = whole(a, 500, seed=4), whole(drift(a, b, 500), 1000, seed=4)
    assert (mixed.x[:500] == alone.x).all()
    assert (mixed.x[500:] != alone.x).any(), "the new stream must not repeat the old one's items"


def test_several_drifts_equal_nested_drifts() -> None:
    a, b, c = RandomTree(model_seed=1), RandomTree(model_seed=2), RandomTree(model_seed=3)
    flat = drifts([a, b, c], at=[300, 700], width=[1, 1], items=1000)
    nested = drift(drift(a, b, 300), c, 700, items=1000)
    x, y = whole(flat, seed=2), whole(nested, seed=2)
    assert (x.x == y.x).all()
    assert (x.label == y.label).all()
    assert flat.schema == nested.schema


def test_a_recurring_concept_continues_where_it_stopped() -> None:
    a, b = Numbered(0, None), Numbered(1, None)
    stream = recurring(a, b, every=100, times=3)
    batch = whole(stream, 500)
    assert batch.x[:, 0].tolist() == [0] * 100 + [1] * 100 + [0] * 100 + [1] * 200
    assert batch.x[:, 1].tolist() == [
        *range(100), *range(100), *range(100, 200), *range(100, 300)
    ]  # fmt: skip
    assert [(d.centre, d.kind) for d in stream.schema.drifts] == [
        (100, "abrupt"),
        (200, "recurring"),
        (300, "recurring"),
    ]


def test_equal_generators_by_name_are_one_stream() -> None:
    text = "drifts([sea(), sea(function=2), sea()], at=[100, 200], items=300)"
    named = make("stream", text)
    a = SEA()
    assert (whole(named).x == whole(drifts([a, SEA(2), a], [100, 200], items=300)).x).all()
    assert [d.kind for d in named.schema.drifts] == ["abrupt", "recurring"]


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_items_do_not_depend_on_the_batch_size(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 4), "concepts")
    at = sorted(data.draw(st.sets(st.integers(1, 300), min_size=count - 1, max_size=count - 1)))
    width = data.draw(st.lists(st.integers(0, 30), min_size=count - 1, max_size=count - 1))
    pool = [Numbered(m, 700, None if m else 5, None if m < 2 else 0.5) for m in range(3)]
    concepts = [data.draw(st.sampled_from(pool)) for _ in range(count)]
    stream = drifts(concepts, at, width, items=data.draw(st.none() | st.integers(at[-1] + 1, 900)))
    seed = data.draw(st.integers(0, 99))
    whole_one = whole(stream, size=10_000, seed=seed)
    parts = whole(stream, size=data.draw(st.integers(1, 400), "size"), seed=seed)
    assert (whole_one.x == parts.x).all()
    assert (whole_one.label == parts.label).all()
    assert stream.length is None or stream.length == len(parts)


def test_the_seed_changes_the_draws() -> None:
    stream = drift(Numbered(0, None), Numbered(1, None), 500, 300)
    a, b, c = (whole(stream, 1000, seed=s).x[:, 0] for s in (1, 1, 2))
    assert (a == b).all()
    assert (a != c).any()


def test_tables_can_drift_like_generators() -> None:
    def table(sign: int) -> Arrow:
        rows = np.arange(400.0)
        label = ["up" if (value % 2) == (sign > 0) else "down" for value in rows]
        return Arrow(pa.table({"value": rows * sign, "label": label}), target="label")

    stream = drift(table(1), table(-1), at=150)
    batch = whole(stream)
    assert batch.x[:, 0].tolist() == [*range(150), *(-float(v) for v in range(400))]
    assert stream.length == len(batch) == 550
    assert stream.schema.classes == ("down", "up")


def test_delays_and_weights_move_with_their_items() -> None:
    a, b = Numbered(0, None, late=10), Numbered(1, None, weight=0.25)
    batch = whole(drift(a, b, 100, 50), 200)
    assert batch.label_time is not None
    assert batch.weight is not None
    for t, (mark, number) in enumerate(batch.x.tolist()):
        late = 0 if mark else (NEVER if number % 5 == 4 else 10)
        assert batch.label_time[t] == (NEVER if late == NEVER else t + late)
        assert batch.weight[t] == (0.25 if mark else 1.0)


# Length


def test_the_stream_ends_with_its_last_concept() -> None:
    stream = drift(Numbered(0, 1000), Numbered(1, 50), at=100)
    assert stream.length == 150
    for size in (1, 7, 1000):
        assert len(whole(stream, size=size)) == 150
    assert replace(stream, items=120).length == 120
    assert len(whole(replace(stream, items=120))) == 120
    assert replace(stream, items=9999).length == 150


def test_a_gradual_drift_between_tables_has_a_random_length() -> None:
    stream = drift(Numbered(0, 1000), Numbered(1, 500), at=300, width=100)
    assert stream.length is None
    assert replace(stream, items=400).length == 400
    batch = whole(stream)
    assert (batch.x[:, 0] == 1).sum() == 500


def test_late_items_of_an_ended_stream_are_of_the_new_concept() -> None:
    """An old stream that ends after its drift does not end the combined stream."""
    old, new = Numbered(0, None), Numbered(1, None)
    stream = drift(old, new, at=300, width=200)
    end = stream.schema.drifts[0].end
    for seed in range(100):
        unlimited = whole(stream, 1500, seed=seed).x[:, 0]
        if (unlimited[end:] == 0).any():
            break
    else:
        pytest.fail("no seed draws the old stream after the drift")
    short = drift(replace(old, length=int((unlimited[:end] == 0).sum())), new, at=300, width=200)
    marks = whole(short, 1500, seed=seed).x[:, 0]
    assert (marks[:end] == unlimited[:end]).all()
    assert (marks[end:] == 1).all()


def test_a_stream_that_ends_before_its_drift_is_an_error() -> None:
    with pytest.raises(ParameterError, match="must have at least 100 items, as it must last"):
        drift(Numbered(0, 99), Numbered(1, 500), at=100)
    stream = drift(Numbered(0, 100), Numbered(1, 500), at=100, width=80)
    words = r"drift: numbered 0 ended after 100 items, but item \d+ is drawn from it; pass a"
    messages = set()
    for size in (1, 13, 1000):
        with pytest.raises(DataError, match=words) as error:
            whole(stream, size=size)
        messages.add(str(error.value))
    assert len(messages) == 1


# Known drifts


def test_drifts_inside_the_streams_move_to_their_positions() -> None:
    a = drift(SEA(1), SEA(2), at=100)
    b = drift(SEA(3), SEA(4), at=50)
    stream = drift(a, b, at=1000)
    assert [d.centre for d in stream.schema.drifts] == [100, 1000, 1050]
    assert [d.centre for d in drift(a, b, at=100).schema.drifts] == [100, 150]
    assert [d.centre for d in drift(a, b, at=60).schema.drifts] == [60, 110]
    labels = whole(stream, 2000)
    concept = [1] * 100 + [2] * 900 + [3] * 50 + [4] * 950
    clean = [oracle.sea(r, f) for r, f in zip(labels.x.tolist(), concept, strict=True)]
    assert (labels.label == clean).mean() == pytest.approx(0.9, abs=0.03)


def test_a_drift_inside_a_recurring_stream_moves_to_its_position() -> None:
    a = Numbered(0, None, known=(Drift(150, 150, 150),))
    stream = drifts([a, Numbered(1, None), a], at=[100, 400])
    assert [(d.centre, d.kind) for d in stream.schema.drifts] == [
        (100, "abrupt"),
        (400, "recurring"),
        (450, "abrupt"),
    ]


def test_a_drift_inside_a_stream_ends_with_the_stream() -> None:
    moving = Hyperplane(magnitude=0.01, items=1000)
    stream = drift(moving, Hyperplane(items=1000), at=400, width=10)
    assert stream.schema.drifts == (
        Drift(0, 400, 400, "incremental"),
        Drift(389, 400, 412, "gradual"),
    )
    assert "the concept moves a little with every item" in stream.schema.notes
    assert any("expected" in note for note in stream.schema.notes)


def test_the_kind_of_a_drift_can_be_set() -> None:
    assert drift(SEA(), SEA(2), 10, 5, kind="recurring").schema.drifts[0].kind == "recurring"
    assert drift(SEA(), SEA(2), 10, 5).schema.drifts[0].kind == "gradual"


# Incremental


def test_an_incremental_drift_moves_the_threshold_of_sea() -> None:
    stream = drift(SEA(3, noise=0.0), SEA(4, noise=0.0), 1000, 400, "incremental", items=3000)
    assert isinstance(stream, Incremental)
    batch = whole(stream)
    theta = [7 + 2.5 * oracle.sigmoid(t, 1000, 400) for t in range(3000)]
    assert (batch.label == (batch.x[:, 0] + batch.x[:, 1] > theta)).all()
    assert stream.schema.drifts == (Drift(541, 1000, 1460, "incremental"),)
    assert stream.length == 3000


@pytest.mark.parametrize("kind", [Hyperplane, HyperDistance])
def test_an_incremental_drift_moves_the_weights_of_a_plane(
    kind: type[Hyperplane | HyperDistance],
) -> None:
    a, b = (kind(attributes=4, noise=0.0, model_seed=m, items=2000) for m in (1, 2))
    batch = whole(drift(a, b, 1000, 300, "incremental"), size=77)
    share = np.array([oracle.sigmoid(t, 1000, 300) for t in range(2000)])[:, None]
    w = (1 - share) * draws.weights(1, 4) + share * np.array(draws.weights(2, 4))
    if kind is HyperDistance:
        np.testing.assert_allclose(batch.label, (w * batch.x).sum(1), atol=1e-12)
    else:
        assert (batch.label == ((w * (batch.x - 0.5)).sum(1) >= 0)).mean() > 0.999


# Bad input


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (lambda: drift(SEA(), SEA(2), -1), "drift: at must be an integer of at least 0, got -1"),
        (lambda: drift(SEA(), SEA(2), 5, -1), "drift: width must be an integer of at least 0"),
        (lambda: drift(SEA(), SEA(2), 1.5), "drift: at must be an integer of at least 0, got 1.5"),  # type: ignore[arg-type]
        (lambda: drift(SEA(), SEA(2), 5, items=5), "drift: items must be above 5, the last drift"),
        (lambda: drift(SEA(), SEA(2), 5, kind="slow"), "drift: kind must be 'abrupt', 'gradual',"),  # type: ignore[arg-type]
        (
            lambda: drift(SEA(), SEA(2), 5, 10, kind="abrupt"),
            "drift: width must be 0 or 1 for an abrupt drift, got 10",
        ),
        (lambda: drift(SEA(), Sine(), 5), "drift: features must be equal in all streams, got ("),
        (
            lambda: drift(RandomTree(), RandomTree(classes=3), 5),
            "drift: classes must be equal in all streams, got ('class1', 'class2') in RandomTree",
        ),
        (
            lambda: drift(Numbered(0, 9, clock="us"), Numbered(1, 9, clock="us"), 5),
            "drift: the clock of the streams must be 'item', got 'us' in numbered 0",
        ),
        (lambda: drifts([SEA()], []), "drifts: concepts must be at least two streams, got 1"),
        (lambda: drifts([SEA(), SEA()], []), "drifts: at must be one for each of 1 drifts, got ()"),
        (
            lambda: drifts([SEA(), SEA(), SEA()], [9, 5]),
            "drifts: at must be in increasing order, got (9, 5)",
        ),
        (lambda: recurring(SEA(), SEA(), 0, 3), "recurring: every must be at least 1, got 0"),
        (lambda: recurring(SEA(), SEA(), 5, 0), "recurring: times must be at least 1, got 0"),
        (lambda: drift(SEA(), SEA(2), 5).batches(0), "drift: size must be at least 1, got 0"),
        (
            lambda: drift(Sine(), Sine(2), 5, 5, "incremental"),
            "incremental drift: a stream must be SEA, Hyperplane or HyperDistance",
        ),
        (
            lambda: drift(SEA(), Hyperplane(3), 5, 5, "incremental"),
            "Incremental: new must be another SEA, got 'Hyperplane(attributes=3)'",
        ),
        (
            lambda: drift(SEA(), SEA(2, 0.5), 5, 5, "incremental"),
            "Incremental: noise of new must be that of old, 0.1, got 0.5",
        ),
        (
            lambda: drift(Hyperplane(), Hyperplane(), 5, 5, "incremental"),
            "Incremental: model_seed must be given in both streams, got None",
        ),
    ],
)
def test_an_invalid_drift_is_refused_at_construction(attempt: object, words: str) -> None:
    with pytest.raises(ParameterError) as error:
        attempt()  # type: ignore[operator]
    assert str(error.value).startswith(words)


def test_a_drifting_stream_is_a_stream() -> None:
    stream = drift(SEA(), SEA(2), 10)
    assert isinstance(stream, Stream)
    assert isinstance(stream, Drifting)
    assert stream == drift(SEA(), SEA(2), 10)
    assert isinstance(drift(SEA(), SEA(2), 10, 10, "incremental"), Stream)


@pytest.mark.parametrize(("magnitude", "drifting"), [(0.1, 2), (0.1, 0), (0.0, 2)])
def test_a_plane_drifts_only_if_weights_move(magnitude: float, drifting: int) -> None:
    for kind in ("hyperplane", "hyper_distance"):
        schema = make(
            "stream", f"{kind}(items=100, magnitude={magnitude}, drifting={drifting})"
        ).schema
        assert bool(schema.drifts) == (magnitude > 0 and drifting > 0)
