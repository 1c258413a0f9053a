"""The options to read a written stream, stored in the file itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from streamgauge.errors import DataError
from streamgauge.streams.columns import Columns
from streamgauge.types import Drift

KEY = b"streamgauge.options"
"""Metadata key of the options in Parquet and Arrow files."""

COMMENT = "% streamgauge.options "
"""Prefix of the ARFF header line that holds the options."""

ROLES = ("target", "time", "label_time", "weight")
KNOWN = {*ROLES, "classes", "task", "clock", "time_unit", "types", "drifts"}


def options_to_json(options: Mapping[str, Any]) -> bytes:
    """Serialize options as one line of ASCII JSON."""
    stored = dict(options)
    if "drifts" in stored:
        stored["drifts"] = [astuple(drift) for drift in stored["drifts"]]
    return json.dumps(stored).encode()


def arff_comment(options: Mapping[str, Any]) -> str:
    """Return the ARFF header line that holds the options."""
    return f"{COMMENT}{options_to_json(options).decode()}"


def merge_schema_options(
    who: str, options: Columns, drifts: tuple[Drift, ...], schema: Any
) -> tuple[Columns, tuple[Drift, ...]]:
    """Call `merge_stored_options` with the metadata of an Arrow schema."""
    return merge_stored_options(
        who, options, drifts, (schema.metadata or {}).get(KEY), schema.names
    )


def merge_stored_options(
    who: str,
    options: Columns,
    drifts: tuple[Drift, ...],
    stored: bytes | str | None,
    names: Sequence[str],
) -> tuple[Columns, tuple[Drift, ...]]:
    """Complete the user's options and drifts with the options stored in the file.

    Stored options that name a column which is no longer in the file are ignored.
    """
    own = read_options(who, stored)
    named = {*(own[role] for role in ROLES if role in own), *own.get("types", ())}
    if not own or not named <= set(names):
        return options, drifts
    default = Columns()
    given = {
        name: getattr(options, name)
        for name in Columns.__dataclass_fields__
        if getattr(options, name) != getattr(default, name)
    }
    known = own.pop("drifts")
    stale = overridden(own, options)
    if "time" in stale and "label_time" in own:  # label times need the times that are dropped
        stale.add("label_time")
        given["drop"] = (*options.drop, own["label_time"])
    own = {name: value for name, value in own.items() if name not in stale}
    types = {name: kind for name, kind in own.pop("types").items() if name not in options.nominal}
    merged = {**own, **given, "types": {**types, **options.types}}
    return replace(options, **merged), drifts or known


def overridden(own: Mapping[str, Any], options: Columns) -> set[str]:
    """Return the stored options that the user's options invalidate."""
    stale = {role for role in ROLES if own.get(role) in options.drop}
    target = own["target"]
    other_target = "target" in stale or options.target not in (None, target)
    if other_target or target in options.types or target in options.nominal:
        stale |= {"classes", "task"}
    if options.task == "regression":
        stale.add("classes")
    if options.classes is not None:
        stale.add("task")
    if "time" in stale or options.time not in (None, own.get("time")):
        stale |= {"clock", "time_unit"}
    return stale


def read_options(who: str, stored: bytes | str | None) -> dict[str, Any]:
    """Parse the options stored in a file; empty if there are none."""
    if stored is None:
        return {}
    try:
        own: dict[str, Any] = json.loads(stored)
        own["types"] = {name: tuple(values) for name, values in own.get("types", {}).items()}
        own["drifts"] = tuple(Drift(*drift) for drift in own.get("drifts", ()))
        fault = fault_of(own)
        if not fault:
            return own
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        fault = str(error)
    raise DataError(
        f"{who}: {KEY.decode()} must be as written by write_stream, got others ({fault}); "
        "remove them"
    )


def fault_of(own: Mapping[str, Any]) -> str:
    """Return what is wrong with stored options; empty if nothing is."""
    if not own.keys() <= KNOWN:
        return "unknown options"
    if "target" not in own:
        return "no target"
    words = {name: own[name] for name in (*ROLES, "task", "clock", "time_unit") if name in own}
    wrong = [name for name, value in words.items() if not isinstance(value, str)]
    lists = {"classes": own.get("classes", ()), **own["types"]}
    wrong += [name for name, values in lists.items() if not are_values(values)]
    wrong += ["drifts" for drift in own["drifts"] if not is_drift(drift)]
    return f"{wrong[0]!r} of another type" if wrong else ""


def are_values(values: object) -> bool:
    """Return whether stored values are a list of texts, numbers and booleans."""
    return isinstance(values, list | tuple) and all(
        isinstance(value, str | bool | int | float) for value in values
    )


def is_drift(drift: Drift) -> bool:
    """Return whether the fields of a stored drift have their types."""
    places = (drift.start, drift.centre, drift.end)
    return all(isinstance(place, int) for place in places) and isinstance(drift.kind, str)
