"""Two logs meet by item, whatever the order and the batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import pairs as slow
from oracles import verdicts
from streamgauge.comparisons import compare, compare_all
from streamgauge.comparisons._paired_logs import PairedLogs
from streamgauge.errors import LogError, StreamgaugeError
from streamgauge.log import from_columns
from streamgauge.types import Schema

label_of = st.integers(0, 2)


def joined(a, b):
    paired = PairedLogs(a, b)
    rows = [
        (int(item), int(label), int(x), int(y))
        for m in paired
        for item, label, x, y in zip(
            m.of_a.item, m.of_a.label, m.of_a.prediction, m.prediction_b, strict=True
        )
    ]
    return rows, paired.only_a, paired.only_b


@given(st.data())
def test_two_logs_are_joined_like_tables_of_items(log_of, data):
    labels = data.draw(st.lists(label_of, max_size=40))
    order = data.draw(st.permutations(range(len(labels))))
    keep = [data.draw(st.lists(st.booleans(), min_size=len(labels), max_size=len(labels)))
            for _ in range(2)]  # fmt: skip
    orders = [order, data.draw(st.sampled_from([order, sorted(order)]))]
    if data.draw(st.booleans()):
        orders = [sorted(order)] * 2
    rows = [
        [(i, labels[i], data.draw(st.integers(0, 2))) for i in o if k[i]]
        for o, k in zip(orders, keep, strict=True)
    ]
    cuts = st.lists(st.integers(0, 40), max_size=5)
    a, b = (log_of(r, 3, data.draw(cuts)) for r in rows)
    assert joined(a, b) == slow.meet(*rows)


def test_late_and_missing_labels_are_compared_in_the_order_they_arrived(log_of):
    rng = np.random.default_rng(1)
    n = 400
    labels = rng.integers(0, 2, n)
    label_sequence = [int(i) for i in np.argsort(np.arange(n) + rng.integers(0, 50, n)) if i % 3]
    predictions = rng.integers(0, 2, (2, n))
    predictions[0] = np.where(rng.random(n) < 0.9, labels, predictions[0])
    times = list(range(100, 100 + len(label_sequence)))
    rows = [[(i, int(labels[i]), int(s[i])) for i in label_sequence] for s in predictions]
    a, b = (log_of(r, 2, [77], times=times) for r in rows)
    verdict = compare(a, b, every=50, spell=10)
    pairs = slow.losses([(*x, y[2]) for x, y in zip(*rows, strict=True)])
    so_far, standing = slow.watched(pairs, np.log(40))
    assert verdict.so_far.first == ("A", so_far[0])
    assert verdict.so_far.since == standing[0]
    differences = np.array([x - y for x, y in pairs])
    first, since = ([at[0] for at in side] for side in verdicts.watched(differences, [0.05], 10))
    assert first[0] is not None
    assert verdict.winner == "A"
    # labels arrived in another order than the items, so positions are numbers of known labels
    assert verdict.axis == "labels"
    assert verdict.since == since[0]
    assert verdict.first == ("A", first[0])
    curve = verdict.curves["q_negative_favours_a", "whole"]
    assert curve.at.tolist() == [50, 100, 150, 200, 250, len(pairs)]


def test_classes_meet_by_name_not_by_code(log_of):
    a = log_of([(i, i % 2, i % 2) for i in range(30)], 2, names=("no", "yes"))
    b = log_of([(i, 1 - i % 2, 2) for i in range(30)], 3, names=("yes", "no", "maybe"))
    verdict = compare(a, b)
    assert (verdict.loss_a, verdict.loss_b) == (0, 1)


def test_folds_of_one_protocol_are_joined_row_by_row(log_of):
    rows = [(i // 3, 1, int(i % 3 == 0)) for i in range(30)]
    assert joined(log_of(rows, 2, [6]), log_of(rows, 2, [12, 15]))[1:] == (0, 0)


BAD = {
    "streams of other names": (
        lambda log: (
            log([(0, 0, 0)], 2, about={"stream": "sea"}),
            log([(0, 0, 0)], 2, about={"stream": "led"}),
        ),
        {},
        r"^compare: logs must be of one stream, got 'sea' and 'led'$",
    ),
    "other labels": (
        lambda log: (log([(0, 0, 0), (1, 1, 0)], 2), log([(0, 0, 0), (1, 0, 0)], 2)),
        {},
        r"one stream, got different labels for item 1: 1 and 0$",
    ),
    "other labels of classes A does not know": (
        lambda log: (log([(0, 0, 0)], 2), log([(0, 2, 0)], 3)),
        {},
        r"different labels for item 0: 0 and another class$",
    ),
    "other real labels": (
        lambda log: (log([(0, 0.5, 0)]), log([(0, 0.25, 0)])),
        {},
        r"different labels for item 0: 0\.5 and 0\.25$",
    ),
    "other lengths": (
        lambda log: (
            log([(i, 0, 0) for i in range(1000)], 2),
            log([(i, 0, 0) for i in range(900)], 2),
        ),
        {},
        r"same items, got 1,000 and 900 items with 900 in both; use common=True",
    ),
    "no common items": (
        lambda log: (log([(0, 0, 0), (1, 0, 0)], 2), log([(5, 0, 0)], 2)),
        {"common": True},
        r"items in common, got 2 and 1 items and none in both$",
    ),
    "one empty log": (
        lambda log: (log([(0, 0, 0)], 2), log([], 2)),
        {"common": True},
        r"got 1 and 0 items and none in both$",
    ),
    "two tasks": (
        lambda log: (log([(0, 0, 0)], 2), log([(0, 0.5, 0)])),
        {},
        r"one task, got classification and regression$",
    ),
    "folds that differ": (
        lambda log: (
            log([(0, 0, 0), (0, 0, 1), (1, 0, 0)], 2),
            log([(0, 0, 0), (1, 0, 0)], 2),
        ),
        {"common": True},
        r"several predictions of item 0$",
    ),
    "alpha of 0": (None, {"alpha": 0}, r"^compare: alpha must be above 0 and below 1, got 0$"),
    "alpha of 1": (None, {"alpha": 1.0}, r"alpha must be above 0 and below 1, got 1\.0$"),
    "alpha that is no number": (None, {"alpha": "5 %"}, r"alpha must be .* got '5 %'$"),
    "alpha not a number": (None, {"alpha": float("nan")}, r"alpha must be .* got nan$"),
    "a side that is none": (
        None,
        {"side": "left"},
        r"side must be one of either, a, b, got 'left'",
    ),
    "a loss of the other task": (
        None,
        {"loss": "absolute"},
        r"loss in classification must be zero_one, got 'absolute'$",
    ),
    "a bound on right or wrong": (
        None,
        {"bound": 2.0},
        r"bound in classification must be 1, got 2",
    ),
    "a window of blocks": (
        None,
        {"windows": "tumbling(5)"},
        r"a window must be whole, sliding or fading, got 'tumbling\(5\)'$",
    ),
    "a window of size 0": (None, {"windows": "sliding(0)"}, r"size must be .* got 0$"),
    "an unknown window": (None, {"windows": ["slidng(9)"]}, r"did you mean 'sliding'"),
    "no step": (None, {"every": 0}, r"every must be a whole number, at least 1, got 0$"),
    "lags below 0": (None, {"lags": -1}, r"lags must be a whole number, at least 0, got -1$"),
    "a cold start that is none": (None, {"cold_start": "guess"}, r"cold_start must be one of"),
    "one name": (None, {"names": ["x"]}, r"names must be two different names, got \['x'\]$"),
    "one name twice": (None, {"names": "xx"}, r"names must be two different names, got 'xx'$"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_compared_is_refused_in_a_sentence(log_of, case):
    logs, options, words = BAD[case]
    a, b = logs(log_of) if logs else [log_of([(0, 0, 0)], 2)] * 2
    with pytest.raises(StreamgaugeError, match=words):
        compare(a, b, **options)


def test_real_losses_need_a_legal_bound(log_of):
    log = log_of([(0, 0.5, 0.25)])
    for bound in (0, -1.0, float("inf"), float("nan"), "1"):
        with pytest.raises(StreamgaugeError, match="bound must be above 0 and finite, got"):
            compare(log, log, bound=bound)


def test_one_log_is_no_comparison(log_of):
    with pytest.raises(StreamgaugeError, match="repetitions, got Log and NoneType"):
        compare(log_of([(0, 0, 0)], 2), None)


def test_what_only_one_log_has_is_left_out_on_request(log_of):
    a = log_of([(i, 0, 0) for i in range(10)], 2, names=("u", "v"))
    b = log_of([(i, 0, 1) for i in range(5, 20)], 2, names=("u", "v"))
    with pytest.raises(LogError, match=r"got 10 and 15 items with 5 in both"):
        compare(a, b)
    verdict = compare(a, b, common=True)
    assert (verdict.n_labels, verdict.loss_a, verdict.loss_b) == (5, 0, 1)
    assert verdict.notes == (
        "Left out: 5 items that only A has.",
        "Left out: 10 items that only B has.",
    )


def test_logs_made_elsewhere_need_not_share_a_name():
    schema = Schema((), classes=("u", "v"))
    column = np.array([0, 1], np.int32)
    a, b = (
        from_columns(schema, column, column, about={"stream": name, "protocol": "as logged"})
        for name in ("a.csv", "b.csv")
    )
    assert compare(a, b).n_labels == 2


def test_without_common_predictions_the_verdict_states_it():
    schema = Schema((), classes=("a", "b"))
    label = np.array([0, 1], np.int32)
    mute = from_columns(schema, label, np.array([-1, -1], np.int32))
    good = from_columns(schema, label, label)
    words = compare(mute, good, cold_start="skip").to_text()
    assert words.splitlines() == [
        "Nothing to compare: no item has predictions of both A and B.",
        "Left out: 2 items without a prediction of one of them.",
    ]
    empty = from_columns(schema, label[:0], label[:0])
    comparison = compare_all({"a": empty, "b": empty, "c": empty})
    assert comparison.to_text().count("have no labelled items.") == 3
    assert comparison.best is None
    skipped = compare_all({"mute": mute, "good": good}, cold_start="skip").to_text()
    assert "no item has predictions of both mute and good." in skipped
    one = compare(from_columns(schema, label[:1], label[:1]), good, common=True)
    assert "over 1 item." in one.to_text()
    assert "Left out: 1 item that only B has." in one.to_text()
