"""Mutants of the core: cargo-mutants lists them, the core is built with them, tests are run.

Most of the core is tested against references in Python, so `cargo test` alone is not enough (and
takes minutes): first the Python tests of the part are run, then its Rust tests.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants.named import Named
from mutants.reach import Reached, interleaved
from mutants.run import Outcome, Result, pytest_in
from mutants.switched import CHOICE, SWITCH, Span, at_fault, body, switched

CORE = "crates/streamgauge-core/src/"

TESTS = {
    "comparisons": ("tests/comparisons/",),
    "detectors": (
        "tests/detectors/",
        "tests/learners/test_ensembles.py",
        "tests/learners/test_model_trees.py",
        "tests/learners/test_resetting.py",
    ),
    "engine": ("tests/engine/", "tests/late/", "tests/protocols/", "tests/test_blocks.py"),
    "error": ("tests/scenarios/test_wrong_calls.py", "tests/learners/test_contract.py"),
    "generators": ("tests/streams/test_generators.py", "tests/streams/test_drift.py"),
    "kernels": ("tests/learners/", "tests/measures/"),
    "late": ("tests/late/", "tests/log/", "tests/protocols/"),
    "learners": ("tests/learners/", "tests/engine/", "tests/late/"),
    "lib": ("tests/learners/", "tests/measures/", "tests/comparisons/"),
    "noise": ("tests/properties/", "tests/streams/test_unstable.py"),
    "parameters": (
        "tests/learners/",
        "tests/detectors/",
        "tests/streams/test_generators.py",
        "tests/scenarios/test_wrong_calls.py",
    ),
    "preprocessing": ("tests/preprocessing/", "tests/learners/test_contract.py"),
    "seeds": ("tests/test_seeds.py", "tests/streams/", "tests/learners/", "tests/late/"),
    "selectors": ("tests/selectors/", "tests/learners/test_selecting.py"),
    "summaries": ("tests/measures/", "tests/test_windows.py", "tests/comparisons/"),
    "text": ("tests/streams/",),
    "row_major": ("tests/streams/", "tests/engine/"),
}
"""The Python tests that use each part of the core."""

QUICK = ["--profile", "quick", "--quiet", "--config", "profile.quick.opt-level=1"]
QUICK += ["--config", "profile.quick.codegen-units=256"]
"""Fast enough for tests; in small units, so that a change is built in seconds."""

BATCH = 80
"""The largest number of mutants that share a build."""

LONG = 10.0
"""The assumed seconds of a test where they do not matter."""

LONGEST = 300
"""The time limit of the core's Rust tests in seconds."""


@dataclass(frozen=True, slots=True)
class RustMutant:
    """One change of one file of the core."""

    package: str
    path: str
    within: str
    kind: str
    line: int
    what: str
    diff: str
    function: Span | None = None
    """The span of the changed function."""

    @property
    def change(self) -> str:
        """The change on one line."""
        removed, added = ("".join(self._lines(sign)).strip() for sign in "-+")
        return f"{self.what}: {' '.join(removed.split())} → {' '.join(added.split())}"

    @property
    def named(self) -> Named:
        """Its name."""
        return Named(self.package, self.path, self.within, self.kind, self.line, self.change)

    def applied(self, source: str) -> str:
        """The file with the hunk of the diff applied."""
        lines = source.splitlines(keepends=True)
        found = re.search(r"^@@ -(\d+)(?:,(\d+))? ", self.diff, re.M)
        if found is None:
            raise ValueError(f"no hunk in the diff of {self.path}")
        start, count = int(found[1]) - 1, int(found[2] or 1)
        after = [line[1:] for line in self._hunk() if line[:1] in "+ "]
        return "".join(lines[:start] + after + lines[start + count :])

    def body(self, source: str) -> tuple[int, int] | None:
        """The span of the body of its function, if it can be chosen at run time."""
        return body(source, self.function, self.within.rpartition("::")[2])

    def _hunk(self) -> list[str]:
        return self.diff[self.diff.index("\n@@ ") + 1 :].splitlines(keepends=True)[1:]

    def _lines(self, sign: str) -> list[str]:
        mark = "/* ~ changed by cargo-mutants ~ */"
        return [s[1:].replace(mark, "").strip() for s in self._hunk() if s[:1] == sign]


