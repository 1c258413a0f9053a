"""The options by which a written stream is read, kept in the file itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from streamgauge.errors import DataError
from streamgauge.streams.columns import Columns
from streamgauge.types import Drift

KEY = b"streamgauge.options"
"""The metadata of Parquet and Arrow files that hold the options."""

COMMENT = "% streamgauge.options "
"""How the line of an ARFF header begins that holds the options."""

ROLES = ("target", "time", "label_time", "weight")
KNOWN = {*ROLES, "classes", "task", "clock", "time_unit", "types", "drifts"}


def packed(options: Mapping[str, Any]) -> bytes:
    """Options as ASCII JSON in one line."""
    kept = dict(options)
    if "drifts" in kept:
        kept["drifts"] = [astuple(drift) for drift in kept["drifts"]]
    return json.dumps(kept).encode()


def remembered(options: Mapping[str, Any]) -> str:
    """The line of an ARFF header that holds the options."""
    return f"{COMMENT}{packed(options).decode()}"


def recalled_by(
    who: str, said: Columns, drifts: tuple[Drift, ...], schema: Any
) -> tuple[Columns, tuple[Drift, ...]]:
    """As `recalled`, from the metadata of an Arrow schema."""
    return recalled(who, said, drifts, (schema.metadata or {}).get(KEY), schema.names)


def recalled(
    who: str,
    said: Columns,
    drifts: tuple[Drift, ...],
    kept: bytes | str | None,
    names: Sequence[str],
) -> tuple[Columns, tuple[Drift, ...]]:
    """What the user says of columns and drifts, and what the file keeps about the rest.

    A file whose columns were renamed or taken away since it was written keeps nothing.
    """
    own = read_options(who, kept)
    named = {*(own[role] for role in ROLES if role in own), *own.get("types", ())}
    if not own or not named <= set(names):
        return said, drifts
    default = Columns()
    given = {
        word: getattr(said, word)
        for word in Columns.__dataclass_fields__
        if getattr(said, word) != getattr(default, word)
    }
    known = own.pop("drifts")
    stale = outdone(own, said)
    if "time" in stale and "label_time" in own:  # ticks of a clock that is not read
        stale.add("label_time")
        given["drop"] = (*said.drop, own["label_time"])
    own = {word: value for word, value in own.items() if word not in stale}
    types = {name: kind for name, kind in own.pop("types").items() if name not in said.nominal}
    merged = {**own, **given, "types": {**types, **said.types}}
    return replace(said, **merged), drifts or known


def outdone(own: Mapping[str, Any], said: Columns) -> set[str]:
    """The kept words that hold no longer because of what the user says."""
    stale = {role for role in ROLES if own.get(role) in said.drop}
    target = own["target"]
    other_target = "target" in stale or said.target not in (None, target)
    if other_target or target in said.types or target in said.nominal:
        stale |= {"classes", "task"}
    if said.task == "regression":
        stale.add("classes")
    if said.classes is not None:
        stale.add("task")
    if "time" in stale or said.time not in (None, own.get("time")):
        stale |= {"clock", "time_unit"}
    return stale


def read_options(who: str, kept: bytes | str | None) -> dict[str, Any]:
    """The options that a file keeps; none if it keeps none."""
    if kept is None:
        return {}
    try:
        own: dict[str, Any] = json.loads(kept)
        own["types"] = {name: tuple(values) for name, values in own.get("types", {}).items()}
        own["drifts"] = tuple(Drift(*drift) for drift in own.get("drifts", ()))
        if isinstance(own["target"], str) and own.keys() <= KNOWN:
            return own
        fault = "no target" if own.keys() <= KNOWN else "unknown words"
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        fault = str(error)
    raise DataError(
        f"{who}: {KEY.decode()} must be as write_stream wrote them, got others ({fault}); "
        "remove them"
    )
