"""Conventions that no linter checks."""

from __future__ import annotations

import ast
import inspect
import os
import py_compile
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import streamgauge
from streamgauge import errors
from streamgauge.lazy import members
from streamgauge.names import FAMILIES, find, known, make
from streamgauge.types import Feature, Schema

PACKAGE = Path(streamgauge.__file__).parent
ROOT = PACKAGE.parents[1]

CASES = {
    "CellError": (
        lambda: errors.CellError({"nb on sea": "it hung", "nb on led": "it hung"}, 5),
        "2 of 5 cells failed, the others are finished: nb on sea: it hung; and 1 more",
    ),
    "ParameterError": (
        lambda: errors.ParameterError.of("Delayed", "delay", "at least 1", 0),
        "Delayed: delay must be at least 1, got 0",
    ),
    "UnknownParameterError": (
        lambda: errors.UnknownParameterError("HoeffdingTree", "grace", ["grace_period", "delta"]),
        "HoeffdingTree: no parameter is called 'grace'; did you mean 'grace_period'?",
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
PLAIN = {
    "ImportFailedError",
    "TimetableError",
    "DataError",
    "MissingDataError",
    "LogError",
    "DiskError",
}
"""Errors whose messages are written, and tested, where they are raised."""


def test_the_module_docstring_lists_every_error():
    classes = {
        name
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, errors.StreamgaugeError)
    } - {"StreamgaugeError"}
    assert classes == CASES.keys() | PLAIN
    assert set(re.findall(r"^  - (\w+)", errors.__doc__, re.M)) == classes


@pytest.mark.parametrize("name", CASES)
def test_each_error_has_its_message(name):
    build, words = CASES[name]
    assert str(build()) == words


def test_each_error_is_also_a_builtin_exception():
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


@pytest.mark.parametrize("package", ["streamgauge", *FAMILIES.values()])
def test_every_member_of_a_lazy_package_can_be_imported(package):
    module = import_module(package)
    for name in members(package):
        assert getattr(module, name) is not None
        assert name in dir(module)
    with pytest.raises(AttributeError, match="has no 'nonsense_name'"):
        _ = module.nonsense_name


FAMILY_MODULES = sorted(
    path.parent.name
    for path in PACKAGE.glob("*/__init__.py")
    if "lazy_package(__name__)" in path.read_text()
)


@pytest.mark.parametrize("family", FAMILY_MODULES)
def test_every_lazy_package_is_an_attribute_of_streamgauge(family):
    """In a new interpreter, where nothing was imported before."""
    code = f"import streamgauge as sg; print(sg.{family}.__name__, len(dir(sg.{family})) > 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == [f"streamgauge.{family}", "True"], done.stderr


@pytest.mark.parametrize("family", ["learner", "protocol", "measure"])
def test_every_file_has_a_line_in_its_package(family):
    folder = PACKAGE / FAMILIES[family].rpartition(".")[2]
    homes = {m.rpartition(".")[2] for m in members(FAMILIES[family]).values()}
    for path in folder.glob("*.py"):
        text = path.read_text()
        shaped = re.search(r"^class [A-Z]\w*", text, re.M) and "@dataclass(frozen=True" in text
        public = not path.stem.startswith("_") and path.stem != "timetable"
        if public and shaped:
            assert path.stem in homes, f"{path.stem} has no line in {folder.name}/__init__.py"


@pytest.mark.parametrize(("family", "name"), [(f, n) for f in FAMILIES for n in known(f)])
def test_the_first_docstring_line_of_every_member_is_a_short_sentence(family, name):
    doc = inspect.getdoc(find(family, name)) or ""
    first = doc.partition("\n")[0]
    assert first.endswith((".", "?")), f"{name}: the first line is a sentence"
    assert len(first) <= 100, f"{name}: the first line is too long for a table of contents"


@pytest.mark.parametrize("family", FAMILY_MODULES)
def test_a_parameters_section_lists_every_parameter(family):
    package = f"streamgauge.{family}"
    for name in members(package):
        member = getattr(import_module(package), name)
        text = inspect.getdoc(member) or ""
        if "\nParameters\n---" in text and callable(member):
            section = re.split(r"\nParameters\n-+\n", text)[1]
            section = re.split(r"\n\n[A-Z][a-z]+\n-+\n", section)[0]
            listed = re.findall(r"\w+", " ".join(re.findall(r"^\S.*", section, re.M)))
            given = [p for p in inspect.signature(member).parameters if not p.startswith("_")]
            assert sorted(listed) == sorted(given), f"{package}.{name}"


def test_a_text_may_be_an_alias_and_have_parameters_and_a_wrong_one_gets_a_suggestion():
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


def test_models_of_other_libraries_are_made_by_name():
    model = make(
        "learner", "river:preprocessing.StandardScaler()|linear_model.LogisticRegression(l2=0.5)"
    )
    assert list(model.steps) == ["StandardScaler", "LogisticRegression"]
    assert make("learner", "sklearn:linear_model.SGDClassifier(loss='log_loss')").loss == "log_loss"
    with pytest.raises(errors.UnknownNameError, match="did you mean 'HoeffdingTreeClassifier'"):
        make("learner", "river:tree.HoefdingTreeClassifier()")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'tree'"):
        make("learner", "river:tre.HoeffdingTreeClassifier()")


def test_no_module_imports_the_top_level_package():
    for path in PACKAGE.rglob("*.py"):
        if path == PACKAGE / "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "streamgauge":
                raise AssertionError(f"{path.relative_to(PACKAGE)} imports the top-level package")


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


def test_a_schema_has_a_task():
    assert Schema((Feature("a"),), classes=(0, 1)).task == "classification"
    assert Schema((Feature("a"),)).task == "regression"


def test_the_package_is_importable_from_any_folder(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import streamgauge; print(streamgauge.run)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "function run" in done.stdout


def test_the_version_is_that_of_the_core():
    assert streamgauge.__version__ == import_module("streamgauge._core").VERSION
    assert "__version__" in dir(streamgauge)


def _listed(path: Path) -> dict[str, str]:
    """Name -> module, for the re-exports in the source of a lazy package."""
    return {
        alias.asname or alias.name: str(node.module)
        for block in ast.parse(path.read_text()).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname != "__version__"
    }


@pytest.mark.parametrize("family", ["", *FAMILY_MODULES, "report.findings"])
def test_a_lazy_package_has_the_members_that_type_checkers_see(family):
    package = f"streamgauge.{family}".rstrip(".")
    path = Path(str(import_module(package).__file__))
    assert members(package) == _listed(path) != {}


LAZY_USE = """
import sys
import streamgauge as sg
assert sg.__file__.startswith(sys.argv[1]), sg.__file__
from streamgauge.lazy import members
from streamgauge.names import make
assert make("window", "sliding(5)") == sg.windows.Sliding(5)
assert "Kappa" in dir(sg.measures) and len(members("streamgauge.streams")) > 50
assert sg.learners.NaiveBayes() == make("learner", "nb")
try:
    sg.measures.Kapa
except AttributeError as error:
    print(error)
"""


def _compiled(folder: Path) -> Path:
    """A copy of the package with `.pyc` files in place of sources."""
    target = folder / "streamgauge"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted(target.rglob("*.py")):
        py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")), doraise=True)
        path.unlink()
    return target


def _use(path: Path, *more: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LAZY_USE, str(path)],
        cwd=path.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (path, *more)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SUGGESTED = "streamgauge.measures has no 'Kapa'; did you mean 'Kappa'?"


def test_an_installation_without_sources_works(tmp_path):
    _compiled(tmp_path / "site")
    assert not list((tmp_path / "site").rglob("*.py"))
    assert _use(tmp_path / "site") == SUGGESTED


@pytest.mark.parametrize("sources", [True, False])
def test_a_zip_archive_works_with_the_compiled_core_beside_it(tmp_path, sources):
    """An extension module cannot be imported from an archive: a finder loads it from a folder."""
    package = tmp_path / "made" / "streamgauge"
    if sources:
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        _compiled(tmp_path / "made")
    (core,) = package.glob("_core.*so")
    (tmp_path / "core").mkdir()
    shutil.move(core, tmp_path / "core" / core.name)
    archive = shutil.make_archive(str(tmp_path / "package"), "zip", tmp_path / "made")
    (tmp_path / "core" / "sitecustomize.py").write_text(
        "import sys\n"
        "from importlib.machinery import ExtensionFileLoader, ModuleSpec\n"
        "class Core:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name == 'streamgauge._core':\n"
        f"            file = {str(tmp_path / 'core' / core.name)!r}\n"
        "            loader = ExtensionFileLoader(name, file)\n"
        "            return ModuleSpec(name, loader, origin=file)\n"
        "sys.meta_path.insert(0, Core)\n"
    )
    assert _use(Path(archive), tmp_path / "core") == SUGGESTED


def test_no_member_has_the_name_of_its_public_module() -> None:
    """Importing such a module would replace the member in its package by the module."""
    found = [m.name for m in walk_packages(streamgauge.__path__, "streamgauge.") if m.ispkg]
    lazy = [name for name in found if hasattr(import_module(name), "__getattr__")]
    assert set(FAMILIES.values()) < set(lazy)
    clashes = [
        module
        for package in ("streamgauge", *lazy)
        for name, module in members(package).items()
        if module == f"{package}.{name}"
    ]
    assert not clashes, "give the module a leading underscore"
