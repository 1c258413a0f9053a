"""Names in calls, names in logs, and keywords that do not exist."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from river import compose, ensemble, linear_model, optim, preprocessing, tree
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import streamgauge as sg
from streamgauge import comparisons, delays, detectors, diagnosis, late, learners, streams
from streamgauge.errors import ParameterError, UnknownNameError
from streamgauge.lazy import members
from streamgauge.log import Log
from streamgauge.log.about import LONGEST, name_of, seed_key
from streamgauge.names import FAMILIES
from streamgauge.types import Stream

SEA = streams.SEA(items=300)


@cache
def log(learner: str = "nb") -> Log:
    return sg.run(SEA, learner)


@cache
def late_log() -> Log:
    return sg.run(streams.delay(SEA, 20), "nb", "reevaluating(every=5)")


def items(stream: Stream) -> list[Any]:
    return [batch.x.tolist() for batch in stream.batches(50)]


TWO = {"a": "nb", "b": "majority_class"}
BY_NAME: dict[str, tuple[str, Any, Callable[[Any], Any]]] = {
    # function and parameter -> the name, the object, a call with either
    "run, stream": ("sea(items=300)", SEA, lambda x: rows(sg.run(x, "nb"))),
    "run, learner": ("nb", learners.NaiveBayes(), lambda x: rows(sg.run(SEA, x))),
    "run, protocol": (
        "chunks(size=50)",
        sg.protocols.Chunks(50),
        lambda x: rows(sg.run(SEA, "nb", x)),
    ),
    "measure, measures": (
        "kappa",
        sg.measures.Kappa(),
        lambda x: sg.measure(log(), x).value.tolist(),
    ),
    "measure, windows": (
        "fading(0.9)",
        sg.Fading(0.9),
        lambda x: sg.measure(log(), "kappa", x).value.tolist(),
    ),
    "detect, detector": (
        "ddm(warm_start=20)",
        detectors.DDM(warm_start=20),
        lambda x: sg.detect(log(), x).alarms.tolist(),
    ),
    "detect, of": (
        "sliding(50)",
        sg.Sliding(50),
        lambda x: sg.detect(log(), "page_hinkley(threshold=1)", x).alarms.tolist(),
    ),
    "compare, windows": (
        "sliding(50)",
        sg.Sliding(50),
        lambda x: repr(sg.compare(log(), log("majority_class"), windows=x)),
    ),
    "bands, measures": (
        "kappa",
        sg.measures.Kappa(),
        lambda x: comparisons.bands(log(), x, level=0.9).value.tolist(),
    ),
    "bands, windows": (
        "sliding(50)",
        sg.Sliding(50),
        lambda x: comparisons.bands(log(), "error", x, level=0.9).value.tolist(),
    ),
    "scores, measure": (
        "kappa",
        sg.measures.Kappa(),
        lambda x: repr(comparisons.scores([log(), log("majority_class")], x)),
    ),
    "late.bins, measure": (
        "kappa",
        sg.measures.Kappa(),
        lambda x: late.bins(late_log(), x, 3).value.tolist(),
    ),
    "late.sweep, stream": (
        "sea(items=300)",
        SEA,
        lambda x: late.sweep(x, ["nb"], [0, 9]).points,
    ),
    "late.sweep, learners": (
        "naive_bayes",
        learners.NaiveBayes(),
        lambda x: late.sweep(SEA, [x], [0, 9]).points,
    ),
    "late.sweep, delays": (
        "constant(9)",
        delays.Constant(9),
        lambda x: late.sweep(SEA, ["nb"], [x]).points,
    ),
    "late.sweep, protocol": (
        "chunks(size=50)",
        sg.protocols.Chunks(50),
        lambda x: late.sweep(SEA, ["nb"], [0], protocol=x).points,
    ),
    "diagnose, stream": ("sea(items=300)", SEA, lambda x: repr(sg.diagnose(x, {}, shuffles=0))),
    "diagnose, learners": (
        "nb",
        learners.NaiveBayes(),
        lambda x: repr(sg.diagnose(SEA, {"a": x}, shuffles=0)),
    ),
    "quick_test, labels": ("sea(items=300)", SEA, lambda x: diagnosis.quick_test(x)),
    "label_dependence, labels": (
        "sea(items=300)",
        SEA,
        lambda x: repr(diagnosis.label_dependence(x)),
    ),
    "shuffle_and_rank, stream": (
        "sea(items=300)",
        SEA,
        lambda x: diagnosis.shuffle_and_rank(x, TWO, 1),
    ),
    "shuffle_and_rank, learners": (
        "nb",
        learners.NaiveBayes(),
        lambda x: diagnosis.shuffle_and_rank(SEA, TWO | {"a": x}, 1),
    ),
    "take, stream": ("sea()", streams.SEA(), lambda x: items(streams.take(x, 30))),
    "skip, stream": ("sea(items=99)", streams.SEA(items=99), lambda x: items(streams.skip(x, 9))),
    "shuffle, stream": (
        "sea(items=99)",
        streams.SEA(items=99),
        lambda x: items(streams.shuffle(x)),
    ),
    "shuffle_within_class, stream": (
        "sea(items=99)",
        streams.SEA(items=99),
        lambda x: items(streams.shuffle_within_class(x)),
    ),
    "impute, stream": ("sea(items=99)", streams.SEA(items=99), lambda x: items(streams.impute(x))),
    "relabel, stream": (
        "sea(items=99)",
        streams.SEA(items=99),
        lambda x: items(streams.relabel(x, "invert")),
    ),
    "delay, stream": ("sea(items=99)", streams.SEA(items=99), lambda x: items(streams.delay(x, 3))),
    "delay, by": (
        "exponential(5)",
        delays.Exponential(5),
        lambda x: [b.label_time.tolist() for b in streams.delay(SEA, by=x).batches()],
    ),
    "concatenate, streams": (
        "sea(items=99)",
        streams.SEA(items=99),
        lambda x: items(streams.concatenate(x, SEA)),
    ),
    "drift, a": (
        "stagger()",
        streams.Stagger(),
        lambda x: items(streams.drift(x, "stagger(2)", at=20, items=40)),
    ),
    "drifts, concepts": (
        "stagger()",
        streams.Stagger(),
        lambda x: items(streams.drifts([x, "stagger(2)"], at=[20], items=40)),
    ),
    "recurring, a": (
        "stagger()",
        streams.Stagger(),
        lambda x: items(streams.recurring(x, "stagger(2)", every=9, times=2, items=40)),
    ),
    "mix, a": (
        "sea(items=99)",
        streams.SEA(items=99),
        lambda x: items(streams.mix(x, "sea(2, items=99)", width=5)),
    ),
    "Resetting, learner": (
        "perceptron",
        learners.Perceptron(),
        lambda x: rows(sg.run(SEA, learners.Resetting(x, "ddm"))),
    ),
    "Resetting, detector": (
        "adwin",
        detectors.ADWIN(),
        lambda x: rows(sg.run(SEA, learners.Resetting("nb", x))),
    ),
    "TemporallyAugmented, base": (
        "perceptron",
        learners.Perceptron(),
        lambda x: rows(sg.run(SEA, learners.TemporallyAugmented(x))),
    ),
    "TemporalCorrection, base": (
        "nb",
        learners.NaiveBayes(),
        lambda x: rows(sg.run(SEA, learners.TemporalCorrection(x))),
    ),
}


def rows(made: Log) -> list[Any]:
    return [pairs.prediction.tolist() for pairs in made.labelled_predictions()]


@pytest.mark.parametrize("case", BY_NAME)
def test_a_name_stands_for_the_object(case: str) -> None:
    text, thing, call = BY_NAME[case]
    assert call(text) == call(thing)


def test_a_data_file_is_a_stream(tmp_path) -> None:
    streams.write_stream("sea(items=60)", tmp_path / "sea.csv")
    assert sg.run(str(tmp_path / "sea.csv"), "nb").label_count() == 60


def test_the_user_may_name_the_learner_without_changing_a_result() -> None:
    mine = sg.run(SEA, "adwin_bagging", name="mine", seed=3)
    own = sg.run(SEA, "adwin_bagging", seed=3)
    assert mine.about["learner"] == "mine"
    assert rows(mine) == rows(own)
    assert "mine" in sg.report.build([mine, log()]).sections[0].table.column("learner")
    with pytest.raises(
        ParameterError, match="run: name must be printable text that is not empty, got ''"
    ):
        sg.run(SEA, "nb", name="")


class Own:
    """A model of the user's own."""

    def __init__(self, depth: int = 3, loss: Callable[..., Any] = abs, start: Any = None) -> None:
        self.depth, self.loss, self.start, self.counts = depth, loss, start, {}

    def predict(self, x: Any) -> int:
        return 0

    def learn(self, x: Any, y: Any) -> None:
        self.counts[y] = 1


