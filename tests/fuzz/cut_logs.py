"""Logs of interrupted runs, cut off anywhere: what is read is the beginning of the whole."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.changes import changed_bytes, changed_json
from fuzz.kind import Difference, Input, Progress
from fuzz.seals import resealed
from fuzz.small_runs import cut_log
from streamgauge import measure, read_log
from streamgauge.log import Log

FIRST_CHECK = "card accepted, at least one row of a table decoded"
TABLES = ("predictions", "labels", "training")


def draw(draw: random.Random) -> Input:
    """Each table cut off somewhere; sometimes bytes are changed, or the card is."""
    files = dict(cut_log())
    changed = draw.random() < 0.3
    for table in TABLES:
        name = f"{table}.arrows"
        content = files[name]
        if draw.random() < 0.8:
            content = content[: draw.randint(0, len(content))]
        if changed and draw.random() < 0.5:
            content = changed_bytes(draw, content)
        files[name] = content
        if draw.random() < 0.01:
            del files[name]
    if draw.random() < 0.1:
        card = changed_json(draw, json.loads(files["log.json"]))
        files["log.json"] = json.dumps(card).encode()
        files = resealed(files)
        changed = True
    elif draw.random() < 0.02:
        content = files["log.json"]
        files["log.json"] = content[: draw.randint(0, len(content))]
        changed = True
    return Input(files, {"changed": changed})


def rows_of(log: Log) -> dict[str, list[Any]]:
    """The columns of all tables."""
    found: dict[str, list[Any]] = {}
    for table in TABLES:
        for rows in getattr(log, table)():
            for column in type(rows).__dataclass_fields__:
                value = getattr(rows, column)
                if isinstance(value, np.ndarray):
                    found.setdefault(f"{table}.{column}", []).extend(value.tolist())
    return found


@cache
def _whole(folder: Path) -> dict[str, list[Any]]:
    for name, content in cut_log().items():
        (folder / name).write_bytes(content)
    return rows_of(read_log(folder))


def run(given: Input, folder: Path, progress: Progress) -> None:
    """Read what is there; without changed bytes it is the beginning of the whole log."""
    if not given.call["changed"]:
        whole = _whole(folder)
        for path in folder.iterdir():
            path.unlink()
    for name, content in given.files.items():
        (folder / name).write_bytes(content)
    log = read_log(folder)
    found = rows_of(log)
    progress.past = any(found.values())
    if not given.call["changed"]:
        for column, cells in found.items():
            if repr(cells) != repr(whole[column][: len(cells)]):
                raise Difference(f"a cut log, {column}: {cells} is no beginning")
        if log.complete:
            raise Difference("a cut log: is complete")
    list(log.labelled_predictions())
    measure(log, "accuracy")
