"""Delays, updates and event streams, and errors in them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge import delays, late, learners, streams
from streamgauge.engine import run
from streamgauge.errors import DataError, ParameterError, TimetableError, UnknownNameError
from streamgauge.names import make
from streamgauge.protocols import Delayed, Prequential, Reevaluating
from streamgauge.streams import delay, from_arrays, from_events, take, update
from streamgauge.testing import check_stream
from streamgauge.types import NEVER, Arrivals, Batch, Event

N = 20_000


def delays_by(by, n=N, seed=3, size=8192, classes=2):
    y = np.random.default_rng(1).integers(0, classes, n)
    stream = delay(from_arrays(np.zeros((n, 1)), y, classes=list(range(classes))), by)
    batch = Batch.concatenate(list(stream.batches(size, seed)))
    return np.where(batch.label_time == NEVER, -1, batch.label_time - np.arange(n)), batch.label


EVERY = [
    delays.Constant(7),
    delays.Uniform(3, 9),
    delays.Exponential(50),
    delays.LogNormal(20, 1.0),
    delays.Pareto(10, 1.1),
    delays.ByClass({1: delays.Pareto(5), 0: 3}),
    delays.Bursts(100, delays.Exponential(20)),
    delays.Never(0.3, delays.Uniform(0, 5)),
]


@pytest.mark.parametrize("delay", EVERY, ids=str)
def test_delays_depend_on_the_seed_and_the_item_alone(delay):
    whole, _ = delays_by(delay)
    for size in (1, 777):
        np.testing.assert_array_equal(delays_by(delay, 500, size=size)[0], whole[:500])
    assert (whole >= -1).all()
    check_stream(streams.delay(from_arrays(np.zeros((99, 1)), np.arange(99) % 2), delay))
    if isinstance(delay, delays.Constant):
        return
    assert not np.array_equal(delays_by(delay, seed=4)[0], whole) or isinstance(
        delay, delays.Constant
    )


def test_delays_have_their_distribution():
    assert set(delays_by(delays.Uniform(3, 9))[0]) == set(range(3, 10))
    assert delays_by(delays.Exponential(50))[0].mean() == pytest.approx(50, rel=0.05)
    assert np.median(delays_by(delays.LogNormal(20))[0]) == pytest.approx(20, rel=0.05)
    heavy = delays_by(delays.Pareto(10, 1.1))[0]
    assert heavy.min() == 10
    assert (heavy > 100).mean() == pytest.approx(10**-1.1, rel=0.1)
    assert heavy.max() > 5000
    times, label = delays_by(delays.ByClass({1: 40}, 2))
    assert set(times[label == 1]) == {40}
    assert set(times[label == 0]) == {2}
    burst = delays_by(delays.Bursts(100, 5))[0] + np.arange(N)
    assert set(burst % 100) == {0}
    assert (delays_by(delays.Never(0.3))[0] == -1).mean() == pytest.approx(0.3, abs=0.02)


def test_delays_have_names_on_the_command_line():
    stream = make("stream", "delay(take(sea(), 50), never(0.5, by_class({'0': pareto(3)}, 4)))")
    assert stream.by == delays.Never(0.5, delays.ByClass({"0": delays.Pareto(3)}, 4))
    assert stream.name == "delay(take(SEA, 50), never(0.5, by_class({'0': pareto(3, 1.5)}, 4)))"


@pytest.mark.parametrize(
    ("make_it", "words"),
    [
        (lambda: delays.Constant(-1), "Constant: by must be at least 0, got -1"),
        (lambda: delays.Pareto(0), "Pareto: least must be above 0, got 0"),
        (lambda: delays.Pareto(1, 0), "Pareto: shape must be above 0, got 0"),
        (lambda: delays.Uniform(5, 3), "Uniform: most must be at least 5, got 3"),
        (lambda: delays.Exponential(np.inf), "Exponential: mean must be at least 0, got inf"),
        (lambda: delays.Never(1.5), "Never: share must be from 0 to 1, got 1.5"),
        (lambda: delays.Bursts(0), "Bursts: every must be above 0, got 0"),
        (lambda: delays.ByClass({"a": [1]}), r"of\['a'\] must be a number or a delay"),
        (lambda: delays.ByClass({"a": "soon"}), "no delay is called 'soon'"),
        (lambda: delay(take(streams.SEA(), 5), -3), "delay: by must be at least 0, got -3"),
        (lambda: delay(take(streams.SEA(), 5), [3]), r"by must be a number or a delay .*got \[3\]"),
        (lambda: delay(take(streams.SEA(), 5), "soon"), "no delay is called 'soon'"),
    ],
)
def test_invalid_delays_are_refused(make_it, words):
    with pytest.raises((ParameterError, UnknownNameError), match=words):
        make_it()


def test_an_unknown_class_is_refused():
    with pytest.raises(ParameterError, match="ByClass: of must be classes among 0, 1, got 'x'"):
        delays_by(delays.ByClass({"x": 4}))


def test_times_count_in_their_unit():
    time = np.datetime64("2024-01-01") + np.arange(5) * np.timedelta64(1, "h")
    stream = delay(
        from_arrays(np.zeros((5, 1)), np.arange(5.0), time=time), delays.Bursts(1), "day"
    )
    (batch,) = stream.batches()
    ends = batch.label_time.astype("datetime64[us]").astype("datetime64[h]")
    assert set(ends.tolist()) == {
        np.datetime64("2024-01-01T00", "h").item(),
        np.datetime64("2024-01-02T00", "h").item(),
    }


def events():
    """Three items; the second's label comes first, the third's never; the first changes."""
    item = np.array(["a", "b", "a", "c", "b", "a"])
    x = np.array([[1.0], [2.0], [9.0], [3.0], [0.0], [0.0]])
    y = np.array([None, None, None, None, "no", "yes"], object)
    return item, x, y


def test_events_become_items_labels_and_updates():
    stream = from_events(*events())
    (batch,) = stream.batches()
    assert batch.x.tolist() == [[1.0], [2.0], [3.0]]
    assert batch.time.tolist() == [0, 1, 3]
    assert batch.label_time.tolist() == [5, 4, NEVER]
    assert (batch.updates.item.tolist(), batch.updates.time.tolist()) == ([0], [2])
    assert batch.updates.x.tolist() == [[9.0]]
    check_stream(stream)


NOTHING = np.nan

TIED = {
    # One time, 2, at which item 0's label and item 2 come; the order of the two rows.
    "labels_first": ([0, 1, 0, 2, 1], [NOTHING, NOTHING, 1, NOTHING, 0]),
    "items_first": ([0, 1, 2, 0, 1], [NOTHING, NOTHING, NOTHING, 1, 0]),
}


def tied(order, **made):
    item, y = TIED[order]
    time = np.array([0, 1, 2, 2, 3])
    x = np.zeros((5, 1))
    return from_events(np.array(item), x, np.array(y), time, classes=[0, 1], **made)


@pytest.mark.parametrize("order", TIED)
def test_events_of_one_time_are_carried_out_in_the_order_given_or_refused(order):
    other = next(name for name in TIED if name != order)
    stream = tied(order, ties=order)
    assert stream.schema.ties == order
    for protocol in (Delayed(ties=other), Reevaluating(ties=other)):
        with pytest.raises(
            TimetableError, match=f"ties must be '{order}' for a stream .* got '{other}'"
        ):
            run(stream, learners.Persistent(), protocol)
    chunks = Reevaluating(ties=order).timetable(arrivals_of(stream))
    rows = [(int(i), int(w)) for c in chunks for i, w in zip(c.item, c.event, strict=True)]
    item, y = TIED[order]
    what = [Event.ARRIVAL if np.isnan(label) else Event.LABEL for label in y]
    assert rows == list(zip(item, map(int, what), strict=True))
    words = (
        rf"must be in the order of ties='{other}' .* got another order; pass ties='{order}', here"
    )
    with pytest.raises(DataError, match=words):
        tied(order, ties=other)


def arrivals_of(stream):
    for batch in stream.batches():
        yield Arrivals(batch.first, len(batch), batch.time, batch.known_times)


def test_a_mixed_order_at_one_time_is_refused_without_advice_that_changes_the_result():
    y = np.array([NOTHING, NOTHING, NOTHING, 1, NOTHING, 0])
    mixed = np.array([0, 1, 2, 0, 3, 1]), np.zeros((6, 1)), y
    for ties in TIED:
        with pytest.raises(DataError, match="got another order; no protocol has such an order"):
            from_events(*mixed, np.array([0, 1, 2, 2, 2, 3]), ties=ties, classes=[0, 1])
    assert from_events(*mixed, classes=[0, 1]).length == 4


def test_a_change_after_a_label_of_the_same_time_is_not_moved_before_it():
    item = np.array(["a", "b", "a", "b", "b"])
    y = np.array([None, None, "yes", None, "no"], object)
    for order, right in (([0, 1, 2, 3, 4], False), ([0, 1, 3, 2, 4], True)):
        given = item[order], np.zeros((5, 1)), y[order], np.array([0, 1, 2, 2, 3])
        if right:
            assert from_events(*given).length == 2
        else:
            with pytest.raises(DataError, match="no protocol has such an order"):
                from_events(*given)


@pytest.mark.parametrize("ties", ["sooner", None])
def test_unknown_ties_are_refused(ties):
    with pytest.raises(ParameterError, match="ties must be 'labels_first' or 'items_first', got"):
        from_events(*events(), ties=ties)


@given(st.integers(-(2**62), 2**62), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_whole_times_are_kept_to_the_last_digit(start, steps):
    """Nanoseconds since 1970 lie beyond 2^53."""
    time = np.array([start + sum(steps[: i + 1]) + i for i in range(6)])
    (batch,) = from_events(*events(), time).batches()
    assert batch.time.tolist() == time[[0, 1, 3]].tolist()
    assert batch.label_time.tolist() == [time[5], time[4], NEVER]
    assert batch.updates.time.tolist() == [time[2]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda i, x, y: (np.append(i, "b"), np.vstack([x, [0.0]]), np.append(y, "no")),
            "got a second one for item 'b' at event 6; correct it, or pass repeated='ignore'",
        ),
        (
            lambda i, x, y: (np.append(i, "z"), np.vstack([x, [0.0]]), np.append(y, "no")),
            "must be of an item that has arrived, got one for item 'z' at event 6",
        ),
        (
            lambda i, x, y: (i, x, y, np.array([0, 1, 5, 2, 6, 7])),
            r"time must not decrease, got 2 after 5 at event 3 \(item 'c'\)",
        ),
        (
            lambda i, x, y: (i, x, y, np.array(["2024-01-01"] * 5 + ["NaT"], "datetime64[us]")),
            "item 5, time must be known, got a missing cell",
        ),
        (
            lambda i, x, y: (i, x, y, np.array([0.0, 1.0, 2.0, np.nan, 4.0, 5.0])),
            "item 3, time must be known, got a missing cell",
        ),
    ],
)
def test_invalid_events_are_refused_with_the_item(change, words):
    with pytest.raises(DataError, match=words):
        from_events(*change(*events()))


def test_second_and_unknown_labels_can_be_ignored():
    item, x, y = events()
    more = np.concatenate([item, ["b", "z"]]), np.vstack([x, x[:2]]), np.append(y, ["yes", "no"])
    a = Batch.concatenate(list(from_events(*more, repeated="ignore", unknown="ignore").batches()))
    b = Batch.concatenate(list(from_events(item, x, y).batches()))
    assert a.label.tolist() == b.label.tolist()
    assert a.label_time.tolist() == b.label_time.tolist()


@pytest.mark.parametrize(
    ("make_it", "words"),
    [
        (lambda s: update(s, [1], [1], [[0.0]]), "time must be after its item's, got 1 for item 1"),
        (lambda s: update(s, [9], [9], [[0.0]]), "item must be one of the 5 items of .*, got 9"),
        (lambda s: update(s, [1], [4], [[0.0, 1.0]]), "x must be 1 rows of 1 cells"),
        (lambda s: update(s, [-1], [4], [[0.0]]), "item must be numbers of items, from 0 on"),
        (lambda s: update(s, [1], [np.datetime64("2024")], [[0.0]]), "time must be in the clock"),
    ],
)
def test_invalid_updates_are_refused_with_the_item(make_it, words):
    stream = delay(from_arrays(np.zeros((5, 1)), np.arange(5.0)), 3)
    with pytest.raises((DataError, ParameterError), match=words):
        list(make_it(stream).batches())


def test_a_changed_row_is_predicted_and_learned():
    learned = []

    class Says:
        def predict(self, x):
            return x[0]

        def learn(self, x, y):
            learned.append(float(x[0]))

    base = delay(from_arrays(np.arange(6.0)[:, None], np.zeros(6), task="regression"), 3)
    stream = update(base, [1, 1, 4], [2, 3, 6], [[10.0], [11.0], [40.0]])
    log = run(stream, Says(), Reevaluating(every=1))
    assert learned == [0.0, 11.0, 2.0, 3.0, 40.0, 5.0]
    (rows,) = late.prediction_history(log)
    assert rows.first.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert rows.last.tolist() == [0.0, 11.0, 2.0, 3.0, 40.0, 5.0]
    assert late.item_changes(log).changes.tolist() == [0, 1, 0, 0, 1, 0]


def test_late_labels_are_refused_by_prompt_protocols():
    stream = delay(take(streams.SEA(), 50), delays.Exponential(9))
    with pytest.raises(RuntimeError, match="take Delayed"):
        run(stream, learners.NaiveBayes(), Prequential())
    assert run(stream, learners.NaiveBayes(), Delayed()).label_count() == 50