TREE = tree.HoeffdingTreeClassifier
MODELS: list[tuple[object, str]] = [
    (TREE(), "river:HoeffdingTreeClassifier"),
    (TREE(grace_period=100), "river:HoeffdingTreeClassifier(grace_period=100)"),
    (
        preprocessing.StandardScaler() | linear_model.LogisticRegression(l2=0.5),
        "river:StandardScaler|LogisticRegression(l2=0.5)",
    ),
    (
        ensemble.BaggingClassifier(TREE(tau=0.1), n_models=3, seed=1),
        "river:BaggingClassifier(model=HoeffdingTreeClassifier(tau=0.1), n_models=3, seed=1)",
    ),
    (
        linear_model.LogisticRegression(optim.SGD(0.3)),
        "river:LogisticRegression(optimizer=SGD(lr=Constant(learning_rate=0.3)))",
    ),
    (
        (compose.Select("a") + compose.Select("b")) | TREE(),
        "river:(Select(keys={'a'})+Select(keys={'b'}))|HoeffdingTreeClassifier",
    ),
    (SGDClassifier(), "sklearn:SGDClassifier"),
    (
        make_pipeline(StandardScaler(), SGDClassifier(alpha=0.3)),
        "sklearn:StandardScaler|SGDClassifier(alpha=0.3)",
    ),
    (Own(), f"{Own.__module__}:Own"),
    (Own(4, loss=max), f"{Own.__module__}:Own(depth=4, loss=max)"),
    (
        learners.Resetting(TREE(tau=0.1), "ddm"),
        "resetting(river:HoeffdingTreeClassifier(tau=0.1), ddm)",
    ),
]


