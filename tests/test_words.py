"""The words of the glossary: no name uses a synonym, and no text uses a coined word.

Names are checked against the column "others say" of docs/glossary.md: public names, command line
words, columns of the log's tables, and file names. Coined words of earlier versions are checked in
every line of source, test and documentation. `tests/words.toml` lists the exceptions with reasons.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

import streamgauge
from streamgauge.cli import COMMANDS
from streamgauge.log.arrow import schemas
from streamgauge.names import FAMILIES
from streamgauge.types import Feature, Schema

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(streamgauge.__file__).parent
EXCEPTIONS = tomllib.loads((ROOT / "tests" / "words.toml").read_text())
TEXT = {".py", ".pyi", ".rs", ".md", ".toml", ".html", ".js", ".yml", ".css", ""}

COINED = [
    "answer",
    "answers",
    "answered",
    "said",
    "told",
    "taught",
    "teach",
    "teaches",
    "teaching",
    "asked",
    "asking",
    "askings",
    "reask",
    "reasking",
    "heard",
    "guest",
    "guests",
    "seat",
    "seats",
    "room",
    "rooms",
    "door",
    "doors",
    "minds",
    "wavering",
    "wavers",
    "bells",
    "rising",
    "apart",
    "tile",
    "tiles",
    "tap",
    "taps",
    "looking",
    "losing",
    "meeting",
    "redrawing",
    "redrawn",
    "waits",
    "nosy",
    "fooled",
    "fickle",
    "tally",
    "rhythm",
]
"""Words that stand for no technical term; a common word exists for each."""

COINED_NAMES = [
    "let_go",
    "Copies",
    "Ahead",
    "Said",
    "Truth",
    "Taught",
    "Came",
    "PlanError",
    "Recipe",
    "EventOrder",
    "LabelOrder",
]
"""Identifiers that are retired where the word itself is not."""


def retired() -> list[str]:
    """The synonyms of the glossary that are single words."""
    rows = re.findall(r"^\|[^|]+\|[^|]+\|([^|]*)\|$", (ROOT / "docs/glossary.md").read_text(), re.M)
    words = {word.strip(" `") for row in rows[2:] for word in row.split(",")}
    return sorted(word for word in words if re.fullmatch(r"[a-z_]+", word))


def parts(name: str) -> set[str]:
    """The words of a name, and what stands for a plural's singular."""
    words = [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return {*words, *(w.removesuffix("s") for w in words)}


def public_names() -> Iterator[str]:
    """Members of every public package, their parameters, and public attributes of classes."""
    packages = {"streamgauge", *FAMILIES.values(), "streamgauge.late", "streamgauge.comparisons"}
    packages |= {"streamgauge.diagnosis", "streamgauge.log", "streamgauge.types"}
    for package in sorted(packages):
        module = import_module(package)
        for name in dir(module):
            if name.startswith("_"):
                continue
            yield name
            thing = getattr(module, name)
            if not callable(thing) or not thing.__module__.startswith("streamgauge"):
                continue
            if inspect.isfunction(thing) or inspect.isclass(thing):
                yield from _signature(thing)
            if inspect.isclass(thing):
                yield from (member for member in vars(thing) if not member.startswith("_"))


def _signature(thing: object) -> Iterator[str]:
    try:
        found = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return
    yield from (name for name in found.parameters if not name.startswith("_"))


def cli_words() -> Iterator[str]:
    """Commands, arguments and options."""
    for name in COMMANDS:
        yield name
        command = import_module(f"streamgauge.cli.{name.replace('-', '_')}").command
        pending = [command]
        while pending:
            one = pending.pop()
            if isinstance(one, click.Group):
                pending += one.commands.values()
            for parameter in one.params:
                yield from (option.lstrip("-") for option in parameter.opts)


def table_columns() -> Iterator[str]:
    """Tables of the log and their columns."""
    for table, schema in schemas(Schema((Feature("x"),), classes=("a", "b")), scores=True).items():
        yield table
        yield from schema.names


def file_names() -> Iterator[str]:
    """Files and folders of the project."""
    for path in tracked():
        yield from (part.partition(".")[0] for part in path.parts)


def tracked() -> list[Path]:
    """Files under version control; those of the package where there is no checkout."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [Path(name) for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("kind", ["public_names", "cli_words", "table_columns", "file_names"])
def test_names_use_the_words_of_the_glossary(kind):
    allowed: dict[str, str] = EXCEPTIONS["names"]
    wrong = {
        f"{name} ({word})"
        for name in set(globals()[kind]())
        for word in parts(name) & set(retired())
        if name not in allowed and word not in EXCEPTIONS["words"]
    }
    assert not wrong, sorted(wrong)


def test_no_line_has_a_coined_word():
    allowed: dict[str, dict[str, str]] = EXCEPTIONS["lines"]
    words = "|".join(COINED)
    coined = re.compile(rf"(?<![A-Za-z])({words})(?![A-Za-z])|\b({'|'.join(COINED_NAMES)})\b", re.I)
    names = re.compile(rf"\b({'|'.join(COINED_NAMES)})\b")
    found = []
    for path in tracked():
        name = path.as_posix()
        if path.suffix not in TEXT or any(Path(name).match(where) for where in EXCEPTIONS["files"]):
            continue
        for number, line in enumerate((ROOT / path).read_text(errors="ignore").splitlines(), 1):
            for piece in EXCEPTIONS["everywhere"]:
                line = line.replace(piece, "")
            for match in coined.finditer(_split(line)):
                if match[2] and not names.search(line):
                    continue
                if any(piece in line for piece in allowed.get(name, {})):
                    continue
                found.append(f"{name}:{number}: {match[0]!r} in {line.strip()[:90]}")
    assert not found, "\n".join([f"{len(found)} lines", *found[:80]])


def _split(line: str) -> str:
    """The line with the words of its camel-case names set off."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", line)


def test_every_exception_is_used_and_has_a_reason():
    for group in ("names", "words", "files", "everywhere"):
        assert all(len(reason) > 10 for reason in EXCEPTIONS[group].values()), group
    for name, pieces in EXCEPTIONS["lines"].items():
        text = (ROOT / name).read_text()
        assert all(len(reason) > 10 for reason in pieces.values()), name
        assert all(piece in text for piece in pieces), name
    every = {*public_names(), *cli_words(), *table_columns(), *file_names()}
    assert set(EXCEPTIONS["names"]) <= every, sorted(set(EXCEPTIONS["names"]) - every)
