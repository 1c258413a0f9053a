"""How long each test takes: all that mutants of the core need to know about the tests.

Which Python line a test runs says nothing about the core, so none is traced. A test's time is
measured once and kept under its name, however old; only tests that have none are run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from mutants.copies import surroundings
from mutants.reach import PYTEST, QUICK, Reached


def timed(root: Path, copy: Path, cache: Path, places: Iterable[str]) -> Reached:
    """The tests in these places that pass in `copy`, and their seconds."""
    kept = cache / "seconds.json"
    known = _kept(cache / "reach.json") | _kept(kept)
    names = _collected(root, copy, places)
    missing = [name for name in names if name not in known]
    if missing:
        known |= _measured(root, copy, cache / "timed", missing)
        kept.write_text(json.dumps({"seconds": known}))
    return Reached({name: known[name] for name in names if name in known}, {})


def _kept(file: Path) -> dict[str, float]:
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


def _measured(root: Path, copy: Path, to: Path, names: list[str]) -> dict[str, float]:
    """Run these once; one that fails is left out, and pytest has said so."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    subprocess.run(
        [*PYTEST, *names],
        cwd=copy,
        env=surroundings(root, copy, MUTANTS_TIMES=str(to)),
        check=False,
    )
    seconds: dict[str, float] = {}
    for file in to.glob("*.json"):
        seconds |= json.loads(file.read_text())["seconds"]
    return seconds
