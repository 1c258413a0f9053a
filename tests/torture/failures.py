"""Power failures: every state that fsync permits is opened and resumed."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.errors import LogError
from streamgauge.log.card import NAME
from torture.experiment import clear, content, differences, finished, report
from torture.journal import Journal

SPEC = """
streams = ["sea(items=200)"]
learners = ["nb", "resetting('nb', 'ddm')"]
measures = ["accuracy", "auc"]
"""


def torture(folder: Path, most: int, seed: int, limit: int | None = None) -> Counter[str]:
    """Try at most `most` states after each operation, in total at most `limit`, evenly."""
    folder.mkdir(parents=True, exist_ok=True)
    spec = folder / "spec.toml"
    spec.write_text(SPEC)
    rng = random.Random(seed)
    found: Counter[str] = Counter(states=0, resumed=0, wrong=0)
    whole = clear(folder / "whole")
    journal = Journal(whole)
    with journal.recording():
        main(["run", str(spec), "-q", "--out", str(whole)])
    expected = content(whole)
    log = Journal(clear(folder / "log"))
    with log.recording():
        sg.run("sea(items=200)", "nb", folder=folder / "log")
    for kind in (journal, log):
        states = [*kind.states(rng, most)]
        if limit is not None and len(states) > limit:
            states = rng.sample(states, limit)
        for at, state in states:
            target = clear(folder / "state")
            state.write(target)
            wrong = _resumed(spec, target, expected) if kind is journal else _opened(target)
            found["states"] += 1
            found["resumed"] += kind is journal
            found["wrong"] += len(wrong)
            for line in wrong:
                report(f"seed {seed}, after operation {at}: {line}")
    return found


def _resumed(spec: Path, target: Path, expected: dict[str, object]) -> list[str]:
    """What is wrong with the state of a run folder, and after it was resumed."""
    cells, wrong = finished(target, expected)
    main(["run", str(spec), "-q", "--out", str(target)])
    for name, inode in cells.items():
        if (target / "cells" / name).stat().st_ino != inode:
            wrong.append(f"a finished cell was run again: {name}")
    return wrong + differences(target, expected)


def _opened(target: Path) -> list[str]:
    """What is wrong with the state of a log's folder: it is complete and whole, or incomplete.

    An incomplete log may have lost a stream that was not synced: it is refused in one sentence.
    """
    if not (target / NAME).exists():
        return []
    (found,) = sg.verify(target)
    try:
        log = sg.read_log(target)
    except LogError as error:
        return [str(error)]
    try:
        rows = sum(len(part) for part in log.labels())
    except LogError as error:
        return [str(error)] if log.complete else []
    if log.complete and (found.verdict != "whole" or rows != 200):
        return [f"complete, and not whole: {found.wrong}"]
    return []
