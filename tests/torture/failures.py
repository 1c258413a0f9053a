"""Power failures: every state that fsync permits is opened and resumed."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.errors import LogError
from streamgauge.log.card import NAME, read_card
from torture.experiment import clear, content, differences, finished, report
from torture.journal import Journal

SPEC = """
streams = ["sea(items=200)"]
learners = ["nb", "resetting('nb', 'ddm')"]
measures = ["accuracy", "auc"]
"""

ITEMS, LEARNED = 200, 120
"""Items of a log, and the labels in that of an interrupted run."""


@dataclass
class Interrupted:
    """A model that is interrupted, as by Ctrl-C."""

    learned: int = 0

    def predict(self, x: object) -> int:
        return 0

    def learn(self, x: object, y: object) -> None:
        self.learned += 1
        if self.learned > LEARNED:
            raise KeyboardInterrupt


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
    log, part = Journal(clear(folder / "log")), Journal(clear(folder / "part"))
    with log.recording():
        sg.run(f"sea(items={ITEMS})", "nb", folder=log.root)
    with part.recording(), suppress(KeyboardInterrupt):
        sg.run(f"sea(items={ITEMS})", Interrupted(), "chunks(size=40)", folder=part.root)
    for kind in (journal, log, part):
        states = [*kind.states(rng, most)]
        if limit is not None and len(states) > limit:
            states = rng.sample(states, limit)
        for at, state in states:
            target = clear(folder / "state")
            state.write(target)
            if kind is journal:
                wrong = _resumed(spec, target, expected)
            else:
                wrong = _opened(target, ITEMS if kind is log else LEARNED)
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


def _opened(target: Path, rows: int) -> list[str]:
    """What is wrong with the state of a log's folder, which has this number of labels if closed.

    A log that was not closed may have lost a stream, which was not synced: it is refused in one
    sentence.
    """
    if not (target / NAME).exists():
        return []
    (found,) = sg.verify(target)
    try:
        log, status = sg.read_log(target), read_card(target).status
    except LogError as error:
        return [str(error)]
    try:
        read = sum(len(part) for part in log.labels())
    except LogError as error:
        return [] if status == "running" else [str(error)]
    if status != "running" and (found.verdict == "damaged" or read != rows):
        return [f"{status}, and not as it was closed: {read} labels; {found.wrong}"]
    return []
