"""The laws no linter knows."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import streamgauge
from streamgauge import errors
from streamgauge.doors import members
from streamgauge.names import FAMILIES, find, known, make
from streamgauge.types import Feature, Schema

HOUSE = Path(streamgauge.__file__).parent
ROOT = HOUSE.parents[1]

CASES = {
    "ParameterError": (
        lambda: errors.ParameterError.of("Delayed", "delay", "at least 1", 0),
        "Delayed: delay must be at least 1, got 0",
    ),
    "UnknownNameError": (
        lambda: errors.UnknownNameError("measure", "kapa", ["kappa", "mcc"]),
        "no measure is called 'kapa'; did you mean 'kappa'?",
    ),
    "UnknownModelError": (
        lambda: errors.UnknownModelError(object(), ["river", "sklearn"]),
        "no adapter for builtins.object; give a model of river, sklearn, or an object with "
        "predict and learn",
    ),
    "MissingExtraError": (
        lambda: errors.MissingExtraError("river", "river"),
        "river is not installed; pip install 'streamgauge[river]'",
    ),
    "LearnerError": (
        lambda: errors.LearnerError("Net", "learn", 4321, 0, ValueError("no")),
        "Net: learn failed at item 4,321 (fold 0): ValueError: no",
    ),
    "SpecError": (
        lambda: errors.SpecError("a.toml", ["x: one", "y: two"]),
        "a.toml: x: one\na.toml: y: two",
    ),
}
PLAIN = {"PlanError", "DataError", "MissingDataError", "LogError", "DiskError"}
"""Errors whose words are written where they are raised, and tested there."""


def test_the_list_of_errors_is_closed_and_drawn_on_top():
    classes = {
        name
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, errors.StreamgaugeError)
    } - {"StreamgaugeError"}
    assert classes == CASES.keys() | PLAIN
    assert set(re.findall(r"^  - (\w+)", errors.__doc__, re.M)) == classes


@pytest.mark.parametrize("name", CASES)
def test_each_error_says_its_words(name):
    build, words = CASES[name]
    assert str(build()) == words


def test_each_error_is_also_what_a_stranger_would_catch():
    for line in re.findall(r"^  - (\w+) +\(an? (\w+)\)", errors.__doc__, re.M):
        name, builtin = line
        assert issubclass(
            getattr(errors, name), getattr(__builtins__, builtin, None) or __builtins__[builtin]
        )


def test_a_bare_import_loads_no_library():
    heavy = (
        "river sklearn capymoa scipy pandas polars matplotlib pyarrow pydantic rich jinja2 click"
    )
    code = f"import sys, streamgauge; print([m for m in {heavy.split()!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_loads_nothing_but_click():
    heavy = "numpy pyarrow pydantic rich jinja2 scipy"
    code = (
        "import sys, streamgauge.cli as cli\n"
        "try:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print([m for m in {heavy.split()!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "package", ["streamgauge", *(p for p in FAMILIES.values() if p != "streamgauge.windows")]
)
def test_everything_on_a_door_opens(package):
    module = import_module(package)
    for name in members(package):
        assert getattr(module, name) is not None
        assert name in dir(module)
    with pytest.raises(AttributeError, match="has no 'nonsense_name'"):
        _ = module.nonsense_name


FAMILY_MODULES = sorted(
    path.parent.name for path in HOUSE.glob("*/__init__.py") if "door(__name__)" in path.read_text()
)


@pytest.mark.parametrize("family", FAMILY_MODULES)
def test_every_family_is_on_the_front_door(family):
    """In an interpreter of its own: what was imported before would be there anyway."""
    code = f"import streamgauge as sg; print(sg.{family}.__name__, len(dir(sg.{family})) > 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == [f"streamgauge.{family}", "True"], done.stderr


@pytest.mark.parametrize("family", ["learner", "protocol", "measure"])
def test_every_file_has_its_line(family):
    folder = HOUSE / FAMILIES[family].rpartition(".")[2]
    homes = {m.rpartition(".")[2] for m in members(FAMILIES[family]).values()}
    for path in folder.glob("*.py"):
        text = path.read_text()
        shaped = re.search(r"^class [A-Z]\w*", text, re.M) and "@dataclass(frozen=True" in text
        public = not path.stem.startswith("_") and path.stem != "timetable"
        if public and shaped:
            assert path.stem in homes, f"{path.stem} has no line in {folder.name}/__init__.py"


@pytest.mark.parametrize(("family", "name"), [(f, n) for f in FAMILIES for n in known(f)])
def test_everything_with_a_name_says_what_it_is(family, name):
    doc = inspect.getdoc(find(family, name)) or ""
    first = doc.partition("\n")[0]
    assert first.endswith((".", "?")), f"{name}: the first line is a sentence"
    assert len(first) <= 100, f"{name}: the first line does for a table of contents"


def test_names_take_aliases_parameters_and_suggest():
    assert make("learner", "nb") == make("learner", "naive_bayes")
    assert make("protocol", "chunks(size=5)").size == 5
    with pytest.raises(errors.UnknownNameError, match="did you mean 'naive_bayes'"):
        make("learner", "naive_baies")
    with pytest.raises(
        errors.ParameterError, match="no parameter is called 'sise'; did you mean 'size'"
    ):
        make("protocol", "chunks(sise=5)")
    with pytest.raises(errors.UnknownNameError, match="no stream is called 'write_stream'"):
        make("stream", "write_stream(sea(items=9), 'sea.csv')")
    with pytest.raises(errors.ParameterError, match="parameters must be literals"):
        make("protocol", "chunks(size=exit)")
    with pytest.raises(errors.ParameterError, match="must be a name"):
        make("protocol", "chunks(")
    with pytest.raises(errors.ParameterError, match="must be a name"):
        make("protocol", "3 + 4")


def test_foreign_models_have_names_too():
    model = make(
        "learner", "river:preprocessing.StandardScaler()|linear_model.LogisticRegression(l2=0.5)"
    )
    assert list(model.steps) == ["StandardScaler", "LogisticRegression"]
    assert make("learner", "sklearn:linear_model.SGDClassifier(loss='log_loss')").loss == "log_loss"
    with pytest.raises(errors.UnknownNameError, match="did you mean 'HoeffdingTreeClassifier'"):
        make("learner", "river:tree.HoefdingTreeClassifier()")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'tree'"):
        make("learner", "river:tre.HoeffdingTreeClassifier()")


def test_no_second_way_in():
    """Inside the house nobody imports the front door."""
    for path in HOUSE.rglob("*.py"):
        if path == HOUSE / "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "streamgauge":
                raise AssertionError(f"{path.relative_to(HOUSE)} imports the front door")


def test_the_project_names_no_machine():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    forbidden = re.compile("|".join(["/" + "work/", "/" + "root/", r"/home/\w+/"]))
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if (
            path.suffix in {".py", ".rs", ".md", ".toml", ".txt", ".yml", ".lock", ""}
            and path.is_file()
        ):
            assert not forbidden.search(path.read_text(errors="ignore")), name


def test_schemas_tell_their_task():
    assert Schema((Feature("a"),), classes=(0, 1)).task == "classification"
    assert Schema((Feature("a"),)).task == "regression"


def test_the_tests_run_from_anywhere(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import streamgauge; print(streamgauge.run)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(HOUSE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "function run" in done.stdout
