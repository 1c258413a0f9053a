"""Small versions of `make torture`, and its journal on a folder that syncs too little."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from torture.journal import Journal, State

TESTS = Path(__file__).parent


def torture(*words: str) -> str:
    """The last line of a run, which must have found nothing."""
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "torture", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_killed_runs_end_as_an_undisturbed_one():
    line = torture("kills", "--kills", "12")
    assert line.startswith("kills (seed 0): 12 kills, ")
    assert "0 lost cells, 0 left over, 0 differences" in line


def test_of_several_writers_one_wins_and_the_others_are_refused():
    line = torture("writers", "--rounds", "5")
    assert line.startswith("writers (seed 0): 5 rounds, 7 refused, ")
    assert "0 wrong" in line


def test_a_power_failure_loses_nothing_of_a_log_that_was_closed():
    line = torture("failures", "--states", "1", "--limit", "30")
    assert line.startswith("failures (seed 0): ")
    assert " states, 30 resumed, 0 wrong" in line


def files(state: State, target: Path) -> dict[str, bytes]:
    state.write(target)
    return {str(p.relative_to(target)): p.read_bytes() for p in target.rglob("*") if p.is_file()}


@pytest.mark.parametrize("synced", [False, True])
def test_the_journal_gives_every_state_that_fsync_permits(tmp_path, synced):
    """A file that is written, renamed, and followed by a second one."""
    journal = Journal(tmp_path / "seen")
    with journal.recording():
        for name in ("a", "b"):
            part = tmp_path / "seen" / f"{name}.part"
            with part.open("wb") as file:
                file.write(name.encode() * 4)
                file.flush()
                if synced:
                    os.fsync(file.fileno())
            os.replace(part, tmp_path / "seen" / name)
            if synced:
                folder = os.open(tmp_path / "seen", os.O_RDONLY)
                os.fsync(folder)
                os.close(folder)
    rng = random.Random(0)
    found = [
        files(state, tmp_path / f"{nth}") for nth, (_, state) in enumerate(journal.states(rng, 200))
    ]
    assert {"a": b"aaaa", "b": b"bbbb"} in found
    assert {} in found
    first_lost = [s for s in found if "b" in s and "a" not in s]
    damaged = [s for s in found if s.get("a", b"aaaa") != b"aaaa"]
    assert bool(first_lost) == bool(damaged) == (not synced)
