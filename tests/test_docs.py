"""Documentation: examples run, commands exist, outputs are current."""

from __future__ import annotations

import doctest
import importlib.util
import re
import runpy
import shlex
import shutil
from contextlib import chdir
from pathlib import Path
from types import ModuleType

import click
import pytest
from _pytest.doctest import _get_checker, get_optionflags

from streamgauge.cli import COMMANDS, _streamgauge
from streamgauge.cli import main as streamgauge
from streamgauge.experiments import read_spec
from streamgauge.names import FAMILIES, UNNAMED, known

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
SPECS = sorted(set((ROOT / "examples").glob("*.toml")) - {ROOT / "examples" / "typos.toml"})
FENCE = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")


def named(path: Path) -> str:
    return path.stem


def blocks(page: Path, kind: str) -> list[str]:
    return [text for word, text in FENCE.findall(page.read_text(encoding="utf-8")) if word == kind]


def tool(name: str) -> ModuleType:
    """Import a script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def desk(tmp_path):
    """Working directory with a copy of the examples."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    with chdir(tmp_path / "examples"):
        yield tmp_path / "examples"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_python_of_a_page_runs(page, tmp_path, pytestconfig):
    """Run the examples of a page from the top, in a folder of its own.

    The flags are those of doctests in modules; `NUMBER` is pytest's, hence its checker.
    """
    text = page.read_text(encoding="utf-8")
    names = {"__name__": "__main__"}
    examples = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
    runner = doctest.DocTestRunner(_get_checker(), optionflags=get_optionflags(pytestconfig))
    output: list[str] = []
    with chdir(tmp_path):
        runner.run(examples, out=output.append)
    assert not runner.failures, "".join(output)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_without_prompts_compiles(page):
    for block in blocks(page, "python") + blocks(page, "pycon"):
        if ">>>" not in block:
            compile(block, page.name, "exec")


OWN = {"plugins"}
"""Pages with files of their own, which `test_plugins` runs."""


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p, "toml") and p.stem not in OWN], ids=named
)
def test_the_experiments_of_a_page_are_valid(page, desk):
    for block in blocks(page, "toml"):
        (desk / "shown.toml").write_text(block, encoding="utf-8")
        read_spec("shown.toml")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_commands_of_a_page_exist(page):
    lines = [
        line.removeprefix("$ ")
        for kind in ("sh", "console")
        for block in blocks(page, kind)
        for line in block.splitlines()
    ]
    for line in lines:
        if line.startswith("streamgauge "):
            exists(shlex.split(line.partition(" | ")[0])[1:])


def exists(words: list[str]) -> None:
    """Fail if the command or one of its options does not exist."""
    context = click.Context(_streamgauge)
    command: click.Command | None = _streamgauge
    if words[0] in COMMANDS:
        command = _streamgauge.get_command(context, words[0])
    elif not words[0].startswith("-"):
        raise AssertionError(f"no command {words[0]!r}")
    assert command is not None
    options = {o for p in command.params for o in p.opts} | {"-h", "--help"}
    for word in words:
        if re.fullmatch(r"--?[a-z][a-z-]*", word):
            assert word in options, f"{words[0]}: no option {word!r}"


def test_an_unknown_command_is_found():
    with pytest.raises(AssertionError, match="no command"):
        exists(["meassure", "x.csv"])
    with pytest.raises(AssertionError, match="no option '--lable'"):
        exists(["measure", "x.csv", "--lable", "y"])


def test_every_command_has_a_section():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"\n## {command}\n" in text
        assert f"$ streamgauge {command} --help" in text


@pytest.mark.parametrize("page", [p for p in PAGES if "```console" in p.read_text()], ids=named)
def test_the_outputs_of_a_page_are_current(page):
    shown = tool("shown")
    text = page.read_text(encoding="utf-8")
    with shown.examples_copy():
        now = shown.rerun(text)
    assert now == text, "run `.venv/bin/python docs/shown.py` and look at what changed"


@pytest.mark.parametrize("script", SCRIPTS, ids=named)
def test_the_scripts_run(script, desk, capsys):
    runpy.run_path(str(desk / script.name), run_name="__main__")
    assert capsys.readouterr().out or script.name == "pump.py"


def test_the_pump_file_is_the_output_of_its_script(desk):
    before = (desk / "pump.csv").read_bytes()
    (desk / "pump.csv").unlink()
    runpy.run_path("pump.py", run_name="__main__")
    assert (desk / "pump.csv").read_bytes() == before


MARKS = {"electricity": [pytest.mark.data], "properties": [pytest.mark.slow]}
"""Experiments of the examples that need files or take long."""


@pytest.mark.parametrize(
    "spec",
    [pytest.param(s, marks=MARKS.get(s.stem, []), id=s.stem) for s in SPECS],
)
def test_the_experiments_run(spec, desk, capsys):
    streamgauge(["run", spec.name, "--out", "done", "--quiet"])
    logs = [p for p in (desk / "done" / "cells").iterdir() if (p / "predictions.parquet").is_file()]
    made = read_spec(spec.name)
    assert len(logs) == len(made.learners) * made.repetitions
    assert (desk / "done" / "report.html").is_file()
    assert not capsys.readouterr().out


def test_the_reference_has_every_name(tmp_path):
    reference = tool("reference")
    reference.write(tmp_path)
    for family in FAMILIES:
        text = (tmp_path / f"{family}s.md").read_text(encoding="utf-8")
        for name, (module, attribute) in known(family).items():
            assert f"| [`{name}`](#{module}.{attribute}) |" in text
            assert f"\n::: {module}.{attribute}\n" in text
    pages = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*s.md"))
    for name in UNNAMED:
        assert f".{name}\n" in pages


def test_every_page_is_in_the_navigation():
    places = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [p.name for p in PAGES if p.name != "README.md"]
    assert not [page for page in pages if f"- {page}\n" not in places]
