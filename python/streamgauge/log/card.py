"""A log's card, `log.json`: what the tables mean, where they come from, whether all is there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from streamgauge.errors import LogError
from streamgauge.files import write_text
from streamgauge.log.arrow import VERSION
from streamgauge.types import Drift, Feature, Schema

NAME = "log.json"

Status = Literal["running", "complete", "incomplete"]


@dataclass(frozen=True, slots=True)
class Card:
    """What `log.json` says."""

    schema: Schema
    about: Mapping[str, str] = field(default_factory=dict)
    status: Status = "running"
    reason: str = ""
    scores: bool = False
    labels_in_order: bool = True
    resources: Mapping[str, float] = field(default_factory=dict)


def write_card(folder: Path, card: Card) -> None:
    """Write the card whole or not at all."""
    words = {"format": "streamgauge-log", "version": VERSION, **asdict(card)}
    write_text(folder / NAME, json.dumps(words, indent=1, allow_nan=True) + "\n")


def read_card(folder: Path) -> Card:
    """Read a card; a sentence says what is wrong with it."""
    path = folder / NAME
    if not path.is_file():
        raise LogError(
            f"{folder}: must be a folder with a {NAME}, got none; give a folder of a run"
        )
    try:
        words: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if words.pop("format") != "streamgauge-log":
            raise KeyError("format")
        version = words.pop("version")
        if version > VERSION:
            raise LogError(
                f"{path}: log version must be at most {VERSION}, got {version}; upgrade streamgauge"
            )
        words["schema"] = _schema(words["schema"])
        return Card(**words)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(
            f"{path}: must be the card of a log, but it cannot be read ({error})"
        ) from error


def _schema(words: dict[str, Any]) -> Schema:
    values = {
        **words,
        "features": tuple(
            Feature(f["name"], None if f["values"] is None else tuple(f["values"]))
            for f in words["features"]
        ),
        "classes": None if words["classes"] is None else tuple(words["classes"]),
        "drifts": tuple(Drift(**d) for d in words["drifts"]),
        "notes": tuple(words["notes"]),
    }
    return Schema(**values)
