"""No optional argument is ignored: given another value, each changes what comes out."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from streamgauge import comparisons, diagnose, diagnosis, late, learners, measure, run, streams
from streamgauge.comparisons import Scores
from streamgauge.log import LabelledPredictions, Log, from_columns
from streamgauge.protocols import Prequential, Reevaluating
from streamgauge.types import Schema


@cache
def log(which: int = 0, kind: str = "classes") -> Log:
    """Labels and predictions with gaps; `which` is whose."""
    label = np.repeat(np.random.default_rng(5).integers(0, 2, 100), 3).astype(np.int32)
    drawn = np.random.default_rng(which).random(300)
    if kind == "reals":
        real = np.sin(np.arange(300.0))
        return from_columns(Schema((), classes=None), real, real + (drawn - 0.4) * (which + 1))
    prediction = np.where(drawn < 0.8 - 0.2 * which, label, 1 - label)
    prediction = np.where(drawn > 0.97, -1, prediction).astype(np.int32)
    rows = slice(300 - 50 * which if kind == "fewer" else None)
    schema = Schema((), classes=("no", "yes"))
    about = {"learner": f"learner {which}"}
    return from_columns(schema, label[rows], prediction[rows], about=about)


class Weights:
    """Rows with weights, whose labels come in another order than the items."""

    labels_in_order = False

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        rng = np.random.default_rng(4)
        label, prediction = rng.integers(0, 2, (2, 120)).astype(np.int32)
        item = rng.permutation(120).astype(np.uint64)
        yield LabelledPredictions(
            0, label, prediction, item=item, weight=rng.integers(1, 4, 120).astype(float)
        )

    def label_count(self) -> int:
        return 120


def weighted() -> Log:
    return Log(Schema((), classes=("no", "yes")), Weights())


@cache
def late_log(folds: int = 2) -> Log:
    """A log of late labels."""
    stream = streams.delay(streams.take(streams.SEA(), 200), 20)
    return run(stream, learners.NaiveBayes(), Reevaluating(every=3, folds=folds), scores=True)


@cache
def late_reals() -> Log:
    """The same of real labels."""
    stream = streams.delay(streams.take(streams.Friedman(), 200), 20)
    return run(stream, learners.LinearRegression(), Reevaluating(every=3))


@cache
def ran(learner: str, items: int, seed: int) -> Log:
    made = learners.NaiveBayes() if learner == "a" else learners.MajorityClass()
    return run(streams.take(streams.SEA(), items), made, Prequential(), seed=seed)


def logs() -> list[Log]:
    """Two learners on two streams, each twice."""
    return [ran(name, n, seed) for name in "ab" for n in (300, 400) for seed in (0, 1)]


def table(rows: int = 8) -> Scores:
    values = np.random.default_rng(2).random((rows, 3)).round(2)
    values += np.array([0.0, 0.1, 0.3])
    values[0] = values[0, 0]
    return Scores(("a", "b", "c"), tuple(f"s{i}" for i in range(rows)), values)


def plain(value: Any) -> Any:
    """What can be compared: logs as their pairs, arrays as lists, dataclasses as their fields."""
    if isinstance(value, Log):
        return [plain(pairs) for pairs in value.labelled_predictions()]
    if is_dataclass(value) and not isinstance(value, type):
        return [plain(getattr(value, f.name)) for f in fields(value)]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, str | bytes | int | float | None):
        return value
    if hasattr(value, "__iter__"):
        return [plain(v) for v in value]
    return repr(value)


SEA = streams.take(streams.SEA(), 300)
PAIR = {"nb": learners.NaiveBayes(), "majority": learners.MajorityClass()}
SERIES = np.cumsum(np.random.default_rng(3).normal(size=200)) / 10

Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]], dict[str, Any]]

CASES: list[Case] = [
    (
        measure,
        lambda: (log(), ["accuracy"]),
        {"windows": ["sliding(9)"], "every": 7, "cold_start": "skip"},
    ),
    (
        measure,
        lambda: (weighted(), ["accuracy"]),
        {"clock": "predicted", "weighted": True},
    ),
    (
        late.bins,
        lambda: (late_log(),),
        {
            "measure": "kappa",
            "n_bins": 7,
            "binning": "grzenda",
            "window": "sliding(50)",
            "every": 11,
            "fold": 1,
        },
    ),
    (late.bins, lambda: (late_log(), "accuracy", 4), {"cold_start": "skip"}),
    (late.prediction_history, lambda: (late_log(),), {"fold": 1}),
    (late.item_changes, lambda: (late_log(),), {"fold": 1}),
    (late.item_changes, lambda: (late_reals(),), {"tolerance": 0.5}),
    (late.change_summary, lambda: (late_log(),), {"fold": 1}),
    (late.change_summary, lambda: (late_reals(),), {"tolerance": 0.5}),
    (late.costs, lambda: (late_log(),), {"last_events": 10, "every": 3}),
    (late.costs, lambda: (late_log(),), {"fold": 1}),
    (late.at_bin, lambda: (late_log(1), 2), {"n_bins": 5, "fill": 1.0}),
    (late.at_bin, lambda: (late_reals(), 2, 3), {"binning": "grzenda"}),
    (late.at_bin, lambda: (late_log(), 2), {"fold": 1}),
    (measure, lambda: (late_log(), ["accuracy"]), {"fold": 1}),
    (comparisons.bands, lambda: (late_log(), "accuracy"), {"fold": 1}),
    (comparisons.compare, lambda: (late_log(), late_log()), {"fold": 1}),
    (diagnosis.error_autocorrelation, lambda: (late_log(),), {"fold": 1}),
    (
        comparisons.compare,
        lambda: (log(0), log(1)),
        {
            "names": ("x", "y"),
            "windows": ["sliding(9)"],
            "alpha": 0.2,
            "side": "a",
            "cold_start": "skip",
            "every": 7,
            "lags": 3,
            "spell": 10,
            "margin": 0.1,
        },
    ),
    (
        comparisons.compare,
        lambda: (log(0, "reals"), log(1, "reals")),
        {"loss": "squared", "bound": 0.3},
    ),
    (
        comparisons.compare_all,
        lambda: ({str(i): log(i) for i in range(3)},),
        {
            "control": "0",
            "windows": ["sliding(9)"],
            "alpha": 0.2,
            "correction": "bonferroni",
            "cold_start": "skip",
            "spell": 10,
            "margin": 0.1,
        },
    ),
    (
        partial(comparisons.compare_all, loss="absolute", bound=2.0),
        lambda: ({str(i): log(i, "reals") for i in range(3)},),
        {"loss": "squared", "bound": 0.3},
    ),
    (
        comparisons.bands,
        lambda: (log(), "accuracy"),
        {
            "windows": "sliding(40)",
            "level": 0.8,
            "kind": "circular",
            "block": 3,
            "draws": 50,
            "every": 7,
            "cold_start": "skip",
            "seed": 1,
        },
    ),
    (
        comparisons.block_bootstrap,
        lambda: (SERIES,),
        {"level": 0.8, "kind": "circular", "block": 3, "draws": 50, "seed": 1},
    ),
    (comparisons.block_length, lambda: (SERIES,), {"kind": "circular"}),
    (
        comparisons.bayesian_signed_rank_test,
        lambda: (table(),),
        {"rope": 0.1, "min_probability": 0.6, "prior": 2.0, "draws": 99, "seed": 1},
    ),
    (
        comparisons.diebold_mariano_test,
        lambda: (SERIES**2, SERIES[::-1] ** 2),
        {"lags": 1, "side": "a"},
    ),
    (
        comparisons.items_needed,
        lambda: (0.01, 0.3),
        {"dependence": 3.0, "alpha": 0.2, "side": "a", "spell": 5000},
    ),
    (comparisons.friedman_test, lambda: (table(),), {"alpha": 0.2}),
    (comparisons.nemenyi_test, lambda: (table(),), {"alpha": 0.2}),
    (comparisons.wilcoxon_holm_test, lambda: (table(),), {"alpha": 0.2, "zero_method": "wilcox"}),
    (
        comparisons.versus_control_test,
        lambda: (table(),),
        {"control": "a", "alpha": 0.2, "statistic": "ranks"},
    ),
    (comparisons.mcnemar_p, lambda: (10.0, 20.0), {"side": "b"}),
    (
        comparisons.nadeau_bengio_test,
        lambda: ([0.9, 0.8, 0.7, 0.9], [0.7, 0.7, 0.8, 0.6]),
        {"runs": 2, "test_to_train": 0.5, "higher_is_better": False, "rope": 0.05, "alpha": 0.2},
    ),
    (
        comparisons.compare_many,
        lambda: (table(),),
        {"test": "nemenyi", "control": "b", "alpha": 0.2},
    ),
    (comparisons.compare_many, lambda: (logs(),), {"measure": "kappa", "window": "sliding(50)"}),
    (comparisons.scores, lambda: (logs(),), {"measure": "kappa", "window": "sliding(50)"}),
    (
        comparisons.to_latex,
        lambda: (comparisons.compare_many(table()),),
        {"control": "a", "digits": 2, "percent": True, "caption": "C", "label": "tab:l"},
    ),
    (
        comparisons.to_markdown,
        lambda: (comparisons.compare_many(table()),),
        {"control": "a", "digits": 2, "percent": True},
    ),
    (diagnosis.error_autocorrelation, lambda: (log(),), {"lags": 3}),
    (diagnosis.label_dependence, lambda: (SEA,), {"lags": 3, "seed": 1}),
    (diagnosis.hoeffding_items, lambda: (0.1,), {"confidence": 0.8, "span": 2.0}),
    (diagnosis.hoeffding_precision, lambda: (10,), {"confidence": 0.8, "span": 2.0}),
    (diagnosis.window_items, lambda: (0.1,), {"width": "full"}),
    (diagnosis.hoeffding_probability, lambda: (0.1, 50), {"span": 2.0}),
    (diagnosis.fading_horizon, lambda: (0.9,), {"weight": 0.1}),
    (diagnosis.fading_size, lambda: (0.9,), {"items": 5}),
    (diagnosis.quick_test, lambda: (SEA,), {"items": 30, "seed": 1}),
    (diagnosis.shuffle_and_rank, lambda: (SEA, PAIR), {"shuffles": 1, "seed": 1}),
    (diagnose, lambda: (SEA,), {"learners": PAIR, "lags": 3, "seed": 1}),
    (diagnose, lambda: (SEA, PAIR), {"shuffles": 1}),
]

ELSEWHERE = {
    ("compare", "common"): "tests/comparisons/test_paired_logs.py",
    ("compare_all", "common"): "tests/comparisons/test_paired_logs.py",
    ("scores", "runs"): "it warns; tests/comparisons/test_scores.py",
    ("to_latex", "marks"): "tests/comparisons/test_scores.py",
    ("to_markdown", "marks"): "tests/comparisons/test_scores.py",
    ("shuffle_and_rank", "logs"): "runs that are not made again; the result is the same",
    ("diagnose", "progress"): "progress; the result is the same",
}
"""Optional arguments that another test is about."""


DEFAULTS: dict[str, dict[str, Any]] = {
    "measure": {
        "windows": None,
        "every": None,
        "cold_start": None,
        "clock": "label",
        "weighted": False,
        "fold": None,
    },
    "bins": {
        "measure": "",
        "n_bins": 50,
        "binning": "longest",
        "window": None,
        "every": None,
        "cold_start": None,
        "fold": None,
    },
    "prediction_history": {"fold": None},
    "item_changes": {"tolerance": None, "fold": None},
    "change_summary": {"tolerance": None, "fold": None},
    "costs": {"last_events": 100, "every": 1, "fold": None},
    "at_bin": {"n_bins": 50, "binning": "longest", "fill": None, "fold": None},
    "compare": {
        "names": None,
        "windows": None,
        "alpha": 0.05,
        "side": "either",
        "loss": None,
        "bound": None,
        "cold_start": None,
        "every": None,
        "lags": None,
        "common": False,
        "fold": None,
        "spell": 200,
        "margin": None,
    },
    "compare_all": {
        "control": None,
        "windows": None,
        "alpha": 0.05,
        "correction": "holm",
        "loss": None,
        "bound": None,
        "cold_start": None,
        "common": False,
        "spell": 200,
        "margin": None,
    },
    "bands": {
        "windows": None,
        "level": 0.95,
        "kind": "stationary",
        "block": None,
        "draws": None,
        "every": None,
        "cold_start": None,
        "seed": 0,
        "fold": None,
    },
    "block_bootstrap": {
        "level": 0.95,
        "kind": "stationary",
        "block": None,
        "draws": 1000,
        "seed": 0,
    },
    "block_length": {"kind": "stationary"},
    "bayesian_signed_rank_test": {
        "rope": 0.01,
        "min_probability": 0.95,
        "prior": 0.5,
        "draws": 50000,
        "seed": 0,
    },
    "diebold_mariano_test": {"lags": None, "side": "either"},
    "items_needed": {"dependence": 1.0, "alpha": 0.05, "side": "either", "spell": 200},
    "friedman_test": {"alpha": 0.05},
    "nemenyi_test": {"alpha": 0.05},
    "wilcoxon_holm_test": {"alpha": 0.05, "zero_method": "zsplit"},
    "versus_control_test": {"control": None, "alpha": 0.05, "statistic": "wilcoxon"},
    "mcnemar_p": {"side": "either"},
    "nadeau_bengio_test": {
        "runs": 1,
        "test_to_train": None,
        "higher_is_better": True,
        "rope": 0.0,
        "alpha": 0.05,
    },
    "compare_many": {
        "measure": "accuracy",
        "window": None,
        "test": "wilcoxon_holm",
        "control": None,
        "alpha": 0.05,
    },
    "scores": {"measure": "accuracy", "window": None, "runs": "mean"},
    "to_latex": {
        "control": None,
        "digits": 4,
        "percent": False,
        "marks": None,
        "caption": "",
        "label": "",
    },
    "to_markdown": {"control": None, "digits": 4, "percent": False, "marks": None},
    "error_autocorrelation": {"lags": 10, "fold": None},
    "label_dependence": {"lags": 10, "seed": 0},
    "hoeffding_items": {"confidence": 0.95, "span": 1.0},
    "hoeffding_precision": {"confidence": 0.95, "span": 1.0},
    "window_items": {"width": "half"},
    "hoeffding_probability": {"span": 1.0},
    "fading_horizon": {"weight": 0.01},
    "fading_size": {"items": math.inf},
    "quick_test": {"items": 100, "seed": 0},
    "shuffle_and_rank": {"shuffles": 3, "seed": 0, "logs": None},
    "diagnose": {"learners": None, "lags": 10, "shuffles": 3, "seed": 0},
}
"""What each optional argument is by default: part of what a number means."""


def name_of(call: Any) -> str:
    return call.func.__name__ if isinstance(call, partial) else call.__name__


@pytest.mark.parametrize(
    ("nth", "name"),
    [(nth, name) for nth, case in enumerate(CASES) for name in case[2]],
    ids=[f"{name_of(case[0])}-{name}" for case in CASES for name in case[2]],
)
def test_another_value_changes_the_result(nth, name):
    call, make, others = CASES[nth]
    given = make()
    default = inspect.signature(getattr(call, "func", call)).parameters[name].default
    assert default == DEFAULTS[name_of(call)][name]
    usual = plain(call(*given))
    assert repr(plain(call(*given))) == repr(usual)
    assert repr(plain(call(*given, **{name: others[name]}))) != repr(usual)


def test_every_optional_argument_has_its_row():
    known = {(name_of(call), name) for call, _, others in CASES for name in others}
    predicted = {
        (name_of(call), name)
        for call, _, _ in CASES
        for name, parameter in inspect.signature(call).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }
    assert predicted == known | ELSEWHERE.keys()
