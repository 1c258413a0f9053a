"""The contract of every measure in every window it is defined in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import streamgauge as sg
from streamgauge import measures
from streamgauge.errors import LogError, ParameterError, UnknownNameError
from streamgauge.lazy import members
from streamgauge.log import Log, one_fold
from streamgauge.measures._compute import matrix
from streamgauge.measures._measure import Measure
from streamgauge.names import known, make

LogOf = Callable[..., Log]
NAMES = list(known("measure"))
WINDOWS = {
    "whole": "whole",
    "sliding": "sliding(37)",
    "tumbling": "tumbling(37)",
    "fading": "fading(0.97)",
    "ewma": "ewma(0.05)",
}
VARIANTS = [
    f"{name}(variant={variant!r})"
    for name, (module, kind) in known("measure").items()
    for variant in get_args(
        get_type_hints(getattr(import_module(module), kind)).get("variant", None)
    )
    if variant != "default"
]
PAIRS = [(name, kind) for name, able in matrix().items() for kind, yes in able.items() if yes]
N = 300


@pytest.fixture(scope="module")
def columns() -> dict[str, Any]:
    rng = np.random.default_rng(11)
    label = np.repeat(rng.integers(0, 3, N // 3), 3)
    prediction = np.where(rng.random(N) < 0.7, label, rng.integers(-1, 3, N))
    scores = rng.dirichlet(np.ones(3), N).round(2)
    real = rng.normal(5, 2, N)
    return {"label": label, "prediction": prediction, "scores": scores, "real": real}


def build(log_of: LogOf, name: str, c: dict[str, Any], rows: slice, cuts: Any = ()) -> Log:
    measure: Measure[Any] = make("measure", name)
    if measure.task == "regression":
        guess = c["real"] + np.where(np.arange(N) % 5, 0.5, -1.0)
        return log_of(None, c["real"][rows], guess[rows], cuts)
    return log_of(3, c["label"][rows], c["prediction"][rows], cuts, scores=c["scores"][rows])


def perfect(log_of: LogOf, name: str, c: dict[str, Any]) -> Log:
    if make("measure", name).task == "regression":
        return log_of(None, c["real"], c["real"])
    return log_of(3, c["label"], c["label"], scores=np.eye(3)[c["label"]])


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_a_stack_equals_its_parts(
    log_of: LogOf, columns: dict[str, Any], name: str, kind: str
) -> None:
    curve = sg.measure(build(log_of, name, columns, slice(None)), name, WINDOWS[kind], every=50)
    for at, value in zip(curve.at, curve.value, strict=True):
        part = build(log_of, name, columns, slice(int(at)))
        alone = sg.measure(part, name, WINDOWS[kind], every=50).final
        assert np.isclose(alone, value, rtol=1e-12, equal_nan=True)


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_values_keep_their_span(
    log_of: LogOf, columns: dict[str, Any], name: str, kind: str
) -> None:
    curve = sg.measure(build(log_of, name, columns, slice(None)), name, WINDOWS[kind], every=1)
    low, high = make("measure", name).span
    values = curve.value[~np.isnan(curve.value)]
    assert len(values)
    assert (values >= low - 1e-9).all()
    assert (values <= high + 1e-9).all()


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_perfect_predictions_have_the_best_value(
    log_of: LogOf, columns: dict[str, Any], name: str, kind: str
) -> None:
    best = make("measure", name).best
    if np.isnan(best):  # a baseline does not depend on how good predictions are
        return
    curve = sg.measure(perfect(log_of, name, columns), name, WINDOWS[kind])
    if np.isinf(best):
        assert np.nanmax(curve.value) > 5
    else:  # EWMA still contains a little of its prior
        assert curve.final == pytest.approx(best, abs=1e-3 if kind == "ewma" else 1e-9)


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_an_empty_log_is_nan(log_of: LogOf, columns: dict[str, Any], name: str, kind: str) -> None:
    curve = sg.measure(build(log_of, name, columns, slice(0)), name, WINDOWS[kind])
    assert np.isnan(curve.final)
    assert len(curve.at) == 0
    assert curve.definition["coverage"] == "nan"


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_values_do_not_depend_on_the_batches(
    log_of: LogOf, columns: dict[str, Any], name: str, kind: str
) -> None:
    whole = sg.measure(build(log_of, name, columns, slice(None)), name, WINDOWS[kind], every=7)
    for cuts in ([1], [3, 4, 150], range(N)):
        cut = build(log_of, name, columns, slice(None), cuts)
        again = sg.measure(cut, name, WINDOWS[kind], every=7)
        np.testing.assert_array_equal(again.value, whole.value)
        np.testing.assert_array_equal(again.at, whole.at)


@pytest.mark.parametrize("name", [*NAMES, *VARIANTS])
def test_measures_together_equal_measures_alone(
    log_of: LogOf, columns: dict[str, Any], name: str
) -> None:
    log = build(log_of, name, columns, slice(None))
    wanted = make("measure", name)
    others = [make("measure", n) for n in (*NAMES, *VARIANTS)]
    for kind in sorted(wanted.supports()):
        able = [m for m in others if m.task == wanted.task and kind in m.supports()]
        alone = sg.measure(log, wanted, WINDOWS[kind], every=9)
        together = sg.measure(log, able, [WINDOWS[kind]], every=9)[str(wanted), WINDOWS[kind]]
        np.testing.assert_array_equal(alone.value, together.value)


def test_every_file_is_listed_in_the_package() -> None:
    folder = Path(measures.__file__).parent
    files = {f.stem for f in folder.glob("*.py") if not f.stem.startswith("_")}
    modules = [m.rpartition(".")[2] for m in members("streamgauge.measures").values()]
    assert files == {*modules} - {"_measure"}
    assert len(modules) == len({*modules})


@pytest.mark.parametrize("name", NAMES)
def test_a_measure_has_a_name_a_formula_and_an_example(name: str) -> None:
    measure: Measure[Any] = make("measure", name)
    assert str(measure) == name
    assert make("measure", str(measure)) == measure
    assert measure.formula
    assert measure.supports() <= set(WINDOWS)
    assert ">>>" in (type(measure).__doc__ or "")


ONLY_IN = {
    "whole": ("kappa_m moa", "mae_vs_target_mean moa", "r2 moa", "rmse_vs_target_mean moa"),
    "whole, sliding and tumbling": (
        *("auc", "kappa_se", "kappa_se0", "kappa_z", "nmae", "nrmse"),
        *("f1 moa", "precision moa", "recall moa", "r2 sklearn"),
    ),
    "all": (
        *("accuracy", "error", "kappa", "kappa_plus", "kappa_temporal"),
        *("p_0", "p_maj", "p_per", "p_ran"),
    ),
}
"""Measures, with a variant, that are not defined in all windows but `ewma`."""


def test_the_windows_of_each_measure_and_variant() -> None:
    kinds = {
        "whole": {"whole"},
        "whole, sliding and tumbling": {"whole", "sliding", "tumbling"},
        "all": {*WINDOWS},
    }
    expected = {name: kinds[where] for where, names in ONLY_IN.items() for name in names}
    for name in NAMES:
        for variant in ("", "sklearn", "moa"):
            whole = name if not variant else f"{name}(variant={variant!r})"
            try:
                found = make("measure", whole).supports()
            except ParameterError:  # it has no such variant
                continue
            key = f"{name} {variant}".strip()
            default = expected.get(name) if variant == "sklearn" else None
            linear = {*WINDOWS} - {"ewma"}
            assert found == expected.get(key, default or linear), key


def test_a_name_contains_parameters_that_differ_from_their_default() -> None:
    assert str(measures.FBeta(beta=2.0, average="micro")) == "fbeta(beta=2.0, average='micro')"
    assert make("measure", "ece(bins=5)") == measures.ExpectedCalibrationError(5)


WRONG = {
    "kapa": (UnknownNameError, "no measure is called 'kapa'; did you mean 'kappa'?"),
    "fbeta(beta=0)": (ParameterError, "FBeta: beta must be above 0 and at most 1e6, got 0"),
    "fbeta(betta=2)": (
        ParameterError,
        "fbeta: no parameter is called 'betta'; did you mean 'beta'?",
    ),
    "f1(average='mean')": (
        ParameterError,
        "F1: average must be one of macro, micro, weighted, got 'mean'",
    ),
    "kappa_m(variant='maoa')": (
        ParameterError,
        "KappaM: variant must be one of default, share, moa, got 'maoa'",
    ),
    "precision(of=7)": (ParameterError, "Precision: of must be a class, got 7; classes: 0, 1, 2"),
    "ece(bins=0)": (
        ParameterError,
        "ExpectedCalibrationError: bins must be a whole number from 1 to 10,000, got 0",
    ),
    "mae": (ParameterError, "mae: log must be of regression, got one of classification"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_name_or_parameter_is_refused_in_one_sentence(log_of: LogOf, name: str) -> None:
    kind, words = WRONG[name]
    with pytest.raises(kind) as raised:
        sg.measure(log_of(3, [0, 1], [0, 1]), name)
    assert str(raised.value) == words


@pytest.mark.parametrize(
    ("name", "window", "words"),
    [
        (
            "auc",
            "fading(0.9)",
            "auc: is not defined in fading(0.9); use one of: sliding, tumbling, whole",
        ),
        (
            "kappa_z",
            "ewma(0.1)",
            "kappa_z: is not defined in ewma(0.1); use one of: sliding, tumbling, whole",
        ),
        (
            "kappa_m(variant='moa')",
            "sliding(5)",
            "kappa_m(variant='moa'): is not defined in sliding(5); use one of: whole",
        ),
    ],
)
def test_a_window_in_which_the_measure_is_undefined_is_refused(
    log_of: LogOf, name: str, window: str, words: str
) -> None:
    with pytest.raises(ParameterError) as raised:
        sg.measure(log_of(3, [0, 1], [0, 1]), name, window)
    assert str(raised.value) == words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"every": 0}, "measure: every must be a whole number, at least 1, got 0"),
        ({"every": 2.5}, "measure: every must be a whole number, at least 1, got 2.5"),
        ({"clock": "wall"}, "measure: clock must be 'label' or 'predicted', got 'wall'"),
        (
            {"cold_start": "hope"},
            "measure: cold_start must be one of count_wrong, skip, default_class, got 'hope'",
        ),
    ],
)
def test_a_wrong_option_is_refused(log_of: LogOf, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError) as raised:
        sg.measure(log_of(2, [0, 1], [0, 1]), "accuracy", **given)
    assert str(raised.value) == words


def test_regression_refuses_to_count_abstentions_as_wrong(log_of: LogOf) -> None:
    with pytest.raises(ParameterError, match="cold_start must be one of skip, default_class"):
        sg.measure(log_of(None, [1.0], [1.0]), "mae", cold_start="count_wrong")


def test_a_log_without_scores_is_refused_with_advice(log_of: LogOf) -> None:
    for name in ("auc", "log_loss"):
        with pytest.raises(LogError, match="run with scores=True"):
            sg.measure(log_of(2, [0, 1], [0, 1]), name)


def test_a_log_without_weights_has_weights_of_1(log_of: LogOf) -> None:
    assert sg.measure(log_of(2, [0, 1, 1], [0, 0, 1]), "accuracy", weighted=True).final == 2 / 3


def test_measures_without_weights_refuse_them(log_of: LogOf) -> None:
    log = log_of(2, [0, 1], [0, 1], weight=[1.0, 2.0], scores=np.eye(2))
    with pytest.raises(ParameterError, match="auc: is not defined with weights"):
        sg.measure(log, "auc", weighted=True)
    with pytest.raises(ParameterError, match="is not defined with weights"):
        sg.measure(log, "accuracy", "ewma(0.1)", weighted=True)


def test_an_unknown_class_is_refused_with_its_row(log_of: LogOf) -> None:
    with pytest.raises(LogError, match="label must be from 0 to 1, got 5 at row 2"):
        sg.measure(log_of(2, [0, 1, 5], [0, 1, 1]), "accuracy")
    with pytest.raises(LogError, match="prediction must be from 0 to 1, got 2 at row 4"):
        sg.measure(log_of(2, [0] * 5, [0, 0, 0, 0, 2], cuts=[3]), "accuracy")


def test_a_negative_weight_is_refused(log_of: LogOf) -> None:
    with pytest.raises(LogError, match="weight must be finite and not negative, got -1"):
        sg.measure(log_of(2, [0, 1], [0, 1], weight=[1, -1]), "accuracy", weighted=True)


def test_importing_measures_loads_no_heavy_library() -> None:
    code = (
        "import sys, streamgauge.measures._compute, streamgauge.windows;"
        "print([m for m in ('scipy', 'pyarrow', 'pandas', 'sklearn', 'river') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_measure_of_a_fold_is_the_measure_of_its_log() -> None:
    log = sg.run(sg.streams.delay("sea(items=400)", 30), "nb", "delayed(folds=3)")
    values = [sg.measure(log, "accuracy", fold=fold).final for fold in (None, 0, 1, 2)]
    assert values[1:] == [sg.measure(one_fold(log, f), "accuracy").final for f in range(3)]
    assert len({*values}) == 4
