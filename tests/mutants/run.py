"""Run the tests that reach a mutant in a copy of the tree, until one fails."""

from __future__ import annotations

import json
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mutants.named import Named
from mutants.plugin import TIMED_OUT
from mutants.reach import PYTEST
from mutants.scratch_tree import environment
from mutants.sites import Mutant

MEMORY = 8 * 2**30
"""The memory limit of a mutant in bytes; exceeding it is a failure."""

Outcome = Literal["caught", "timeout", "survived"]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a mutant."""

    mutant: Named
    end: Outcome
    tests: int
    seconds: float
    by: str
    """The last lines of the run: which test failed."""


def run_mutant(root: Path, copy: Path, mutant: Mutant, tests: dict[str, float]) -> Result:
    """Run the tests against the mutant, in `copy`."""
    target = copy / "python" / "streamgauge" / mutant.path
    whole = target.read_bytes()
    began = time.monotonic()
    target.write_bytes(mutant.applied(whole))
    try:
        end, by = pytest_in(root, copy, tests)
    finally:
        target.write_bytes(whole)
    return Result(mutant.named, end, len(tests), time.monotonic() - began, by)


def pytest_in(root: Path, copy: Path, tests: dict[str, float], **more: str) -> tuple[Outcome, str]:
    """Run these tests in a copy until one fails; returns the outcome and the failure."""
    if not tests:
        return "survived", "no test reaches it"
    seconds = copy.with_suffix(".seconds.json")
    seconds.write_text(json.dumps(tests))
    try:
        done = subprocess.run(
            [*PYTEST, "-x", "-q", "--no-header", "--tb=line", *tests],
            cwd=copy,
            env=environment(root, copy, MUTANTS_SECONDS=str(seconds), **more),
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
