"""Call public functions and constructors with extreme whole numbers, one after another.

A program for tests: `python count_limits.py FAMILY` prints one JSON line for each call, before it
(so that the last line names the call that ended the process) and after it. Memory is limited, so
that an allocation fails instead of filling the machine.
"""

from __future__ import annotations

import inspect
import json
import resource
import sys
import tempfile
import time
import typing
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg
from streamgauge import comparisons, diagnosis, late, streams, testing
from streamgauge.adapters import bind
from streamgauge.errors import StreamgaugeError
from streamgauge.experiments import Spec, run_experiment
from streamgauge.log import Log
from streamgauge.names import FAMILIES
from streamgauge.plots import learning_curve
from streamgauge.report import build, to_json, write_report
from streamgauge.types import Drift, Feature, Schema

VALUES = (0, -1, 10**9, 2**31, 2**63, 2**64, 10**20, -(10**20))
MEMORY = 4 << 30

COLUMNS = Feature("x"), Feature("c", ("u", "v"))
CLASSES = Schema(COLUMNS, "y", ("no", "yes"))
REALS = Schema(COLUMNS, "y", None)
X = np.array([[0.5, 0.0], [0.2, 1.0]])

GIVEN: dict[str, Callable[[], Any]] = {
    "stream": lambda: streams.take(streams.SEA(), 40),
    "a": streams.SEA,
    "b": lambda: streams.SEA(function=2),
    "old": streams.SEA,
    "new": lambda: streams.SEA(function=2),
    "concepts": lambda: (streams.SEA(), streams.SEA(function=2)),
    "attribute": lambda: "attribute1",
    "path": lambda: Path(tempfile.mkdtemp()) / "a.csv",
    "at": lambda: 10,
    "width": lambda: 2,
    "every": lambda: 10,
    "times": lambda: 2,
    "n": lambda: 10,
    "size": lambda: 10,
    "delay": lambda: 3,
    "rate": lambda: 10.0,
    "service": lambda: 0.05,
    "items": lambda: 40,
    "tolerance": lambda: 5,
    "alarms": lambda: np.array([22], np.int64),
    "drifts": lambda: (Drift(20, 20, 20),),
    "first": lambda: np.array([0], np.int64),
    "last": lambda: np.array([0], np.int64),
    "matched": lambda: np.array([0], np.int64),
    "inside": lambda: np.array([True]),
}
"""Values of the parameters without a default, by name."""


@cache
def log(learner: str = "nb", protocol: str = "prequential") -> Log:
    stream = streams.delay(streams.take(streams.SEA(), 60), 5)
    return sg.run(
        streams.take(streams.SEA(), 60) if protocol == "prequential" else stream, learner, protocol
    )


def again() -> Log:
    return log("nb", "reevaluating(every=3)")


def table() -> comparisons.Scores:
    return comparisons.Scores("ab", range(6), [[0.9, 0.8 - i / 100] for i in range(6)])


@cache
def run_folder() -> Path:
    """The folder of a small experiment."""
    folder = Path(tempfile.mkdtemp()) / "run"
    run_experiment(Spec(streams=["sea(items=9)"], learners=["nb"]), folder)
    return folder


RECOVERY = {"before": "sea(1)", "after": "sea(3)", "items": 60, "repetitions": 2, "resamples": 20}


@cache
def recovery_folder() -> Path:
    """The folder of a small analysis of recovery."""
    folder = Path(tempfile.mkdtemp()) / "recovery"
    sg.recovery("nb", **RECOVERY, folder=folder)
    return folder


