"""The card of a log, `log.json`: schema, origin and status."""

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

OLD_TABLES = "said, true and taught"
"""The tables of version 1."""

Status = Literal["running", "complete", "incomplete"]


@dataclass(frozen=True, slots=True)
class Card:
    """The content of `log.json`."""

    schema: Schema
    about: Mapping[str, str] = field(default_factory=dict)
    status: Status = "running"
    reason: str = ""
    scores: bool = False
    labels_in_order: bool = True
    resources: Mapping[str, float] = field(default_factory=dict)


def write_card(folder: Path, card: Card) -> None:
    """Write the card atomically."""
    content = {"format": "streamgauge-log", "version": VERSION, **asdict(card)}
    write_text(folder / NAME, json.dumps(content, indent=1, allow_nan=True) + "\n")


def read_card(folder: Path) -> Card:
    """Read and check a card."""
    path = folder / NAME
    if not path.is_file():
        raise LogError(
            f"{folder}: must be a folder with a {NAME}, got none; give a folder of a run"
        )
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != "streamgauge-log":
            raise KeyError("format")
        _check_version(path, content.pop("version"))
        content["schema"] = _schema(content["schema"])
        return Card(**content)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(
            f"{path}: must be the card of a log, got a file that cannot be read ({error})"
        ) from error


def check_cells(folder: Path) -> None:
    """Refuse a run folder of an experiment whose logs have another version."""
    for path in folder.glob(f"cells/*/{NAME}"):
        read_card(path.parent)
        return


def _check_version(path: Path, version: int) -> None:
    if version > VERSION:
        raise LogError(f"{path}: log version must be {VERSION}, got {version}; upgrade streamgauge")
    if version < VERSION:
        raise LogError(
            f"{path}: log version must be {VERSION}, got {version}, whose tables {OLD_TABLES} are "
            "now called predictions, labels and training; run again into a new folder"
        )


def _schema(content: dict[str, Any]) -> Schema:
    values = {
        **content,
        "features": tuple(
            Feature(f["name"], None if f["values"] is None else tuple(f["values"]))
            for f in content["features"]
        ),
        "classes": None if content["classes"] is None else tuple(content["classes"]),
        "drifts": tuple(Drift(**d) for d in content["drifts"]),
        "notes": tuple(content["notes"]),
    }
    return Schema(**values)
