"""Which test runs which line: measured once under coverage, kept until a source changes."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from mutants.copies import copy_of, surroundings
from mutants.sites import Mutant

PYTEST = [sys.executable, "-m", "pytest"]
PYTEST += ["-p", "mutants.plugin", "-p", "no:cacheprovider"]
QUICK = "not slow and not browser and not capymoa"


@dataclass(frozen=True, slots=True)
class Reached:
    """The tests that pass, their seconds, and the lines each runs."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]

    def tests(self, mutant: Mutant, most: float) -> dict[str, float]:
        """The tests that may see the change, quick ones first, `most` seconds of them.

        What no line of its own shows is left to the family's tests, or to all of them.
        """
        by_line = self.lines.get(mutant.path, {})
        names = {t for line in mutant.reached_by for t in by_line.get(str(line), ())}
        if not names:
            folder = f"tests/{mutant.package}/"
            names = {t for t in self.seconds if t.startswith(folder)} or set(self.seconds)
        return self.ranked(names, most, lambda _: 0)

    def ranked(self, names: set[str], most: float, far: Callable[[str], int]) -> dict[str, float]:
        """Near ones, then quick ones, and one case of each test before the second of any."""
        cases: dict[str, int] = {}
        ranked = []
        for name in sorted(names, key=lambda t: (self.seconds[t], t)):
            test = name.partition("[")[0]
            cases[test] = cases.get(test, -1) + 1
            ranked.append((far(name), cases[test], self.seconds[name], name))
        chosen: dict[str, float] = {}
        spent = 0.0
        for _, _, seconds, name in sorted(ranked):
            if spent + seconds <= most or not chosen:
                chosen[name] = seconds
                spent += seconds
        return chosen

    def still_there(self, root: Path) -> Reached:
        """Without the tests that are no longer there; lines are those of the older sources."""
        files = sorted({t.partition("::")[0] for t in self.seconds})
        told = subprocess.run(
            [*PYTEST, "--collect-only", *(f for f in files if (root / f).is_file())],
            cwd=root,
            env=surroundings(root, root),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        there = {t: s for t, s in self.seconds.items() if t in set(told)}
        return Reached(
            there,
            {
                path: {line: [t for t in tests if t in there] for line, tests in lines.items()}
                for path, lines in self.lines.items()
            },
        )


def in_turn(lists: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """The first of each, then the second of each; those that end sooner are passed over."""
    for row in zip_longest(*lists):
        yield from (one for one in row if one is not None)


def reached(root: Path, cache: Path, parts: list[str], stale: bool, workers: int) -> Reached:
    """The table, from the cache if no source has changed (or if an old one will do)."""
    kept = cache / "reach.json"
    now = _fingerprint(root, parts)
    if kept.is_file():
        table = json.loads(kept.read_text())
        if table["of"] == now:
            return Reached(table["seconds"], table["lines"])
        if stale:
            return Reached(table["seconds"], table["lines"]).still_there(root)
    copy = copy_of(root, cache / "reach")
    to = cache / "reached"
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    subprocess.run(
        [*PYTEST, "-n", str(workers), "-m", QUICK, *parts],
        cwd=copy,
        env=surroundings(root, copy, MUTANTS_REACH=str(to)),
        check=False,  # a test that fails here is left out, and pytest has said so
    )
    found = _merged([json.loads(file.read_text()) for file in sorted(to.glob("*.json"))])
    kept.write_text(json.dumps({"of": now, "seconds": found.seconds, "lines": found.lines}))
    return found


def _merged(tables: list[dict[str, Any]]) -> Reached:
    """What each process has seen, as one."""
    seconds: dict[str, float] = {}
    lines: dict[str, dict[str, list[str]]] = {}
    for table in tables:
        seconds |= table["seconds"]
        for path, of_file in table["lines"].items():
            for line, tests in of_file.items():
                lines.setdefault(path, {}).setdefault(line, []).extend(tests)
    return Reached(seconds, lines)


def _fingerprint(root: Path, parts: list[str]) -> str:
    known = hashlib.blake2b(repr(parts).encode())
    for folder in ("python", "tests"):
        for file in sorted((root / folder).rglob("*.py")):
            known.update(file.relative_to(root).as_posix().encode())
            known.update(file.read_bytes())
    return known.hexdigest()
