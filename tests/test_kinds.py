"""Numbers of NumPy are numbers, wherever a parameter is one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge import delays, detectors, learners, streams
from streamgauge.errors import ParameterError
from streamgauge.files import data_folder
from streamgauge.kinds import plain, plain_numbers
from streamgauge.lazy import members
from streamgauge.names import FAMILIES, find, known
from streamgauge.streams.catalog.benchmark import Benchmark

REQUIRED: dict[str, Callable[[], Any]] = {
    # things that are not made without parameters
    "sliding": lambda: sg.Sliding(5),
    "tumbling": lambda: sg.Tumbling(5),
    "fading": lambda: sg.Fading(0.5),
    "bursts": lambda: delays.Bursts(5.0),
    "by_class": lambda: delays.ByClass({"a": 3}),
    "constant": lambda: delays.Constant(3),
    "exponential": lambda: delays.Exponential(3),
    "log_normal": lambda: delays.LogNormal(3),
    "never": lambda: delays.Never(0.5),
    "pareto": lambda: delays.Pareto(3),
    "uniform": lambda: delays.Uniform(1, 3),
    "drifting": lambda: streams.Drifting((streams.SEA(), streams.SEA(1)), (10,), (2,), items=50),
    "incremental": lambda: streams.Incremental(streams.SEA(), streams.SEA(1), 10, 4),
    "resetting": lambda: learners.Resetting(learners.NaiveBayes(), detectors.DDM()),
    "temporally_augmented": lambda: learners.TemporallyAugmented(learners.NaiveBayes()),
    "temporal_correction": lambda: learners.TemporalCorrection(learners.NaiveBayes()),
    "chunks": lambda: sg.protocols.Chunks(5),
    "shedding": lambda: sg.protocols.Shedding(10.0, 0.5),
    "mean_cost": lambda: sg.measures.MeanCost(((0.0, 1.0), (5.0, 0.0))),
}
NUMERIC = re.compile(r"\b(int|float)\b")
SOME = {"int": 3, "float": 0.5}
"""A value for a parameter that is None by default."""


def things() -> list[tuple[str, str]]:
    """Every class with a name and a numeric parameter."""
    found = []
    for family in FAMILIES:
        for name in known(family):
            kind = find(family, name)
            if (
                inspect.isclass(kind) and is_dataclass(kind) and name != "arrays"
            ):  # data, not numbers
                takes = inspect.signature(kind).parameters.values()
                if any(NUMERIC.search(str(p.annotation)) for p in takes):
                    found.append((family, name))
    return found


def as_numpy(value: Any, how: type) -> Any:
    """A number, or each number of a tuple or dict, as one of NumPy."""
    if isinstance(value, tuple):
        return tuple(as_numpy(one, how) for one in value)
    if isinstance(value, dict):
        return {key: as_numpy(one, how) for key, one in value.items()}
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return (
        how(value) if isinstance(value, float) or issubclass(how, np.integer) else np.int64(value)
    )


def all_plain(value: Any) -> bool:
    if isinstance(value, tuple | dict):
        return all(map(all_plain, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, np.generic)


@pytest.mark.parametrize(("family", "name"), things())
def test_numbers_of_numpy_are_numbers_and_print_plain(family: str, name: str) -> None:
    usual = REQUIRED.get(name, find(family, name))()
    for field in fields(usual):
        kind = NUMERIC.search(str(field.type))
        if not field.init or not kind:
            continue
        value = getattr(usual, field.name)
        value = SOME[kind.group()] if value is None else value
        expected = replace(usual, **{field.name: value})
        for how in (np.int64, np.uint64) if kind.group() == "int" else (np.float64, np.longdouble):
            made = replace(usual, **{field.name: as_numpy(value, how)})
            assert made == expected
            assert repr(made) == repr(expected)
            assert str(made) == str(expected)
            assert getattr(made, "name", "") == getattr(expected, "name", "")
            assert all_plain(getattr(made, field.name))


def without_file() -> set[str]:
    """The data sets of the catalog whose files are not here; one class reads them all."""
    return {
        name
        for name in known("stream")
        if isinstance(find("stream", name), type)
        and issubclass(find("stream", name), Benchmark)
        and not (data_folder() / find("stream", name).entry.file).is_file()
    }


def choosing() -> list[tuple[str, str, str]]:
    """Every class with a name and a parameter that is one of several words; files and arrays,
    which are not made of parameters alone, are left to `tests/streams`."""
    found = []
    for family in FAMILIES:
        for name in known(family):
            kind = find(family, name)
            files = {"arff", "arrays", "arrow", "csv", "ipc", "parquet"}
            if inspect.isclass(kind) and is_dataclass(kind) and name not in files | without_file():
                words = [f.name for f in fields(kind) if f.init and "Literal[" in str(f.type)]
                found += [(family, name, word) for word in words]
    return found


@pytest.mark.parametrize(("family", "name", "what"), choosing())
def test_a_word_that_is_no_choice_is_refused_by_who_and_what(
    family: str, name: str, what: str
) -> None:
    usual = REQUIRED.get(name, find(family, name))()
    who = type(usual).__name__
    with pytest.raises(ParameterError, match=f"^{who}: {what} must be .*, got 'neither'"):
        replace(usual, **{what: "neither"})


def takers() -> list[tuple[str, str]]:
    """Public functions, and classes that are no dataclasses, with a numeric parameter."""
    families = ["comparisons", "detectors", "diagnosis", "report", "streams"]
    found = []
    for package in ("streamgauge", *(f"streamgauge.{family}" for family in families)):
        for name in members(package):
            taker = getattr(import_module(package), name)
            if inspect.ismodule(taker) or not callable(taker) or is_dataclass(taker):
                continue
            if taker.__module__.startswith(("streamgauge.engine", "streamgauge.log")):
                continue  # seen below
            kinds = [str(p.annotation) for p in inspect.signature(taker).parameters.values()]
            formula = any(
                "F64 | float" in kind for kind in kinds
            )  # takes columns and numbers alike
            if not formula and any(NUMERIC.search(kind) for kind in kinds):
                found.append((package, name))
    return found


@pytest.mark.parametrize(("package", "name"), takers())
def test_functions_with_a_number_take_those_of_numpy(package: str, name: str) -> None:
    taker = getattr(import_module(package), name)
    inner = taker.__init__ if inspect.isclass(taker) else taker
    assert inner.__code__ is _given().__code__, f"{name} lacks @plain_numbers"


def _given() -> Any:
    return plain_numbers(lambda: None)


def test_windows_print_plain_wherever_they_are_shown() -> None:
    assert str(sg.Sliding(np.int64(5))) == "sliding(5)"
    assert str(sg.Fading(np.float32(0.5))) == "fading(0.5)"
    assert str(sg.measures.FBeta(beta=np.float32(2), of=np.int64(1))) == "fbeta(beta=2.0, of=1)"
    assert streams.SEA(np.int64(2)).name == streams.SEA(2).name


def test_what_is_wrong_is_wrong_in_numpy_too() -> None:
    with pytest.raises(ParameterError, match=r"got 0\b"):
        sg.Sliding(np.int64(0))
    with pytest.raises(ParameterError, match=r"got 2\.5$"):
        sg.Sliding(np.float64(2.5))
    with pytest.raises(ParameterError, match="got True"):
        sg.Sliding(np.bool_(True))
    with pytest.raises(ParameterError, match="got nan"):
        sg.Fading(np.float32("nan"))


def test_a_run_and_its_curves_take_numbers_of_numpy() -> None:
    stream = streams.delay(streams.take(streams.SEA(seed=np.int64(1)), np.int64(300)), np.int64(5))
    plain_stream = streams.delay(streams.take(streams.SEA(seed=1), 300), 5)
    protocol = sg.protocols.Reevaluating(every=np.int64(2), folds=np.int64(2))
    log = sg.run(stream, learners.NaiveBayes(), protocol, seed=np.int64(3), threads=np.int64(1))
    protocol = sg.protocols.Reevaluating(every=2, folds=2)
    same = sg.run(plain_stream, learners.NaiveBayes(), protocol, seed=3, threads=1)
    assert log.about == same.about
    curve = sg.measure(log, "kappa", sg.Fading(np.float32(0.5)), every=np.int64(50))
    assert curve.window == "fading(0.5)"
    assert (
        curve.value.tolist() == sg.measure(same, "kappa", sg.Fading(0.5), every=50).value.tolist()
    )
    found = sg.late.bins(log, "accuracy", np.int64(4), every=np.int64(100), fold=np.int64(1))
    assert np.array_equal(
        found.value, sg.late.bins(same, "accuracy", 4, every=100, fold=1).value, equal_nan=True
    )


def test_what_is_no_number_stays_what_it_is() -> None:
    column = np.arange(3)
    assert plain(column) is column
    moment = np.datetime64("2020-01-01")
    assert plain(moment) is moment


def switches() -> list[tuple[str, str, str]]:
    """Every class with a name and a parameter that is true or false."""
    found = []
    for family in FAMILIES:
        for name in known(family):
            kind = find(family, name)
            if inspect.isclass(kind) and is_dataclass(kind) and name != "arrays":
                found += [(family, name, f.name) for f in fields(kind) if f.type == "bool"]
    return found


@pytest.mark.parametrize(("family", "name", "what"), switches())
def test_a_switch_is_true_or_false_and_nothing_else(family: str, name: str, what: str) -> None:
    usual = REQUIRED.get(name, find(family, name))()
    for value in (True, False, np.True_, np.False_):
        assert getattr(replace(usual, **{what: value}), what) is bool(value)
    who = type(usual).__name__
    for wrong in (1, 0, 2, "yes", None, np.int64(1)):
        with pytest.raises(ParameterError, match=f"^{who}: {what} must be True or False, got "):
            replace(usual, **{what: wrong})
