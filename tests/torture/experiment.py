"""The experiment that is disturbed, and the comparison of run folders, byte for byte."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from streamgauge.cli import main
from streamgauge.errors import LogError
from streamgauge.experiments._events import NAME as EVENTS
from streamgauge.log.card import NAME, read_card
from torture.processes import ended, start

SPEC = """
title = "torture"
streams = ["sea(items={items})", "agrawal(items={items})"]
learners = ["nb", "resetting('nb', 'ddm')"]
protocols = ["prequential"]
measures = ["accuracy", "auc"]
"""
"""Four cells with scores; two of them with the side table of alarms."""

UNEQUAL = ("resources", "checksum")
"""Keys of a card that differ between two runs: times and memory, and so the card's checksum."""

REPORT = "report.html"
SAME_REPORT = "the report of the logs of its folder"
LONGEST = 300.0
"""Seconds after which a report counts as hanging."""


def write_spec(folder: Path, items: int) -> Path:
    """Write the experiment file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "spec.toml"
    path.write_text(SPEC.format(items=items))
    return path


def content(run: Path) -> dict[str, object]:
    """The content of every file of a run folder; of a card, what two runs must have in common.

    A report shows the times on the cards: it must be, byte for byte, the one made of the folder.
    """
    special = {NAME: _card, REPORT: _report}
    return {
        str(path.relative_to(run)): special.get(path.name, Path.read_bytes)(path)
        for path in sorted(run.rglob("*"))
        if path.is_file() and path.name != EVENTS  # the history of a run, not its result
    }


def _card(path: Path) -> str:
    card = json.loads(path.read_text())
    return json.dumps({key: value for key, value in card.items() if key not in UNEQUAL})


def _report(path: Path) -> str | bytes:
    """`SAME_REPORT`, or the bytes of another report."""
    with tempfile.TemporaryDirectory() as folder:
        again, output = Path(folder) / REPORT, Path(folder) / "output.txt"
        line = ["report", str(path.parent), "--out", str(again)]
        code = ended(start(partial(main, line), output), LONGEST)
        assert code == 0, output.read_text()
        found = path.read_bytes()
        return SAME_REPORT if found == again.read_bytes() else found


def differences(run: Path, expected: dict[str, object]) -> list[str]:
    """Files that are missing, left over or different."""
    found = content(run)
    return [
        *(f"missing: {name}" for name in sorted(expected.keys() - found.keys())),
        *(f"left over: {name}" for name in sorted(found.keys() - expected.keys())),
        *(f"different: {n}" for n in sorted(found.keys() & expected) if found[n] != expected[n]),
    ]


def finished(run: Path, expected: dict[str, object]) -> tuple[dict[str, int], list[str]]:
    """Finished cells (name -> inode, which changes if it is run again), and what is wrong."""
    cells, wrong = {}, []
    for place in sorted((run / "cells").glob("*")):
        try:
            complete = read_card(place).status == "complete"
        except LogError as error:
            wrong.append(str(error))
            continue
        if complete:
            cells[place.name] = place.stat().st_ino
            of_cell = {k: v for k, v in expected.items() if k.startswith(f"cells/{place.name}/")}
            found = {f"cells/{place.name}/{k}": v for k, v in content(place).items()}
            if found != of_cell:
                wrong.append(f"marked complete, and is not: {place.name}")
    return cells, wrong


def clear(folder: Path) -> Path:
    """An empty path for the next run."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def report(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
