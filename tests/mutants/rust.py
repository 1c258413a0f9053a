"""Mutants of the core: cargo-mutants lists them, the core is built with each, tests are run.

Most of what the core does is held to twins in Python, so its own `cargo test` alone would be the
wrong judge (and takes minutes): first the Python tests of the part are run, then the part's own.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from mutants.naming import Named
from mutants.reach import Reached, in_turn
from mutants.trying import End, pytest_in

CORE = "crates/streamgauge-core/src/"

TESTS = {
    "comparisons": ("tests/comparisons/",),
    "detectors": ("tests/detectors/", "tests/learners/test_resetting.py"),
    "engine": ("tests/engine/", "tests/late/", "tests/protocols/", "tests/test_blocks.py"),
    "error": ("tests/scenarios/test_wrong_calls.py", "tests/learners/test_contract.py"),
    "generators": ("tests/streams/test_generators.py", "tests/streams/test_drifting.py"),
    "kernels": ("tests/learners/", "tests/measures/"),
    "late": ("tests/late/", "tests/log/", "tests/protocols/"),
    "learners": ("tests/learners/", "tests/engine/", "tests/late/"),
    "lib": ("tests/learners/", "tests/measures/", "tests/comparisons/"),
    "parameters": (
        "tests/learners/",
        "tests/detectors/",
        "tests/streams/test_generators.py",
        "tests/scenarios/test_wrong_calls.py",
    ),
    "seeds": ("tests/test_seeds.py", "tests/streams/", "tests/learners/", "tests/late/"),
    "summaries": ("tests/measures/", "tests/test_windows.py", "tests/comparisons/"),
    "text": ("tests/streams/",),
    "tiles": ("tests/streams/", "tests/engine/"),
}
"""The part of the core -> where the Python tests are that use it; every part has its line."""

QUICK = ["--profile", "quick", "--quiet", "--config", "profile.quick.opt-level=1"]
QUICK += ["--config", "profile.quick.codegen-units=256"]
"""Fast enough for tests; in small units, so that a change is built in seconds, not in a minute."""

LIBRARY = ["-p", "streamgauge-core", "--lib"]


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

    @property
    def change(self) -> str:
        """What is changed, on one line."""
        removed, added = ("".join(self._lines(sign)).strip() for sign in "-+")
        return f"{self.what}: {' '.join(removed.split())} → {' '.join(added.split())}"

    @property
    def named(self) -> Named:
        """Its name."""
        return Named(self.package, self.path, self.within, self.kind, self.line, self.change)

    def applied(self, source: str) -> str:
        """The file with the one hunk of the diff made."""
        lines = source.splitlines(keepends=True)
        found = re.search(r"^@@ -(\d+)(?:,(\d+))? ", self.diff, re.M)
        if found is None:
            raise ValueError(f"no hunk in the diff of {self.path}")
        start, count = int(found[1]) - 1, int(found[2] or 1)
        after = [line[1:] for line in self._hunk() if line[:1] in "+ "]
        return "".join(lines[:start] + after + lines[start + count :])

    def _hunk(self) -> list[str]:
        return self.diff[self.diff.index("\n@@ ") + 1 :].splitlines(keepends=True)[1:]

    def _lines(self, sign: str) -> list[str]:
        mark = "/* ~ changed by cargo-mutants ~ */"
        return [s[1:].replace(mark, "").strip() for s in self._hunk() if s[:1] == sign]


def parts_of(root: Path) -> set[str]:
    """The folders and files the core is made of."""
    return {path.stem for path in (root / CORE).iterdir()}


def part_of(path: str) -> str:
    """The part a file belongs to: its folder, or itself."""
    return path.split("/")[0].removesuffix(".rs")


def rust_mutants(root: Path, seed: int, parts: list[str]) -> list[RustMutant]:
    """Those cargo-mutants can make, in random order: parts in turn, in a part the kinds in turn."""
    told = subprocess.run(
        ["cargo", "mutants", "--list", "--json", "--diff", "-p", "streamgauge-core"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    drawn: dict[str, dict[str, list[RustMutant]]] = {}
    for given in json.loads(told):
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
            )
            drawn.setdefault(part, {}).setdefault(made.kind, []).append(made)
    draw = random.Random(seed)
    for kinds in drawn.values():
        for these in kinds.values():
            draw.shuffle(these)
    return list(in_turn([list(in_turn(list(k.values()))) for k in drawn.values()]))


def _what(name: str) -> str:
    """What is done, without the place and the function: `a.rs:3:9: replace + with - in f`."""
    what = name.split(": ", 1)[1]
    return what.rpartition(" in ")[0] or what


def nearest(mutant: RustMutant, table: Reached, most: float) -> dict[str, float]:
    """The part's tests; first those that speak of most of the file, its folder and the function."""
    places = TESTS[mutant.package]
    words = {*mutant.path.removesuffix(".rs").split("/"), mutant.within.rpartition("::")[2]}
    stems = {_plain(word).removesuffix("s") for word in words - {mutant.package, "mod", ""}}

    def far(name: str) -> int:
        return -sum(stem in _plain(name) for stem in stems)

    return table.ranked({t for t in table.seconds if t.startswith(places)}, most, far)


def _plain(name: str) -> str:
    """`naive_bayes` and `NaiveBayes` alike."""
    return name.lower().replace("_", "")


def build(copy: Path, target: Path) -> bool:
    """Build the core of the copy and put it in its place; False if it does not compile."""
    # A fresh copy has the times of the tree: cargo would take the last mutant's build for it.
    (copy / CORE / "lib.rs").touch()
    built = subprocess.run(
        ["cargo", "build", *QUICK, "-p", "streamgauge-py"],
        cwd=copy,
        env=os.environ | {"CARGO_TARGET_DIR": str(target)},
        capture_output=True,
        check=False,
    )
    if built.returncode:
        return False
    core = next((copy / "python" / "streamgauge").glob("_core*.so"))
    core.unlink()
    shutil.copy2(target / "quick" / "lib_core.so", core)
    return True


def tried_in_rust(
    root: Path,
    copy: Path,
    target: Path,
    mutant: RustMutant,
    tests: dict[str, float],
    times: Path,
) -> tuple[End | None, str, float]:
    """What became of it and by whom; None if it cannot be built (then it counts for nothing)."""
    file = copy / CORE / mutant.path
    whole = file.read_text()
    began = time.monotonic()
    file.write_text(mutant.applied(whole))
    try:
        if not build(copy, target):
            return None, "does not build", time.monotonic() - began
        end, by = pytest_in(root, copy, tests, times)
        if end == "survived":
            own = subprocess.run(
                ["timeout", "300", "cargo", "test", *QUICK, *LIBRARY, f"{mutant.package}::"],
                cwd=copy,
                env=os.environ | {"CARGO_TARGET_DIR": str(target)},
                capture_output=True,
                check=False,
            )
            if own.returncode:
                end, by = "timeout" if own.returncode == 124 else "caught", "cargo test"
        return end, by, time.monotonic() - began
    finally:
        file.write_text(whole)


def fail_anyway(root: Path, copy: Path, target: Path, failed: set[str]) -> set[str]:
    """Those of the tests that fail without any change, too: what they caught is not caught."""
    if not failed or not build(copy, target):
        return failed
    return {name for name in failed if pytest_in(root, copy, {name: 10.0})[0] != "survived"}
