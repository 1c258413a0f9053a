"""The time of each test, for mutants of the core.

The Python lines of a test do not show what it runs in the core, so lines are not traced, and
nothing is measured in advance: each run records the times of the tests that passed, and a test
without a recorded time is assumed to take the usual time. Times are kept by test name, regardless
of age.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from mutants.reach import PYTEST, QUICK, Reached
from mutants.scratch_tree import environment

USUAL = 0.2
"""The assumed seconds of a test that has not been measured."""


class Seconds:
    """The tests in some folders and files, and their known times."""

    def __init__(self, root: Path, copy: Path, cache: Path, places: Iterable[str]) -> None:
        self.written = cache / "times"
        self.written.mkdir(exist_ok=True)
        self._names = _collected(root, copy, places)
        self._known = _read(cache / "reach.json")

    def table(self) -> Reached:
        """The tests and their currently known seconds."""
        for file in self.written.glob("*.json"):
            self._known |= _read(file)
        return Reached({name: self._known.get(name, USUAL) for name in self._names}, {})


def _read(file: Path) -> dict[str, float]:
    seconds: dict[str, float] = json.loads(file.read_text())["seconds"] if file.is_file() else {}
    return seconds


def _collected(root: Path, copy: Path, places: Iterable[str]) -> list[str]:
    """The names of the existing tests."""
    lines = subprocess.run(
        [*PYTEST, "--collect-only", "-m", QUICK, *sorted(set(places))],
        cwd=copy,
        env=environment(root, copy),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [line for line in lines if "::" in line]