@pytest.mark.parametrize(("model", "name"), MODELS)
def test_the_name_of_a_model_has_its_non_default_parameters(model: object, name: str) -> None:
    assert name_of(model) == name
    assert "(" not in seed_key(model).removeprefix("resetting(")


def test_long_names_are_cut_and_stay_different() -> None:
    long = [name_of(Own(start=["x" * 200, end])) for end in "ab"]
    assert long[0] != long[1]
    assert {len(name) for name in long} == {LONGEST}
    arrays = [name_of(Own(start=np.full(9, value))) for value in (1.0, 2.0)]
    assert arrays[0] != arrays[1]
    assert " at 0x" not in name_of(Own(start=object()))


def test_two_settings_of_a_model_are_two_learners_everywhere() -> None:
    logs = [sg.run(SEA, TREE(grace_period=n)) for n in (20, 200)]
    assert len({log.about["learner"] for log in logs}) == 2
    shown = sg.report.build(logs).sections[0].table.column("learner")
    assert {"river:HoeffdingTreeClassifier", "river:HoeffdingTreeClassifier(grace_period=20)"} <= {
        *shown
    }
    verdict = sg.compare(*logs)
    assert verdict.a != verdict.b


PUBLIC = [
    (package, name)
    for package in (
        "streamgauge",
        *FAMILIES.values(),
        *(f"streamgauge.{p}" for p in ("comparisons", "diagnosis", "late", "log", "report")),
    )
    for name in members(package)
]


def takes_any_keyword(thing: Any) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(thing).parameters.values())


@pytest.mark.parametrize(("package", "name"), PUBLIC)
def test_an_unknown_keyword_gets_one_sentence(package: str, name: str) -> None:
    thing: Any = getattr(import_module(package), name)
    if not callable(thing) or inspect.isabstract(thing) or getattr(thing, "_is_protocol", False):
        return
    if isinstance(thing, type) and issubclass(thing, tuple):  # a NamedTuple has no `__init__`
        return
    if takes_any_keyword(thing):
        return
    with pytest.raises(TypeError, match="no parameter is called 'nonsense'") as caught:
        thing(nonsense=1)
    assert isinstance(caught.value, ParameterError)
    assert str(caught.value).partition(":")[0] == thing.__name__


def test_an_unknown_keyword_gets_the_nearest_one() -> None:
    with pytest.raises(
        ParameterError, match=r"^Sliding: no parameter is called 'qq'; it takes: size$"
    ):
        sg.Sliding(qq=3)
    with pytest.raises(ParameterError, match="did you mean 'protocol'"):
        sg.run(SEA, "nb", protocols="prequential")
    with pytest.raises(UnknownNameError, match="no learner is called 'naive_bays'; did you mean"):
        sg.run(SEA, "naive_bays")
