"""How long each test takes: all that mutants of the core need to know about the tests.

Which Python line a test runs says nothing about the core, so none is traced, and nothing is
measured beforehand: each run writes down the times of the tests that passed, and a test that has
none yet is supposed to be of a usual length. Times are kept under the tests' names, however old.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from mutants.copies import surroundings
from mutants.reach import PYTEST, QUICK, Reached

SUPPOSED = 0.2
"""Seconds of a test that has not been measured, as most take."""


class Seconds:
    """The tests in some places, and what is known of their times."""

    def __init__(self, root: Path, copy: Path, cache: Path, places: Iterable[str]) -> None:
        self.written = cache / "times"
        self.written.mkdir(exist_ok=True)
        self._names = _collected(root, copy, places)
        self._known = _read(cache / "reach.json")

    def table(self) -> Reached:
        """The tests and their seconds, as of now."""
        for file in self.written.glob("*.json"):
            self._known |= _read(file)
        return Reached({name: self._known.get(name, SUPPOSED) for name in self._names}, {})


def _read(file: Path) -> dict[str, float]:
    seconds: dict[str, float] = json.loads(file.read_text())["seconds"] if file.is_file() else {}
    return seconds


def _collected(root: Path, copy: Path, places: Iterable[str]) -> list[str]:
    """The names of the tests that are there now."""
    told = subprocess.run(
        [*PYTEST, "--collect-only", "-m", QUICK, *sorted(set(places))],
        cwd=copy,
        env=surroundings(root, copy),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [line for line in told if "::" in line]
