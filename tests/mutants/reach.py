"""Which test runs which line: measured with coverage, cached until a source changes."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from mutants.scratch_tree import copy_of, environment
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
        """The tests that may detect the change, `most` seconds of them: those that name the
        function or its module first, then fast ones.

        Code that runs at import is recorded for whichever test imported the module first, so that
        any test that names it, any of all modules, in `tests` itself, or any other of the module
        may detect it. Code without recorded lines may be detected by any test, those of its package
        first.
        """
        by_line = self.lines.get(mutant.path, {})
        near = {t for line in mutant.reached_by for t in by_line.get(str(line), ())}
        names = near
        words = {Path(mutant.path).stem, mutant.within.rpartition(".")[2]} - {""}
        named = {t for t in self.seconds if any(_plain(word) in _plain(t) for word in words)}
        if mutant.at_import and by_line:
            near = near | named | {t for t in self.seconds if t.startswith("tests/test_")}
            names = near.union(*by_line.values())
        folder = f"tests/{mutant.package}/"
        if names:
            return self.ranked(names, most, lambda t: 2 * (t not in near) + (t not in named))
        return self.ranked(set(self.seconds), most, lambda t: not t.startswith(folder))

    def ranked(self, names: set[str], most: float, far: Callable[[str], int]) -> dict[str, float]:
        """Order by `far`, then one case of each test before the second of any, then by time."""
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

    def without(self, files: set[str]) -> Reached:
        """The table without the tests of these files."""
        remaining = {t: s for t, s in self.seconds.items() if t.partition("::")[0] not in files}
        return Reached(
            remaining,
            {
                path: {line: [t for t in tests if t in remaining] for line, tests in lines.items()}
                for path, lines in self.lines.items()
            },
        )

    def moved(self, before: Path, after: Path) -> Reached:
        """The lines as numbered in the sources `after`.

        A changed or inserted line gets the tests of the lines that it replaces and of their
        neighbours.
        """
        moved = {}
        for path, lines in self.lines.items():
            old, new = (
                (package / path).read_text().splitlines() if (package / path).is_file() else []
                for package in (before, after)
            )
            moved[path] = lines if old == new else _renumbered(lines, old, new)
        return Reached(self.seconds, moved)


def _plain(name: str) -> str:
    """A name without case and underscores: `PowerSupply` is in `[power_supply.parquet]`."""
    return name.lower().replace("_", "")


def _renumbered(
    lines: dict[str, list[str]], old: list[str], new: list[str]
) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for line in range(c + 1, d + 1):
            near = (a + line - c,) if what == "equal" else range(a, b + 2)
            found[str(line)] = {t for n in near for t in lines.get(str(n), ())}
    return {line: sorted(tests) for line, tests in found.items() if tests}


def interleaved(lists: Sequence[Sequence[Any]]) -> Iterator[Any]:
    """The first of each list, then the second of each, and so on; ended lists are skipped."""
    for row in zip_longest(*lists):
        yield from (one for one in row if one is not None)


def reached(root: Path, cache: Path, parts: list[str], stale: bool, workers: int) -> Reached:
    """The table, from the cache if no source has changed.

    With `stale`, a table of older sources is updated: only changed or new test files are run, and
    lines are renumbered.
    """
    cache.mkdir(parents=True, exist_ok=True)
    kept, copy = cache / "reach.json", cache / "reach"
    now = {"parts": repr(parts), **_fingerprints(root)}
    table = Reached({}, {})
    run: Sequence[str] = parts
    if kept.is_file():
        old = json.loads(kept.read_text())
        cached = Reached(old["seconds"], old["lines"])
        if old["of"] == now:
            return cached
        if stale and old["of"]["parts"] == now["parts"]:
            other = {file for file in {*old["of"], *now} if old["of"].get(file) != now.get(file)}
            table = cached.without(other).moved(*(r / "python/streamgauge" for r in (copy, root)))
            run = sorted(file for file in other & now.keys() if _has_tests(file, parts))
    copy_of(root, copy)
    if run or not table.seconds:
        table = _merged([asdict(table), *_measured(root, copy, cache / "reached", run, workers)])
    kept.write_text(json.dumps({"of": now, **asdict(table)}))
    return table


def _has_tests(file: str, parts: list[str]) -> bool:
    """Whether pytest collects tests from it (or examples, from a source)."""
    path = Path(file)
    within = not parts or any(path.is_relative_to(part) for part in parts)
    source = file.startswith("python/") and path.name != "__main__.py"
    return within and (source or path.name.startswith("test_"))


def _measured(
    root: Path, copy: Path, to: Path, parts: Sequence[str], workers: int
) -> list[dict[str, Any]]:
    """The records of each pytest process in a run of these parts."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    done = subprocess.run(
        [*PYTEST, "-n", str(workers), "-m", QUICK, *parts],
        cwd=copy,
        env=environment(root, copy, MUTANTS_REACH=str(to)),
        check=False,
    )
    # A test that fails here is left out; pytest has reported it.
    ran = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED
    if done.returncode not in ran:
        raise RuntimeError(f"pytest could not run the tests: exit {done.returncode}")
    return [json.loads(file.read_text()) for file in sorted(to.glob("*.json"))]


def _merged(tables: list[dict[str, Any]]) -> Reached:
    """The records of all processes as one table."""
    seconds: dict[str, float] = {}
    lines: dict[str, dict[str, list[str]]] = {}
    for table in tables:
        seconds |= table["seconds"]
        for path, of_file in table["lines"].items():
            for line, tests in of_file.items():
                lines.setdefault(path, {}).setdefault(line, []).extend(tests)
    return Reached(seconds, lines)


def _fingerprints(root: Path) -> dict[str, str]:
    """The hash of the content of each file."""
    return {
        file.relative_to(root).as_posix(): hashlib.blake2b(file.read_bytes()).hexdigest()
        for folder in ("python", "tests")
        for file in sorted((root / folder).rglob("*.py"))
    }
