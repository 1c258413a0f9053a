"""The card of a log, `log.json`: schema, origin and status."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, get_args

from streamgauge.checksums import MARK, is_sealed, sealed
from streamgauge.errors import LogError, error_line
from streamgauge.files import read_regular, write_text
from streamgauge.log.arrow import SIDE_TABLES, TABLES, VERSION
from streamgauge.types import Drift, Feature, Schema
from streamgauge.types.times import MAX_TICKS

NAME = "log.json"

OLD_TABLES = "whose tables said, true and taught are now called predictions, labels and training"
"""The tables of version 1."""

OLD = {1: OLD_TABLES, 2: "which has no checksums", 3: "which has no vitals"}
"""Earlier versions -> what was different."""

Status = Literal["running", "complete", "incomplete"]


@dataclass(frozen=True, slots=True)
class TableFile:
    """The file of a table: its name, number of rows, size and checksum."""

    file: str
    rows: int
    bytes: int
    checksum: str


@dataclass(frozen=True, slots=True)
class Card:
    """The content of `log.json`.

    `run` identifies the run, in the card and in each table; `cell` is the cell of an experiment
    that it belongs to. `tables` lists the files of a log that is not running. `machine` is no part
    of a run's identity: the same run elsewhere has the same tables.
    """

    schema: Schema
    about: Mapping[str, str] = field(default_factory=dict)
    status: Status = "running"
    reason: str = ""
    scores: bool = False
    labels_in_order: bool = True
    resources: Mapping[str, float] = field(default_factory=dict)
    run: str = ""
    cell: str = ""
    tables: Mapping[str, TableFile] = field(default_factory=dict)
    machine: Mapping[str, str | int] = field(default_factory=dict)


def run_id(schema: Schema, about: Mapping[str, str], scores: bool, cell: str) -> str:
    """Identifier of a run: a hash of its origin, so that a repeated run has the same one."""
    origin = json.dumps([asdict(schema), dict(about), scores, cell], sort_keys=True, default=str)
    return blake2b(origin.encode(), digest_size=8).hexdigest()


def write_card(folder: Path, card: Card) -> None:
    """Write the card atomically."""
    content = {"format": "streamgauge-log", "version": VERSION, **asdict(card)}
    write_text(folder / NAME, sealed(content))


def read_card(folder: Path) -> Card:
    """Read and check a card."""
    path = folder / NAME
    try:
        if not path.is_file():
            raise LogError(
                f"{folder}: must be a folder with a {NAME}, got none; give a folder of a run"
            )
        text = path.read_bytes().decode()
        content: dict[str, Any] = json.loads(text)
        if content.pop("format") != "streamgauge-log":
            raise KeyError("format")
        version = content.pop("version")
        whole = is_sealed(text)
        if whole or MARK not in text:  # else a damaged number is no version
            _check_version(path, version)
        if not whole:
            raise LogError(
                f"{path}: must be as the run wrote it, got another checksum; the file is damaged "
                f"or was changed; {RUN_AGAIN}"
            )
        del content["checksum"]
        content["schema"] = _schema(content["schema"])
        content["tables"] = {name: TableFile(**of) for name, of in content["tables"].items()}
        return _checked(Card(**content))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OSError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(
            f"{path}: must be the card of a log, got a file that cannot be read "
            f"({error_line(error)}); {RUN_AGAIN}"
        ) from error


@dataclass(frozen=True, slots=True)
class Facts:
    """What a card states about its log as a whole: enough to use values that were computed from it.

    `checksums` are those of its tables.
    """

    status: Status
    cell: str
    run: str
    task: str
    checksums: Mapping[str, str]


def read_facts(folder: Path | str) -> Facts:
    """The facts of a card, at half the cost of reading it; what is wrong is found by reading it."""
    try:
        text = read_regular(f"{folder}/{NAME}").decode()
        content = json.loads(text)
        texts = content["cell"], content["run"]
        checksums = {name: table["checksum"] for name, table in content["tables"].items()}
        if (
            is_sealed(text)
            and (content["format"], content["version"]) == ("streamgauge-log", VERSION)
            and content["status"] in get_args(Status)
            and all(isinstance(value, str) for value in (*texts, *checksums.values()))
        ):
            task = "regression" if content["schema"]["classes"] is None else "classification"
            return Facts(content["status"], *texts, task, checksums)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OSError):
        pass
    return facts_of(read_card(Path(folder)))


def facts_of(card: Card) -> Facts:
    """The facts of a card that was read."""
    checksums = {name: table.checksum for name, table in card.tables.items()}
    return Facts(card.status, card.cell, card.run, card.schema.task, checksums)


def check_cells(folder: Path) -> None:
    """Refuse a run folder of an experiment whose logs have another version."""
    for path in folder.glob(f"cells/*/{NAME}"):
        try:
            text = path.read_bytes().decode()
            version = json.loads(text)["version"]
        except (KeyError, TypeError, ValueError, RecursionError, OSError):
            continue  # damaged: found when it is read
        if is_sealed(text) or MARK not in text:
            _check_version(path, version)


RUN_AGAIN = "run it again (`streamgauge run` repeats the damaged cells of an experiment)"
"""What to do about a damaged log."""


def _check_version(path: Path, version: object) -> None:
    if not isinstance(version, int) or version > VERSION:
        raise LogError(
            f"{path}: log version must be {VERSION}, got {version!r}; upgrade streamgauge"
        )
    if version < VERSION:
        why = OLD.get(version, "which never was")
        raise LogError(
            f"{path}: log version must be {VERSION}, got {version}, {why}; "
            "run again into a new folder"
        )


def _checked(card: Card) -> Card:
    """Check the types of what JSON leaves open."""
    schema = card.schema
    must: tuple[tuple[str, object, str], ...] = (
        ("schema", all(map(_is_feature, schema.features)), "one of named features"),
        ("schema", isinstance(schema.target, str), "one whose target is text"),
        ("schema", schema.classes is None or _are_values(schema.classes), "one of class values"),
        ("schema", schema.clock in ("item", "us"), "one whose clock is item or us"),
        ("schema", all(isinstance(note, str) for note in schema.notes), "one with notes of text"),
        ("schema", schema.ties in (None, "labels_first", "items_first"), "one with known ties"),
        ("schema", all(map(_is_drift, schema.drifts)), "one whose drifts are numbers of items"),
        ("about", _maps(card.about, str), "an object of texts"),
        ("status", card.status in get_args(Status), f"one of {', '.join(get_args(Status))}"),
        ("reason", isinstance(card.reason, str), "text"),
        ("scores", isinstance(card.scores, bool), "true or false"),
        ("labels_in_order", isinstance(card.labels_in_order, bool), "true or false"),
        ("resources", _maps(card.resources, int | float), "an object of numbers"),
        ("run", isinstance(card.run, str), "text"),
        ("cell", isinstance(card.cell, str), "text"),
        ("machine", _maps(card.machine, str | int), "an object of texts and numbers"),
        ("tables", all(map(_is_table, card.tables.items())), "a list of the tables of a log"),
    )
    for name, right, what in must:
        if not right:
            raise TypeError(f"{name} must be {what}, got {getattr(card, name)!r:.80}")
    if card.status == "complete" and not set(TABLES) <= card.tables.keys():
        raise ValueError(f"a complete log must have the tables {', '.join(TABLES)}")
    return card


def _is_feature(feature: Feature) -> bool:
    values = feature.values
    return isinstance(feature.name, str) and (values is None or _are_values(values))


def _are_values(values: Iterable[object]) -> bool:
    return all(isinstance(value, str | int | float) for value in values)


def _is_drift(drift: Drift) -> bool:
    return isinstance(drift.kind, str) and all(
        type(item) is int and 0 <= item <= MAX_TICKS
        for item in (drift.start, drift.centre, drift.end)
    )


def _maps(value: object, kind: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(v, kind) for v in value.values())


def _is_table(entry: tuple[str, TableFile]) -> bool:
    name, table = entry
    return (
        name in (*TABLES, *SIDE_TABLES)
        and table.file in (f"{name}.parquet", f"{name}.arrows")  # no path that leads elsewhere
        and all(type(number) is int and number >= 0 for number in (table.rows, table.bytes))
        and isinstance(table.checksum, str)
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