def written(content: Log, **options: Any) -> Path:
    """A report of a log, written to a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        return write_report(Path(folder) / "report.md", content, **options)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "verify": lambda **n: sg.verify(run_folder(), rerun=True, **n),
    "run": lambda **n: sg.run(GIVEN["stream"](), "nb", **n),
    "run of a forest": lambda **n: sg.run(GIVEN["stream"](), "arf", **n),
    "measure": lambda **n: sg.measure(log(), "accuracy", **n),
    "compare": lambda **n: sg.compare(log(), log("majority_class"), **n),
    "compare_all": lambda **n: comparisons.compare_all(
        {"nb": log(), "majority": log("majority_class")}, **n
    ),
    "items_needed": lambda **n: sg.items_needed(0.01, 0.3, **n),
    "detect": lambda **n: sg.detect(log(), "ddm", **n),
    "detect by chance": lambda **n: sg.detect(log(), "random_alarms", **n),
    "diagnose": lambda **n: sg.diagnose(GIVEN["stream"](), "nb", **n),
    "bind": lambda **n: bind("nb", CLASSES, **n),
    "bind of a forest": lambda **n: bind("arf", CLASSES, **n),
    "bands": lambda **n: comparisons.bands(log(), "accuracy", **n),
    "bayesian_signed_rank_test": lambda **n: comparisons.bayesian_signed_rank_test(table(), **n),
    "block_bootstrap": lambda **n: comparisons.block_bootstrap(np.arange(30.0), **n),
    "diebold_mariano_test": lambda **n: comparisons.diebold_mariano_test(
        np.arange(30.0), np.arange(30.0)[::-1] ** 1.1, **n
    ),
    "nadeau_bengio_test": lambda **n: comparisons.nadeau_bengio_test(
        [0.9, 0.8, 0.7, 0.9], [0.8, 0.8, 0.6, 0.7], **n
    ),
    "to_latex": lambda **n: comparisons.to_latex(comparisons.compare_many(table()), **n),
    "to_markdown": lambda **n: comparisons.to_markdown(comparisons.compare_many(table()), **n),
    "error_autocorrelation": lambda **n: diagnosis.error_autocorrelation(log(), **n),
    "label_dependence": lambda **n: diagnosis.label_dependence(GIVEN["stream"](), **n),
    "quick_test": lambda **n: diagnosis.quick_test(GIVEN["stream"](), **n),
    "shuffle_and_rank": lambda **n: diagnosis.shuffle_and_rank(
        GIVEN["stream"](), {"nb": "nb", "maj": "majority_class"}, **n
    ),
    "bins": lambda **n: late.bins(again(), **n),
    "at_bin": lambda **n: late.at_bin(again(), **{"bin": 0, **n}),
    "bin_positions": lambda **n: late.bin_positions(**{"n_bins": 3, **n}),
    "compare_bins": lambda **n: late.compare_bins(again(), again(), **n),
    "costs": lambda **n: late.costs(again(), **n),
    "change_summary": lambda **n: late.change_summary(again(), **n),
    "item_changes": lambda **n: late.item_changes(again(), **n),
    "sweep": lambda **n: late.sweep(GIVEN["stream"](), "nb", (0, 5), **n),
    "learning_curve.data": lambda **n: learning_curve.data(
        sg.measure(log(), "accuracy", every=1), **n
    ),
    "report.build": lambda **n: build(log(), **n),
    "report.build spell": lambda **n: build(log(), **n),
    "report.write_report": lambda **n: written(log(), **n),
    "report.to_json": lambda **n: to_json(build(log()), **n),
    "adaptation": lambda **n: sg.adaptation(
        log(), **{"window": 10, "batch": 5, "drifts": (30,), **n}
    ),
    "stability": lambda **n: sg.stability(log("nb", "perturbed"), **n),
    "evaluate_detectors": lambda **n: sg.evaluate_detectors(
        "ddm", "bernoulli(items=60, at=(30,))", **{"tolerance": 5, "repetitions": 1, **n}
    ),
    "recovery": lambda **n: sg.recovery("nb", **{**RECOVERY, **n}),
    "measure_recovery": lambda **n: sg.measure_recovery(recovery_folder(), **n),
    "check_stream": lambda **n: testing.check_stream(GIVEN["stream"](), **n),
    "check_timetable": lambda **n: testing.check_timetable(sg.protocols.Prequential(), **n),
}
"""Calls with whole numbers as parameters, by name of the function."""

PARAMETERS = {
    "run": "seed threads",
    "run of a forest": "seed",
    "verify": "sample seed",
    "measure": "every fold",
    "compare": "every lags fold spell",
    "compare_all": "spell",
    "items_needed": "spell",
    "detect": "fold seed",
    "detect by chance": "seed",
    "diagnose": "lags shuffles seed",
    "bind": "seed",
    "bind of a forest": "seed",
    "bands": "draws every seed fold",
    "bayesian_signed_rank_test": "draws seed",
    "block_bootstrap": "draws seed",
    "diebold_mariano_test": "lags",
    "nadeau_bengio_test": "runs",
    "to_latex": "digits",
    "to_markdown": "digits",
    "error_autocorrelation": "lags fold",
    "label_dependence": "lags seed",
    "quick_test": "items seed",
    "shuffle_and_rank": "shuffles seed",
    "bins": "n_bins every fold",
    "at_bin": "bin n_bins fold",
    "bin_positions": "n_bins",
    "compare_bins": "n_bins",
    "costs": "last_events every fold",
    "change_summary": "fold",
    "item_changes": "fold",
    "sweep": "seed",
    "learning_curve.data": "points",
    "report.build": "every",
    "report.build spell": "spell",
    "report.write_report": "spell",
    "report.to_json": "indent",
    "adaptation": "window batch every fold",
    "stability": "every fold",
    "evaluate_detectors": "tolerance repetitions seed",
    "recovery": "repetitions items every resamples seed",
    "measure_recovery": "every resamples",
    "check_stream": "count seed",
    "check_timetable": "count seed",
}


def whole_numbers(thing: Any) -> Iterator[str]:
    """The parameters that take a whole number."""
    for name, parameter in inspect.signature(thing).parameters.items():
        if "int" in [kind.strip() for kind in str(parameter.annotation).split("|")]:
            yield name


def required(thing: Any) -> list[str]:
    """The parameters without a default."""
    given = inspect.signature(thing).parameters.values()
    named = (
        (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        if (p := inspect.Parameter)
        else ()
    )
    return [p.name for p in given if p.default is p.empty and p.kind in named]


def used(family: str, made: Any) -> None:
    """Use an object for a moment: parameters may be checked late, and memory allocated late."""
    if family == "learner":
        real = made.task == "regression"
        learner = made.bind(REALS if real else CLASSES, 0)
        label = np.array([1.0, 2.0]) if real else np.array([0, 1], np.int32)
        learner.test_then_train(0, X, label)
    elif family == "stream" and hasattr(made, "batches"):
        next(iter(made.batches(16, 0)), None)
    elif family == "detector":
        made.bind(0, None).observe_many(np.array([0.0, 1.0, 1.0]))
    elif family == "protocol":
        sg.run(GIVEN["stream"](), "nb", made)
    elif family == "window":
        sg.measure(log(), "accuracy", made)
    elif family == "measure":
        sg.measure(log(), made)
    elif family == "delay":
        sg.run(streams.delay(GIVEN["stream"](), made), "nb", "delayed")


def made_and_used(family: str, thing: Any, name: str, value: int) -> None:
    others = {other: GIVEN[other]() for other in required(thing) if other != name}
    if thing in (streams.Drifting, streams.drifts):  # one position and one width for each drift
        others |= {"at": (10,)} | ({"width": (1,)} if thing is streams.Drifting else {})
    used(family, thing(**{**others, name: value}))


def calls(family: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every call of a family: its text, and the call."""
    if family == "function":
        for name, parameters in PARAMETERS.items():
            for parameter in parameters.split():
                for value in VALUES:
                    call = partial(FUNCTIONS[name], **{parameter: value})
                    yield f"{name}({parameter}={value})", call
        return
    package = import_module(FAMILIES[family])
    for name in dir(package):
        thing = getattr(package, name)
        if name.startswith("_") or not callable(thing) or isinstance(thing, typing.TypeVar):
            continue
        if not str(getattr(thing, "__module__", "")).startswith(FAMILIES[family]):
            continue
        if getattr(thing, "_is_protocol", False) or inspect.isabstract(thing):
            continue
        for parameter in whole_numbers(thing):
            for value in VALUES:
                call = partial(made_and_used, family, thing, parameter, value)
                yield f"{name}({parameter}={value})", call


def write(line: list[Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main(family: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    log(), again(), log("majority_class")
    comparisons.to_markdown(comparisons.compare_many(table()))  # imports scipy
    done = set(json.loads(sys.argv[2])) if len(sys.argv) > 2 else set()
    for text, call in calls(family):
        if text in done:
            continue
        write([text, None, 0])
        start = time.process_time()
        try:
            call()
            outcome = "works"
        except StreamgaugeError:
            outcome = "refused"
        except BaseException as error:  # noqa: BLE001 (a panic of the core is no Exception)
            outcome = f"{type(error).__name__}: {error}"[:200]
        write([text, outcome, time.process_time() - start])


if __name__ == "__main__":
    main(sys.argv[1])
