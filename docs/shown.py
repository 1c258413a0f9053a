"""Runs the commands shown in the pages and compares or rewrites their output.

In a block marked `console`, a line that begins with `$ ` is a command, followed by its output.
Commands are run in a copy of examples/. `python docs/shown.py` rewrites the outputs.
"""

from __future__ import annotations

import io
import os
import re
import runpy
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from streamgauge import progress
from streamgauge.cli import main as streamgauge
from streamgauge.cli import printing

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```$")


@contextmanager
def examples_copy() -> Iterator[Path]:
    """A temporary copy of the examples as working directory; fixed line width, no progress."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, COLUMNS="100"),
        patch.object(printing, "WIDE", 120),
        patch.object(progress, "AFTER_SECONDS", float("inf")),
    ):
        copy = Path(folder) / "examples"
        shutil.copytree(EXAMPLES, copy, ignore=shutil.ignore_patterns("*-run", "*.html", "__*"))
        with chdir(copy):
            yield copy


def rerun(page: str) -> str:
    """The page with the current output of its commands."""
    return BLOCK.sub(lambda m: f"```console\n{_block(m[1])}```", page)


def commands(page: str) -> list[str]:
    """The commands in the page's console blocks."""
    blocks = [m[1] for m in BLOCK.finditer(page)]
    return [line[2:] for b in blocks for line in b.splitlines() if line.startswith("$ ")]


def _block(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{_printed(line[2:])}" for line in lines)


def _printed(command: str) -> str:
    """The output of a command (stdout and stderr), and its exit code unless it is 0."""
    command, _, first = command.partition(" | head -")
    words = shlex.split(command)
    out, code = io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(out):
        if words[0] == "streamgauge":
            code = _exit_code(words[1:])
        elif words[0] == "python" and words[1].endswith(".py"):
            runpy.run_path(words[1], run_name="__main__")
        elif words[0] == "find" and words[2:] == ["-type", "f", "|", "sort"]:
            print("\n".join(sorted(str(p) for p in Path(words[1]).rglob("*") if p.is_file())))
        else:
            raise ValueError(f"a console block must not run {words[0]!r}")
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    lines = lines[: int(first)] if first else lines
    while lines and not lines[0]:
        lines.pop(0)
    if code:
        lines.append(f"(exit code {code})")
    return "".join(f"{line}\n" for line in lines)


def _exit_code(words: list[str]) -> int:
    try:
        streamgauge(words)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def main() -> None:
    """Rewrite the outputs in every page."""
    for page in sorted(HERE.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if not commands(text):
            continue
        with examples_copy():
            now = rerun(text)
        if now != text:
            page.write_text(now, encoding="utf-8")
            print(page.name, file=sys.stderr)


if __name__ == "__main__":
    main()
