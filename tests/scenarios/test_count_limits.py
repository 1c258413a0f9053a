"""A count out of its range is refused in one sentence; no value ends the process.

`count_limits.py` makes the calls in a process of limited memory: every whole number of every public
constructor and function at 0, -1, 10⁹, 2³¹, 2⁶³, 2⁶⁴ and ±10²⁰.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import streamgauge
from scenarios import count_limits
from streamgauge import comparisons, diagnosis, late, report, testing
from streamgauge.names import FAMILIES

PROGRAM = Path(count_limits.__file__)
SECONDS = 1.0


@pytest.mark.parametrize("family", [*FAMILIES, "function"])
def test_an_extreme_count_works_or_is_refused(family: str) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), family], capture_output=True, text=True, timeout=300
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (lines[-1:], done.stderr[-500:])
    ended = [(call, outcome, seconds) for call, outcome, seconds in lines if outcome is not None]
    assert [line for line in ended if line[1] not in ("works", "refused")] == []
    assert [line for line in ended if line[2] > SECONDS] == []
    assert len(ended) == len(lines) // 2
    assert ended or family == "delay", "delays have no whole numbers"


def test_every_function_with_a_whole_number_is_called() -> None:
    packages = (streamgauge, comparisons, diagnosis, late, report, testing)
    functions = {
        name
        for package in packages
        for name in dir(package)
        if inspect.isfunction(function := getattr(package, name)) and not name.startswith("_")
        if [*count_limits.whole_numbers(function)]
    }
    called = {name.rpartition(".")[2].partition(" ")[0] for name in count_limits.PARAMETERS}
    assert functions - called == {"prediction_history", "check_learner", "plot"} & functions
    assert set(count_limits.PARAMETERS) == set(count_limits.FUNCTIONS)
