"""One mutant: its source in a copy of the tree, the tests that reach it, until one fails."""

from __future__ import annotations

import json
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mutants.copies import surroundings
from mutants.naming import Named
from mutants.plugin import TIMED_OUT
from mutants.reach import PYTEST
from mutants.sites import Mutant

MEMORY = 8 * 2**30
"""Bytes a mutant may ask for; one that asks for more has failed."""

End = Literal["caught", "timeout", "survived"]


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a mutant."""

    mutant: Named
    end: End
    tests: int
    seconds: float
    by: str
    """The last lines of the run: which test failed."""


def tried(root: Path, copy: Path, mutant: Mutant, tests: dict[str, float]) -> Tried:
    """Run the tests against the mutant, in `copy`."""
    target = copy / "python" / "streamgauge" / mutant.path
    whole = target.read_bytes()
    began = time.monotonic()
    target.write_bytes(mutant.applied(whole))
    try:
        end, by = pytest_in(root, copy, tests)
    finally:
        target.write_bytes(whole)
    return Tried(mutant.named, end, len(tests), time.monotonic() - began, by)


def pytest_in(root: Path, copy: Path, tests: dict[str, float], **more: str) -> tuple[End, str]:
    """Run these tests in a copy until one fails; what that says, and which it was."""
    if not tests:
        return "survived", "no test reaches it"
    told = copy.with_suffix(".seconds.json")
    told.write_text(json.dumps(tests))
    try:
        done = subprocess.run(
            [*PYTEST, "-x", "-q", "--no-header", "--tb=line", *tests],
            cwd=copy,
            env=surroundings(root, copy, MUTANTS_SECONDS=str(told), **more),
            capture_output=True,
            text=True,
            timeout=120 + 20 * sum(tests.values()),
            preexec_fn=_limited,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timeout", "the run did not end"
    if done.returncode == 0:
        return "survived", ""
    if done.returncode == TIMED_OUT:
        return "timeout", "a test did not end"
    failed = [w for w in done.stdout.splitlines() if w.startswith(("FAILED", "ERROR"))]
    return "caught", failed[-1] if failed else f"exit {done.returncode}"


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
