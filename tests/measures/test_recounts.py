"""Every measure in every window equals an obvious recount, on random and adversarial logs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product
from math import inf, isnan, nan
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracles import measures as oracle
from oracles import windows
from samples.examples import examples
from streamgauge.log import Log
from streamgauge.measures._compute import measure
from streamgauge.names import find, known, make

LogOf = Callable[..., Log]
quick = settings(
    deadline=None,
    max_examples=examples(120),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

KINDS = ["whole", "sliding", "tumbling", "fading"]
POLICIES = ["count_wrong", "skip", "default_class"]


RECOUNTS = {
    **oracle.CLASSIFICATION,
    **oracle.OF_THREE_CLASSES,
    **oracle.SCORED,
    **oracle.REGRESSION,
}


def choices(kind: Any) -> dict[str, tuple[str, ...]]:
    """The parameters of a measure that are one of a few strings, with these strings."""
    hints = get_type_hints(kind)
    return {f.name: get_args(hints[f.name]) for f in fields(kind) if is_choice(hints[f.name])}


def is_choice(hint: Any) -> bool:
    return get_origin(hint) is Literal


@pytest.mark.parametrize("name", known("measure"))
def test_every_measure_has_a_recount(name: str) -> None:
    """In all combinations of its options, and with every other parameter off its default."""
    kind: Any = find("measure", name)
    recounted = [
        made for made in (make("measure", text) for text in RECOUNTS) if type(made) is kind
    ]
    options = choices(kind)
    for chosen in product(*options.values()):
        made = kind(**dict(zip(options, chosen, strict=True)))
        assert made in recounted, f"{made} has no recount in tests/oracles/measures.py"
    for field in fields(kind):
        changed = [one for one in recounted if getattr(one, field.name) != field.default]
        assert changed, f"no recount of {name} with another {field.name}"


def test_the_recounts_cover_every_kind_of_window() -> None:
    """The tests below use every kind of window; `ewma` has its own test."""
    kinds = {kind for name in known("measure") for kind in make("measure", name).supports()}
    assert kinds == {*KINDS, "ewma"}


def close(a: float, b: float, rounding: float = 0.0) -> bool:
    """Equal, nan and infinity included; real numbers to nine digits, or to their rounding."""
    if isnan(a) or isnan(b):
        return isnan(a) and isnan(b)
    return a == b or abs(a - b) <= max(1e-9 * max(1.0, abs(a), abs(b)), rounding)


def close_kappa(name: str, a: float, b: float, amplified: float = 0.0) -> bool:
    """Close, with a tolerance for kappas: near a perfect reference they amplify rounding.

    Both shares of (p - r) / (1 - r) are right to about 1e-14; the derivatives are 1 / (1 - r) and
    (1 - kappa) / (1 - r).
    """
    if name == "kappa_plus":
        return close(a * a, b * b, 2e-14 * amplified)
    rounding = 1e-14 * max(b * b, amplified * (1 + abs(1 - b)))
    return close(a, b, rounding if name.startswith("kappa") else 0.0)


@st.composite
def layouts(draw: Any, rows: int) -> dict[str, Any]:
    """Windows, steps and cuts; also windows longer than the log and steps that do not divide it."""
    return {
        "size": draw(st.integers(1, rows + 5)),
        "tumble": draw(st.integers(1, rows + 5)),
        "factor": draw(st.sampled_from([1.0, 0.99, 0.9, 0.5])),
        # the core treats blocks of one row and of many rows differently
        "every": draw(st.one_of(st.just(1), st.integers(2, 9), st.integers(2, rows + 3))),
        "cuts": draw(st.lists(st.integers(0, max(rows, 1)), max_size=4)),
    }


@st.composite
def coded_logs(draw: Any, scored: bool = False) -> dict[str, Any]:
    """Labels and predictions of 1 to 40 classes, with gaps, repeats, weights; 0 rows and more."""
    rows = draw(st.one_of(st.integers(0, 3), st.integers(4, 40)))
    classes = draw(st.one_of(st.integers(1, 4), st.integers(5, 40)))
    code = (
        st.integers(-1, classes - 1)
        if draw(st.booleans())
        else st.just(draw(st.integers(0, classes - 1)))
    )
    label = draw(st.lists(code, min_size=rows, max_size=rows))
    prediction = draw(st.lists(st.integers(-1, classes - 1), min_size=rows, max_size=rows))
    if draw(st.booleans()):  # a good learner
        prediction = [
            y if i % 4 else a for i, (y, a) in enumerate(zip(label, prediction, strict=True))
        ]
    weight = None
    if draw(st.booleans()):
        heavy = st.sampled_from([0.0, 1.0, 0.25, 3.0, 1e6])
        weight = draw(st.lists(heavy, min_size=rows, max_size=rows))
    previous = None
    if draw(st.booleans()) and not scored:
        previous = draw(st.lists(st.integers(-1, classes - 1), min_size=rows, max_size=rows))
    scores = None
    if scored:
        number = st.sampled_from([0.0, 1.0, 0.5, 0.25, 0.1, 0.3, nan])
        scores = draw(st.lists(st.tuples(*[number] * classes), min_size=rows, max_size=rows))
    return {
        "classes": classes,
        "label": label,
        "prediction": prediction,
        "weight": weight,
        "previous": previous,
        "scores": scores,
        "policy": draw(st.sampled_from(POLICIES)),
        **draw(layouts(rows)),
    }


def known_rows(case: dict[str, Any]) -> list[oracle.Row]:
    keep = [i for i, y in enumerate(case["label"]) if y >= 0]

    def column(name: str) -> Any:
        return None if case[name] is None else [case[name][i] for i in keep]

    before = column("previous")
    return oracle.prepared(
        column("label"),
        [None if a < 0 else a for a in column("prediction")],
        case["classes"],
        column("weight"),
        None if before is None else [None if b < 0 else b for b in before],
        column("scores"),
    )


def spec(kind: str, case: dict[str, Any]) -> tuple[str, float]:
    size = {"sliding": case["size"], "tumbling": case["tumble"], "fading": case["factor"]}
    return kind, size.get(kind, 0)


def window_name(kind: str, size: float) -> str:
    return kind if kind == "whole" else f"{kind}({size})"


def counted(rows: list[oracle.Row], policy: str) -> list[oracle.Row | None]:
    """The rows after the cold start policy; None: part of the window, but not counted."""
    if policy == "count_wrong":
        return list(rows)
    if policy == "skip":
        return [None if r.prediction is None else r for r in rows]
    return [replace(r, prediction=0) if r.prediction is None else r for r in rows]


def in_window(rows: list[oracle.Row | None], kind: str, size: float, at: int) -> list[oracle.Row]:
    inside = windows.weights(kind, size, at)
    found = []
    for i, w in inside.items():
        row = rows[i]
        if row is not None:
            found.append(replace(row, weight=row.weight * w))
    return found


@quick
@given(case=coded_logs())
def test_counts_equal_a_recount(log_of: LogOf, case: dict[str, Any]) -> None:
    rows = counted(known_rows(case), case["policy"])
    log = log_of(
        case["classes"],
        case["label"],
        case["prediction"],
        case["cuts"],
        previous=case["previous"],
        weight=case["weight"],
    )
    weighted = case["weight"] is not None
    recounts = oracle.CLASSIFICATION | (oracle.OF_THREE_CLASSES if case["classes"] == 3 else {})
    for kind in KINDS:
        kind, size = spec(kind, case)
        names = [
            name
            for name in recounts
            if kind in make("measure", name).supports()
            and (make("measure", name).weighable() or not weighted)
        ]
        curves = measure(
            log,
            names,
            [window_name(kind, size)],
            every=case["every"],
            cold_start=case["policy"],
            weighted=weighted,
        )
        points = windows.points(kind, size, case["every"], len(rows))
        for name, curve in zip(names, curves, strict=True):
            recount = recounts[name]
            assert len(curve.at) == len(points)
            for at, got in zip(points, curve.value, strict=True):
                inside = in_window(rows, kind, size, at)
                want = recount(inside, case["classes"])
                amplified = oracle.amplification(name, inside, case["classes"])
                assert close_kappa(name, got, want, amplified), (name, kind, size, at, got, want)


@quick
@given(case=coded_logs())
def test_ewma_equals_algorithm_1(log_of: LogOf, case: dict[str, Any]) -> None:
    case["previous"] = None
    rows = known_rows(case)
    policy = case["policy"]
    pairs = [
        (int(r.label), 0 if r.prediction is None and policy == "default_class" else r.prediction)
        for r in rows
    ]
    here = [r.prediction is not None or policy != "skip" for r in rows]
    weight = 0.25
    states = windows.smoothed(pairs, case["classes"], weight, here)
    names = [n for n in oracle.CLASSIFICATION if "ewma" in make("measure", n).supports()]
    log = log_of(case["classes"], case["label"], case["prediction"], case["cuts"])
    curves = measure(log, names, [f"ewma({weight})"], every=case["every"], cold_start=policy)
    points = windows.points("whole", 0, case["every"], len(rows))
    for name, curve in zip(names, curves, strict=True):
        for at, got in zip(points, curve.value, strict=True):
            want = oracle.ewma(name, states[at - 1])
            assert close_kappa(name, got, want), (name, at, got, want)


@quick
@given(case=coded_logs(scored=True))
def test_scores_equal_a_recount(log_of: LogOf, case: dict[str, Any]) -> None:
    classes = case["classes"]
    first = tuple(float(c == 0) for c in range(classes))
    rows: list[oracle.Row | None] = []
    for r in known_rows(case):
        if r.scores is not None and any(map(isnan, r.scores)):
            default = replace(r, scores=first, prediction=0)
            rows.append(default if case["policy"] == "default_class" else None)
        else:
            best = max(range(classes), key=lambda c, s=r.scores: s[c])
            rows.append(replace(r, prediction=best if r.prediction is None else r.prediction))
    # scores that sum to 0 cannot be divided by their sum
    empty = any(r is not None and sum(r.scores or ()) == 0 for r in rows)
    scores = np.asarray(case["scores"], np.float64).reshape(-1, classes)
    log = log_of(
        classes,
        case["label"],
        case["prediction"],
        case["cuts"],
        scores=scores,
        weight=case["weight"],
    )
    weighted = case["weight"] is not None
    for kind in KINDS:
        kind, size = spec(kind, case)
        names = [
            name
            for name in oracle.SCORED
            if kind in make("measure", name).supports()
            and (make("measure", name).weighable() or not weighted)
            and not (empty and name.startswith("log_loss(variant"))
        ]
        curves = measure(
            log,
            names,
            [window_name(kind, size)],
            every=case["every"],
            cold_start=case["policy"],
            weighted=weighted,
        )
        points = windows.points(kind, size, case["every"], len(rows))
        for name, curve in zip(names, curves, strict=True):
            recount = oracle.SCORED[name]
            for at, got in zip(points, curve.value, strict=True):
                want = recount(in_window(rows, kind, size, at), classes)
                assert close(got, want), (name, kind, size, at, got, want)


@st.composite
def real_logs(draw: Any) -> dict[str, Any]:
    """Real labels and predictions: gaps, ties, offsets and very large numbers."""
    rows = draw(st.one_of(st.integers(0, 3), st.integers(4, 30)))
    tame = st.floats(-100, 100).map(lambda x: round(x, 3))
    number = draw(
        st.sampled_from(
            [
                tame,
                st.sampled_from([0.0, 1.0]),
                st.one_of(tame, st.sampled_from([1e9, -1e9])),
            ]
        )
    )
    gap = st.just(nan)
    columns = st.lists(st.one_of(number, number, number, gap), min_size=rows, max_size=rows)
    weight = None
    if draw(st.booleans()):
        heavy = st.sampled_from([0.0, 1.0, 0.25, 3.0, 1e6])
        weight = draw(st.lists(heavy, min_size=rows, max_size=rows))
    return {
        "label": draw(columns),
        "prediction": draw(columns),
        "weight": weight,
        "policy": draw(st.sampled_from(["skip", "default_class"])),
        **draw(layouts(rows)),
    }


def real_rows(case: dict[str, Any]) -> list[oracle.Row | None]:
    keep = [i for i, y in enumerate(case["label"]) if not isnan(y)]
    rows = oracle.prepared(
        [case["label"][i] for i in keep],
        [None if isnan(case["prediction"][i]) else case["prediction"][i] for i in keep],
        None,
        None if case["weight"] is None else [case["weight"][i] for i in keep],
    )
    return counted(rows, case["policy"])


@quick
@given(case=real_logs())
def test_moments_equal_a_recount(log_of: LogOf, case: dict[str, Any]) -> None:
    rows = real_rows(case)
    log = log_of(None, case["label"], case["prediction"], case["cuts"], weight=case["weight"])
    weighted = case["weight"] is not None
    for kind in KINDS:
        kind, size = spec(kind, case)
        names = [
            name
            for name in oracle.REGRESSION
            if kind in make("measure", name).supports()
            # scikit-learn counts items where we have weights
            and not (weighted and name == "r2(variant='sklearn')")
            and (make("measure", name).weighable() or not weighted)
        ]
        curves = measure(
            log,
            names,
            [window_name(kind, size)],
            every=case["every"],
            cold_start=case["policy"],
            weighted=weighted,
        )
        points = windows.points(kind, size, case["every"], len(rows))
        for name, curve in zip(names, curves, strict=True):
            recount = oracle.REGRESSION[name]
            for at, got in zip(points, curve.value, strict=True):
                inside = in_window(rows, kind, size, at)
                want = recount(inside)
                rounding = 1e-14 * abs(want) * cancelling(inside) if "mean'" in name else 0.0
                assert close(got, want, rounding), (name, kind, size, at, got, want)


def cancelling(rows: list[oracle.Row]) -> float:
    """The factor by which rounding of the sum of labels is amplified."""
    size, total = sum(abs(r.label) * r.weight for r in rows), sum(r.label * r.weight for r in rows)
    return size / abs(total) if total else 1.0


EDGE = ["mae", "mse", "rmse", "r2", "mae_vs_last_value", "rmse_vs_last_value", "nmae"]
"""Measures that do not subtract large numbers from each other."""


@quick
@given(
    label=st.lists(st.sampled_from([0.0, 1.0, 1e300, -1e300]), min_size=1, max_size=20),
    data=st.data(),
)
def test_very_large_numbers_equal_a_recount(log_of: LogOf, label: list[float], data: Any) -> None:
    number = st.sampled_from([0.0, 1.0, 1e300, -1e300, inf])
    prediction = data.draw(st.lists(number, min_size=len(label), max_size=len(label)))
    case = {"label": label, "prediction": prediction, "weight": None, "policy": "skip"}
    case |= data.draw(layouts(len(label)))
    rows = real_rows(case)
    for kind in ("whole", "sliding", "tumbling"):
        kind, size = spec(kind, case)
        log = log_of(None, label, prediction, case["cuts"])
        curves = measure(log, EDGE, [window_name(kind, size)], every=case["every"])
        for curve in curves:
            recount = oracle.REGRESSION.get(curve.measure) or oracle.REGRESSION["nmae(by='range')"]
            for at, got in zip(curve.at, curve.value, strict=True):
                want = recount(in_window(rows, kind, size, int(at)))
                assert close(got, want), (curve.measure, kind, size, at, got, want)


@pytest.mark.parametrize("huge", [1e9, 1e300, -1e300, inf, -inf])
@pytest.mark.parametrize(("window", "later"), [("sliding(10)", 20), ("tumbling(10)", 2)])
def test_a_huge_error_has_no_effect_after_it_left_the_window(
    log_of: LogOf, huge: float, window: str, later: int
) -> None:
    label = [float(i % 5) for i in range(60)]
    prediction = [y + 0.1 * (i % 3) for i, y in enumerate(label)]
    prediction[12] = huge
    names = ["mae", "mse", "rmse", "r2", "mae_vs_last_value", "nrmse(by='deviation')"]
    clean = measure(log_of(None, label[30:], prediction[30:]), names, window, every=1)
    dirty = measure(log_of(None, label, prediction), names, window, every=1)
    for a, b in zip(clean, dirty, strict=True):
        np.testing.assert_allclose(b.value[-later:], a.value[-later:], rtol=1e-12)


def test_a_huge_label_has_no_effect_on_later_deviations(log_of: LogOf) -> None:
    label = [float(i % 5) for i in range(60)]
    prediction = [y + 0.1 * (i % 3) for i, y in enumerate(label)]
    for huge in (1e9, 1e300, inf):
        label[12] = huge
        clean = measure(log_of(None, label[20:], prediction[20:]), "r2", "sliding(10)", every=1)
        dirty = measure(log_of(None, label, prediction), "r2", "sliding(10)", every=1)
        np.testing.assert_allclose(dirty.value[-30:], clean.value[-30:], rtol=1e-12)


def test_labels_far_from_zero_keep_their_variance(log_of: LogOf) -> None:
    rng = np.random.default_rng(5)
    label = 1e9 + rng.normal(size=5000)
    prediction = label + rng.normal(size=5000) * 0.5
    curve = measure(
        log_of(None, label, prediction), "r2", ["whole", "sliding(1000)", "fading(0.999)"]
    )
    for c in curve:
        assert 0.6 < c.final < 0.9
    exact = 1 - ((label - prediction) ** 2).sum() / ((label - label.mean()) ** 2).sum()
    assert curve[0].final == pytest.approx(exact, rel=1e-9)
