"""Names of other libraries, texts that attack the reader, and names of the wrong family."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from river import drift

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.errors import ParameterError, SpecError, StreamgaugeError, UnknownNameError
from streamgauge.experiments import read_spec
from streamgauge.names import FAMILIES, aliases, imports_of, known, make

TREE = "river:tree.HoeffdingTreeClassifier"

REFUSED = {
    # text -> words of the sentence
    "sklearn:utils._testing.check_output(['touch', 'started'])": "must be a public class of sklea",
    "sklearn:utils.check_random_state(1)": "derived from BaseEstimator, got a function",
    "sklearn:base.clone": "derived from BaseEstimator, got a function",
    "sklearn:utils.os.system('touch started')": "no module of sklearn is called 'utils.os'",
    "sklearn:utils.Bunch()": "derived from BaseEstimator, got another class",
    "sklearn:linear_model.np.load('x')": "no module of sklearn",
    "sklearn:base.warnings": "got a module; write sklearn:module.Model()",
    "sklearn:tests.test_base.MyEstimator()": "got a private name or a test",
    "sklearn:conftest.x()": "got a private name or a test",
    "sklearn:__builtins__": "got a private name or a test",
    "sklearn:linear_model.SGDClassifier.__init__.__globals__": "got a private name or a test",
    "sklearn:linear_model.SGDClassifier().__class__": "must be sklearn:module.Model, got",
    "sklearn:linear_model.SGDClassifier.set_params(a=1)": "no module of sklearn is called",
    "river:stats.base.abc.ABC()": "no module of river is called 'stats.base.abc'",
    "river:stats.base.abc": "got a module",
    "river:stats.Mean()": "derived from Estimator or BaseDriftDetector, got another class",
    "river:datasets.Phishing()": "got another class",
    "river:stream.iter_csv('x')": "got a function",
    "river:checks.check_estimator": "got a function",
    "river:tree.typing.Any": "no module of river",
    "river:base.typing.List": "no model of river.base.typing is called 'List'",
    "river:compose.FuncTransformer(river:stream.iter_csv)": "got a function",
    "river:ensemble.BaggingClassifier(river:datasets.Phishing())": "got another class",
    "river:linear_model.LogisticRegression(loss=sklearn:utils.check_array)": "got a function",
    f"{TREE}() | os:system('touch started')": "must be river:module.Model",
    f"{TREE}() | 'text'": "must be river:module.Model",
    f"{TREE}() + [1]": "must be river:module.Model",
    "sklearn:linear_model.Lasso() | sklearn:linear_model.Lasso()": "cannot be joined: TypeError",
    "river:a.b().c()": "must be river:module.Model",
    f"{TREE}()[0]": "must be a name",
    f"{TREE}().learn_one": "must be river:module.Model",
    "(lambda: 1)()": "must be a name",
    "nb(x=f'{1}')": "parameters must be literals",
    "nb({[]: 1})": "parameters must be literals",
    "nb({1, []})": "parameters must be literals",
    "nb(*[1])": "parameters must be literals",
    "nb(x=().__class__)": "parameters must be literals",
    "x\0y": "must be a name",
    "": "must be a name",
    "(" * 5_000: "must be a name",
    "[" * 5_000 + "]" * 5_000: "must be a name",
    "-" * 50_000 + "1": "must be nested at most",
    "nb" + ".a" * 40_000: "must be nested at most",
    "nb(" * 150 + ")" * 150: "must be nested at most",
    "|".join([f"{TREE}()"] * 2_000): "must be nested at most",
    "9" * 5_000: "must be a name",
    "a" * 200_000: "must have at most 100,000 characters, got 200,000",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:50]))
@pytest.mark.parametrize("imports", [True, False])
def test_what_is_no_public_model_is_refused(text, imports, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StreamgaugeError) as caught:
        make("learner", text, imports=imports)
    message = str(caught.value)
    assert "\n" not in message
    if imports:
        assert REFUSED[text] in message
    assert len(message) < 2_000
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("family", [f for f in FAMILIES if f not in ("learner", "detector")])
def test_other_families_take_no_names_of_libraries(family):
    for text in ("river:metrics.Accuracy()", "sklearn:linear_model.SGDClassifier()"):
        with pytest.raises(ParameterError, match="whose names are learners and detectors"):
            make(family, text)


ACCEPTED = [
    "river:linear_model.LogisticRegression(optimizer=river:optim.SGD(0.1), "
    "loss=river:optim.losses.Log())",
    f"{TREE}(splitter=river:tree.splitter.GaussianSplitter())",
    "river:ensemble.ADWINBaggingClassifier(river:naive_bayes.GaussianNB())",
    "river:forest.ARFClassifier(metric=river:metrics.Accuracy())",
    "river:preprocessing.StandardScaler() | river:linear_model.LogisticRegression()",
    "(river:compose.SelectType(float) | preprocessing.StandardScaler()) + "
    "river:compose.SelectType(str) | river:tree.HoeffdingTreeClassifier()",
    "sklearn:pipeline.Pipeline([['a', sklearn:preprocessing.StandardScaler()], "
    "['b', sklearn:linear_model.SGDClassifier()]])",
    "river:drift.binary.DDM(warm_start=5)",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_public_models_and_their_parts_are_made(text):
    assert type(make("learner", text)).__module__.startswith(("river.", "sklearn."))


ROOT = Path(__file__).resolve().parents[1]


def test_every_model_in_the_documentation_can_be_made():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.toml")]
    found = {
        name
        for page in pages
        for name in re.findall(
            r"\b(?:river|sklearn):[a-z_]+\.[A-Za-z_.]*[A-Za-z]", page.read_text(encoding="utf-8")
        )
    }
    shown = {name for name in found if not name.endswith((".Model", ".check_output"))}
    assert len(shown) >= 3
    for name in shown:
        make("learner", name)


@pytest.mark.capymoa
def test_models_of_capymoa_are_made_by_name():
    pytest.importorskip("capymoa.classifier")
    log = sg.run("sea(items=60)", "capymoa:classifier.HoeffdingTree(grace_period=20)")
    assert log.complete
    found = sg.detect(log, "capymoa:drift.detectors.ADWIN(delta=0.5)")
    assert len(found.alarms) >= 0
    for text in (
        "capymoa:datasets.Electricity()",
        "capymoa:evaluation.prequential_evaluation()",
        "capymoa:classifier.os",
        "capymoa:stream.Schema()",
    ):
        with pytest.raises(StreamgaugeError, match=r"must be a class of capymoa|no model of capym"):
            make("learner", text)


NAMES = [
    (wanted, name)
    for wanted in FAMILIES
    for other in FAMILIES
    for name in [*known(other), *aliases(other)][::4]
    if not any(name in table(wanted) for table in (known, aliases))
]


def test_a_name_of_another_family_says_what_it_is():
    for wanted, name in NAMES:
        with pytest.raises(UnknownNameError) as caught:
            make(wanted, name)
        message = str(caught.value)
        article = f"no {wanted} is called {name!r}; it is a "
        assert message.startswith(article), message
        kinds = [f for f in FAMILIES if name in known(f) or name in aliases(f)]
        assert message.removeprefix(article).split()[0] in kinds
        assert " and belongs in " in message


def test_an_experiment_with_things_of_the_wrong_family(tmp_path):
    (tmp_path / "e.toml").write_text(
        'streams = ["amrules"]\nlearners = ["sea(items=9)"]\nprotocols = ["kappa"]\n'
        'measures = ["sliding(5)"]\nwindows = ["nb"]\n'
    )
    with pytest.raises(SpecError) as caught:
        read_spec(tmp_path / "e.toml")
    assert [m.partition("; ")[2] for m in caught.value.mistakes] == [
        "it is a learner and belongs in learners",
        "it is a stream and belongs in streams, or is the SOURCE of a command",
        "it is a measure and belongs in measures",
        "it is a window and belongs in windows",
        "it is a learner and belongs in learners",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("river:drift.KSWIN(alpha=2)", "KSWIN: failed: ValueError: Alpha must be between 0 and 1"),
        ("river:drift.binary.DDM(warm_start='a')", "update failed: TypeError: '>' not supported"),
        ("river:drift.PageHinkley(threshold='x')", "update failed: TypeError"),
    ],
)
def test_a_refusal_of_a_foreign_detector_is_its_own(text, words, tmp_path, capsys):
    sg.run("sea(items=60)", "nb", folder=tmp_path / "log")
    with pytest.raises(SystemExit) as left:
        main(["detect", str(tmp_path / "log"), "-d", text])
    error = capsys.readouterr().err
    assert left.value.code == 2, error
    assert re.search(words, error), error
    assert error.count("\n") == 1


def test_a_detector_object_that_cannot_be_copied_is_refused():
    class Odd(drift.ADWIN):
        def clone(self, *_, **__):
            raise RuntimeError("no copies")

    with pytest.raises(ParameterError, match="cannot be copied: RuntimeError: no copies"):
        sg.detect(sg.run("sea(items=30)", "nb"), Odd())


def test_what_a_text_would_import_is_found_in_quoted_texts_too():
    assert imports_of("learner", "resetting('mine:Last(2)', river:drift.ADWIN())") == [
        "mine:Last",
        "river:drift.ADWIN",
    ]
    assert imports_of("stream", "take(csv('a:b.csv', drop=['user:id']), 5)") == []
    assert imports_of("stream", "csv(mine:path())") == ["mine:path"]