def parts_of(root: Path) -> set[str]:
    """The folders and files of the core."""
    return {path.stem for path in (root / CORE).iterdir()}


def part_of(path: str) -> str:
    """The part a file belongs to: its folder, or itself."""
    return path.split("/")[0].removesuffix(".rs")


def rust_mutants(root: Path, seed: int, parts: list[str]) -> list[RustMutant]:
    """The mutants of cargo-mutants in random order, parts and kinds interleaved."""
    listed = subprocess.run(
        ["cargo", "mutants", "--list", "--json", "--diff", "-p", "streamgauge-core"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    drawn: dict[str, dict[str, list[RustMutant]]] = {}
    for given in json.loads(listed):
        path = given["file"].removeprefix(CORE)
        part = part_of(path)
        if part in parts:
            made = RustMutant(
                part,
                path,
                (given["function"] or {}).get("function_name", ""),
                given["genre"],
                given["span"]["start"]["line"],
                _what(given["name"]),
                given["diff"],
                _span(given["function"]),
            )
            drawn.setdefault(part, {}).setdefault(made.kind, []).append(made)
    draw = random.Random(seed)
    for kinds in drawn.values():
        for these in kinds.values():
            draw.shuffle(these)
    return list(interleaved([list(interleaved(list(k.values()))) for k in drawn.values()]))


def _span(function: dict[str, Any] | None) -> Span | None:
    if function is None:
        return None
    ends = (function["span"][end] for end in ("start", "end"))
    first, last = ((end["line"], end["column"]) for end in ends)
    return Span(first, last)


def _what(name: str) -> str:
    """The change without position and function, from `a.rs:3:9: replace + with - in f`."""
    what = name.split(": ", 1)[1]
    return what.rpartition(" in ")[0] or what


def nearest(mutant: RustMutant, table: Reached, most: float) -> dict[str, float]:
    """The part's tests; first those that name the file, its folder and the function."""
    places = TESTS[mutant.package]
    words = {*mutant.path.removesuffix(".rs").split("/"), mutant.within.rpartition("::")[2]}
    stems = {_plain(word).removesuffix("s") for word in words - {mutant.package, "mod", ""}}

    def far(name: str) -> int:
        return -sum(stem in _plain(name) for stem in stems)

    return table.ranked({t for t in table.seconds if t.startswith(places)}, most, far)


def _plain(name: str) -> str:
    """The same text for `naive_bayes` and `NaiveBayes`."""
    return name.lower().replace("_", "")


def batches(root: Path, mutants: list[RustMutant], count: int) -> Iterator[list[RustMutant]]:
    """Mutants that can share a build, then each of the others alone; some may not compile."""
    size = min(BATCH, count + count // 4 + 1)
    for first in range(0, len(mutants), size):
        some = mutants[first : first + size]
        whole = {m.path: (root / CORE / m.path).read_text() for m in some}
        yield [m for m in some if m.body(whole[m.path])]
        yield from ([m] for m in some if not m.body(whole[m.path]))


def built(root: Path, copy: Path, target: Path, batch: list[RustMutant]) -> dict[int, RustMutant]:
    """Build the core with all of them; returns those that compile, by number."""
    left = dict(enumerate(batch, 1))
    while True:
        files = _sources(root, left)
        for file in (root / CORE).rglob("*.rs"):
            path = file.relative_to(root / CORE).as_posix()
            _write(copy / CORE / path, files.get(path) or file.read_text())
        errors = _build(copy, target)
        if errors is None:
            return left
        faults: dict[str, set[int]] = {}
        for path, line in re.findall(rf"^{CORE}(\S+?):(\d+):\d+: error", errors, re.M):
            faults.setdefault(path, set()).add(int(line))
        faulty = {n for path, lines in faults.items() for n in at_fault(files[path], lines)}
        alone = {n for n, m in left.items() if len(left) == 1 and m.path in faults}
        if not faulty | alone:
            raise ValueError(f"the core does not build:\n{errors}")
        left = {n: m for n, m in left.items() if n not in faulty | alone}


def _sources(root: Path, mutants: dict[int, RustMutant]) -> dict[str, str]:
    """The changed files and their new content."""
    lib = (root / CORE / "lib.rs").read_text() + CHOICE
    files = {"lib.rs": lib}
    for path in {m.path for m in mutants.values()}:
        whole = lib if path == "lib.rs" else (root / CORE / path).read_text()
        bodies: dict[tuple[int, int], dict[int, str]] = {}
        files[path] = whole
        for number, mutant in mutants.items():
            if mutant.path == path:
                changed, place = mutant.applied(whole), mutant.body(whole)
                if place is None:
                    files[path] = changed
                else:
                    more = len(changed) - len(whole)
                    bodies.setdefault(place, {})[number] = changed[place[0] : place[1] + more]
        files[path] = switched(files[path], bodies)
    return files


def _write(file: Path, text: str) -> None:
    """Write only if it differs, so that builds stay valid."""
    if file.read_text() != text:
        file.write_text(text)


def _build(copy: Path, target: Path) -> str | None:
    """Build and install the core of the copy; returns the errors, if any."""
    # A new copy has the file times of the tree, so cargo would reuse an older build.
    (copy / CORE / "lib.rs").touch()
    done = subprocess.run(
        ["cargo", "build", *QUICK, "--message-format", "short", "-p", "streamgauge-py"],
        cwd=copy,
        env=os.environ | {"CARGO_TARGET_DIR": str(target)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return done.stderr
    core = next((copy / "python" / "streamgauge").glob("_core*.so"))
    core.unlink()
    shutil.copy2(target / "quick" / "lib_core.so", core)
    return None


def run_rust_mutant(
    root: Path, copy: Path, target: Path, named: Named, number: int, tests: dict[str, float],
    times: Path,
) -> Result:  # fmt: skip
    """Run the tests against one of the mutants built."""
    began = time.monotonic()
    chosen = {SWITCH: str(number)}
    end, by = pytest_in(root, copy, tests, MUTANTS_TIMES=str(times), **chosen)
    if end == "survived":
        end, by = _own_tests(copy, target, named.package, chosen)
    return Result(named, end, len(tests), time.monotonic() - began, by)


def _own_tests(copy: Path, target: Path, part: str, chosen: dict[str, str]) -> tuple[Outcome, str]:
    """The outcome of the core's Rust tests: those of the part, then those of the whole core."""
    variables = os.environ | {"CARGO_TARGET_DIR": str(target), **chosen}
    for which in (["--lib", f"{part}::"], ["--test", "*"]):
        test = ["cargo", "test", *QUICK, "-p", "streamgauge-core", *which]
        # Built separately, since building may take longer than the time limit.
        build = [*test, "--no-run"]
        subprocess.run(build, cwd=copy, env=variables, capture_output=True, check=True)
        own = subprocess.run(
            ["timeout", str(LONGEST), *test],
            cwd=copy,
            env=variables,
            capture_output=True,
            check=False,
        )
        if own.returncode:
            return "timeout" if own.returncode == 124 else "caught", "cargo test"
    return "survived", ""


def fail_anyway(root: Path, copy: Path, failed: set[str]) -> set[str]:
    """The tests that also fail without any change."""
    if pytest_in(root, copy, dict.fromkeys(sorted(failed), LONG))[0] == "survived":
        return set()
    return {name for name in failed if pytest_in(root, copy, {name: LONG})[0] != "survived"}
